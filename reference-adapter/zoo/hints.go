package zoo

import (
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
)

var fieldsLine = regexp.MustCompile(`fields: \{[^}]*\}`)

// HintsFile is what the author of the stranger with that fault would tell: the file of
// the reference adapter in the names of the description.
func HintsFile(d habits.Description, f seam.Fault) []byte {
	file := f.HintsFile()
	if file == nil {
		return []byte("version: 1\npermissions: {allow: [execute]}\n")
	}
	return []byte(worded(d, string(file)))
}

// Hints are those of the fault in the names of the description.
func Hints(d habits.Description, f seam.Fault) map[string]string {
	words := map[string]string{}
	for name, word := range f.Hints {
		words[worded(d, name)] = worded(d, word)
	}
	return words
}

func worded(d habits.Description, text string) string {
	if len(d.Names) == 0 {
		return text
	}
	v := habits.NewVocabulary(d.Names)
	text = habits.Snake.ReplaceAllStringFunc(text, v.Name)
	return fieldsLine.ReplaceAllStringFunc(text, func(line string) string {
		return regexp.MustCompile(`: ([a-z]+)([,}])`).ReplaceAllStringFunc(line, func(part string) string {
			end := part[len(part)-1:]
			return ": " + v.Name(strings.TrimSuffix(part[2:], end)) + end
		})
	})
}
