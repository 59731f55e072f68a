package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// stray is a creation that the tool of introspect must not run, and that tool.
func (f *Face) stray() (maker Subject, tool string, ok bool) {
	o, _ := f.Operation("introspect")
	if !slices.Contains(f.Semantic(), o.Tool) {
		return Subject{}, "", false
	}
	var settled Subject
	for _, s := range eachMarked(f) {
		if !slices.Contains(wrongTools(f, s.Op), o.Tool) {
			continue
		}
		if s.settled == nil {
			return s, o.Tool, true
		}
		settled = s
	}
	return settled, o.Tool, settled.Face != nil
}

// eachSmuggled is the creation that is smuggled into a batch of reads, or why there
// is none.
func eachSmuggled(f *Face) []Subject {
	s := introspecting(f)[0]
	if s.settled != nil {
		return []Subject{s}
	}
	if !batching(f) || !routed(f) {
		return nil
	}
	maker, _, ok := f.stray()
	switch {
	case !ok:
		return []Subject{s.settle(NotProven("a CREATE operation of another endpoint than introspect", "none"))}
	case maker.settled != nil:
		return []Subject{s.settle(*maker.settled)}
	}
	return []Subject{s}
}

// Section 6.2. A tool that may only read is granted without a second thought; what
// hides in a batch must not run through it.
var _ = register(Check{
	Requirement: "AQL-6.2-06",
	On:          eachSmuggled,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		maker, tool, _ := s.stray()
		if !resultsOf(ask(s.plainPair().To(tool))).Is(probes.Array) {
			return
		}
		ask(maker.anew(foreignTake).Anew(foreignTake))
		for _, v := range maker.views(maker.mark(foreignTake)) {
			ask(v.Anew(foreignTake))
		}
		ask(s.batchOf(tool, s.TypesListing(), maker.anew(foreignTake+1)).Anew(foreignTake))
		for _, v := range maker.views(maker.mark(foreignTake + 1)) {
			ask(v.Anew(foreignTake + 1))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, untaken := untaken(s, got[0]); untaken {
			return r
		}
		maker, name, _ := s.stray()
		n := len(maker.views(""))
		made, before, batch, after := got[1], got[2:2+n], got[2+n], got[3+n:]
		effect := shows(after, maker.mark(foreignTake+1))
		tool, _ := s.Face.Tool(name)
		switch {
		case !made.Succeeded() || !shows(before, maker.mark(foreignTake)):
			return NotProven("an object of ours listed when it is made through its own endpoint", made)
		case batch.Deferred() || !batch.Succeeded() && !batch.Refused() && !batch.RefusedBelow():
			return NotProven("an answer to a batch with an entry of another endpoint", batch)
		case !effect && !succeeds(answerIn(got[0], batch, 1)):
			return notListed(after).By(batch, made)
		case tool.Raw.At("annotations", "readOnlyHint").True():
			return Violates("a refusal of "+maker.Name+" in a batch to "+name+", which says that it only reads", "what it makes made").By(batch, after[0])
		}
		return Departs("a refusal of "+maker.Name+" in a batch to "+name, "what it makes made").By(batch, after[0])
	},
	Fix: "check the endpoint of every entry of a batch",
})
