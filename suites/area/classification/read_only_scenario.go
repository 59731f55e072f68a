package classification

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

const (
	rounds = 3 // how often a difference has to show before it counts as an effect
	looks  = 4 // in a full round: rest, reads and rest lie between them
)

// roundStep names the step above the requests of one round. Round 0 is the quick one: two looks,
// and no rest, because where nothing differs nothing has to be told apart.
func roundStep(round int) string { return probes.Nth("reads without effect: round", round) }

// lookStep names the step above the listings of one look.
func lookStep(round, look int) string { return probes.Nth(roundStep(round)+": look", look) }

// stepOf names the step of one operation. Its place in introspection identifies the operation.
func stepOf(step string, s model.Subject) string {
	return probes.Nth(step, slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Name }))
}

// A miss is a read of something that is not there.
type miss struct {
	model.Subject
	value probes.Value
	fresh bool // a name that no other request carries
}

// request asks for it, the first time (0) or again (1).
func (m miss) request(round, time int) probes.Probe {
	position := slices.IndexFunc(m.Op.Parameters, func(p probes.Parameter) bool { return p.Name == m.Par.Name })
	step := probes.Nth(stepOf(roundStep(round)+": absent object", m.Subject)+": parameter", position)
	return m.ValidCall().With(m.Par.Name, m.value.Go()).Anew(probes.Nth(step+": read", time))
}

// missed is a read of something that is not there for each READ that can tell.
func missed(f *model.Adapter, round int) []miss {
	var all []miss
	for _, s := range f.ProvenReads() {
		for _, p := range s.Op.Parameters {
			absent, known := f.Absent[f.AbsentKey(s.Op, p)]
			if !known || !p.Required || !probes.IsReference(s.Op, p) {
				continue
			}
			s.Par = p
			if absent.Text() == f.Gen.Marker("-absent") {
				all = append(all, miss{s, probes.ValueOf(f.Gen.Marker(fmt.Sprintf("-missed%d", round))), true})
			} else {
				all = append(all, miss{s, absent, false})
			}
		}
	}
	return all
}

// A readOnlyScenario is the script: it remembers what was asked, because later requests name
// what earlier answers made.
type readOnlyScenario struct {
	*model.Adapter
	ask      model.AskFunc
	together check.AskConcurrently
	got      probes.Answers
}

func (v *readOnlyScenario) asking(p probes.Probe) probes.Observation {
	o := v.ask(p)
	v.got = append(v.got, o)
	return o
}

func (v *readOnlyScenario) look(step string) {
	var ps []probes.Probe
	for _, s := range sights(v.Adapter) {
		ps = append(ps, s.LargestPage().Anew(stepOf(step+": listing", s)))
	}
	v.got = append(v.got, v.together(ps)...)
}

// rest asks for listings alone, for n times as long as the reads and a look need.
// A longer rest in each round parts an effect of reads from what happens to a new
// object after some time of its own.
func (v *readOnlyScenario) rest(n, reads int) {
	all := sights(v.Adapter)
	for i := range n * (reads + len(all)) {
		v.asking(all[i%len(all)].LargestPage().Anew(probes.Nth("reads without effect: listing in a rest", len(v.got))))
	}
}

// made makes objects of our own that nobody has read yet: some effects of a read
// show but once.
func (v *readOnlyScenario) made(round int) (own []model.TestObject) {
	for _, s := range model.EachListed(v.Adapter) {
		sp, why := v.TestObject(s.Name)
		if s.Op.Category != "CREATE" || why != nil || sp.Viewer.Name == "" || len(own) == check.OwnKindCount {
			continue
		}
		sp.Base = len(v.got)
		if p, _ := sp.Create(stepOf(roundStep(round)+": created", s), nil); v.asking(p).Succeeded() {
			own = append(own, sp)
		}
	}
	return own
}

// reads is what stands between the looks that are compared.
func (v *readOnlyScenario) reads(round int, own []model.TestObject) (ps, again []probes.Probe) {
	for _, sp := range own {
		ps = append(ps, sp.Read(stepOf(roundStep(round)+": created", sp.Subject)+": read"))
	}
	for _, s := range v.ProvenReads() {
		if s.NeedsReference(s.Op) {
			ps = append(ps, s.ValidCall().Anew(stepOf(roundStep(round)+": read", s)))
		}
	}
	for _, m := range missed(v.Adapter, round) {
		ps, again = append(ps, m.request(round, 0)), append(again, m.request(round, 1)) // what the first made, the second finds
	}
	return ps, again
}

// round plays one round; a full one rests before and after the reads.
func (v *readOnlyScenario) round(round int, full bool) {
	ps, again := v.reads(round, v.made(round))
	v.look(lookStep(round, 0))
	if full {
		v.rest(round, len(ps)+len(again))
		v.look(lookStep(round, 1))
	}
	v.got = append(append(v.got, v.together(ps)...), v.together(again)...)
	v.look(lookStep(round, 2))
	if full {
		v.rest(round, len(ps)+len(again))
		v.look(lookStep(round, 3))
	}
}
