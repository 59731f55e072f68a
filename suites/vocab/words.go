package vocab

import (
	"slices"
	"unicode"
)

// Words returns the words of a name in lower case, in whatever style it is written. A
// number is a word of its own. Everything but letters, their accents and digits parts
// words and is dropped.
func Words(name string) []string {
	return slices.Clone(namesInWords.of(name, func() []string {
		var words []string
		for _, part := range spans(name) {
			for _, w := range humps(part) {
				words = append(words, lower(w))
			}
		}
		return words
	}))
}

// namesInWords keeps the words of names, since the same names are compared many times.
var namesInWords memo[[]string]

// kind tells letters and digits from what parts words.
func kind(r rune) int {
	switch {
	case unicode.IsDigit(r):
		return 2
	case unicode.IsLetter(r), unicode.IsMark(r):
		return 1
	}
	return 0
}

// spans parts a name where letters, digits and everything else meet.
func spans(name string) [][]rune {
	var parts [][]rune
	last := 0
	for _, r := range name {
		k := kind(r)
		switch {
		case k == 0:
		case k == last:
			parts[len(parts)-1] = append(parts[len(parts)-1], r)
		default:
			parts = append(parts, []rune{r})
		}
		last = k
	}
	return parts
}

// humps parts letters before a capital: getNote, HTTPResponse, but not userIDs.
func humps(part []rune) [][]rune {
	var words [][]rune
	from := 0
	for i := 1; i < len(part); i++ {
		up, before := unicode.IsUpper(part[i]), unicode.IsUpper(part[i-1])
		next := i+1 < len(part) && small(part[i+1]) && !plural(part, i)
		if up && (!before && !unicode.IsMark(part[i-1]) || unicode.IsMark(part[i-1]) && !capital(part, i) || next) {
			words = append(words, part[from:i])
			from = i
		}
	}
	return append(words, part[from:])
}

func small(r rune) bool { return unicode.IsLetter(r) && !unicode.IsUpper(r) }

// capital reports whether the letter that carries the accents before i is a capital.
func capital(part []rune, i int) bool {
	for i--; i > 0 && unicode.IsMark(part[i]); i-- {
	}
	return unicode.IsUpper(part[i])
}

// plural reports whether the capital at i ends an abbreviation that an s follows: IDs.
func plural(part []rune, i int) bool {
	return unicode.IsUpper(part[i-1]) && part[i+1] == 's' && (i+2 == len(part) || unicode.IsUpper(part[i+2]))
}

func lower(word []rune) string {
	word = slices.Clone(word)
	for i, r := range word {
		word[i] = unicode.ToLower(r)
	}
	return string(word)
}
