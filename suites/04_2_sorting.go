package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// eachSorted is every READ operation with a proven request and a sort object.
func eachSorted(f *Face) []Subject {
	return only(eachProven, func(s Subject) bool {
		p, ok := s.parameter("sort")
		kinds, understood := s.Kinds(p.Type)
		return ok && understood && slices.Contains(kinds, "object") && s.Op.Category == "READ"
	})(f)
}

// sortable is a returned field that may be sorted by.
type sortable struct {
	name  string
	named bool // introspection says that it can be sorted by
}

var utcDate = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$`)

// sortables returns the scalar fields of the listed items with two or more
// values, the promised ones first and of those numbers and dates before texts,
// whose order depends on the collation.
func sortables(s Subject, items []probes.Value) []sortable {
	p, _ := s.parameter("sort")
	promise := p.Raw.At("description").Text() + " " + strings.Join(p.Raw.At("enum").Scalars(), " ")
	for _, name := range leaves(p.Type) {
		t, _ := s.Face.Type(name)
		promise += " " + strings.Join(t.Details.Scalars(), " ")
	}
	var all []sortable
	rank := map[string]int{}
	for _, name := range items[0].Names() {
		column := column(items, name)
		if distinct(column) < 2 || len(column) < len(items) {
			continue
		}
		f := sortable{name, wholeWord(name).MatchString(promise)}
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

func leaves(expr string) []string {
	e, err := probes.ParseType(expr)
	if err != nil {
		return nil
	}
	return e.Leaves()
}

// column returns the scalars that items hold under a name.
func column(items []probes.Value, name string) []probes.Value {
	var vs []probes.Value
	for _, item := range items {
		if v := item.At(name); v.Is(probes.String) || v.Is(probes.Number) {
			vs = append(vs, v)
		}
	}
	return vs
}

// undisputed reports whether the order of the values is beyond dispute.
func undisputed(vs []probes.Value) bool {
	return !slices.ContainsFunc(vs, func(v probes.Value) bool { return !v.Is(probes.Number) && !utcDate.MatchString(v.Text()) })
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
func sortCall(s Subject, field, order string) probes.Probe {
	p, _ := s.parameter("sort")
	text := p.Raw.At("description").Text()
	for _, name := range leaves(p.Type) {
		t, _ := s.Face.Type(name)
		text += " " + strings.Join(t.Details.Scalars(), " ")
	}
	names := [2]string{"field", "order"}
	if !wholeWord("field").MatchString(text) && wholeWord("by").MatchString(text) && wholeWord("direction").MatchString(text) {
		names = [2]string{"by", "direction"}
	}
	return s.ValidCall().With("sort", map[string]any{names[0]: field, names[1]: order})
}

// Operations document, section 4.2. A model that asked for the newest first takes
// the first for the newest.
var _ = register(Check{
	Requirement: "OPS-4.2-08",
	On:          eachSorted,
	Drive: func(s Subject, ask Asking) {
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
	Judge: func(s Subject, got []probes.Observation) Ruling {
		items := listedItems(got[0].Data())
		if len(items) < 2 {
			return NotProven("two items or more to put in order", len(items)).By(got[0])
		}
		var rs []Ruling
		for _, f := range sortables(s, items) {
			if up, down, ok := bothOrders(s, got, f.name); ok {
				rs = append(rs, orders(f, up, down))
			}
		}
		if len(rs) == 0 {
			return NotProven("a field that the items can be sorted by", got[len(got)-1])
		}
		return Worst(rs...)
	},
	Fix: "order the items by sort.field, ascending or descending by sort.order",
})

// bothOrders finds the two answers about one field.
func bothOrders(s Subject, got []probes.Observation, field string) (up, down probes.Observation, ok bool) {
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
func orders(f sortable, up, down probes.Observation) Ruling {
	rising, falling := column(listedItems(up.Data()), f.name), column(listedItems(down.Data()), f.name)
	if distinct(rising) < 2 || distinct(falling) < 2 {
		return NotProven("two values or more of "+f.name, "fewer").By(up)
	}
	text := func(vs []probes.Value) string { return probes.ValueOf(goValues(vs)).Canonical(nil) }
	backwards := slices.Clone(falling)
	slices.Reverse(backwards)
	inOrder := !undisputed(rising) || sorted(rising) && sorted(backwards)
	switch {
	case text(rising) == text(falling) && f.named:
		return Violates("ascending and descending orders of "+f.name+" that differ", "the same order").By(down, up)
	case text(rising) == text(falling):
		return Departs("ascending and descending orders of "+f.name+" that differ, or a refusal", "the same order").By(down, up)
	case !inOrder && f.named:
		return Violates("the items in order of "+f.name, clip(text(rising)+" and "+text(falling))).By(down, up)
	case !inOrder:
		return Departs("the items in order of "+f.name, clip(text(rising)+" and "+text(falling))).By(down, up)
	}
	return Conforms().By(up, down)
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
