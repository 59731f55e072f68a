package query

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A memberOrder is a request with an enumerated value that is called like a member of the items.
type memberOrder struct {
	check.Order
	member string
}

// memberOrders returns the requests whose value names a member of numbers or dates.
func memberOrders(s model.Subject, items []probes.Value) (all []memberOrder) {
	if len(items) == 0 {
		return nil
	}
	for _, o := range check.OrdersOf(s) {
		text := strings.Trim(o.Value.Text(), "+-")
		for _, name := range items[0].Names() {
			column := check.Column(items, name)
			if vocab.Letters(text) == vocab.Letters(name) && len(column) == len(items) && undisputed(column) && len(all) < check.MostOrders {
				all = append(all, memberOrder{o, name})
			}
		}
	}
	return all
}

func collected(o probes.Observation) []probes.Value {
	items, _, _ := check.Collection(o.Data())
	return items
}

func enumeratedOrder(i int) string { return probes.Nth("enumerated order: order", i) }

// Operations document, section 4.2.
var enumeratedOrdersSortItems = check.Check{
	Requirement: "OPS-4.2-08",
	Handles:     check.Movement,
	Lane:        probes.Sparse, // nothing is made between the listings
	Why:         "Numbers that are sorted as texts put 9 before 80. Whoever takes the first item takes the wrong one.",
	On: model.Only(model.EachProven, func(s model.Subject) bool {
		return s.Op.Category == "READ" && s.Ruling == nil && len(memberOrders(s, collected(s.KnownGoodRequest().Reply))) > 0
	}),
	Drive: func(s model.Subject, ask model.AskFunc) {
		for i, o := range memberOrders(s, collected(ask(s.ValidCall().Anew("enumerated order: as it is")))) {
			ask(o.Call.Anew(enumeratedOrder(i)))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		plain := got[0]
		reorders := map[string]bool{} // by parameter: it is seen to order, where others search or choose by a member
		all := memberOrders(s, collected(plain))
		for i, o := range all {
			reorders[o.By] = reorders[o.By] || check.OrdersOtherwise(plain, got.Step(enumeratedOrder(i)))
		}
		var rs []ruling.Ruling
		for i, o := range all {
			answer := got.Step(enumeratedOrder(i))
			items := collected(answer)
			column := check.Column(items, o.member)
			if !reorders[o.By] || !answer.Succeeded() || len(column) < len(items) || check.CountDistinct(column) < 3 || !undisputed(column) {
				continue
			}
			backwards := slices.Clone(column)
			slices.Reverse(backwards)
			want := "the items in order of " + o.member
			switch asText := func(vs []probes.Value) bool {
				return slices.IsSortedFunc(vs, func(x, y probes.Value) int { return strings.Compare(x.String(), y.String()) })
			}; {
			case sorted(column), sorted(backwards):
				rs = append(rs, ruling.Conforms().By(answer))
			case asText(column), asText(backwards):
				rs = append(rs, ruling.Violates(want, "numbers in order of their digits: "+ruling.Clip(probes.ValueOf(goValues(column)).String())).By(answer, plain))
			default: // some items may be kept at the top of each order
				rs = append(rs, ruling.NotProven(want, ruling.Clip(probes.ValueOf(goValues(column)).String())).By(answer))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no enumerated value is seen to sort the items by a member of numbers or dates")
		}
		return ruling.Worst(rs...)
	},
	Fix: "compare numbers by value and dates by time",
}
