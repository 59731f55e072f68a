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

// An adapter may compose letters and marks. A text of others is compared as it is.
func TestComposedLetters(t *testing.T) {
	if !oneOf([]string{"aqlc-12345678 e\u0301"}, "aqlc-12345678 \u00e9") {
		t.Error("a text of the run is not known when its letters are composed")
	}
	if oneOf([]string{"e\u0301"}, "\u00e9") {
		t.Error("a text of others counts as another one")
	}
}

// A field that no read shows, as a key or a password, tells of no object whose it is.
func TestMarkThatNoReadShows(t *testing.T) {
	g := &Gate{nonce: "12345678", shows: map[string]map[string]bool{}}
	o := &object{op: "create_key", fields: map[string][]string{"title": {"aqlc-12345678"}, "secret": {"x12345678"}}}
	creation := func(params string) *asked {
		return &asked{call: call{params: value(params)}, op: operation("create_key", "CREATE", "title*:string", "secret*:string")}
	}
	if !g.tells(creation(`{"title":"Key","secret":"aqlc-12345678-1"}`)) {
		t.Error("the first object of a kind is refused")
	}
	g.noteShown(o, value(`{"title":"aqlc-12345678"}`))
	for params, want := range map[string]bool{
		`{"title":"aqlc-12345678-1","secret":"x12345678-1"}`: true,
		`{"title":"Key","secret":"aqlc-12345678-1"}`:         false,
		`{"title":"Key","secret":"other"}`:                   false,
	} {
		if got := g.tells(creation(params)); got != want {
			t.Errorf("%s tells whose it is: %v, want %v", params, got, want)
		}
	}
}
