package query

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const orderKept = "order of a listing: "

// maxOrders bounds how many values are tried until one orders the items otherwise.
const maxOrders = 6

// ordersTried are the requests that may order a listing otherwise.
func ordersTried(s model.Subject) (all []probes.Probe) {
	for _, o := range check.OrdersOf(s) {
		all = append(all, o.Call)
	}
	items := listedItems(s.KnownGoodRequest().Reply.Data())
	if _, documented := check.Parameter(s, "sort"); documented && len(all) == 0 && len(items) > 1 {
		for _, f := range sortables(s, items) {
			all = append(all, sortCall(s, f.name, "desc"))
		}
	}
	return all[:min(len(all), maxOrders)]
}

// Section 8.1.
var orderedListingLeavesTheOrder = check.Check{
	Requirement: "AQL-8.1-02",
	Handles:     check.Movement,
	Why:         "An adapter that sorts its own list, and not a copy, gives the next reader an order that nobody asked for.",
	On: model.Only(model.EachProven, func(s model.Subject) bool {
		return s.Op.Category == "READ" && s.Ruling == nil && s.Name != "introspect" && len(ordersTried(s)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall().Anew(orderKept + "first listing"))
		plain := ask(s.ValidCall().Anew(orderKept + "second listing"))
		for i, p := range ordersTried(s) {
			if check.OrdersOtherwise(plain, ask(p.Anew(probes.Nth(orderKept+"another order", i)))) {
				break
			}
		}
		ask(s.ValidCall().Anew(orderKept + "listing after it"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		first, second, after := got.Step(orderKept+"first listing"), got.Step(orderKept+"second listing"), got.Step(orderKept+"listing after it")
		others := got.Under(orderKept + "another order")
		if !first.Succeeded() || !second.Succeeded() || !after.Succeeded() || len(others) == 0 {
			return ruling.NotProven("a listing before and after others", got.Last())
		}
		_, _, told := check.ItemKeys(collected(first))
		switch other := others[len(others)-1]; {
		case !told:
			return ruling.NotApplicable("the listed items have an identifier")
		case !inOrderOf(first, second):
			return ruling.Moved("a listing that stays as it is", second)
		case inOrderOf(second, after):
			return ruling.Conforms().By(after, other)
		case other.Succeeded() && inOrderOf(other, after):
			return ruling.Violates("the items in the order of the listing before", "the order of another request").By(after, other, second)
		}
		return ruling.Moved("a listing that stays as it is", after)
	},
	Fix: "sort a copy of the items",
}

// inOrderOf reports whether the items of two listings are in one order. What one of them alone shows does not count:
// others may add and remove.
func inOrderOf(a, b probes.Observation) bool {
	x, y := collected(a), collected(b)
	of, _, _ := check.ItemKeys(x)
	shared := func(items, others []probes.Value) (keys []string) {
		there := check.KeysOf(others, of)
		for _, item := range items {
			if _, both := slices.BinarySearch(there, of(item)); both {
				keys = append(keys, of(item))
			}
		}
		return keys
	}
	return slices.Equal(shared(x, y), shared(y, x))
}
