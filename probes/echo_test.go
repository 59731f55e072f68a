package probes

import "testing"

// A text that is answered as it was sent names nothing.
func TestEchoes(t *testing.T) {
	for _, c := range []struct {
		name, kind     string
		required, want bool
	}{
		{"client_mutation_id", "string", false, true}, {"clientMutationId", "string", false, true},
		{"client_mutation_id", "string", true, false}, {"client_mutation_id", "integer", false, false}, {"mutation_id", "string", false, false}, {"client_id", "string", false, false},
	} {
		if got := IsEcho(Parameter{Name: c.name, Type: c.kind, Required: c.required}); got != c.want {
			t.Errorf("%s %s: %t", c.name, c.kind, got)
		}
	}
}
