package model

import (
	"context"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// ownReferences puts objects of the run first among the values of the references of a creation whose
// descriptions name the kind. Two references to one kind get two objects: a game has two players.
func (f *Adapter) ownReferences(ctx context.Context, ask probes.Asker, o probes.Operation, values map[string][]probes.Value) {
	if o.Category != "CREATE" || f.Rules == nil {
		return
	}
	given := map[string]bool{}
	for _, p := range o.Parameters {
		for _, maker := range slices.Sorted(maps.Keys(f.provenKeys)) {
			if len(values[p.Name]) == 0 || !f.Rules.Refers(o, p, maker) {
				continue
			}
			if v := f.ownReference(ctx, ask, maker, o.Name+"."+p.Name, given[maker]); !v.Is(probes.Absent) && f.Misfit(p, v) == "" {
				values[p.Name], given[maker] = append([]probes.Value{v}, values[p.Name]...), true
			}
			break
		}
	}
}

// ownReference returns the identifier of the first object that an operation made, or of another one.
func (f *Adapter) ownReference(ctx context.Context, ask probes.Asker, maker, of string, another bool) probes.Value {
	proven := f.provenKeys[maker]
	if !another {
		return proven.values[0]
	}
	made, _ := f.Operation(maker)
	s := Subject{Adapter: f, Name: maker, Op: made}
	path := proven.path(s.KnownGoodRequest().Reply.Data(), proven.kind.Key[0])
	if path == nil {
		return probes.Value{}
	}
	step := "another object for " + of
	return ask.Ask(ctx, s.FreshCall(step).Anew(step)).Told(path...)
}
