package envelope

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.1.
var paramsMayBeLeftOut = check.Check{
	Requirement: "AQL-4.1-03",
	Rule:        "Leaving params out is the same as sending no parameters.",
	Why:         "params is optional: leaving it out means sending no parameters, so both forms have to get the same answer.",
	On: func(f *model.Adapter) []model.Subject {
		subjects := model.IntrospectSubject(f)
		for _, s := range f.ProvenReads() {
			if len(s.ValidCall().Params()) == 0 || !slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Required }) {
				subjects = append(subjects, s)
			}
		}
		return subjects
	},
	Drive: func(s model.Subject, ask model.AskFunc) {
		tool := s.Op.Tool
		if s.Name == "introspect" {
			tool = s.Introspect
		}
		p := probes.Call(s.Conn, tool, s.Name, nil)
		// An answer that other checks share may be older than what was written since.
		empty := p.Top("params", map[string]any{})
		with, without := ask(empty.Anew("empty params")), ask(p.Anew("without params"))
		if with.Succeeded() && without.Succeeded() && listed(with) != listed(without) {
			ask(p.Anew("without params again"))
			ask(empty.Anew("empty params again"))
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		with, without := got[0], got.Step("without params")
		want := "the answer that empty params get: " + with.Brief()
		switch {
		case without.Succeeded() && !with.Succeeded():
			return ruling.NotProven(want, without).By(with)
		case otherData(got):
			return ruling.Departs("as many items as empty params get", without.Data()).By(without, with)
		case with.Outcome == without.Outcome && with.Code() == without.Code() && check.RPCCode(with) == check.RPCCode(without):
			return ruling.Conforms().By(without)
		case without.Deferred() || with.Deferred():
			return ruling.NotProven(want, without).By(with)
		}
		return ruling.Violates(want, without).By(with)
	},
	Fix: "treat a missing params member like an empty object",
}

// otherData reports whether requests without params list more or fewer items than those with empty ones, each time. The order of
// the requests keeps two copies of the data, asked in turn, from looking so. Requests beside them may change the order of a listing.
func otherData(got probes.Answers) bool {
	with, without := got[0], got.Step("without params")
	same := func(o probes.Observation, step string) bool {
		again := got.Step(step)
		return o.Succeeded() && again.Succeeded() && listed(o) == listed(again)
	}
	return same(with, "empty params again") && same(without, "without params again") && listed(with) != listed(without)
}

// listed is how many items an answer lists.
func listed(o probes.Observation) int {
	items, _, _ := check.Collection(o.Data())
	return len(items)
}
