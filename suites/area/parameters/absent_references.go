package parameters

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// That a reference names nothing shows late, when the rest of a change may have been carried out. Each
// change of this script sets a text of its own and a field that names nothing.

const absentReference = "change with an absent reference"

// mostReferences bounds how many fields are tried until one is refused.
const mostReferences = 4

// references returns the fields of an object that may name others, with a value that names nothing: first
// those that are called so, then lists of texts.
func references(obj model.TestObject) (fields []string, values []any) {
	text, _ := obj.TextField()
	nothing := func(p probes.Parameter) (any, bool) {
		if v := obj.Gen.Marker("-nothing"); obj.Misfit(p, probes.ValueOf(v)) == "" {
			return v, true
		}
		for _, n := range []int{12, 6, 3, 1} {
			if v, ok := generate.MatchFor(p.Raw.At("pattern").Text(), n, 64); ok && obj.Misfit(p, probes.ValueOf(v)) == "" {
				return v, true
			}
		}
		return nil, false
	}
	add := func(name string, v any, ok bool) {
		if ok && len(fields) < mostReferences {
			fields, values = append(fields, name), append(values, v)
		}
	}
	for _, p := range obj.Fields {
		kinds, _ := obj.Kinds(p.Type)
		if _, own := obj.IDs[p.Name]; !own && p.Name != text.Name && obj.Refers(p) && len(kinds) == 1 && kinds[0] == "string" {
			v, ok := nothing(p)
			add(p.Name, v, ok)
		}
	}
	for _, p := range obj.Fields {
		kinds, _ := obj.Kinds(p.Type)
		item := probes.Parameter{Name: p.Name, Type: p.Raw.At("items", "type").Text(), Raw: p.Raw.At("items")}
		if of, _ := obj.Kinds(item.Type); len(kinds) == 1 && kinds[0] == "array" && len(of) == 1 && of[0] == "string" && len(obj.EnumOf(item)) == 0 {
			v, ok := nothing(item)
			add(p.Name, []any{v}, ok && obj.Misfit(p, probes.ValueOf([]any{v})) == "")
		}
	}
	return fields, values
}

// Section 3.2.
var changeWithAbsentReferenceHasNoEffect = check.Check{
	Requirement: "OPS-5.1-02",
	Why:         "A caller that reads a refusal takes the object for unchanged.",
	On: model.Only(check.EachTestObject, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		if why != nil {
			return false
		}
		fields, _ := references(obj)
		return len(fields) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		text, ok := obj.TextField()
		if !ok || !check.CreateWithFields(obj, ask, absentReference, map[string]any{text.Name: obj.ScriptMark(absentReference)}) {
			return
		}
		fields, values := references(obj)
		for i, name := range fields {
			step := probes.Nth(absentReference+": field", i)
			input := map[string]any{text.Name: obj.ScriptMark(absentReference) + "-harm", name: values[i]}
			if o := ask(obj.Apply(step).With("input", input)); refusedByRule(o) {
				ask(obj.Read(step + ": read"))
				break
			}
		}
		check.UpdateAndRead(obj, ask, absentReference+": faultless change", map[string]any{text.Name: obj.ScriptMark(absentReference) + "-new"}, func(v probes.Value) bool {
			return v.At(text.Name).Text() == obj.ScriptMark(absentReference)+"-new"
		})
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		text, ok := obj.TextField()
		if !ok {
			return ruling.NotProven("a field that plays the part of text", "none").Mend(obj.FieldHint("text"))
		}
		said := func(o probes.Observation) string { return obj.ObjectIn(o).At(text.Name).Text() }
		after, changed := check.LastRead(obj, got, absentReference+": faultless change: read")
		fields, _ := references(obj)
		for i := range fields {
			step := probes.Nth(absentReference+": field", i)
			tried, look := got.Step(step), got.Step(step+": read")
			earlier := i > 0 && got.Step(probes.Nth(absentReference+": field", i-1)).Succeeded() // it has set the text as well
			switch {
			case !refusedByRule(tried):
			case said(look) == obj.ScriptMark(absentReference)+"-harm" && !earlier:
				return ruling.Violates(text.Name+" as it was", "refused, but it happened").By(look, tried)
			case earlier || !look.Succeeded() || !changed || said(after) != obj.ScriptMark(absentReference)+"-new":
				return ruling.NotProven("a READ that shows changes of "+text.Name, "none").By(tried)
			default:
				return ruling.Conforms().By(look, tried)
			}
		}
		return ruling.NotProven("a refusal of a change that names nothing", got.Last())
	},
	Fix: "validate the whole request before executing any of it",
}
