package generated

import (
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A text that is kept may lose the blanks around it before it is measured, and a parameter may say so in
// any language, or another one says it for all. Only a condition of a READ is tried with a blank where nothing is said of it.
func TestBlanksAroundTexts(t *testing.T) {
	for _, c := range []struct {
		description, other string
		kept, want         bool
	}{
		{"Words to look for", "Order", false, true},
		{"Words to look for", "Order", true, false},
		{"Mots cherchés ; les espaces de début et de fin sont retirés", "Ordre", false, false},
		{"検索語。前後の空白は除かれる", "", false, false},
		{"Gesuchter Text", "Titel; Leerraum am Rand entfällt", false, false},
	} {
		title := probes.ValueOf(map[string]any{"name": "title", "type": "string", "description": c.other})
		a := &probes.Adapter{Operations: []probes.Operation{{Name: "create_book", Parameters: []probes.Parameter{{Name: "title", Type: "string", Raw: title}}}}}
		f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}}
		raw := probes.ValueOf(map[string]any{"name": "query", "type": "string", "maxLength": 20, "description": c.description})
		tried := false
		for _, one := range cornerCases(f, probes.Parameter{Name: "query", Type: "string", Raw: raw}, c.kept) {
			tried = tried || strings.TrimSpace(one.value.Text()) != one.value.Text()
		}
		if tried != c.want {
			t.Errorf("%q, kept %v: tried with a blank: %v", c.description, c.kept, tried)
		}
	}
}

// A text that fits in small letters alone is wrong, unless the parameter says that its letters become small ones.
func TestTextsInAnotherCase(t *testing.T) {
	for description, want := range map[string]bool{"Code of the lot": true, "Address, stored in lower case": false, "Adresse, wird in Kleinbuchstaben gespeichert": false} {
		a := &probes.Adapter{}
		f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}}
		raw := probes.ValueOf(map[string]any{"name": "code", "type": "string", "pattern": "^[a-z]{3,12}$", "description": description})
		tried := slices.ContainsFunc(cornerCases(f, probes.Parameter{Name: "code", Type: "string", Raw: raw}, true), func(one edgeCase) bool { return strings.HasSuffix(one.value.Text(), "Z") })
		if tried != want {
			t.Errorf("%q: tried with a capital letter: %v", description, tried)
		}
	}
}
