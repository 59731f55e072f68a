package suites

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

// wantedBits is the strength of a code in bits. Section 8.8.2.
const wantedBits = 128

// improbable is how unlikely something has to be by chance before it counts as a
// relation between codes.
const improbable = 1e-6

// uuid4 matches a random UUID, which has 122 random bits.
var uuid4 = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// strength returns the most bits that codes of this look can carry: the longest of
// them with every letter as free as their alphabet allows. What is the same in all
// codes carries none.
func strength(codes []string) float64 {
	longest, all := 0, ""
	for _, c := range codes {
		letters := bare(c)
		all += letters
		longest = max(longest, len([]rune(letters)))
	}
	size := alphabetOf(all)
	bits := float64(longest) * math.Log2(size)
	fixed := float64(constant(codes))
	if len(codes) > 1 && float64(longest)*math.Pow(size, float64(1-len(codes))) < improbable {
		bits -= fixed * math.Log2(size)
	}
	return bits
}

func alphabetOf(text string) float64 {
	for _, a := range alphabets {
		if !strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(a.letters, r) }) {
			return a.size
		}
	}
	return otherAlphabet
}

// constant counts the places at which codes of one length all have the same letter.
func constant(codes []string) int {
	first, n := []rune(bare(codes[0])), 0
	for i, r := range first {
		same := !slices.ContainsFunc(codes, func(c string) bool {
			other := []rune(bare(c))
			return len(other) != len(first) || other[i] != r
		})
		if same {
			n++
		}
	}
	return n
}

// repeatedCode returns a code that occurs twice, where that is no chance among so many.
func repeatedCode(codes []string) (code string, found bool) {
	n := float64(len(codes))
	if n*n/2*math.Exp2(-strength(slices.Compact(slices.Sorted(slices.Values(codes))))) >= improbable {
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

// codesInOrder reports whether codes rise or fall from each to the next, as counters and
// clocks do.
func codesInOrder(codes []string) bool {
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
	a, b = strings.ToLower(bare(a)), strings.ToLower(bare(b))
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// behindOrder returns what is left of codes in order when the leading part that makes
// the order is taken away; empty when order is all they have.
func behindOrder(codes []string) []string {
	for cut := 1; ; cut++ {
		var rest []string
		for _, c := range codes {
			letters := []rune(bare(c))
			if cut >= len(letters) {
				return nil
			}
			rest = append(rest, string(letters[cut:]))
		}
		if !codesInOrder(rest) {
			return rest
		}
	}
}
