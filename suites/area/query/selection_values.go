package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// selectorOf returns the parameter of a READ that takes the names of the members to answer, and the names that are
// asked for. It is called fields, or its listed values or a documented example name members of what the READ shows.
func selectorOf(s model.Subject) (name string, members []string) {
	whole, _ := check.SelectableRecord(s.Adapter, s.KnownGoodRequest().Reply)
	for _, p := range s.Op.Parameters {
		members = nil
		listed := append(valuesIn(p.Raw.At("items", "enum")), valuesIn(p.Raw.At("enum"))...)
		if p.Required || whole.Has(p.Name) || !check.HasKind(s, p.Name, "array") {
			continue
		}
		named := listed
		for _, example := range check.ExecutableExamples(s) {
			named = append(named, valuesIn(model.ValueIn(example, p.Name))...)
		}
		strange := slices.ContainsFunc(named, func(path string) bool {
			name, _, _ := strings.Cut(path, ".")
			return !whole.Has(name)
		})
		if p.Name != "fields" && (len(named) == 0 || strange && len(listed) == 0) {
			continue
		}
		for _, m := range whole.Members() {
			plain := m.Value.Is(probes.String) || m.Value.Is(probes.Number) || m.Value.Is(probes.Boolean)
			if plain && (len(listed) == 0 || slices.Contains(listed, m.Name)) {
				members = append(members, m.Name)
			}
		}
		if len(members) > 1 {
			return p.Name, members
		}
	}
	return "", nil
}

// valuesIn returns the texts in a list.
func valuesIn(list probes.Value) (texts []string) {
	for _, v := range list.Items() {
		if v.Is(probes.String) {
			texts = append(texts, v.Text())
		}
	}
	return texts
}

const (
	wholeItems    = "selection: whole items"
	oneMember     = "selection: one member"
	selectedItems = "selection: each plain member"
)

// Introspection document, section 4.1.1.
var selectionKeepsEveryValue = check.Check{
	Requirement: "INT-4.1.1-12",
	Why:         "A selection that leaves out what is zero, false or empty tells a model that there is no value.",
	On: model.Only(model.EachProven, func(s model.Subject) bool {
		announced := s.Protocol.At("capabilities", "field_selection").True()
		if !announced || s.Ruling != nil || s.Op.Category != "READ" || !check.IsListing(s) {
			return false
		}
		name, _ := selectorOf(s)
		return name != ""
	}),
	Lane: probes.Serial,
	Ask: func(s model.Subject) []probes.Probe {
		name, members := selectorOf(s)
		return []probes.Probe{s.LargestPage().Anew(wholeItems), s.LargestPage().With(name, members[:1]).Anew(oneMember), s.LargestPage().With(name, members).Anew(selectedItems)}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, members := selectorOf(s)
		all, _, _ := check.Collection(got.Step(wholeItems).Data())
		one, _, _ := check.Collection(got.Step(oneMember).Data())
		parts, _, _ := check.Collection(got.Step(selectedItems).Data())
		switch {
		case len(all) < 2 || len(one) == 0:
			return ruling.NotApplicable("no two items with a selection of members")
		case len(all) != len(parts) || len(all) != len(one): // others may write
			return ruling.Moved("as many items with a selection of members", len(parts)).By(got.Step(selectedItems), got.Step(wholeItems))
		case !reduces(all[0], one[0], members):
			return ruling.NotApplicable("no two items with a selection of members")
		}
		kept := map[string]bool{}
		for _, part := range parts {
			for _, name := range part.Names() {
				kept[name] = true
			}
		}
		alike := 0
		for i, whole := range all {
			name, same := leftOut(whole, parts[i], members)
			if same {
				alike++
			}
			if name != "" && kept[name] {
				return ruling.Violates(name+" "+whole.At(name).String()+", as without a selection", parts[i]).By(got.Step(selectedItems), got.Step(wholeItems))
			}
		}
		if alike == 0 {
			return ruling.Moved("the same items with a selection of members", got.Step(selectedItems))
		}
		return ruling.Conforms().By(got.Step(selectedItems), got.Step(wholeItems))
	},
	Fix: "keep a member that is selected, whatever its value is",
}

// reduces reports whether a selection of the first member shows it, and not all the others that the item has.
func reduces(whole, part probes.Value, members []string) bool {
	return part.Has(members[0]) && slices.ContainsFunc(members[1:], func(name string) bool { return whole.Has(name) && !part.Has(name) })
}

// leftOut names a selected member that the selection of an item lacks. The item is the same where all that both tell
// is, and that is most of what was selected and has a value.
func leftOut(whole, part probes.Value, members []string) (missing string, same bool) {
	shared, valued := 0, 0
	for _, name := range members {
		switch v := whole.At(name); {
		case v.Is(probes.Absent) || v.Is(probes.Null):
		case part.Has(name) && !part.At(name).Equal(v):
			return "", false
		case part.Has(name):
			shared, valued = shared+1, valued+1
		default:
			missing, valued = cmp.Or(missing, name), valued+1
		}
	}
	if 2*shared <= valued {
		return "", false
	}
	return missing, true
}
