package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

const hiddenWrite = "hidden parameters of creations: "

// popularUndocumented are the popular names that an operation does not document. Those by which an adapter could look
// for objects of others are left out.
func popularUndocumented(s model.Subject) []string {
	return slices.DeleteFunc(strings.Fields("count fields first limit offset order page page_size per_page skip"), func(name string) bool {
		return s.Op.HasParameter(name) || s.Op.HasParameter(vocab.CamelCase(name))
	})
}

// Section 4.6.
var undocumentedPopularParametersOfCreationsAreRefused = check.Check{
	Requirement: "AQL-4.6-09",
	Why:         "A creation is asked like an operation that reads, but only where it refuses random names: what it does with a name shows in the answer alone.",
	On:          model.Only(model.EachUsable, func(s model.Subject) bool { return s.Ruling == nil && s.Op.Category == "CREATE" }),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		request := func(step string) probes.Probe { return s.FreshCall(step).As(step) }
		all := func(step string, value func(name string) any) probes.Probe {
			p := request(step)
			for _, name := range popularUndocumented(s) {
				p = p.With(name, value(name))
			}
			return p
		}
		if !ask(s.ValidCall()).Succeeded() || ask(request(hiddenWrite+"random name").With(check.UnknownName(s), 1)).Succeeded() {
			return
		}
		usual, odd := ask(all(hiddenWrite+"usual values", popularValue)), ask(all(hiddenWrite+"absurd values", func(string) any { return absurd }))
		for _, name := range suspects(popularUndocumented(s), usual, odd) {
			ask(request(hiddenWrite+"usual value of "+name).With(name, popularValue(name)))
			ask(request(hiddenWrite+"absurd value of "+name).With(name, absurd))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		control, random := got[0], got.Step(hiddenWrite+"random name")
		usual, sent := got.Find(hiddenWrite + "usual values")
		if !control.Succeeded() || !sent {
			return ruling.NotProven("a refusal of a random name", random).By(control)
		}
		rs := []ruling.Ruling{ruling.Conforms().By(usual, random)}
		for _, name := range popularUndocumented(s) {
			effective, tried := got.Find(hiddenWrite + "usual value of " + name)
			if !tried {
				continue
			}
			r := mistypedAlone(name, got.Step(hiddenWrite+"absurd value of "+name), random)
			if r.Verdict != reports.Fail {
				r = hidden(name, control, probes.Observation{}, random, effective)
			}
			rs = append(rs, r)
		}
		return ruling.Worst(rs...)
	},
	Fix: "document every parameter that the operation understands, or refuse it",
}
