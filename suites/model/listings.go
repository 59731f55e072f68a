package model

import (
	"cmp"
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// Which READ lists objects of which kind is found by trial, because a name may form its plural in
// any language: the identifier in a listed row, given to the READ of one object, returns that row.

// maxTrialRows is how many rows of a listing are read by their identifiers.
const maxTrialRows = 2

// learnListings finds the READ operations that list the objects of a kind and are not named so.
func (f *Adapter) learnListings(ctx context.Context, ask probes.Asker) {
	for _, made := range f.Operations {
		k, ok := f.Rules.Kind(made.Name)
		if !ok || made.Category != "CREATE" || k.Listed() {
			continue
		}
		for _, o := range f.Operations {
			b := f.KnownGood[o.Name]
			if o.Category == "READ" && o.Name != "introspect" && b.State == Proven && !f.requires(o) && !lists(k, o) && f.listsRows(ctx, ask, k, b.Reply) {
				f.Rules.Lists(made.Name, o)
			}
		}
	}
}

func (f *Adapter) requires(o probes.Operation) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required })
}

func lists(k gate.Kind, o probes.Operation) bool {
	return slices.ContainsFunc(k.Lists, func(l probes.Operation) bool { return l.Name == o.Name })
}

// listsRows reports whether the rows of a listing are objects of a kind.
func (f *Adapter) listsRows(ctx context.Context, ask probes.Asker, k gate.Kind, listing probes.Observation) bool {
	rows := gate.Rows(listing.Data())
	for _, row := range rows[:min(len(rows), maxTrialRows)] {
		key, ok := gate.ListedKey(k, probes.Value{}, row)
		if !ok {
			continue
		}
		params := map[string]any{}
		for i, name := range k.Key {
			params[name] = key[i].Go()
		}
		if gate.ShowsRow(ask.Ask(ctx, f.Request(k.Views[0], params)), k, key, row) {
			return true
		}
	}
	return false
}

// maxNewListings bounds the listings that are read for one new object.
const maxNewListings = 12

// learnNewListings finds the READ operations that list an object that the run has just created. What
// an adapter describes near the creation is read first. Each object needs its own reading, because
// an answer from before its creation cannot show it.
func (f *Adapter) learnNewListings(ctx context.Context, ask probes.Asker, made probes.Operation, k gate.Kind, key []probes.Value, fields map[string][]string) {
	at := slices.IndexFunc(f.Operations, func(o probes.Operation) bool { return o.Name == made.Name })
	var near []int
	for i, o := range f.Operations {
		if o.Category == "READ" && o.Name != "introspect" && f.KnownGood[o.Name].State == Proven && !f.requires(o) && !lists(k, o) {
			near = append(near, i)
		}
	}
	slices.SortStableFunc(near, func(x, y int) int { return cmp.Compare(max(x-at, at-x), max(y-at, at-y)) })
	for _, i := range near[:min(len(near), maxNewListings)] {
		o := f.Operations[i]
		reply := ask.Ask(ctx, f.KnownGood[o.Name].Probe.Anew("find new object of "+made.Name))
		if slices.ContainsFunc(gate.Rows(reply.Data()), func(row probes.Value) bool {
			listed, ok := gate.ListedKey(k, probes.Value{}, row)
			return ok && slices.EqualFunc(listed, key, probes.Value.Equal) && gate.Marks(row, fields)
		}) {
			f.Rules.Lists(made.Name, o)
		}
	}
}
