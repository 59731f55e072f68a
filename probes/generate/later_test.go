package generate_test

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// A start and an end that are equal are no span, whatever they are called and in whatever order a type lists its fields.
func TestLaterTimesStandBehind(t *testing.T) {
	time := func(name string) probes.Parameter {
		return probes.Parameter{Name: name, Type: "string", Required: true, Raw: probes.ValueOf(map[string]any{"name": name, "type": "string", "required": true, "format": "date-time"})}
	}
	start, end := time("zeta"), time("alpha")
	body := probes.Parameter{Name: "body", Type: "object", Required: true, Raw: probes.ValueOf(map[string]any{"name": "body", "type": "object", "fields": []any{start.Raw.Go(), end.Raw.Go()}})}
	op := probes.Operation{Name: "hold_slot", Category: "CREATE", Parameters: []probes.Parameter{start, end, body}}
	g := generate.Generator{Adapter: &probes.Adapter{}, Nonce: "1234567a"}
	from, until := g.Values(op, start)[0], g.Values(op, end)[0]
	if from.Text() >= until.Text() {
		t.Errorf("from %s until %s", from, until)
	}
	inside := g.Values(op, body)[0]
	if inside.At("zeta").Text() >= inside.At("alpha").Text() {
		t.Errorf("in an object: from %s until %s", inside.At("zeta"), inside.At("alpha"))
	}
}
