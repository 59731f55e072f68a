package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachRehearsing is every operation that documents dry_run.
func eachRehearsing(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range model.EachParameter(f) {
		if s.Par.Name == "dry_run" {
			all = append(all, s)
		}
	}
	return all
}

// Operations document, section 4.4.1.
var dryRunIsBooleanOnMutations = check.Check{
	Requirement: "OPS-4.4.1-09",
	Rule:        "A parameter called dry_run, where documented, has type boolean and belongs to mutating operations.",
	Why:         "dry_run is a boolean, and operations that change nothing do not need it.",
	On:          eachRehearsing,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		kinds, ok := s.Kinds(s.Par.Type)
		switch {
		case !ok:
			return ruling.NotProven("a type of dry_run that is understood", probes.ValueOf(s.Par.Type))
		case !slices.Equal(kinds, []string{"boolean"}):
			return ruling.Violates("dry_run of type boolean", "type "+s.Par.Type)
		case s.Op.Category == "READ":
			return ruling.Violates("dry_run on operations that change state", "dry_run on the READ operation "+s.Op.Name)
		}
		return ruling.Conforms()
	},
	Fix: "type dry_run boolean and offer it on operations that change state",
}

// eachRehearsed is every operation that changes state and documents dry_run as a
// boolean, those that may not be tried on an object of our own settled.
func eachRehearsed(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range eachRehearsing(f) {
		kinds, _ := s.Kinds(s.Par.Type)
		if s.Op.Category == "READ" || !slices.Equal(kinds, []string{"boolean"}) || slices.Contains(model.Reserved, s.Op.Name) {
			continue
		}
		s.Name = s.Op.Name
		switch _, why := f.TestObject(s.Op.Name); {
		case s.Op.Category == "CREATE":
			i := slices.IndexFunc(model.EachMarked(f), func(t model.Subject) bool { return t.Name == s.Name })
			if i < 0 {
				continue
			}
			s.Ruling = model.EachMarked(f)[i].Ruling
		case s.Op.Category != "UPDATE" && s.Op.Category != "DELETE":
			s = s.WithRuling(ruling.NotProven("an object of our own that "+s.Name+" can be tried on", "none, because it executes something"))
		case why != nil:
			s = s.WithRuling(*why)
		}
		all = append(all, s)
	}
	return all
}

// Operations document, section 4.4.1.
var dryRunLeavesStateUnchanged = check.Check{
	Requirement: "OPS-4.4.1-10",
	Rule:        "Dry_run:true previews a mutating operation without executing it.",
	Why:         "A model uses dry_run to test a dangerous call. A dry run that changes data does the damage the model wanted to avoid.",
	On:          eachRehearsed,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if s.Op.Category == "CREATE" {
			inert(s, ask, "rehearsal", []probes.Probe{s.FreshCall("rehearsal: attempt").With("dry_run", true)})
			return
		}
		sp, _ := s.TestObject(s.Op.Name)
		var got probes.Answers
		ask = ask.Into(&got)
		script := rehearsalOf(s)
		made, _ := sp.Create(script+": created", nil)
		if !ask(made).Succeeded() {
			return
		}
		ask(sp.Read(script + ": read before 1"))
		ask(sp.Read(script + ": read before 2")) // a difference between two reads is no effect of the rehearsal
		ask(rehearsed(sp))
		ask(sp.Read(script + ": read after"))
		rehearseInside(sp, &got, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if s.Op.Category == "CREATE" {
			return judgeRehearsedCreate(s, got)
		}
		sp, _ := s.TestObject(s.Op.Name)
		if broken := judgeInside(sp, got); broken != nil {
			return *broken
		}
		script := rehearsalOf(s)
		first, before := got.Step(script+": read before 1"), got.Step(script+": read before 2")
		rehearsal := got.Step(script + ": attempt")
		after, sent := got.Find(script + ": read after")
		switch {
		case !sent:
			return ruling.NotProven("an object of our own that can be read back", got[0])
		case !first.Succeeded() || !before.Succeeded():
			return ruling.NotProven("an object of our own that can be read back", after)
		}
		changed := slices.ContainsFunc(sp.Fields, func(p probes.Parameter) bool {
			was, is := sp.ObjectIn(before).At(p.Name).Canonical(nil), sp.ObjectIn(after).At(p.Name).Canonical(nil)
			return was != is && was == sp.ObjectIn(first).At(p.Name).Canonical(nil)
		})
		switch {
		case !rehearsal.Succeeded():
			return ruling.NotProven("the request with dry_run to succeed", rehearsal).By(got[0])
		case sp.ObjectIn(before).Is(probes.Absent):
			return ruling.NotProven("our object in a look before the rehearsal", "none").By(before)
		case after.Deferred():
			return ruling.NotProven("a look after the rehearsal", after).By(rehearsal)
		case !after.Succeeded() || sp.ObjectIn(after).Is(probes.Absent) || changed:
			return ruling.Violates("no change by a request with dry_run", after).By(rehearsal, before)
		}
		return ruling.Conforms().By(rehearsal, after)
	},
	Fix: "stop before the first effect when dry_run is true",
}

// rehearsed is the operation on the test object with dry_run. An update would change a
// field that the script reads before and after it.
func rehearsed(sp model.TestObject) probes.Probe {
	script := rehearsalOf(sp.Subject)
	p := sp.Apply(script+": attempt").With("dry_run", true)
	if field, value, ok := sp.ValidChange(sp.ScriptMark(script) + "-new"); ok && sp.Op.Category == "UPDATE" {
		p = p.With("input", map[string]any{field.Name: value})
	}
	return p
}

const insideRehearsal = "rehearsal inside an object"

// An insideChange is an object field as it is made, and a change of one member of it. An adapter may rehearse on a copy that
// shares its inner objects with what is stored.
type insideChange struct {
	field        string
	made, change map[string]any
}

func (c insideChange) step(name string) string { return insideRehearsal + " " + c.field + ": " + name }

// insideChanges are those of the free object field and of each one with documented members.
func insideChanges(sp model.TestObject) (all []insideChange) {
	if p, free := sp.ObjectField(); free {
		all = append(all, insideChange{p.Name, map[string]any{"aqlx": "was"}, map[string]any{"aqlx": "is"}})
	}
	for _, t := range sp.TypedFields() {
		all = append(all, insideChange{t.Name, t.Made, map[string]any{t.Changed.Name: t.Is.Go()}})
	}
	return all
}

// rehearseInside rehearses updates of a member of an object, each on a test object of its own, behind what the
// script asked before.
func rehearseInside(sp model.TestObject, got *probes.Answers, ask model.AskFunc) {
	if sp.Op.Category != "UPDATE" {
		return
	}
	for _, c := range insideChanges(sp) {
		if sp.Base = len(*got); check.CreateWithFields(sp, ask, insideRehearsal+" "+c.field, map[string]any{c.field: c.made}) {
			ask(sp.Read(c.step("read before")))
			ask(sp.Apply(c.step("attempt")).With("dry_run", true).With("input", map[string]any{c.field: c.change}))
			ask(sp.Read(c.step("read after")))
		}
	}
}

// judgeInside rules on these rehearsals where one changed its object, and on nothing else.
func judgeInside(sp model.TestObject, got probes.Answers) *ruling.Ruling {
	for _, c := range insideChanges(sp) {
		attempt, before, after := got.Step(c.step("attempt")), got.Step(c.step("read before")), got.Step(c.step("read after"))
		if !attempt.Succeeded() || !before.Succeeded() || !after.Succeeded() {
			continue
		}
		for name, v := range c.change {
			was, is := sp.ObjectIn(before).At(c.field, name), sp.ObjectIn(after).At(c.field, name)
			if is.Equal(probes.ValueOf(v)) && !was.Is(probes.Absent) && !was.Equal(is) {
				r := ruling.Violates(c.field+"."+name+" "+was.String()+", as before a request with dry_run", is).By(attempt, after, before)
				return &r
			}
		}
	}
	return nil
}

// rehearsalOf names the script of an operation. What is seen after the rehearsal of an update says nothing of that of a removal.
func rehearsalOf(s model.Subject) string {
	if s.Op.Category == "DELETE" {
		return "rehearsal of a removal"
	}
	return "rehearsal"
}

func judgeRehearsedCreate(s model.Subject, got probes.Answers) ruling.Ruling {
	before, after := got.Under("rehearsal: listing before"), got.Under("rehearsal: listing after")
	rehearsal := got.Step("rehearsal: attempt 1")
	switch {
	case !check.AnyListsMark(before, s.Marked(s.Gen.Marker(""))):
		return ruling.NotProven("our own object in a listing", "none").By(got[0])
	case !rehearsal.Succeeded():
		return ruling.NotProven("the request with dry_run to succeed", rehearsal)
	case check.AnyListsMark(after, s.Mark("rehearsal: attempt")):
		return ruling.Violates("no object made by a request with dry_run", "an object made").By(rehearsal, after[0])
	}
	return check.RequireCompleteListings(after, check.Grown(got, "rehearsal")).By(rehearsal)
}
