package generated

import "testing"

// Names that have come together often enough are left out, until another one comes to them.
func TestDrawLeavesOutWhatCameOften(t *testing.T) {
	d := draw{}
	for i, c := range []struct {
		names []string
		fresh bool
	}{
		{nil, true}, {nil, true}, {nil, false},
		{[]string{"a", "b"}, true}, {[]string{"b", "a"}, true}, {[]string{"a", "b"}, false}, {[]string{"a"}, false},
		{[]string{"a", "b", "c"}, true},
	} {
		if fresh := d.fresh(c.names...); fresh != c.fresh {
			t.Errorf("draw %d of %q is fresh: %v", i+1, c.names, fresh)
		}
	}
	if !d.follow([]string{"a"}, []string{"a"}) || !d.follow([]string{"a"}, []string{"a"}) || d.follow([]string{"a"}, []string{"a"}) {
		t.Error("a change after itself is fresh twice")
	}
}
