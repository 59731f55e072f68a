package update

import "testing"

// The order of members is that of sending: an adapter may apply one after another.
func TestValidFieldsComeFirst(t *testing.T) {
	if got, want := string(inOrder(map[string]any{"title": "new"}, map[string]any{"color": 1})), `{"title":"new","color":1}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
