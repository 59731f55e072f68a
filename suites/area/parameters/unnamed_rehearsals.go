package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An adapter may offer a dry run under a name of its own. The name decides what is tried alone, because an unknown flag may make an
// update do more. The flag is one of a dry run if an update with it succeeds and changes nothing that is set beside it. Then such
// an update must not change anything else either.

const unnamedRehearsal = "rehearsal under another name"

// rehearsals are the names of flags by which nothing is kept, as letters. A word that may tell the state of an object is none: a note on trial
// is kept.
var rehearsals = strings.Fields(`simula simulate simulation simulazione simulacion simular simulacao simuler simulieren rehearse rehearsal whatif
	validateonly checkonly simulateonly simulationonly noop trialrun testrun simulationrun probelauf testlauf`)

// rehearses reports whether a flag is called like a dry run.
func rehearses(name string) bool {
	return slices.Contains(rehearsals, strings.ToLower(vocab.Letters(name)))
}

// eachFlaggedUpdate is every UPDATE operation on an object of ours with an optional flag that an operation of another
// category takes too, once for each flag.
func eachFlaggedUpdate(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range model.EachParameter(f) {
		obj, why := f.TestObject(s.Op.Name)
		if why != nil || s.Op.Category != "UPDATE" || s.Par.Required || s.Par.Type != "boolean" || vocab.IsDryRun(s.Par.Name) || !rehearses(s.Par.Name) ||
			vocab.TextEffect(s.Par.Raw.At("description").Text()) >= vocab.Reaches {
			continue
		}
		shared := slices.ContainsFunc(f.Operations, func(o probes.Operation) bool {
			return (o.Category == "CREATE" || o.Category == "DELETE") && o.HasParameter(s.Par.Name)
		})
		changes := insideChanges(obj)
		inside := len(changes) > 0
		exempt := inside && strings.Contains(s.Par.Raw.At("description").Text(), changes[0].field) // it says what becomes of the field
		if _, _, plain := obj.ValidChange(obj.ScriptMark(unnamedRehearsal)); shared && inside && !exempt && plain {
			all = append(all, s)
		}
	}
	return all
}

// Operations document, section 4.4.1.
var dryRunOfAnotherNameLeavesStateUnchanged = check.Check{
	Requirement: "OPS-4.4.1-10",
	Why:         "A dry run that keeps a part of the change does the damage that the model wanted to avoid, whatever its flag is called.",
	On:          eachFlaggedUpdate,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Op.Name)
		change := insideChanges(obj)[0]
		plain, value, _ := obj.ValidChange(obj.ScriptMark(unnamedRehearsal) + "-new")
		if !check.CreateWithFields(obj, ask, unnamedRehearsal, map[string]any{change.field: change.made}) {
			return
		}
		flagged := func(step string, input map[string]any) bool {
			o := ask(obj.Apply(unnamedRehearsal+": "+step).With(s.Par.Name, true).With("input", input))
			ask(obj.Read(unnamedRehearsal + ": read after " + step))
			return o.Succeeded()
		}
		if flagged("the plain field", map[string]any{plain.Name: value}) {
			flagged("the inner field", map[string]any{change.field: change.change})
			ask(obj.Apply(unnamedRehearsal+": without the flag").With("input", map[string]any{plain.Name: value}))
			ask(obj.Read(unnamedRehearsal + ": read after all"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Op.Name)
		change := insideChanges(obj)[0]
		plain, _, _ := obj.ValidChange(obj.ScriptMark(unnamedRehearsal) + "-new")
		look := func(step string) (probes.Observation, probes.Value) {
			o, _ := check.LastRead(obj, got, unnamedRehearsal+": "+step)
			return o, obj.ObjectIn(o)
		}
		_, made := look("first read")
		_, first := look("read after the plain field")
		_, last := look("read after all")
		attempt := got.Step(unnamedRehearsal + ": the inner field")
		if !got.Step(unnamedRehearsal+": without the flag").Succeeded() || made.Is(probes.Absent) ||
			!first.At(plain.Name).Equal(made.At(plain.Name)) || last.At(plain.Name).Equal(made.At(plain.Name)) {
			return ruling.NotApplicable(s.Par.Name + " is not shown to be a dry run")
		}
		inner, after := look("read after the inner field")
		for name, v := range change.change {
			was, is := first.At(change.field, name), after.At(change.field, name)
			if attempt.Succeeded() && is.Equal(probes.ValueOf(v)) && !was.Is(probes.Absent) && !was.Equal(is) {
				return ruling.Departs(change.field+"."+name+" "+was.String()+", as before a request with "+s.Par.Name, is).By(inner, attempt)
			}
		}
		if !attempt.Succeeded() || after.Is(probes.Absent) {
			return ruling.NotApplicable("no change of " + change.field + " can be tried with " + s.Par.Name)
		}
		return ruling.Conforms().By(inner, attempt)
	},
	Fix: "stop before the first effect in a dry run",
}
