package generated

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A text that is kept may lose the blanks around it before it is measured, and a parameter may say so in
// any language. Only a condition of a READ that says nothing of it is tried with a blank.
func TestBlanksAroundTexts(t *testing.T) {
	a := &probes.Adapter{}
	f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}}
	for _, c := range []struct {
		description string
		kept, want  bool
	}{
		{"Words to look for", false, true},
		{"Words to look for", true, false},
		{"Mots cherchés ; les espaces de début et de fin sont retirés", false, false},
		{"検索語。前後の空白は除かれる", false, false},
	} {
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
