package vocab

import (
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for _, c := range []struct {
		a, b string
		most int
		want bool
	}{
		{"deletenote", "deletenote", 2, true}, {"deletenote", "deletenotes", 2, true}, {"deletenote", "deltenotee", 2, true},
		{"deletenote", "createnote", 2, false}, {"note", "notebook", 2, false}, {"a", "", 1, true}, {long, long + "b", 2, false},
	} {
		if got := Near(c.a, c.b, c.most); got != c.want {
			t.Errorf("%.20s and %.20s differ by at most %d letters: %v, want %v", c.a, c.b, c.most, got, c.want)
		}
	}
}
