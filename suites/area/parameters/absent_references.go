package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// That a reference names nothing shows late, when the rest of a change may have been carried out. Each
// change of this script sets a text of its own and a field that names nothing.

const absentReference = "change with an absent reference"

// mostDangling bounds how many fields are tried until one is refused.
const mostDangling = 4

// A danglingField is a field of an object that may name others, with a value that names nothing.
type danglingField struct {
	field string
	value any
	proof probes.Probe // a read that has to say so first; none where the value is the mark of the run
}

// danglingFields returns such fields: first those that are called so, then lists of texts.
func danglingFields(obj model.TestObject) (all []danglingField) {
	text, _ := obj.TextField()
	nothing := func(p probes.Parameter) (v string, proof probes.Probe, ok bool) {
		if v = obj.Gen.Marker("-nothing"); obj.Misfit(p, probes.ValueOf(v)) == "" {
			return v, proof, true
		}
		for _, n := range []int{12, 6, 3, 1} {
			if v, ok = generate.MatchFor(p.Raw.At("pattern").Text(), n, 64); ok && obj.Misfit(p, probes.ValueOf(v)) == "" {
				proof, ok = reads(obj.Adapter, p, v)
				return v, proof, ok
			}
		}
		return v, proof, false
	}
	add := func(r danglingField, ok bool) {
		if ok && len(all) < mostDangling {
			all = append(all, r)
		}
	}
	for _, p := range obj.Fields {
		kinds, _ := obj.Kinds(p.Type)
		if _, own := obj.IDs[p.Name]; !own && p.Name != text.Name && obj.Refers(p) && slices.Equal(kinds, []string{"string"}) {
			v, proof, ok := nothing(p)
			add(danglingField{p.Name, v, proof}, ok)
		}
	}
	for _, p := range obj.Fields {
		kinds, _ := obj.Kinds(p.Type)
		item := probes.Parameter{Name: p.Name, Type: p.Raw.At("items", "type").Text(), Raw: p.Raw.At("items")}
		if of, _ := obj.Kinds(item.Type); slices.Equal(kinds, []string{"array"}) && slices.Equal(of, []string{"string"}) && len(obj.EnumOf(item)) == 0 {
			v, proof, ok := nothing(item)
			add(danglingField{p.Name, []any{v}, proof}, ok && obj.Misfit(p, probes.ValueOf([]any{v})) == "")
		}
	}
	return all
}

// reads returns the READ whose one required parameter has the pattern of a value: only it can show that the
// value names nothing.
func reads(f *model.Adapter, p probes.Parameter, v string) (probes.Probe, bool) {
	for _, s := range f.ProvenReads() {
		needs := slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(q probes.Parameter) bool { return !q.Required })
		if len(needs) == 1 && needs[0].Raw.At("pattern").Equal(p.Raw.At("pattern")) {
			return s.ValidCall().With(needs[0].Name, v), true
		}
	}
	return probes.Probe{}, false
}

// A trialField is a field by which a read tells whether a change was carried out: one of free text, else one that takes two
// known values.
type trialField struct {
	name             string
	begun, harm, end probes.Value
	free             bool
}

func trialFieldOf(obj model.TestObject) (t trialField, ok bool) {
	if text, free := obj.TextField(); free {
		mark := obj.ScriptMark(absentReference)
		return trialField{text.Name, probes.ValueOf(mark), probes.ValueOf(mark + "-harm"), probes.ValueOf(mark + "-new"), true}, true
	}
	p, one, other, ok := obj.Alternatives()
	return trialField{p.Name, one, other, other, false}, ok
}

// harmBy is what the change with a field sets. A change that succeeds sets another text.
func (t trialField) harmBy(index int) probes.Value {
	if t.free {
		return probes.ValueOf(probes.Nth(t.harm.Text(), index))
	}
	return t.harm
}

// in is the value of the field in the answer to a read.
func (t trialField) in(obj model.TestObject, o probes.Observation) probes.Value {
	return obj.ObjectIn(o).At(t.name)
}

// Section 3.2.
var changeWithAbsentReferenceHasNoEffect = check.Check{
	Requirement: "OPS-5.1-02",
	Why:         "A caller that reads a refusal takes the object for unchanged.",
	On: model.Only(check.EachTestObject, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return why == nil && len(danglingFields(obj)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		t, ok := trialFieldOf(obj)
		if !ok || !check.CreateWithFields(obj, ask, absentReference, map[string]any{t.name: t.begun.Go()}) {
			return
		}
		for i, r := range danglingFields(obj) {
			step := probes.Nth(absentReference+": field", i)
			if r.field == t.name || r.proof.Tool != "" && ask(r.proof.Anew(step+": value")).Code() != "NOT_FOUND_RESOURCE" {
				continue
			}
			o := ask(obj.Apply(step).With("input", map[string]any{t.name: t.harmBy(i).Go(), r.field: r.value}))
			if check.RefusedByRule(o) && t.in(obj, ask(obj.Read(step+": read"))).Equal(t.harm) && !t.free { // a state may have gone on by itself
				ask(obj.Apply(step+": back").With("input", map[string]any{t.name: t.begun.Go(), r.field: r.value}))
				ask(obj.Read(step + ": back: read"))
			}
			if check.RefusedByRule(o) || !t.free {
				break
			}
		}
		check.UpdateAndRead(obj, ask, absentReference+": faultless change", map[string]any{t.name: t.end.Go()}, func(v probes.Value) bool {
			return v.At(t.name).Equal(t.end)
		})
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		t, ok := trialFieldOf(obj)
		if !ok {
			return ruling.NotProven("a field that plays the part of text", "none").Mend(obj.FieldHint("text"))
		}
		begun, made := check.LastRead(obj, got, absentReference+": first read")
		after, changed := check.LastRead(obj, got, absentReference+": faultless change: read")
		for i := range danglingFields(obj) {
			step := probes.Nth(absentReference+": field", i)
			tried, look := got.Step(step), got.Step(step+": read")
			switch {
			case !check.RefusedByRule(tried):
			case !t.free && (!made || !t.in(obj, begun).Equal(t.begun)):
				return ruling.NotProven("a READ that shows "+t.name+" as it was made", "none").By(tried)
			case t.in(obj, look).Equal(t.harmBy(i)) && !t.free && (!check.RefusedByRule(got.Step(step+": back")) || !t.in(obj, got.Step(step+": back: read")).Equal(t.begun)):
				return ruling.NotProven(t.name+" that changes with requests alone", t.in(obj, look)).By(look, tried)
			case t.in(obj, look).Equal(t.harmBy(i)):
				return ruling.Violates(t.name+" as it was", "refused, but it happened").By(look, tried)
			case !look.Succeeded() || !changed || !t.in(obj, after).Equal(t.end):
				return ruling.NotProven("a READ that shows changes of "+t.name, "none").By(tried)
			default:
				return ruling.Conforms().By(look, tried)
			}
		}
		return ruling.NotProven("a refusal of a change that names nothing", got.Last())
	},
	Fix: "validate the whole request before executing any of it",
}
