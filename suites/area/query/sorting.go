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

// sortTerms are the words in which a sort object is described. As names of fields they are
// promised by the values of an enumeration alone.
var sortTerms = strings.Fields("field order by direction asc desc sort")

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
	fields, _ := s.FieldsOf(p, probes.Operation{})
	for _, f := range fields { // an enumeration may be a type of its own
		for _, v := range s.EnumOf(f) {
			promise += " " + v.Text()
		}
	}
	var all []sortable
	rank := map[string]int{}
	for _, name := range items[0].Names() {
		column := check.Column(items, name)
		if check.CountDistinct(column) < 2 || len(column) < len(items) {
			continue
		}
		f := sortable{name, check.WholeWord(name).MatchString(promise) && !slices.Contains(sortTerms, name)}
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
	Handles:     check.Movement,
	Rule:        "A documented sort object orders the items by its field, ascending or descending by its order.",
	Why:         "A model that requests the newest first treats the first item as the newest.",
	On:          eachSorted,
	Drive: func(s model.Subject, ask model.AskFunc) {
		items := listedItems(ask(s.ValidCall()).Data())
		if len(items) < 2 {
			return
		}
		paged := false
		for _, f := range tried(sortables(s, items)) {
			if !ask(sortCall(s, f.name, "asc")).Succeeded() || !ask(sortCall(s, f.name, "desc")).Succeeded() || paged {
				continue
			}
			for _, p := range sortedPages(s, f.name) {
				ask(p)
				paged = true
			}
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
				rs = append(rs, orders(s, f, up, down), pages(f, up, down, got))
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("a field that the items can be sorted by", got.Last())
		}
		return ruling.Worst(rs...)
	},
	Fix: "order the items by sort.field, ascending or descending by sort.order",
}

// Most fields that are tried: of those that are promised, and of others.
const (
	maxPromised = 6
	maxOthers   = 2
)

// tried returns the fields that are sorted by.
func tried(all []sortable) []sortable {
	named := slices.IndexFunc(all, func(f sortable) bool { return !f.named })
	if named < 0 {
		named = len(all)
	}
	return append(slices.Clone(all[:min(named, maxPromised)]), all[named:min(len(all), named+maxOthers)]...)
}

func sortedPage(field, order string) string { return "sorted page: by " + field + ": " + order }

// sortedPages are the requests for the smallest first page in both orders, and then for all
// items once more, in case that they change.
func sortedPages(s model.Subject, field string) []probes.Probe {
	for _, style := range []check.PagingStyle{check.CursorStyle, check.PageStyle, check.OffsetStyle} {
		if n, ok := check.SmallestPage(s, style.Size); ok && check.OffersPaging(s, style) {
			up, down := sortCall(s, field, "asc"), sortCall(s, field, "desc")
			return []probes.Probe{
				up.With(style.Size, n).As(sortedPage(field, "ascending")), up.Anew(sortedPage(field, "ascending again")),
				down.With(style.Size, n).As(sortedPage(field, "descending")), down.Anew(sortedPage(field, "descending again")),
			}
		}
	}
	return nil
}

// pages rules on the first pages of a sorted listing: they begin with the first of all items,
// not with the first one in the order of the store.
func pages(f sortable, up, down probes.Observation, got probes.Answers) ruling.Ruling {
	for i, whole := range []probes.Observation{up, down} {
		order := []string{"ascending", "descending"}[i]
		page, asked := got.Find(sortedPage(f.name, order))
		if !asked || !page.Succeeded() {
			continue
		}
		firstOf := func(o probes.Observation) probes.Value { return append(listedItems(o.Data()), probes.Value{})[0] }
		again := firstOf(got.Step(sortedPage(f.name, order+" again")))
		first, all := firstOf(page).At(f.name), firstOf(whole).At(f.name)
		switch want := "a page that begins with the first item of all by " + f.name + ", " + all.String(); {
		// Two items may have the same value, so the whole first item is compared.
		case first.Is(probes.Absent) || !firstOf(whole).Equal(again):
			return ruling.Moved("a sorted page of items that stay as they are", page)
		case !first.Equal(all) && f.named:
			return ruling.Violates(want, first).By(page, whole)
		case !first.Equal(all):
			return ruling.Departs(want, first).By(page, whole)
		}
	}
	return ruling.Conforms()
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
func orders(s model.Subject, f sortable, up, down probes.Observation) ruling.Ruling {
	rising, falling := check.Column(listedItems(up.Data()), f.name), check.Column(listedItems(down.Data()), f.name)
	if check.CountDistinct(rising) < 2 || check.CountDistinct(falling) < 2 {
		return ruling.NotProven("two values or more of "+f.name, "fewer").By(up)
	}
	text := func(vs []probes.Value) string { return probes.ValueOf(goValues(vs)).Canonical(nil) }
	backwards := slices.Clone(falling)
	slices.Reverse(backwards)
	inOrder := sorted(rising) && sorted(backwards) || ranked(ranksOf(s, f.name), rising, backwards)
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

// ranksOf returns the documented values of a field in their order: a priority may go from low to urgent.
func ranksOf(s model.Subject, field string) []probes.Value {
	for _, o := range s.Operations {
		for _, p := range o.Parameters {
			if enum := s.EnumOf(p); p.Name == field && len(enum) > 0 {
				return enum
			}
		}
	}
	return nil
}

// ranked reports whether two columns, which are not in the order of their letters or numbers, have an order of their own: the documented one
// or its opposite, or one that shows where nothing is documented. Both orders confused with each other are none.
func ranked(ranks, rising, backwards []probes.Value) bool {
	turned := func(vs []probes.Value) []probes.Value { vs = slices.Clone(vs); slices.Reverse(vs); return vs }
	switch {
	case sorted(turned(rising)) && sorted(turned(backwards)):
		return false
	case len(ranks) > 0:
		return inRank(ranks, rising, backwards)
	}
	return inBlocks(rising, backwards)
}

// inRank reports whether two columns are in the order of some ranks, or both in the opposite one.
func inRank(ranks []probes.Value, columns ...[]probes.Value) bool {
	way := 0
	for _, column := range columns {
		last := -1
		for _, v := range column {
			at := slices.IndexFunc(ranks, v.Equal)
			step := at - last
			switch {
			case at < 0:
				return false
			case last < 0 || step == 0:
			case way == 0:
				way = step
			case way > 0 != (step > 0):
				return false
			}
			last = at
		}
	}
	return true
}

// inBlocks reports whether equal values stand together in two columns, and in the same order: few values may have an order of their
// own that nobody documents. Where most of the values differ, the order shows nothing.
func inBlocks(x, y []probes.Value) bool {
	blocks := func(column []probes.Value) []probes.Value {
		return slices.CompactFunc(slices.Clone(column), probes.Value.Equal)
	}
	bx, by := blocks(x), blocks(y)
	text := !slices.ContainsFunc(x, func(v probes.Value) bool { return !v.Is(probes.String) || check.UTCDatePattern.MatchString(v.Text()) })
	return text && len(bx) == check.CountDistinct(x) && 2*len(bx) <= len(x) && slices.EqualFunc(bx, by, probes.Value.Equal)
}

func goValues(vs []probes.Value) []any {
	var all []any
	for _, v := range vs {
		all = append(all, v.Go())
	}
	return all
}
