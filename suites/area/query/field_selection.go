package query

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// selectors are the READ operations that document fields.
func selectors(f *model.Adapter) []model.Subject {
	return model.Only(model.EachProven, func(s model.Subject) bool { return s.Op.Category == "READ" && s.Op.HasParameter("fields") })(f)
}

// choices are values of fields in the forms that the documented type takes: the name of one member, the same
// behind the name of its list, presets, and in a text also names with commas between them.
func choices(s model.Subject) []any {
	whole, list := check.SelectableRecord(s.Adapter, s.KnownGoodRequest().Reply)
	var all []any
	if check.HasKind(s, "fields", "array") {
		for _, path := range chosen(s, whole, list) {
			all = append(all, []any{path})
		}
	}
	if check.HasKind(s, "fields", "string") {
		p, _ := check.Parameter(s, "fields")
		if s.Misfit(p, probes.ValueOf("minimal")) == "" {
			all = append(all, "minimal")
		}
		for _, v := range s.Gen.Values(s.Op, p) {
			if len(all) < 6 && v.Is(probes.String) && v.Text() != "minimal" {
				all = append(all, v.Go())
			}
		}
		if free := len(s.EnumOf(p)) == 0; free {
			for _, path := range chosen(s, whole, list) {
				for _, text := range []string{path, path + "," + whole.Names()[0]} {
					if s.Misfit(p, probes.ValueOf(text)) == "" {
						all = append(all, text)
					}
				}
			}
		}
	}
	return all
}

// chosen are the paths of the member that is asked for: one that no adapter shows in any case, with its name alone and
// behind the name of its list.
func chosen(s model.Subject, whole probes.Value, list string) []string {
	for _, name := range whole.Names() {
		paths := []string{name}
		if list != "" {
			paths = append(paths, list+"."+name)
		}
		id := name == "id" || name == "name" || strings.HasSuffix(name, "_id") || strings.HasPrefix(name, "_")
		v, taken := whole.At(name), check.FieldsTaken(s, paths...)
		if !id && len(taken) > 0 && (v.Is(probes.String) || v.Is(probes.Number) || v.Is(probes.Boolean)) {
			return taken
		}
	}
	return nil
}

// takesTexts reports whether a READ operation has an optional parameter for a list of texts that is called
// like no member of what it shows: that would be a condition. It may select members under a name of
// another language.
func takesTexts(s model.Subject) bool {
	shown, _ := check.SelectableRecord(s.Adapter, s.KnownGoodRequest().Reply)
	return s.Op.Category == "READ" && slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
		item := p.Raw.At("items", "type").Text()
		kinds, _ := s.Kinds(item)
		return !p.Required && !shown.Has(p.Name) && check.HasKind(s, p.Name, "array") && (item == "" || slices.Contains(kinds, "string"))
	})
}

// Introspection document, section 4.1.1.
var announcedFieldSelectionWorks = check.Check{
	Requirement: "INT-4.1.1-12",
	Rule:        "An adapter that announces field selection lets the fields parameter reduce the members of returned objects on at least one READ operation.",
	Why:         "A model selects fields to save context; extra fields use it up.",
	On:          promised("field_selection"),
	Drive: func(s model.Subject, ask model.AskFunc) {
		for _, t := range selectors(s.Adapter) {
			if t.Ruling != nil {
				continue
			}
			whole := ask(t.ValidCall())
			for _, v := range choices(t) {
				if reduced(s.Adapter, whole, ask(t.ValidCall().With("fields", v))).Verdict == ruling.Conforms().Verdict {
					return
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		all := selectors(s.Adapter)
		named := slices.ContainsFunc(model.EachDomain(s.Adapter), func(t model.Subject) bool { return len(selectionsIn(t)) > 0 || takesTexts(t) })
		unread := slices.ContainsFunc(model.EachDomain(s.Adapter), func(t model.Subject) bool { return !t.Op.Details.Is(probes.Object) })
		switch {
		case len(all) == 0 && unread:
			return ruling.NotProven("details of every operation", "some without").Because("AQL-7.3-02")
		case len(all) == 0 && named:
			return ruling.NotProven("a READ operation that documents fields", "other ways of selection").Because("OPS-4.2-06")
		case len(all) == 0:
			return ruling.Violates("a READ operation that documents fields", "none").By(got...)
		}
		var rs []ruling.Ruling
		for _, t := range all {
			about := of(t, got)
			switch {
			case t.Ruling != nil:
				rs = append(rs, *t.Ruling)
			case len(about) < 2:
				rs = append(rs, ruling.NotProven("an answer with three members or more", t.KnownGoodRequest().Reply.Data()))
			case check.UntoldFields(t) && !slices.ContainsFunc(about[1:], func(o probes.Observation) bool { return !o.Refused() }):
				rs = append(rs, ruling.NotProven("a selection of fields in the form that the adapter takes", about[1]).By(about...))
			default:
				rs = append(rs, selected(s.Adapter, about[0], about[1:]))
			}
		}
		return best(rs...)
	},
	Fix: "let fields reduce the answers of READ operations, or drop the flag",
}

// selected rules on the selections of one operation.
func selected(f *model.Adapter, whole probes.Observation, parts []probes.Observation) ruling.Ruling {
	var rs []ruling.Ruling
	for _, o := range parts {
		rs = append(rs, reduced(f, whole, o))
	}
	return anyway(rs...)
}

// reduced rules on a selection: what was asked for is there, something else is gone.
// The plain answer may be the shortest of the presets, so those need but differ.
func reduced(f *model.Adapter, whole, part probes.Observation) ruling.Ruling {
	full, _ := check.SelectableRecord(f, whole)
	kept, _ := check.SelectableRecord(f, part)
	switch {
	case !whole.Succeeded() || len(full.Names()) < 3:
		return ruling.NotProven("an answer with three members or more", whole)
	case part.Deferred(), !part.Succeeded() && !part.Refused():
		return ruling.NotProven("an answer to a selection", part)
	case part.Refused():
		return ruling.Violates("a selection of fields", part).By(whole)
	}
	preset := model.ValueIn(part.Probe, "fields").Is(probes.String)
	gone := preset && len(kept.Names()) > len(full.Names()) || slices.ContainsFunc(full.Names(), func(name string) bool { return !kept.Has(name) })
	asked := true
	for _, path := range model.ValueIn(part.Probe, "fields").Items() {
		name := path.Text()[strings.LastIndex(path.Text(), ".")+1:]
		asked = asked && kept.Has(name)
	}
	if !gone || !asked || len(kept.Names()) == 0 {
		return ruling.Violates("what was asked for without the rest", kept).By(part, whole)
	}
	return ruling.Conforms().By(part, whole)
}

// Introspection document, section 8.1.2.
var documentedSelectionTakesEffect = check.Check{
	Requirement: "INT-8.1.2-07",
	Why:         "A selection that is checked and then ignored fills the context that it was to save.",
	On:          model.Only(selectors, func(s model.Subject) bool { return s.Ruling == nil && len(choices(s)) > 0 }),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for _, v := range choices(s) {
			ps = append(ps, s.ValidCall().With("fields", v))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		taken := slices.ContainsFunc(got[1:], probes.Observation.Succeeded)
		if full, _ := check.SelectableRecord(s.Adapter, got[0]); !taken || len(full.Names()) < 3 {
			return ruling.NotApplicable("an answer to a selection with three members or more without it")
		}
		if r := selected(s.Adapter, got[0], got[1:]); r.Verdict == ruling.Violates("", "").Verdict {
			return ruling.Departs("an answer with the members that fields names", "the members of the plain answer").By(r.Evidence...)
		}
		return ruling.Conforms()
	},
	Fix: "let fields reduce the answer, or leave it out of introspection",
}
