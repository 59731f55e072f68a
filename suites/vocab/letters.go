package vocab

import (
	"strings"
)

// Letters is what an adapter that is lenient about names may go by.
func Letters(name string) string {
	return namesInLetters.of(name, func() string { return strings.Join(Words(name), "") })
}

// namesInLetters keeps the letters of names, since each name is compared with many others.
var namesInLetters memo[string]

// CamelCase converts a name in snake case.
func CamelCase(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}
