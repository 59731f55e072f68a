package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// promised is the adapter as a whole, where its flag of that name is true.
func promised(flag string) func(*Face) []Subject {
	return given(func(f *Face) bool { return f.Protocol.At("capabilities", flag).True() }, introspecting)
}

// best returns the proof where one of the attempts succeeded, and what is wrong only
// where every one of them failed: one that is unproven might have been the one.
func best(rs ...Ruling) Ruling {
	for _, wanted := range []Ruling{Conforms(), Departs("", ""), NotProven("", "")} {
		if i := slices.IndexFunc(rs, func(r Ruling) bool { return r.verdict == wanted.verdict }); i >= 0 {
			return rs[i]
		}
	}
	return Worst(rs...)
}

// pagers are the operations that could show paging by cursor.
func pagers(f *Face) []Subject { return paged(cursorStyle)(f) }

// Introspection document, section 4.1.1. A client that reads the flag asks for pages
// and takes what it gets for one of them.
var _ = register(Check{
	Requirement: "INT-4.1.1-15",
	On:          promised("pagination"),
	Drive: func(s Subject, ask Asking) {
		for _, t := range pagers(s.Face) {
			if t.settled != nil {
				continue
			}
			ask(t.ValidCall())
			if cursor := positionOf(ask(t.opening(cursorStyle))).cursor.Text(); cursor != "" {
				ask(t.opening(cursorStyle).With("after", cursor))
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		all := pagers(s.Face)
		otherwise := slices.ContainsFunc(eachDomain(s.Face), func(t Subject) bool { return len(cursors(t)) > 0 || skips(t) })
		unread := slices.ContainsFunc(eachDomain(s.Face), func(t Subject) bool { return !t.Op.Details.Is(probes.Object) })
		switch {
		case len(all) == 0 && unread:
			return NotProven("details of every operation", "some without").Because("AQL-7.3-02")
		case len(all) == 0 && otherwise:
			return NotProven("an operation that documents first and after", "other ways of paging")
		case len(all) == 0:
			return Violates("an operation that documents first and after", "none that pages").By(got...)
		}
		var rs []Ruling
		for _, t := range all {
			rs = append(rs, turned(t, of(t, got)))
		}
		return best(rs...)
	},
	Fix: "page a collection by first and after, or drop the flag",
})

// of returns the observations that are about an operation.
func of(s Subject, got []probes.Observation) []probes.Observation {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Operation() != s.Op.Name })
}

// turned rules on the whole listing, its first page and the page after that.
func turned(s Subject, got []probes.Observation) Ruling {
	if s.settled != nil {
		return *s.settled
	}
	all, why := several(got[0])
	if why != nil {
		return *why
	}
	n, ok := s.smallest(cursorStyle.size)
	first := got[1]
	items, _, _ := collection(first.Data())
	switch {
	case !ok || n >= len(all):
		return NotProven("more items than the least page holds", len(all)).By(got[0])
	case first.Deferred(), !first.Succeeded() && !first.Refused():
		return NotProven("an answer to a first page", first)
	case first.Refused():
		return Violates("a first page of "+s.Name, first).By(got[0])
	case len(got) < 3 && len(items) >= len(all):
		return Violates("an effect of first on "+s.Name, "all items and no cursor").By(first, got[0])
	case len(got) < 3:
		return NotProven("a cursor after the first page", first.Data()).Because("OPS-4.4.3-05").By(first)
	}
	second := got[2]
	next, _, _ := collection(second.Data())
	switch {
	case second.Deferred(), !second.Succeeded() && !second.Refused():
		return NotProven("an answer to a second page", second)
	case second.Refused():
		return Violates("a page after the first", second).By(first)
	case probes.ValueOf(goValues(items)).Canonical(nil) == probes.ValueOf(goValues(next)).Canonical(nil):
		return Violates("another page after the first", "the same again").By(second, first)
	case !first.Data().At("pageInfo").Is(probes.Object):
		return NotProven("pageInfo beside the items", first.Data()).Because("OPS-4.4.3-02").By(first)
	}
	return Conforms().By(second, first)
}

// selectors are the READ operations that document fields.
func selectors(f *Face) []Subject {
	return only(eachProven, func(s Subject) bool { return s.Op.Category == "READ" && s.Op.HasParameter("fields") })(f)
}

// record returns the object of an answer whose members can be selected: data itself,
// or the first item of its collection, which list names.
func record(data probes.Value) (v probes.Value, list string) {
	if items, name, ok := collection(data); ok && len(items) > 0 && items[0].Is(probes.Object) {
		return items[0], name
	}
	return data, ""
}

// choices are values of fields in the forms that the documented type takes: the name
// of one member, the same behind the name of its list, and presets.
func choices(s Subject) []any {
	whole, list := record(s.Baseline().Reply.Data())
	var all []any
	if name := chosen(whole); name != "" && s.ofKind("fields", "array") {
		all = append(all, []any{name})
		if list != "" {
			all = append(all, []any{list + "." + name})
		}
	}
	if s.ofKind("fields", "string") {
		p, _ := s.parameter("fields")
		if s.Misfit(p, probes.ValueOf("minimal")) == "" {
			all = append(all, "minimal")
		}
		for _, v := range s.Gen.Values(s.Op, p) {
			if len(all) < 6 && v.Is(probes.String) && v.Text() != "minimal" {
				all = append(all, v.Go())
			}
		}
	}
	return all
}

// chosen is the member that is asked for: one that no adapter shows in any case.
func chosen(whole probes.Value) string {
	for _, name := range whole.Names() {
		id := name == "id" || name == "name" || strings.HasSuffix(name, "_id") || strings.HasPrefix(name, "_")
		if v := whole.At(name); !id && (v.Is(probes.String) || v.Is(probes.Number) || v.Is(probes.Boolean)) {
			return name
		}
	}
	return ""
}

// Introspection document, section 4.1.1. A model that asks for two fields has room
// for two fields.
var _ = register(Check{
	Requirement: "INT-4.1.1-12",
	On:          promised("field_selection"),
	Drive: func(s Subject, ask Asking) {
		for _, t := range selectors(s.Face) {
			if t.settled != nil {
				continue
			}
			whole := ask(t.ValidCall())
			for _, v := range choices(t) {
				if reduced(t, whole, ask(t.ValidCall().With("fields", v))).verdict == Conforms().verdict {
					return
				}
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		all := selectors(s.Face)
		named := slices.ContainsFunc(eachDomain(s.Face), func(t Subject) bool { return len(selectionsIn(t)) > 0 })
		unread := slices.ContainsFunc(eachDomain(s.Face), func(t Subject) bool { return !t.Op.Details.Is(probes.Object) })
		switch {
		case len(all) == 0 && unread:
			return NotProven("details of every operation", "some without").Because("AQL-7.3-02")
		case len(all) == 0 && named:
			return NotProven("a READ operation that documents fields", "other ways of selection").Because("OPS-4.2-06")
		case len(all) == 0:
			return Violates("a READ operation that documents fields", "none").By(got...)
		}
		var rs []Ruling
		for _, t := range all {
			about := of(t, got)
			switch {
			case t.settled != nil:
				rs = append(rs, *t.settled)
			case len(about) < 2:
				rs = append(rs, NotProven("an answer with three members or more", t.Baseline().Reply.Data()))
			}
			for _, o := range about[min(1, len(about)):] {
				rs = append(rs, reduced(t, about[0], o))
			}
		}
		return best(rs...)
	},
	Fix: "let fields reduce the answers of READ operations, or drop the flag",
})

// reduced rules on a selection: something asked for is there, something else is gone.
func reduced(_ Subject, whole, part probes.Observation) Ruling {
	full, _ := record(whole.Data())
	kept, _ := record(part.Data())
	switch {
	case !whole.Succeeded() || len(full.Names()) < 3:
		return NotProven("an answer with three members or more", whole)
	case part.Deferred(), !part.Succeeded() && !part.Refused():
		return NotProven("an answer to a selection", part)
	case part.Refused():
		return Violates("a selection of fields", part).By(whole)
	}
	gone := slices.ContainsFunc(full.Names(), func(name string) bool { return !kept.Has(name) })
	asked := true
	for _, path := range valueIn(part.Probe, "fields").Items() {
		name := path.Text()[strings.LastIndex(path.Text(), ".")+1:]
		asked = asked && kept.Has(name)
	}
	if !gone || !asked || len(kept.Names()) == 0 {
		return Violates("what was asked for without the rest", kept).By(part, whole)
	}
	return Conforms().By(part, whole)
}
