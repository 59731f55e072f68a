package suites

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// numberTake is the take of the script for stored integers.
const numberTake = 62 * specimenStage

// storedIntegers are the two ends of the range in which a float64 is exact, and
// the first integer it cannot hold. Section 4.7.3.
var storedIntegers = []string{"9007199254740991", "-9007199254740991", "9007199254740993"}

// integerField is a field that stores any integer: one of its own, else a key of a
// free-form object.
func (sp specimen) integerField() (path []string, ok bool) {
	p, ok := sp.field("number", func(p probes.Parameter) bool {
		kinds, known := sp.Kinds(p.Type)
		roomy := func(bound string) bool {
			f, has := p.Raw.At(bound).Float()
			return !has || math.Abs(f) >= 1<<53
		}
		whole := slices.Contains(kinds, "integer") || slices.Contains(kinds, "number")
		return known && whole && roomy("minimum") && roomy("maximum") && !p.Raw.Has("enum") && !probes.IsReference(sp.Op, p)
	})
	if ok {
		return []string{p.Name}, true
	}
	object, ok := sp.object()
	return []string{object.Name, "number"}, ok
}

// storing is an input that sets one integer.
func storing(path []string, digits string) map[string]any {
	if len(path) == 1 {
		return map[string]any{path[0]: json.RawMessage(digits)}
	}
	return map[string]any{path[0]: map[string]any{path[1]: json.RawMessage(digits)}}
}

// Section 4.7.3. A number that comes back as another one is worse than a refusal:
// identifiers and amounts are numbers too.
var _ = register(Check{
	Requirement: "AQL-4.7.3-03",
	On:          eachSpecimen,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		sp, _ := s.specimen(s.Name)
		path, ok := sp.integerField()
		if !ok || !sp.begin(ask, numberTake, nil) {
			return
		}
		for i, digits := range storedIntegers {
			sp.change(ask, numberTake+20*(i+1), storing(path, digits), func(v probes.Value) bool { return string(v.At(path...).Raw()) == digits })
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		sp, _ := s.specimen(s.Name)
		path, ok := sp.integerField()
		if !ok {
			return NotProven("a field that stores integers", "none").Mend(resourceHint)
		}
		var rs []Ruling
		before := ""
		for i, digits := range storedIntegers {
			take := numberTake + 20*(i+1)
			reply, asked := at(got, take)
			look, seen := lastLook(sp, got, take+1, take+20)
			stored := sp.shown(look).At(path...)
			switch {
			case asked && !reply.Succeeded() && digits == storedIntegers[2]:
				rs = append(rs, Conforms().By(reply))
			case !asked || !reply.Succeeded() || !seen || stored.Is(probes.Absent):
				rs = append(rs, NotProven("the integer "+digits+" stored", got[len(got)-1]).Mend(resourceHint))
			case stored.Text() == digits: // as text, which keeps every digit
				rs = append(rs, Conforms().By(look, reply))
			case stored.Canonical(nil) == before:
				rs = append(rs, NotProven("a change that shows", stored).By(look, reply).Because("AQL-4.5.1-01"))
			case stored.Canonical(nil) != digits:
				rs = append(rs, Violates("the integer "+digits, stored).By(look, reply))
			default:
				rs = append(rs, Conforms().By(look, reply))
			}
			before = stored.Canonical(nil)
		}
		return Worst(rs...)
	},
	Fix: "keep integers exact, or refuse those that cannot be kept",
})

// declaredResult returns the registered object type that an operation says it
// returns.
func (s Subject) declaredResult() (probes.Type, bool) {
	returns := s.Op.Details.At("returns")
	name := returns.At("name").Text()
	if returns.Is(probes.String) {
		name = returns.Text()
	}
	t, ok := s.Face.Type(name)
	return t, ok && t.Kind == "object" && len(t.Details.At("fields").Items()) > 0
}

// Section 9.2, with the introspection document, section 5.2.2. A model writes the
// code that reads the answer before it has seen one.
var _ = register(Check{
	Requirement: "INT-5.2.2-01",
	On: func(f *Face) []Subject {
		return only(eachProven, func(s Subject) bool {
			_, declared := s.declaredResult()
			return s.Op.Category == "READ" && declared
		})(f)
	},
	Ask: func(s Subject) []probes.Probe { return []probes.Probe{s.ValidCall()} },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		t, _ := s.declaredResult()
		data := got[0].Data()
		switch {
		case !got[0].Succeeded():
			return NotProven("an answer to compare", got[0])
		case data.Is(probes.String):
			return Violates("an object "+t.Name, "prose").By(got[0])
		}
		samples := located(t, data)
		if len(samples) == 0 {
			return NotProven("an object with the fields of "+t.Name, data)
		}
		return s.agrees(t, samples, 0)
	},
	Fix: "derive the documented type and the answer from one definition",
})

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
func (s Subject) agrees(t probes.Type, samples []probes.Value, depth int) Ruling {
	rs := []Ruling{Conforms()}
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
				rs = append(rs, Violates(t.Name+"."+name+" "+field.At("type").Text(), value))
			default:
				below = append(below, append(value.Items(), value)...)
			}
		}
		if missing == len(samples) && field.At("required").True() && !s.cuts() {
			rs = append(rs, Violates("the required field "+t.Name+"."+name, "none"))
		}
		rs = append(rs, s.agreesBelow(field, below, depth))
	}
	return Worst(rs...)
}

// cuts reports whether an operation lets its caller choose how much of an object
// to show, and so may show less by default.
func (s Subject) cuts() bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
		return slices.Contains([]string{"fields", "select", "include", "exclude", "expand", "preset", "view", "detail", "verbosity"}, p.Name)
	})
}

// agreesBelow compares what a field holds with the object type it names.
func (s Subject) agreesBelow(field probes.Value, values []probes.Value, depth int) Ruling {
	words := field.At("type").Text()
	if items := field.At("items", "type").Text(); items != "" {
		words = items
	}
	e, err := probes.ParseType(words)
	if err != nil || len(e.Leaves()) != 1 || depth > 3 {
		return Conforms()
	}
	t, ok := s.Face.Type(e.Leaves()[0])
	objects := slices.DeleteFunc(values, func(v probes.Value) bool { return !v.Is(probes.Object) })
	if !ok || t.Kind != "object" || len(objects) == 0 || e.Form == probes.MapOf || e.Form == probes.UnionOf {
		return Conforms()
	}
	return s.agrees(t, objects, depth+1)
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
