package query

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const (
	ofSelection   = "order of a selection: "
	selectedForm  = ofSelection + "selected form"
	orderedBefore = ofSelection + "ordered"
	orderedAfter  = ofSelection + "ordered again"
)

// Operations document, section 4.2.
var selectionLeavesTheOrder = check.Check{
	Requirement: "OPS-4.2-08",
	Handles:     check.Movement,
	Why:         "A model that asks for the names of the newest objects takes the first name for that of the newest.",
	On:          model.Only(selectors, func(s model.Subject) bool { return s.Ruling == nil && len(ordersTried(s)) > 0 }),
	Drive: func(s model.Subject, ask model.AskFunc) {
		plain := ask(s.ValidCall().Anew(ofSelection + "plain"))
		for i, p := range ordersTried(s) {
			ordered := ask(p.Anew(probes.Nth(orderedBefore, i)))
			if !check.OrdersOtherwise(plain, ordered) {
				continue
			}
			for j, v := range telling(s, plain, ordered) {
				ask(p.With("fields", v).As(probes.Nth(selectedForm, j)))
			}
			ask(p.Anew(orderedAfter))
			return
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		plain, ordered, again := got.Step(ofSelection+"plain"), got.Under(orderedBefore).Last(), got.Step(orderedAfter)
		name := apart(plain, ordered)
		shown := func(o probes.Observation) string {
			return probes.ValueOf(goValues(check.Column(collected(o), name))).Canonical(nil)
		}
		switch {
		case !again.Succeeded() || name == "" || !turnsAColumn(plain, ordered):
			return ruling.NotApplicable("an order that shows in the values of the items")
		case shown(again) != shown(ordered):
			return ruling.Moved("an ordered listing that stays as it is", again)
		}
		for _, o := range got.Under(selectedForm) {
			if !o.Succeeded() || !sameValues(ordered, o, name) {
				continue
			}
			const want = "the order of the same request without fields"
			switch shown(o) {
			case shown(ordered):
				return ruling.Conforms().By(o, ordered)
			case shown(plain):
				return ruling.Departs(want, "the order of the request without an order").By(o, ordered, plain)
			}
			return ruling.NotProven(want, "another order, which may be one of items with equal values").By(o, ordered)
		}
		return ruling.NotApplicable("a selection of a member that tells the items apart")
	},
	Fix: "put the items in order before their members are selected",
}

// telling returns values of fields that select the member by which the items are told apart, in the forms that fields takes.
func telling(s model.Subject, plain, ordered probes.Observation) (all []any) {
	name := apart(plain, ordered)
	if name == "" {
		return nil
	}
	p, _ := check.Parameter(s, "fields")
	_, list, _ := check.Collection(ordered.Data())
	paths := []string{name}
	if list != "" {
		paths = append(paths, list+"."+name)
	}
	for _, path := range check.FieldsTaken(s, paths...) {
		if check.HasKind(s, p.Name, "array") {
			all = append(all, []any{path})
		} else if s.Misfit(p, probes.ValueOf(path)) == "" {
			all = append(all, path)
		}
	}
	return all
}

// apart returns the first member of the items by which two listings have the same items, each with a value of its own.
func apart(plain, ordered probes.Observation) string {
	items := collected(ordered)
	if len(items) == 0 {
		return ""
	}
	names := items[0].Names()
	at := slices.IndexFunc(names, func(name string) bool {
		column := check.Column(items, name)
		return len(column) == len(items) && check.CountDistinct(column) == len(column) && sameValues(plain, ordered, name)
	})
	if at < 0 {
		return ""
	}
	return names[at]
}

// sameValues reports whether a member has the same values in two listings, in whatever order.
func sameValues(a, b probes.Observation, name string) bool {
	of := func(item probes.Value) string { return item.At(name).Canonical(nil) }
	return len(collected(a)) == len(collected(b)) && slices.Equal(check.KeysOf(collected(a), of), check.KeysOf(collected(b), of))
}

// turnsAColumn reports whether a member of the same items is in order in the ordered listing alone. An order that only puts items
// with equal values otherwise does not show in a member.
func turnsAColumn(plain, ordered probes.Observation) bool {
	x, y := collected(ordered), collected(plain)
	inOrder := func(column []probes.Value) bool {
		turned := slices.Clone(column)
		slices.Reverse(turned)
		return sorted(column) || sorted(turned)
	}
	return len(x) > 2 && slices.ContainsFunc(x[0].Names(), func(name string) bool {
		a, b := check.Column(x, name), check.Column(y, name)
		return len(a) == len(x) && len(b) == len(y) && inOrder(a) && !inOrder(b)
	})
}
