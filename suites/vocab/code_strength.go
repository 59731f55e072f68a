package vocab

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// alphabets are what codes are usually written in, the smallest first. A code of
// other letters is taken to use any.
var alphabets = []struct {
	letters string
	size    float64
}{
	{"01", 2},
	{"0123456789", 10},
	{"0123456789abcdef", 16},
	{"0123456789ABCDEF", 16},
	{"abcdefghijklmnopqrstuvwxyz", 26},
	{"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 26},
	{"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32},
	{"abcdefghijklmnopqrstuvwxyz0123456789", 36},
	{"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 36},
	{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 62},
	{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=_-", 64},
}

// otherAlphabet is the size of one that is none of these: all that can be seen.
const otherAlphabet = 95

// WantedBits is the strength of a code in bits. Section 8.8.2.
const WantedBits = 128

// improbable is how unlikely something has to be by chance before it counts as a
// relation between codes.
const improbable = 1e-6

// Uuid4 matches a random UUID, which has 122 random bits.
var Uuid4 = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// Strength returns the most bits that codes of this look can carry: the longest of
// them with every letter as free as their alphabet allows. What is the same in all
// codes carries none.
func Strength(codes []string) float64 {
	longest, all := 0, ""
	for _, c := range codes {
		letters := Bare(c)
		all += letters
		longest = max(longest, len([]rune(letters)))
	}
	size := AlphabetOf(all)
	bits := float64(longest) * math.Log2(size)
	fixed := float64(constant(codes))
	if len(codes) > 1 && float64(longest)*math.Pow(size, float64(1-len(codes))) < improbable {
		bits -= fixed * math.Log2(size)
	}
	return bits
}

func AlphabetOf(text string) float64 {
	for _, a := range alphabets {
		if !strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(a.letters, r) }) {
			return a.size
		}
	}
	return otherAlphabet
}

// constant counts the places at which codes of one length all have the same letter.
func constant(codes []string) int {
	first, n := []rune(Bare(codes[0])), 0
	for i, r := range first {
		same := !slices.ContainsFunc(codes, func(c string) bool {
			other := []rune(Bare(c))
			return len(other) != len(first) || other[i] != r
		})
		if same {
			n++
		}
	}
	return n
}

// RepeatedCode returns a code that occurs twice, where that is no chance among so many.
func RepeatedCode(codes []string) (code string, found bool) {
	n := float64(len(codes))
	if n*n/2*math.Exp2(-Strength(slices.Compact(slices.Sorted(slices.Values(codes))))) >= improbable {
		return "", false
	}
	seen := map[string]bool{}
	for _, c := range codes {
		if seen[c] {
			return c, true
		}
		seen[c] = true
	}
	return "", false
}

// leastInOrder is how many codes have to stand in order before that is no chance: ten
// do so once in 3.6 million times, in either direction twice.
const leastInOrder = 10

// CodesInOrder reports whether codes rise or fall from each to the next, as counters and
// clocks do.
func CodesInOrder(codes []string) bool {
	if len(codes) < leastInOrder {
		return false
	}
	rising, falling := true, true
	for i := range codes[1:] {
		c := compareCodes(codes[i], codes[i+1])
		rising, falling = rising && c < 0, falling && c > 0
	}
	return rising || falling
}

// compareCodes orders codes as numbers are ordered: the shorter one first, then by
// letter.
func compareCodes(a, b string) int {
	a, b = strings.ToLower(Bare(a)), strings.ToLower(Bare(b))
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// BehindOrder returns what is left of codes in order when the leading part that makes
// the order is taken away; empty when order is all they have.
func BehindOrder(codes []string) []string {
	for cut := 1; ; cut++ {
		var rest []string
		for _, c := range codes {
			letters := []rune(Bare(c))
			if cut >= len(letters) {
				return nil
			}
			rest = append(rest, string(letters[cut:]))
		}
		if !CodesInOrder(rest) {
			return rest
		}
	}
}
