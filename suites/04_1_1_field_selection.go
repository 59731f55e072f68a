package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

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
				if reduced(whole, ask(t.ValidCall().With("fields", v))).verdict == Conforms().verdict {
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
			default:
				rs = append(rs, selected(about[0], about[1:]))
			}
		}
		return best(rs...)
	},
	Fix: "let fields reduce the answers of READ operations, or drop the flag",
})

// selected rules on the selections of one operation.
func selected(whole probes.Observation, parts []probes.Observation) Ruling {
	var rs []Ruling
	for _, o := range parts {
		rs = append(rs, reduced(whole, o))
	}
	return anyway(rs...)
}

// reduced rules on a selection: what was asked for is there, something else is gone.
// The plain answer may be the shortest of the presets, so those need but differ.
func reduced(whole, part probes.Observation) Ruling {
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
	preset := valueIn(part.Probe, "fields").Is(probes.String)
	gone := preset && len(kept.Names()) > len(full.Names()) || slices.ContainsFunc(full.Names(), func(name string) bool { return !kept.Has(name) })
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
