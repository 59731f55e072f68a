package adapter

import (
	"regexp"
	"strings"
)

var fieldsLine = regexp.MustCompile(`fields: \{[^}]*\}`)

// HintsFile is what the author of the stranger with that fault would tell: the file of
// the reference adapter in the names of the description.
func (d Description) HintsFile(f Fault) []byte {
	file := f.HintsFile()
	if file == nil {
		return []byte("version: 1\npermissions: {allow: [execute]}\n")
	}
	return []byte(d.worded(string(file)))
}

// Hints are those of the fault in the names of the description.
func (d Description) Hints(f Fault) map[string]string {
	words := map[string]string{}
	for name, word := range f.Hints {
		words[d.worded(name)] = d.worded(word)
	}
	return words
}

func (d Description) worded(text string) string {
	if len(d.Names) == 0 {
		return text
	}
	v := newVocabulary(d.Names)
	text = snake.ReplaceAllStringFunc(text, v.name)
	return fieldsLine.ReplaceAllStringFunc(text, func(line string) string {
		return regexp.MustCompile(`: ([a-z]+)([,}])`).ReplaceAllStringFunc(line, func(part string) string {
			end := part[len(part)-1:]
			return ": " + v.name(strings.TrimSuffix(part[2:], end)) + end
		})
	})
}
