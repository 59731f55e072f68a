package model

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/aql-conform/aql-conform/probes"
)

// Before anything is judged, generated input finds out what works: which fields
// an object can be made with and which an update can set, each with a value of
// ours. What is refused here is left out of the scripts that need it to work, and
// is judged where the documentation is compared with the adapter.

// maxTrims is how often the request with all fields is cut down by what its
// refusals blame.
const maxTrims = 6

// tries is how many values of a field are tried until one is taken: the first may
// be the very one that an adapter wrongly refuses.
const tries = 3

// Explore sets the stages of a face.
func (f *Adapter) Explore(ctx context.Context, ask probes.Asker, seed uint64, next func(int) int) {
	f.Arena = f.objectKinds()
	r := rand.New(rand.NewPCG(seed, 0))
	works := func(steps ...Step) (probes.Observation, bool) {
		got := f.Play(ctx, ask, Script{Conn: f.Conn, Steps: steps}, next(len(steps)))
		if len(got) == 0 {
			return probes.Observation{}, false
		}
		last := got[len(got)-1]
		return last, last.Succeeded()
	}
	for _, st := range f.Arena {
		for _, p := range st.Maker.Op.Parameters {
			for range tries {
				v, ok := st.FieldValue(r, p)
				if !ok || st.Fits[st.Maker.Name+"."+p.Name] {
					break
				}
				_, st.Fits[st.Maker.Name+"."+p.Name] = works(st.Create(map[string]any{p.Name: v}))
			}
		}
		twice := []Step{st.Create(nil), st.Look(0), st.Look(0)}
		if got := f.Play(ctx, ask, Script{Conn: f.Conn, Steps: twice}, next(3)); len(got) == 3 {
			first, second := st.Within(got[1].Data()), st.Within(got[2].Data())
			st.Steady = got[1].Succeeded() && got[2].Succeeded() && first.Canonical(Volatile) == second.Canonical(Volatile)
		}
		st.trim(func() (probes.Observation, bool) { return works(st.Create(st.Full(r))) })
		for _, up := range st.Updating {
			for _, p := range up.Fields {
				for range tries {
					v, ok := st.FieldValue(r, p)
					if !ok || st.Fits[up.Name+"."+p.Name] {
						break
					}
					steps := []Step{st.Create(nil), up.Set(0, map[string]any{p.Name: v}), st.Look(0)}
					got := f.Play(ctx, ask, Script{Conn: f.Conn, Steps: steps}, next(len(steps)))
					if len(got) == len(steps) {
						st.Fits[up.Name+"."+p.Name] = got[1].Succeeded()
						st.Tells[up.Name] = st.Tells[up.Name] || st.told(p.Name, got[1], got[2])
					}
				}
			}
		}
	}
}

// told reports whether the answer to an update showed the object as the look after
// it did, with the field as it was set: others answer with what was there before.
func (st *ObjectKind) told(field string, reply, look probes.Observation) bool {
	in, out := st.Within(reply.Data()), st.Within(look.Data())
	set := ValueIn(reply.Probe, "input").At(field).Canonical(nil)
	return in.At(field).Canonical(nil) == set && out.At(field).Canonical(nil) == set && in.Canonical(Volatile) == out.Canonical(Volatile)
}

// trim takes out of the full object what its refusals blame: fields that work
// alone may exclude each other.
func (st ObjectKind) trim(try func() (probes.Observation, bool)) {
	for range maxTrims {
		o, ok := try()
		if ok {
			return
		}
		worst, most := "", 0
		for _, p := range st.Maker.Op.Parameters {
			if n := blame(o, p.Name); st.Fits[fmt.Sprintf("%s.%s", st.Maker.Name, p.Name)] && n > most {
				worst, most = p.Name, n
			}
		}
		if most == 0 {
			break
		}
		delete(st.Fits, st.Maker.Name+"."+worst)
	}
	if _, ok := try(); !ok {
		for _, p := range st.Maker.Op.Parameters {
			delete(st.Fits, st.Maker.Name+"."+p.Name) // the plain request is known to work
		}
	}
}
