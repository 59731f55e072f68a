package update

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// storedIntegers are the two ends of the range in which a float64 is exact, and
// the first integer it cannot hold. Section 4.7.3.
var storedIntegers = []string{"9007199254740991", "-9007199254740991", "9007199254740993"}

// integerField is a field that stores any integer: one of its own, else a key of a
// free-form object.
func integerField(sp model.TestObject) (path []string, ok bool) {
	p, ok := sp.Field("number", func(p probes.Parameter) bool {
		kinds, known := sp.Kinds(p.Type)
		roomy := func(bound string) bool {
			f, has := p.Raw.At(bound).Float()
			return !has || math.Abs(f) >= 1<<53
		}
		whole := slices.Contains(kinds, "integer") || slices.Contains(kinds, "number")
		return known && whole && roomy("minimum") && roomy("maximum") && !p.Raw.Has("enum") && !sp.Refers(p)
	})
	if ok {
		return []string{p.Name}, true
	}
	object, ok := sp.ObjectField()
	return []string{object.Name, "amount"}, ok
}

// storing is an input that sets one integer.
func storing(path []string, digits string) map[string]any {
	if len(path) == 1 {
		return map[string]any{path[0]: json.RawMessage(digits)}
	}
	return map[string]any{path[0]: map[string]any{path[1]: json.RawMessage(digits)}}
}

// Section 4.7.3.
var integersSurviveRoundTrip = check.Check{
	Requirement: "AQL-4.7.3-03",
	Rule:        "Integers inside the safe range survive a round trip unchanged, larger ones as the double next to them at least.",
	Why:         "A changed number is worse than a rejected one, because identifiers and amounts are numbers too.",
	On:          check.EachTestObject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, _ := s.TestObject(s.Name)
		path, ok := integerField(sp)
		if !ok || !check.CreateWithFields(sp, ask, "stored integers", nil) {
			return
		}
		for i, digits := range storedIntegers {
			check.UpdateAndRead(sp, ask, probes.Nth("stored integers: update", i), storing(path, digits), func(v probes.Value) bool { return string(v.At(path...).Raw()) == digits })
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, _ := s.TestObject(s.Name)
		path, ok := integerField(sp)
		if !ok {
			return ruling.NotProven("a field that stores integers", "none").Mend(sp.FieldHint("number"))
		}
		var rs []ruling.Ruling
		before := ""
		for i, digits := range storedIntegers {
			update := probes.Nth("stored integers: update", i)
			reply, asked := got.Find(update)
			look, seen := check.LastRead(sp, got, update+": read")
			stored := sp.ObjectIn(look).At(path...)
			switch {
			case asked && !reply.Succeeded() && digits == storedIntegers[2]:
				rs = append(rs, ruling.Conforms().By(reply))
			case !asked || !reply.Succeeded() || !seen || stored.Is(probes.Absent):
				rs = append(rs, ruling.NotProven("the integer "+digits+" stored", got.Last()).Mend(model.TestObjectHint))
			case stored.Text() == digits, sameDouble(stored, digits): // as text, which keeps every digit
				rs = append(rs, ruling.Conforms().By(look, reply))
			case stored.Canonical(nil) == before:
				rs = append(rs, ruling.NotProven("a change that shows", stored).By(look, reply).Because("AQL-4.5.1-01"))
			case stored.Canonical(nil) != digits:
				rs = append(rs, ruling.Violates("the integer "+digits, stored).By(look, reply))
			default:
				rs = append(rs, ruling.Conforms().By(look, reply))
			}
			before = stored.Canonical(nil)
		}
		return ruling.Worst(rs...)
	},
	Fix: "keep integers exact, or refuse those that cannot be kept",
}

// sameDouble reports whether a number beyond the safe range came back as the double next
// to it: section 4.7.3 says that numbers are doubles.
func sameDouble(v probes.Value, digits string) bool {
	sent, err := strconv.ParseFloat(digits, 64)
	got, ok := v.Float()
	return err == nil && ok && math.Abs(sent) >= 1<<53 && got == sent
}

// declaredResult returns the registered object type that an operation says it
// returns.
func declaredResult(s model.Subject) (probes.Type, bool) {
	returns := s.Op.Details.At("returns")
	name := returns.At("name").Text()
	if returns.Is(probes.String) {
		name = returns.Text()
	}
	t, ok := s.Adapter.Type(name)
	return t, ok && t.Kind == "object" && len(t.Details.At("fields").Items()) > 0
}

// Section 9.2, with the introspection document, section 5.2.2.
var resultsMatchDeclaredObjectType = check.Check{
	Requirement: "INT-5.2.2-01",
	Rule:        "Object type fields describe the objects that operations returning the type really deliver.",
	Why:         "A model writes the code that reads the answer before it has seen one.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(model.EachProven, func(s model.Subject) bool {
			_, declared := declaredResult(s)
			return s.Op.Category == "READ" && declared
		})(f)
	},
	Ask: func(s model.Subject) []probes.Probe { return []probes.Probe{s.ValidCall()} },
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t, _ := declaredResult(s)
		data := got[0].Data()
		switch {
		case !got[0].Succeeded():
			return ruling.NotProven("an answer to compare", got[0])
		case data.Is(probes.String):
			return ruling.Violates("an object "+t.Name, "prose").By(got[0])
		}
		samples := located(t, data)
		if len(samples) == 0 {
			return ruling.NotProven("an object with the fields of "+t.Name, data)
		}
		return agrees(s, t, samples, 0)
	},
	Fix: "derive the documented type and the answer from one definition",
}

// located finds the objects of a type in the data of an answer: the data, one of
// its objects, or those of its lists, whichever has the most of the fields.
func located(t probes.Type, data probes.Value) []probes.Value {
	places := [][]probes.Value{{data}, data.Items()}
	for _, m := range data.Members() {
		places = append(places, []probes.Value{m.Value}, m.Value.Items())
	}
	var best []probes.Value
	most := 0
	for _, place := range places {
		objects := slices.DeleteFunc(slices.Clone(place), func(v probes.Value) bool { return fieldsIn(t, v) == 0 })
		if len(objects) > 0 && fieldsIn(t, objects[0]) > most {
			best, most = objects, fieldsIn(t, objects[0])
		}
	}
	return best
}

// fieldsIn counts the fields of a type that a value has.
func fieldsIn(t probes.Type, v probes.Value) int {
	n := 0
	for _, f := range t.Details.At("fields").Items() {
		if v.Has(f.At("name").Text()) {
			n++
		}
	}
	return n
}

// agrees compares samples with the fields of their type, and the objects below
// them with theirs.
func agrees(s model.Subject, t probes.Type, samples []probes.Value, depth int) ruling.Ruling {
	rs := []ruling.Ruling{ruling.Conforms()}
	for _, field := range t.Details.At("fields").Items() {
		name, missing := field.At("name").Text(), 0
		kinds, known := s.Kinds(field.At("type").Text())
		var below []probes.Value
		for _, v := range samples {
			switch value := v.At(name); {
			case value.Is(probes.Absent):
				missing++
			case value.Is(probes.Null):
			case known && !slices.ContainsFunc(kinds, func(k string) bool { return kindHolds(k, value) }):
				rs = append(rs, ruling.Violates(t.Name+"."+name+" "+field.At("type").Text(), value))
			case known && (len(samples) == 1 || !s.OfRun(v)) && broken(s, field, value) != "":
				rs = append(rs, ruling.Violates(t.Name+"."+name+" as its record says", ruling.Clip(value.String())+", "+broken(s, field, value)))
			default:
				below = append(below, append(slices.Clip(value.Items()), value)...)
			}
		}
		if missing == len(samples) && field.At("required").True() && !cuts(s) {
			rs = append(rs, ruling.Violates("the required field "+t.Name+"."+name, "none"))
		}
		rs = append(rs, agreesBelow(s, field, below, depth))
	}
	return ruling.Worst(rs...)
}

// broken says which constraint of its record the value of a field breaks. What other checks have
// tried to store says nothing, nor does a secret that is masked.
func broken(s model.Subject, field, value probes.Value) string {
	if field.At("sensitive").True() {
		return ""
	}
	s.Par = probes.Parameter{Name: field.At("name").Text(), Type: field.At("type").Text(), Raw: field}
	if _, reversed := check.ReversedBounds(s); reversed {
		return "" // no value fits: the record is at fault
	}
	return s.Misfit(s.Par, value)
}

// cuts reports whether an operation lets its caller choose how much of an object
// to show, and so may show less by default.
func cuts(s model.Subject) bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
		return slices.Contains([]string{"fields", "select", "include", "exclude", "expand", "preset", "view", "detail", "verbosity"}, p.Name)
	})
}

// agreesBelow compares what a field holds with the object type it names.
func agreesBelow(s model.Subject, field probes.Value, values []probes.Value, depth int) ruling.Ruling {
	words := field.At("type").Text()
	if items := field.At("items", "type").Text(); items != "" {
		words = items
	}
	e, err := probes.ParseType(words)
	if err != nil || len(e.Leaves()) != 1 || depth > 3 {
		return ruling.Conforms()
	}
	t, ok := s.Adapter.Type(e.Leaves()[0])
	objects := slices.DeleteFunc(values, func(v probes.Value) bool { return !v.Is(probes.Object) })
	if !ok || t.Kind != "object" || len(objects) == 0 || e.Form == probes.MapOf || e.Form == probes.UnionOf {
		return ruling.Conforms()
	}
	return agrees(s, t, objects, depth+1)
}

// kindHolds reports whether a value is of a documented kind.
func kindHolds(kind string, v probes.Value) bool {
	switch kind {
	case "integer":
		return v.Whole()
	case "any":
		return true
	}
	return string(v.Kind()) == kind
}
