package envelope

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.1.
var paramsOfOperationsMustBeObjects = check.Check{
	Requirement: "AQL-4.1-04",
	Why:         "introspect is often served outside the path of the other operations. A list, a text or a number has no names: an operation that takes one runs with what stands at some place, or with nothing.",
	On: model.Only(model.EachProven, func(s model.Subject) bool {
		return s.Ruling == nil && (s.Op.Category == "READ" || s.Op.Category == "CREATE")
	}),
	Ask: func(s model.Subject) []probes.Probe {
		good := s.FreshCall("operation with a list for params")
		scalars := []probes.Probe{good.Top("params", "aqlx").As("text for params"), good.Top("params", false).As("false for params")}
		if i := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name }); i%2 == 1 { // what reads params seldom differs by operation
			scalars = []probes.Probe{good.Top("params", 5).As("number for params"), good.Top("params", "").As("empty text for params")}
		}
		return append([]probes.Probe{
			s.ValidCall(),
			good.Top("params", []any{}).As("list for params: empty"),
			good.Top("params", []any{good.Params()}).As("list for params: of the valid ones"),
		}, scalars...)
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if !got[0].Succeeded() {
			return ruling.NotProven("the same request to succeed with an object", got[0])
		}
		var rs []ruling.Ruling
		for _, o := range got.Rest() {
			rs = append(rs, check.RefusedAnywhere(o, "params that are no object").By(o, got[0]))
		}
		return ruling.Worst(rs...)
	},
	Fix: "refuse params that are not a JSON object, on every operation",
}
