package suites

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

// explore sets the stages of a face.
func (f *Face) explore(ctx context.Context, ask probes.Asker, seed uint64, next func(int) int) {
	f.arena = f.stages()
	r := rand.New(rand.NewPCG(seed, 0))
	works := func(steps ...Step) (probes.Observation, bool) {
		got := f.play(ctx, ask, Script{Conn: f.Conn, Steps: steps}, next(len(steps)))
		if len(got) == 0 {
			return probes.Observation{}, false
		}
		last := got[len(got)-1]
		return last, last.Succeeded()
	}
	for _, st := range f.arena {
		for _, p := range st.maker.Op.Parameters {
			for range tries {
				v, ok := st.fieldValue(r, p)
				if !ok || st.fits[st.maker.Name+"."+p.Name] {
					break
				}
				_, st.fits[st.maker.Name+"."+p.Name] = works(st.create(map[string]any{p.Name: v}))
			}
		}
		twice := []Step{st.create(nil), st.look(0), st.look(0)}
		if got := f.play(ctx, ask, Script{Conn: f.Conn, Steps: twice}, next(3)); len(got) == 3 {
			first, second := st.within(got[1].Data()), st.within(got[2].Data())
			st.steady = got[1].Succeeded() && got[2].Succeeded() && first.Canonical(volatile) == second.Canonical(volatile)
		}
		st.trim(func() (probes.Observation, bool) { return works(st.create(st.full(r))) })
		for _, up := range st.update {
			for _, p := range up.fields {
				for range tries {
					v, ok := st.fieldValue(r, p)
					if !ok || st.fits[up.Name+"."+p.Name] {
						break
					}
					steps := []Step{st.create(nil), up.set(0, map[string]any{p.Name: v}), st.look(0)}
					got := f.play(ctx, ask, Script{Conn: f.Conn, Steps: steps}, next(len(steps)))
					if len(got) == len(steps) {
						st.fits[up.Name+"."+p.Name] = got[1].Succeeded()
						st.tells[up.Name] = st.tells[up.Name] || st.told(p.Name, got[1], got[2])
					}
				}
			}
		}
	}
}

// told reports whether the answer to an update showed the object as the look after
// it did, with the field as it was set: others answer with what was there before.
func (st *stage) told(field string, reply, look probes.Observation) bool {
	in, out := st.within(reply.Data()), st.within(look.Data())
	set := valueIn(reply.Probe, "input").At(field).Canonical(nil)
	return in.At(field).Canonical(nil) == set && out.At(field).Canonical(nil) == set && in.Canonical(volatile) == out.Canonical(volatile)
}

// trim takes out of the full object what its refusals blame: fields that work
// alone may exclude each other.
func (st stage) trim(try func() (probes.Observation, bool)) {
	for range maxTrims {
		o, ok := try()
		if ok {
			return
		}
		worst, most := "", 0
		for _, p := range st.maker.Op.Parameters {
			if n := blame(o, p.Name); st.fits[fmt.Sprintf("%s.%s", st.maker.Name, p.Name)] && n > most {
				worst, most = p.Name, n
			}
		}
		if most == 0 {
			break
		}
		delete(st.fits, st.maker.Name+"."+worst)
	}
	if _, ok := try(); !ok {
		for _, p := range st.maker.Op.Parameters {
			delete(st.fits, st.maker.Name+"."+p.Name) // the plain request is known to work
		}
	}
}
