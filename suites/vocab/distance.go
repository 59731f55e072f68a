package vocab

import (
	"fmt"
	"strings"
)

// Near reports whether two names differ by at most most letters. Long names are not
// compared: an adapter may list names of any length, and the comparison is quadratic.
func Near(a, b string, most int) bool {
	const longest = 100
	return max(len(a), len(b)) <= longest && max(len(a)-len(b), len(b)-len(a)) <= most && distance(a, b, most) <= most
}

// Distance is the number of letters to insert, drop or replace.
func Distance(a, b string) int { return distance(a, b, max(len(a), len(b))) }

// distance is the distance as far as it is at most most, and more than that otherwise. What both
// begin and end with costs nothing, and most names of one adapter share much.
func distance(a, b string, most int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var room [32]int
	row := append(room[:0], make([]int, len(b)+1)...)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above, least := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			above, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, above+cost)
			least = min(least, row[j+1])
		}
		if least > most {
			return least
		}
	}
	return row[len(b)]
}

// DidYouMean returns ", did you mean X?" for the closest of the words, or "" if none is close.
func DidYouMean(typed string, words []string) string {
	best, distance := "", min(4, len(typed)/2+1)
	for _, w := range words {
		if from, to := strings.ToLower(typed), strings.ToLower(w); Near(from, to, distance-1) {
			best, distance = w, Distance(from, to)
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}
