package batch

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// stray is a creation that the tool of introspect must not run, and that tool.
func stray(f *model.Adapter) (maker model.Subject, tool string, ok bool) {
	o, _ := f.Operation("introspect")
	if !slices.Contains(f.Semantic(), o.Tool) {
		return model.Subject{}, "", false
	}
	var settled model.Subject
	for _, s := range model.EachMarked(f) {
		if !slices.Contains(check.WrongTools(f, s.Op), o.Tool) {
			continue
		}
		if s.Ruling == nil {
			return s, o.Tool, true
		}
		settled = s
	}
	return settled, o.Tool, settled.Adapter != nil
}

// eachSmuggled is the creation that is smuggled into a batch of reads, or why there
// is none.
func eachSmuggled(f *model.Adapter) []model.Subject {
	s := model.IntrospectSubject(f)[0]
	if s.Ruling != nil {
		return []model.Subject{s}
	}
	if !check.OffersBatch(f) || !model.SeveralEndpointTools(f) {
		return nil
	}
	maker, _, ok := stray(f)
	switch {
	case !ok:
		return []model.Subject{s.WithRuling(ruling.NotProven("a CREATE operation of another endpoint than introspect", "none"))}
	case maker.Ruling != nil:
		return []model.Subject{s.WithRuling(*maker.Ruling)}
	}
	return []model.Subject{s}
}

// Section 6.2.
var batchDoesNotBypassRouting = check.Check{
	Requirement: "AQL-6.2-06",
	Rule:        "Batching is no way around the endpoint check.",
	Why:         "Hosts grant read-only tools freely. An entry of a batch must not run another kind of operation through such a tool.",
	On:          eachSmuggled,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		maker, tool, _ := stray(s.Adapter)
		if !check.BatchResults(ask(plainPair(s.Adapter).To(tool))).Is(probes.Array) {
			return
		}
		ask(maker.FreshCall("smuggled creation: created").Anew("smuggled creation: created"))
		for i, v := range maker.Views(maker.Mark("smuggled creation: created")) {
			ask(v.Anew(probes.Nth("smuggled creation: listing before the batch", i)))
		}
		ask(batchOf(s.Adapter, tool, s.TypesListing(), maker.FreshCall("smuggled creation: entry")).Anew("smuggled creation: batch"))
		var after []probes.Observation
		for i, v := range maker.Views(maker.Mark("smuggled creation: entry")) {
			after = append(after, ask(v.Anew(probes.Nth("smuggled creation: listing after the batch", i))))
		}
		check.ShowWhole(maker, ask, "smuggled creation", after)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, untaken := untaken(s, got[0]); untaken {
			return r
		}
		maker, name, _ := stray(s.Adapter)
		made, batch := got.Step("smuggled creation: created"), got.Step("smuggled creation: batch")
		before, after := got.Under("smuggled creation: listing before the batch"), got.Under("smuggled creation: listing after the batch")
		effect := check.AnyListsMark(after, maker.Mark("smuggled creation: entry"))
		tool, _ := s.Adapter.Tool(name)
		switch {
		case !made.Succeeded() || !check.AnyListsMark(before, maker.Mark("smuggled creation: created")):
			return ruling.NotProven("an object of ours listed when it is made through its own endpoint", made)
		case batch.Deferred() || !batch.Succeeded() && !batch.Refused() && !batch.RefusedBelow():
			return ruling.NotProven("an answer to a batch with an entry of another endpoint", batch)
		case !effect && !succeeds(answerIn(got[0], batch, 1)):
			return check.RequireCompleteListings(after, check.Grown(got, "smuggled creation")).By(batch, made)
		case tool.Raw.At("annotations", "readOnlyHint").True():
			return ruling.Violates("a refusal of "+maker.Name+" in a batch to "+name+", which says that it only reads", "what it makes made").By(batch, after[0])
		}
		return ruling.Departs("a refusal of "+maker.Name+" in a batch to "+name, "what it makes made").By(batch, after[0])
	},
	Fix: "check the endpoint of every entry of a batch",
}
