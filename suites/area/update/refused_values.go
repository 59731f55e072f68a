package update

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Introspection cannot declare each rule of a field. Two objects may not have the same value, or a reference has to name an
// object. The script shows by creations which fields have such a rule. Then it sends updates that break the rule.

const refusedValues = "values that a creation refuses"

// mostRefusedValues bounds the fields of each kind that are tried.
const mostRefusedValues = 3

// dated matches texts that are a day or a time. What is refused may be a span, of which another field is a part.
var dated = regexp.MustCompile(`^\d{4}-\d\d-\d\d|^\d\d:\d\d`)

// soleFields are the fields with a text that each creation of the run sets anew. No two objects may have such a text.
func soleFields(obj model.TestObject) (names []string) {
	one, _ := obj.Create(refusedValues+": created", nil)
	other, _ := obj.Create(refusedValues+": other", nil)
	for _, p := range obj.Fields {
		was, is := probes.ValueOf(one.Params()[p.Name]), probes.ValueOf(other.Params()[p.Name])
		_, own := obj.IDs[p.Name]
		if was.Is(probes.String) && !was.Equal(is) && !dated.MatchString(was.Text()) && !own && !obj.Refers(p) && len(names) < mostRefusedValues {
			names = append(names, p.Name)
		}
	}
	return names
}

// absentNames are the references of the kind, each with a value that a READ does not find.
func absentNames(obj model.TestObject) map[string]any {
	all := map[string]any{}
	for _, p := range obj.Fields {
		i := slices.IndexFunc(obj.Maker.Op.Parameters, func(q probes.Parameter) bool { return q.Name == p.Name })
		if _, own := obj.IDs[p.Name]; own || i < 0 || len(all) == mostRefusedValues {
			continue
		}
		q := obj.Maker.Op.Parameters[i]
		if absent, known := obj.Absent[obj.AbsentKey(obj.Maker.Op, q)]; known && probes.IsReference(obj.Maker.Op, q) && !obj.ClientChosen(obj.Maker.Op, q) {
			all[p.Name] = absent.Go()
		}
	}
	return all
}

// blames reports whether a creation is refused for a value of a field, which the refusal names: an adapter may refuse a request that
// is sent twice.
func blames(o probes.Observation, field string, value any) bool {
	return refusedForValue(o) && (o.Mentions(field) || o.Mentions(probes.ValueOf(value).Text()))
}

// change sends an update of one field, reads the object, and sends an update of the same field that has to succeed.
func change(obj model.TestObject, ask model.AskFunc, step, name string, value, other any) {
	if ask(obj.Apply(step).With("input", map[string]any{name: value})).Succeeded() {
		ask(obj.Read(step + ": read"))
		return
	}
	ask(obj.Apply(step+": another value").With("input", map[string]any{name: other}))
}

// refusedForValue reports whether a request was refused for a value in it. A missing right and an error of the adapter tell nothing of it.
func refusedForValue(o probes.Observation) bool {
	return check.RefusedByRule(o) && !o.Deferred() && o.Code() != "INTERNAL_ERROR"
}

// The updates, and the creations that are refused with the same values.
const (
	soleUpdate     = refusedValues + ": value of another object"
	soleCreation   = refusedValues + ": twin in one field"
	caseUpdate     = refusedValues + ": value of another object in capitals"
	caseCreation   = refusedValues + ": twin in capitals"
	absentUpdate   = refusedValues + ": absent object"
	absentCreation = refusedValues + ": absent object of a creation"
)

// updatesOf are the operations of category UPDATE with a test object of which the condition holds.
func updatesOf(holds func(model.TestObject) bool) func(*model.Adapter) []model.Subject {
	return model.Only(check.EachTestObject, func(s model.Subject) bool {
		obj, why := s.TestObject(s.Name)
		return why == nil && s.Op.Category == "UPDATE" && holds(obj)
	})
}

// Section 4.5.3.
var whatACreationRefusesIsRefusedByAnUpdate = check.Check{
	Requirement: "AQL-4.5.3-10",
	Rule:        "Fields within input are validated against the resource schema: a value that a creation refuses because of other objects is refused by an update too.",
	Why:         "Two objects with one unique name, or a reference to nothing, are as wrong after an update as after a creation.",
	On:          updatesOf(func(obj model.TestObject) bool { return len(soleFields(obj))+len(absentNames(obj)) > 0 }),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		creation, _ := obj.Create(refusedValues+": created", nil)
		made := ask(creation)
		if !made.Succeeded() {
			return
		}
		askTaken(obj, ask, made)
		askAbsent(obj, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		if len(got) == 0 || !got[0].Succeeded() {
			return ruling.NotProven("an object of our own", got.Last())
		}
		var rs []ruling.Ruling
		for i := range mostRefusedValues {
			for _, step := range [][2]string{{soleUpdate, soleCreation}, {caseUpdate, caseCreation}, {absentUpdate, absentCreation}} {
				if o, sent := got.Find(probes.Nth(step[0], i)); sent {
					rs = append(rs, refusedValue(obj, got, o, got.Under(probes.Nth(step[1], i)).Last()))
				}
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no creation refuses a field because of other objects")
		}
		return ruling.Worst(rs...)
	},
	Fix: "check each field of an update as a creation checks it",
}

// askTaken finds the values that no two objects may have, and sets that of another object.
func askTaken(obj model.TestObject, ask model.AskFunc, made probes.Observation) {
	taken := map[string]any{}
	for _, name := range soleFields(obj) {
		if v := made.Probe.Params()[name]; !named(obj, made, probes.ValueOf(v)) {
			taken[name] = v
		}
	}
	twin, rest := obj.Create(refusedValues+": twin", taken)
	if len(taken) == 0 || len(rest) > 0 || !refusedForValue(ask(twin)) {
		return
	}
	creation, _ := obj.Create(refusedValues+": other", nil)
	other := ask(creation)
	if !other.Succeeded() || !apart(made, other, taken) { // then it was not the value that was wrong
		return
	}
	fresh, _ := obj.Create(refusedValues+": fresh", nil)
	for i, name := range slices.Sorted(maps.Keys(taken)) {
		// The object that was made first may have another value by then, the other one has its own.
		try := func(creation, update, value string, set any) bool {
			twin, rest := obj.Create(probes.Nth(creation, i), map[string]any{name: value})
			o := ask(twin)
			unlike := len(taken) > 1 && strings.HasPrefix(o.Code(), "CONFLICT_") // it repeats no other request
			if len(rest) > 0 || !unlike && !blames(o, name, value) {
				return false
			}
			change(obj, ask, probes.Nth(update, i), name, set, fresh.Params()[name])
			return true
		}
		is := other.Probe.Params()[name]
		capitals := strings.ToUpper(probes.ValueOf(is).Text())
		if try(soleCreation, soleUpdate, probes.ValueOf(taken[name]).Text(), is) {
			try(caseCreation, caseUpdate, capitals, capitals)
		}
	}
}

// named reports whether an identifier of an object is made of a value. Then a creation refuses the identifier, and an update
// need not give another one.
func named(obj model.TestObject, made probes.Observation, v probes.Value) bool {
	letters := vocab.Letters(v.Text())
	return slices.ContainsFunc(slices.Collect(maps.Values(obj.ViewerIDs)), func(path []string) bool {
		id := vocab.Letters(made.Told(path...).Text())
		return letters != "" && (strings.Contains(id, letters) || id != "" && strings.Contains(letters, id))
	})
}

// apart reports whether two creations differ in some fields alone: the second one may have been sent to another parent.
func apart(one, other probes.Observation, fields map[string]any) bool {
	x, y := one.Probe, other.Probe
	for name := range fields {
		x, y = x.Without(name), y.Without(name)
	}
	return probes.ValueOf(x.Params()).Equal(probes.ValueOf(y.Params()))
}

// askAbsent finds the references that have to name an object, and sets one that names nothing.
func askAbsent(obj model.TestObject, ask model.AskFunc) {
	absent := absentNames(obj)
	for i, name := range slices.Sorted(maps.Keys(absent)) {
		creation, rest := obj.Create(probes.Nth(absentCreation, i), map[string]any{name: absent[name]})
		if len(rest) > 0 {
			continue
		}
		if o := ask(creation); refusedForValue(o) && !strings.HasPrefix(o.Code(), "CONFLICT_") { // a conflict is one with what is there
			shown := obj.ObjectIn(ask(obj.Read(probes.Nth(refusedValues+": reference", i)))).At(name)
			change(obj, ask, probes.Nth(absentUpdate, i), name, absent[name], shown.Go())
		}
	}
}

// refusedValue rules on one update with a value that a creation refuses.
func refusedValue(obj model.TestObject, got probes.Answers, o, creation probes.Observation) ruling.Ruling {
	input := model.ValueIn(o.Probe, "input").Members()
	if len(input) != 1 {
		return ruling.NotProven("an update of one field", o)
	}
	field := input[0]
	want := "a refusal of " + field.Name + ", as a creation with such a value is refused"
	control, look := got.Step(o.Probe.Step+": another value"), got.Step(o.Probe.Step+": read")
	switch stored := obj.ObjectIn(look).At(field.Name); {
	case o.Outcome == probes.Unasked:
		return model.Unsent(o)
	case !refusedForValue(creation):
		return ruling.NotProven("a refusal of the creation", creation).By(o)
	case o.Succeeded() && (holds(stored, field.Value) || stored.Is(probes.String) && strings.EqualFold(stored.Text(), field.Value.Text())):
		return ruling.Departs(want, stored).By(look, o, creation)
	case o.Succeeded():
		return ruling.NotProven("a look at what was stored", look).By(o)
	case refusedForValue(o) && o.Code() == creation.Code() && control.Succeeded():
		return ruling.Conforms().By(o, control, creation)
	}
	return ruling.NotProven("the refusal of the creation, and an update of "+field.Name+" that succeeds", o).By(control)
}

// holds reports whether a value is stored, or each member of it in an object.
func holds(stored, v probes.Value) bool {
	members := v.Members()
	return stored.Equal(v) || len(members) > 0 && !slices.ContainsFunc(members, func(m probes.Member) bool { return !stored.At(m.Name).Equal(m.Value) })
}
