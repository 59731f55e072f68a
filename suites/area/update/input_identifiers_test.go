package update

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Each part of an identifier is tried inside input. No part gets another value where clients choose it.
func TestEachPartOfAnIdentifierIsTried(t *testing.T) {
	zone, owner := probes.Parameter{Name: "zone", Type: "string", Required: true}, probes.Parameter{Name: "owner", Type: "string", Required: true}
	comment := probes.Parameter{Name: "comment", Type: "string"}
	for _, of := range []struct {
		chosen bool
		want   []string
	}{
		{true, []string{"zone", "owner", "zone instead"}},
		{false, []string{"zone", "zone", "owner", "zone instead"}},
	} {
		maker := probes.Operation{Name: "create_record", Category: "CREATE", Parameters: []probes.Parameter{comment}}
		if of.chosen {
			maker.Parameters = append(maker.Parameters, zone, owner)
		}
		update := probes.Operation{Name: "update_record", Category: "UPDATE", Parameters: []probes.Parameter{zone, owner, {Name: "input", Type: "object", Required: true}}}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{maker, update}}, KnownGood: map[string]model.KnownGood{}}
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
		trial := inputTrial{sp: model.TestObject{
			Subject: model.Subject{Adapter: f, Name: update.Name, Op: update}, Maker: model.Subject{Adapter: f, Name: maker.Name, Op: maker},
			IDs: map[string][]string{"zone": {"zone"}, "owner": {"owner"}}, Fields: []probes.Parameter{comment}, Declared: true,
		}}
		var got []string
		for _, r := range trial.renamings() {
			if r.input[r.name] == nil || r.input["comment"] == nil {
				t.Errorf("input holds %v", r.input)
			}
			got = append(got, r.name+map[bool]string{true: " instead"}[r.instead])
		}
		if !slices.Equal(got, of.want) {
			t.Errorf("chosen by the client %v: tried %q, want %q", of.chosen, got, of.want)
		}
	}
}
