package habits

import "testing"

// A naming is undone by its other direction, for names that are known and for others.
func TestNamingIsAPermutation(t *testing.T) {
	n := newNaming(map[string]string{"title": "name", "name": "caption", "body": "text"})
	for _, name := range []string{"title", "name", "caption", "body", "text", "other"} {
		if got := inward.name(n, outward.name(n, name)); got != name {
			t.Errorf("%s comes back as %s", name, got)
		}
		if got := outward.name(n, inward.name(n, name)); got != name {
			t.Errorf("%s goes out as %s", name, got)
		}
	}
}
