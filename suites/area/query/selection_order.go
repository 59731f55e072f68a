package query

import (
	"slices"
	"strings"

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
	Why:         "Whoever asks for the names of the newest objects gets those of other objects, and sees no sign of it.",
	On:          model.Only(selectors, func(s model.Subject) bool { return s.Ruling == nil && len(ordersTried(s)) > 0 }),
	Drive: func(s model.Subject, ask model.AskFunc) {
		plain := ask(s.ValidCall().Anew(ofSelection + "plain"))
		for i, p := range ordersTried(s) {
			ordered := ask(p.Anew(probes.Nth(orderedBefore, i)))
			if !check.OrdersOtherwise(plain, ordered) {
				continue
			}
			for j, v := range identifying(s, ordered) {
				ask(p.With("fields", v).As(probes.Nth(selectedForm, j)))
			}
			ask(p.Anew(orderedAfter))
			return
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		plain, ordered, again := got.Step(ofSelection+"plain"), probes.Answers(got.Under(orderedBefore)).Last(), got.Step(orderedAfter)
		x, _, _ := check.Collection(ordered.Data())
		of, _, _ := check.ItemKeys(x)
		switch {
		case !again.Succeeded() || !turnsAColumn(plain, ordered):
			return ruling.NotApplicable("an order that shows in the values of the items")
		case !inOrderOf(ordered, again):
			return ruling.Moved("an ordered listing that stays as it is", again)
		}
		for _, o := range got.Under(selectedForm) {
			y, _, _ := check.Collection(o.Data())
			switch whole := o.Succeeded() && len(y) == len(x) && slices.Equal(check.KeysOf(x, of), check.KeysOf(y, of)); {
			case whole && slices.EqualFunc(x, y, func(a, b probes.Value) bool { return of(a) == of(b) }):
				return ruling.Conforms().By(o, ordered)
			case whole && inOrderOf(plain, o):
				return ruling.Departs("the order of the request with all members of the items", "the order of the request without an order").By(o, ordered, plain)
			}
		}
		return ruling.NotApplicable("a selection that shows the identifiers of the items")
	},
	Fix: "put the items in order before their members are selected",
}

// identifying are values of fields that show the identifiers of listed items, and a member beside it.
func identifying(s model.Subject, listed probes.Observation) (all []any) {
	items, list, _ := check.Collection(listed.Data())
	of, _, told := check.ItemKeys(items)
	if !told {
		return nil
	}
	key := ""
	for _, name := range items[0].Names() {
		if key == "" && of(items[0]) == items[0].At(name).Canonical(nil) {
			key = name
		}
	}
	forms := [][]string{{key}}
	if list != "" {
		forms = append(forms, []string{list + "." + key})
	}
	others := chosen(s, items[0], list)
	for i, paths := range forms {
		if i < len(others) {
			paths = append(paths, others[i])
		}
		if paths = check.FieldsTaken(s, paths...); len(paths) == 0 {
			continue
		}
		if check.HasKind(s, "fields", "array") {
			all = append(all, paths)
			continue
		}
		p, _ := check.Parameter(s, "fields")
		if text := strings.Join(paths, ","); s.Misfit(p, probes.ValueOf(text)) == "" {
			all = append(all, text)
		}
	}
	return all
}

// turnsAColumn reports whether one member of the items is in order in one listing, and the same items are not in order by it in the
// other: items with equal values have no order of their own.
func turnsAColumn(plain, ordered probes.Observation) bool {
	x, _, _ := check.Collection(ordered.Data())
	y, _, _ := check.Collection(plain.Data())
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
