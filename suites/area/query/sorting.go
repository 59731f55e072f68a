package query

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachSorted is every READ operation with a proven request and a sort object.
func eachSorted(f *model.Adapter) []model.Subject {
	return model.Only(model.EachProven, func(s model.Subject) bool {
		p, ok := check.Parameter(s, "sort")
		kinds, understood := s.Kinds(p.Type)
		return ok && understood && slices.Contains(kinds, "object") && s.Op.Category == "READ"
	})(f)
}

// sortable is a returned field that may be sorted by.
type sortable struct {
	name  string
	named bool // introspection says that it can be sorted by
}

// sortables returns the scalar fields of the listed items with two or more
// values, the promised ones first and of those numbers and dates before texts,
// whose order depends on the collation.
func sortables(s model.Subject, items []probes.Value) []sortable {
	p, _ := check.Parameter(s, "sort")
	promise := p.Raw.At("description").Text() + " " + strings.Join(p.Raw.At("enum").Scalars(), " ")
	for _, name := range check.TypeLeaves(p.Type) {
		t, _ := s.Adapter.Type(name)
		promise += " " + strings.Join(t.Details.Scalars(), " ")
	}
	var all []sortable
	rank := map[string]int{}
	for _, name := range items[0].Names() {
		column := check.Column(items, name)
		if check.CountDistinct(column) < 2 || len(column) < len(items) {
			continue
		}
		f := sortable{name, check.WholeWord(name).MatchString(promise)}
		if !f.named {
			rank[name] += 2
		}
		if !undisputed(column) {
			rank[name]++
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(x, y sortable) int { return rank[x.name] - rank[y.name] })
	return all
}

// undisputed reports whether the order of the values is beyond dispute.
func undisputed(vs []probes.Value) bool {
	return !slices.ContainsFunc(vs, func(v probes.Value) bool { return !v.Is(probes.Number) && !check.UTCDatePattern.MatchString(v.Text()) })
}

// listedItems returns the objects of the longest list in an answer.
func listedItems(data probes.Value) []probes.Value {
	best := data.Items()
	for _, m := range data.Members() {
		if items := listedItems(m.Value); len(items) > len(best) {
			best = items
		}
	}
	return slices.DeleteFunc(slices.Clone(best), func(v probes.Value) bool { return !v.Is(probes.Object) })
}

// sortCall asks for the items in an order; adapters that document by and
// direction get these.
func sortCall(s model.Subject, field, order string) probes.Probe {
	p, _ := check.Parameter(s, "sort")
	text := p.Raw.At("description").Text()
	for _, name := range check.TypeLeaves(p.Type) {
		t, _ := s.Adapter.Type(name)
		text += " " + strings.Join(t.Details.Scalars(), " ")
	}
	names := [2]string{"field", "order"}
	if !check.WholeWord("field").MatchString(text) && check.WholeWord("by").MatchString(text) && check.WholeWord("direction").MatchString(text) {
		names = [2]string{"by", "direction"}
	}
	return s.ValidCall().With("sort", map[string]any{names[0]: field, names[1]: order})
}

// Operations document, section 4.2.
var sortOrdersItems = check.Check{
	Requirement: "OPS-4.2-08",
	Rule:        "A documented sort object orders the items by its field, ascending or descending by its order.",
	Why:         "A model that asked for the newest first takes the first for the newest.",
	On:          eachSorted,
	Drive: func(s model.Subject, ask model.AskFunc) {
		items := listedItems(ask(s.ValidCall()).Data())
		if len(items) < 2 {
			return
		}
		fields := sortables(s, items)
		for _, f := range fields[:min(len(fields), 2)] {
			if !ask(sortCall(s, f.name, "asc")).Succeeded() {
				continue
			}
			ask(sortCall(s, f.name, "desc"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		items := listedItems(got[0].Data())
		if len(items) < 2 {
			return ruling.NotProven("two items or more to put in order", len(items)).By(got[0])
		}
		var rs []ruling.Ruling
		for _, f := range sortables(s, items) {
			if up, down, ok := bothOrders(s, got, f.name); ok {
				rs = append(rs, orders(f, up, down))
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("a field that the items can be sorted by", got.Last())
		}
		return ruling.Worst(rs...)
	},
	Fix: "order the items by sort.field, ascending or descending by sort.order",
}

// bothOrders finds the two answers about one field.
func bothOrders(s model.Subject, got probes.Answers, field string) (up, down probes.Observation, ok bool) {
	for _, o := range got {
		switch o.Probe.Key() {
		case sortCall(s, field, "asc").Key():
			up = o
		case sortCall(s, field, "desc").Key():
			down = o
		}
	}
	return up, down, up.Succeeded() && down.Succeeded()
}

// orders compares the two orders of one field.
func orders(f sortable, up, down probes.Observation) ruling.Ruling {
	rising, falling := check.Column(listedItems(up.Data()), f.name), check.Column(listedItems(down.Data()), f.name)
	if check.CountDistinct(rising) < 2 || check.CountDistinct(falling) < 2 {
		return ruling.NotProven("two values or more of "+f.name, "fewer").By(up)
	}
	text := func(vs []probes.Value) string { return probes.ValueOf(goValues(vs)).Canonical(nil) }
	backwards := slices.Clone(falling)
	slices.Reverse(backwards)
	inOrder := !undisputed(rising) || sorted(rising) && sorted(backwards)
	switch {
	case text(rising) == text(falling) && f.named:
		return ruling.Violates("ascending and descending orders of "+f.name+" that differ", "the same order").By(down, up)
	case text(rising) == text(falling):
		return ruling.Departs("ascending and descending orders of "+f.name+" that differ, or a refusal", "the same order").By(down, up)
	case !inOrder && f.named:
		return ruling.Violates("the items in order of "+f.name, ruling.Clip(text(rising)+" and "+text(falling))).By(down, up)
	case !inOrder:
		return ruling.Departs("the items in order of "+f.name, ruling.Clip(text(rising)+" and "+text(falling))).By(down, up)
	}
	return ruling.Conforms().By(up, down)
}

func goValues(vs []probes.Value) []any {
	var all []any
	for _, v := range vs {
		all = append(all, v.Go())
	}
	return all
}

// sorted reports whether numbers or dates of one form never decrease.
func sorted(vs []probes.Value) bool {
	return slices.IsSortedFunc(vs, func(x, y probes.Value) int {
		a, number := x.Float()
		b, both := y.Float()
		if number && both {
			switch {
			case a < b:
				return -1
			case a > b:
				return 1
			}
			return 0
		}
		return strings.Compare(x.Text(), y.Text())
	})
}
