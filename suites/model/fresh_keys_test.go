package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// An adapter may store the codes that a client chooses in upper case, and its pattern may allow both cases. A code in
// the case of the documented examples is stored as it was sent.
func TestFreshKeyHasTheCaseOfTheExamples(t *testing.T) {
	code := probes.Parameter{Name: "code", Type: "string", Required: true, Raw: probes.ValueOf(map[string]any{"name": "code", "type": "string", "pattern": "^[A-Za-z]{6}$"})}
	for example, want := range map[string]func(string) string{
		"PYTHON": strings.ToUpper, "python": strings.ToLower, "Python": func(text string) string { return text }, "": func(text string) string { return text },
	} {
		details := probes.ValueOf(map[string]any{"examples": []any{map[string]any{"request": map[string]any{"params": map[string]any{"code": example}}}}})
		o := probes.Operation{Name: "add_course", Category: "CREATE", Parameters: []probes.Parameter{code}, Details: details}
		f := &Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o}}}
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
		for number := range 5 {
			if got := f.freshKey(code, number).Text(); len(got) != 6 || got != want(got) {
				t.Errorf("beside %q the key is %q", example, got)
			}
		}
	}
}
