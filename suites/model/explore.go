package model

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// Before anything is judged, generated input finds out which fields an object can be created with
// and which an update can set, each with one valid value. Fields that are rejected here are left
// out of scripts that need them; other checks judge the rejection.

// maxFieldDrops is how many fields a rejected request with all fields may lose.
const maxFieldDrops = 6

// maxValueTries is how many values of a field are tried. An adapter may wrongly reject the first.
const maxValueTries = 3

// Explore sets the object kinds of the adapter.
func (f *Adapter) Explore(ctx context.Context, ask probes.Asker, seed uint64, next func(int) int) {
	f.ObjectKinds = f.findObjectKinds()
	r := rand.New(rand.NewPCG(seed, 0))
	works := func(steps ...Step) (probes.Observation, bool) {
		got := f.Run(ctx, ask, Script{Conn: f.Conn, Steps: steps}, next(len(steps)))
		if len(got) == 0 {
			return probes.Observation{}, false
		}
		last := got[len(got)-1]
		return last, last.Succeeded()
	}
	for _, kind := range f.ObjectKinds {
		for _, p := range kind.Maker.Op.Parameters {
			for range maxValueTries {
				v, ok := kind.FieldValue(r, p)
				if !ok || kind.Accepted[kind.Maker.Name+"."+p.Name] {
					break
				}
				_, accepted := works(kind.CreateStep(map[string]any{p.Name: v}))
				if _, flag := v.(bool); flag && accepted && !p.Required {
					accepted = kind.madeEither(p, works)
				}
				kind.Accepted[kind.Maker.Name+"."+p.Name] = accepted
				kind.otherSide(p, accepted)
			}
		}
		twice := []Step{kind.CreateStep(nil), kind.ReadStep(0), kind.ReadStep(0)}
		if got := f.Run(ctx, ask, Script{Conn: f.Conn, Steps: twice}, next(3)); len(got) == 3 {
			first, second := kind.FindIn(got[1].Data()), kind.FindIn(got[2].Data())
			kind.StableReads = got[1].Succeeded() && got[2].Succeeded() && first.Canonical(Volatile) == second.Canonical(Volatile)
		}
		kind.dropRefusedFields(func() (probes.Observation, bool) { return works(kind.CreateStep(kind.AllFields(r))) })
		for _, up := range kind.Updaters {
			for _, p := range up.Fields {
				for range maxValueTries {
					v, ok := kind.FieldValue(r, p)
					if !ok || kind.Accepted[up.Name+"."+p.Name] {
						break
					}
					steps := []Step{kind.CreateStep(nil), up.UpdateStep(0, map[string]any{p.Name: v}), kind.ReadStep(0)}
					got := f.Run(ctx, ask, Script{Conn: f.Conn, Steps: steps}, next(len(steps)))
					if len(got) == len(steps) {
						kind.Accepted[up.Name+"."+p.Name] = got[1].Succeeded()
						kind.otherSide(p, got[1].Succeeded())
						kind.learnAnswer(up.Name, p.Name, got[1], got[2])
					}
				}
			}
		}
	}
}

// madeEither reports whether an object is made with both values of a flag. With the flag of a dry run nothing is made,
// by whatever name it goes, though the creation succeeds.
func (kind *ObjectKind) madeEither(p probes.Parameter, works func(...Step) (probes.Observation, bool)) bool {
	return !slices.ContainsFunc([]bool{true, false}, func(v bool) bool {
		read, _ := works(kind.CreateStep(map[string]any{p.Name: v}), kind.ReadStep(0))
		return gate.ShowsNothing(read)
	})
}

// otherSide takes days of the other side of the run for the next try of a field, where one was refused.
func (kind *ObjectKind) otherSide(p probes.Parameter, accepted bool) {
	if !accepted && kind.layout(p) != "" {
		kind.Past[p.Name] = !kind.Past[p.Name]
	}
}

// learnAnswer notes where the answer to an update shows the updated object, as the next read does.
// Some adapters answer with the previous state, or with both states.
func (kind *ObjectKind) learnAnswer(update, field string, reply, look probes.Observation) {
	set, out := ValueIn(reply.Probe, "input").At(field).Canonical(nil), kind.FindIn(look.Data())
	if _, known := kind.AnswersAt[update]; known || out.At(field).Canonical(nil) != set {
		return
	}
	for _, place := range kind.places(reply.Data()) {
		if in := place.object; in.At(field).Canonical(nil) == set && (in.Canonical(Volatile) == out.Canonical(Volatile) || kind.Viewer.Name == "" && inShort(out, in)) {
			kind.AnswersAt[update] = place.path
			return
		}
	}
}

// inShort reports whether a listed row is an object in short: the object has all that the row has.
func inShort(row, object probes.Value) bool {
	return len(row.Members()) < len(object.Members()) && !slices.ContainsFunc(row.Members(), func(m probes.Member) bool { return !object.At(m.Name).Equal(m.Value) })
}

// dropRefusedFields removes the fields that rejections of the full object blame. Fields that work
// alone may exclude each other.
func (kind ObjectKind) dropRefusedFields(try func() (probes.Observation, bool)) {
	for range maxFieldDrops {
		o, ok := try()
		if ok {
			return
		}
		worst, most := "", 0
		for _, p := range kind.Maker.Op.Parameters {
			if n := blame(o, p.Name); kind.Accepted[fmt.Sprintf("%s.%s", kind.Maker.Name, p.Name)] && n > most {
				worst, most = p.Name, n
			}
		}
		if most == 0 {
			break
		}
		delete(kind.Accepted, kind.Maker.Name+"."+worst)
	}
	if _, ok := try(); !ok {
		for _, p := range kind.Maker.Op.Parameters {
			delete(kind.Accepted, kind.Maker.Name+"."+p.Name) // the request without extra fields is known to work
		}
	}
}
