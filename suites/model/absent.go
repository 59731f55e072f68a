package model

import (
	"context"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// findAbsent asks each READ for an object that cannot exist. An identifier counts as absent only if
// the READ reports it as not found, or answers null where it shows data for one that exists.
func (f *Adapter) findAbsent(ctx context.Context, ask probes.Asker) {
	for _, o := range f.Operations {
		b := f.KnownGood[o.Name]
		if o.Category != "READ" || b.State != Proven {
			continue
		}
		for _, p := range o.Parameters {
			if !p.Required || !probes.IsReference(o, p) {
				continue
			}
			like := ValueIn(b.Probe, p.Name)
			absent := f.Gen.AbsentIdentifier(p, like)
			if _, checked := f.checked[vocab.Letters(p.Name)]; checked || absent.Is(probes.Absent) || f.Misfit(p, absent) != "" {
				absent = f.rareKey(p)
			}
			if absent.Is(probes.Absent) {
				continue
			}
			reply := ask.Ask(ctx, b.Probe.With(p.Name, absent.Go()))
			null := reply.Succeeded() && reply.Data().Is(probes.Null) && b.Reply.Data().Is(probes.Object)
			if null || reply.Refused() && strings.HasPrefix(reply.Code(), "NOT_FOUND") {
				f.Absent[f.AbsentKey(o, p)] = absent
			}
		}
	}
	for _, o := range f.Operations {
		if f.Rules == nil || !f.Rules.Plain(o) {
			continue
		}
		for _, p := range o.Parameters { // no read takes the key, and what the run makes up is in no listing
			v := f.Gen.AbsentIdentifier(p, probes.Value{})
			if _, known := f.Absent[f.AbsentKey(o, p)]; !known && p.Required && !v.Is(probes.Absent) && f.Misfit(p, v) == "" {
				f.Absent[f.AbsentKey(o, p)] = v
			}
		}
	}
}

// rareDraws is how many keys have to differ, so that one of them is not drawn again for an object.
const rareDraws = 40

// rareKey returns a value in the documented form of an identifier, where there are so many of them that
// no object of the run is likely to get it; none where there are few.
func (f *Adapter) rareKey(p probes.Parameter) (v probes.Value) {
	seen := map[string]bool{}
	for n := range rareDraws {
		v = f.freshKey(p, rareKeys+n)
		key := v.Canonical(nil)
		if v.Is(probes.Absent) || seen[key] {
			return probes.Value{}
		}
		seen[key] = true
	}
	return v
}

// rareKeys is above the numbers of steps, so that no step creates under one of these keys.
const rareKeys = 1 << 40

// namesNothing reports whether an operation requires nothing that may choose objects: an input, flags and values of
// enumerations do not.
func (f *Adapter) namesNothing(o probes.Operation) bool {
	return !slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
		closed := p.Name == "input" || p.Type == "boolean" || len(f.EnumOf(p)) > 0
		return (p.Required || probes.IsReference(o, p)) && !closed
	})
}
