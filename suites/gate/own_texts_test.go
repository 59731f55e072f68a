package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// An adapter may store a key in upper case and squeeze the white space of a text: both are still texts of the run.
func TestOwnTextsInAnotherCase(t *testing.T) {
	for _, c := range []struct {
		sent, shown string
		same        bool
	}{
		{"aqlc-k3f9x2ab-40", "AQLC-K3F9X2AB-40", true},
		{"aqlc-k3f9x2ab-40 a\u2028b", "aqlc-k3f9x2ab-40 a b", true},
		{" aqlc-k3f9x2ab-40", "aqlc-k3f9x2ab-40", true},
		{"aqlc-k3f9x2ab-40", "aqlc-k3f9x2ab-41", false},
		{"aqlc-k3f9x2ab-40", "aqlc-k3f9x2ab-4", false},
		{"Blue", "blue", false}, // it may be that of others
		{"two  words", "two words", false},
	} {
		if got := SameOwn(probes.ValueOf(c.sent), probes.ValueOf(c.shown)); got != c.same {
			t.Errorf("%q and %q: %t", c.sent, c.shown, got)
		}
	}
	k := Kind{Views: []probes.Operation{{Name: "get_part"}}, Key: []string{"sku"}}
	lower, upper := []probes.Value{probes.ValueOf("aqlc-k3f9x2ab-40")}, []probes.Value{probes.ValueOf("AQLC-K3F9X2AB-40")}
	if identity("", k, lower) != identity("", k, upper) {
		t.Error("two identities of one key")
	}
	if !carries(probes.ValueOf(map[string]any{"sku": "AQLC-K3F9X2AB-40"}), k, lower) {
		t.Error("the object does not carry its key in upper case")
	}
	if carries(probes.ValueOf(map[string]any{"sku": "BOLT-40"}), k, lower) {
		t.Error("an object of others carries the key")
	}
}
