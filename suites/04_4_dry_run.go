package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// eachRehearsing is every operation that documents dry_run.
func eachRehearsing(f *Face) []Subject {
	var all []Subject
	for _, s := range eachParameter(f) {
		if s.Par.Name == "dry_run" {
			all = append(all, s)
		}
	}
	return all
}

// Operations document, section 4.4.1. A rehearsal is on or off, and what changes
// nothing needs none.
var _ = register(Check{
	Requirement: "OPS-4.4.1-09",
	On:          eachRehearsing,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		kinds, ok := s.Kinds(s.Par.Type)
		switch {
		case !ok:
			return NotProven("a type of dry_run that is understood", probes.ValueOf(s.Par.Type))
		case !slices.Equal(kinds, []string{"boolean"}):
			return Violates("dry_run of type boolean", "type "+s.Par.Type)
		case s.Op.Category == "READ":
			return Violates("dry_run on operations that change state", "dry_run on the READ operation "+s.Op.Name)
		}
		return Conforms()
	},
	Fix: "type dry_run boolean and offer it on operations that change state",
})

// eachRehearsed is every operation that changes state and takes dry_run as a
// boolean, those that may not be tried on an object of our own settled.
func eachRehearsed(f *Face) []Subject {
	var all []Subject
	for _, s := range eachRehearsing(f) {
		kinds, _ := s.Kinds(s.Par.Type)
		if s.Op.Category == "READ" || !slices.Equal(kinds, []string{"boolean"}) || slices.Contains(reserved, s.Op.Name) {
			continue
		}
		s.Name = s.Op.Name
		switch _, why := f.specimen(s.Op.Name); {
		case s.Op.Category == "CREATE":
			i := slices.IndexFunc(eachMarked(f), func(t Subject) bool { return t.Name == s.Name })
			if i < 0 {
				continue
			}
			s.settled = eachMarked(f)[i].settled
		case s.Op.Category != "UPDATE" && s.Op.Category != "DELETE":
			s = s.settle(NotProven("an object of our own that "+s.Name+" can be tried on", "an operation of category "+s.Op.Category))
		case why != nil:
			s = s.settle(*why)
		}
		all = append(all, s)
	}
	return all
}

// rehearsalTake numbers the questions of this row; see specimen.
const rehearsalTake = 86000

// Operations document, section 4.4.1. A model tries with dry_run what it would not
// dare to do; a rehearsal that is the performance betrays it.
var _ = register(Check{
	Requirement: "OPS-4.4.1-10",
	On:          eachRehearsed,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		if s.Op.Category == "CREATE" {
			inert(s, ask, rehearsalTake, []probes.Probe{s.anew(rehearsalTake).With("dry_run", true)})
			return
		}
		sp, _ := s.specimen(s.Op.Name)
		made, _ := sp.create(rehearsalTake, nil)
		if !ask(made).Succeeded() {
			return
		}
		ask(sp.look(rehearsalTake + 1))
		ask(sp.look(rehearsalTake + 3)) // what differs between two looks is no effect of the rehearsal
		ask(sp.rehearsed())
		ask(sp.look(rehearsalTake + 2))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if s.Op.Category == "CREATE" {
			return judgeRehearsedCreate(s, got)
		}
		sp, _ := s.specimen(s.Op.Name)
		if len(got) < 5 || !got[1].Succeeded() || !got[2].Succeeded() {
			return NotProven("an object of our own that can be read back", got[len(got)-1])
		}
		before, rehearsal, after := got[2], got[3], got[4]
		changed := slices.ContainsFunc(sp.fields, func(p probes.Parameter) bool {
			was, is := sp.shown(before).At(p.Name).Canonical(nil), sp.shown(after).At(p.Name).Canonical(nil)
			return was != is && was == sp.shown(got[1]).At(p.Name).Canonical(nil)
		})
		switch {
		case !rehearsal.Succeeded():
			return NotProven("the request with dry_run to succeed", rehearsal).By(got[0])
		case sp.shown(before).Is(probes.Absent):
			return NotProven("our object in a look before the rehearsal", "none").By(before)
		case after.Deferred():
			return NotProven("a look after the rehearsal", after).By(rehearsal)
		case !after.Succeeded() || sp.shown(after).Is(probes.Absent) || changed:
			return Violates("no change by a request with dry_run", after).By(rehearsal, before)
		}
		return Conforms().By(rehearsal, after)
	},
	Fix: "stop before the first effect when dry_run is true",
})

// rehearsed is the operation on the specimen with dry_run; what an update would
// change is the text that is looked at before and after.
func (sp specimen) rehearsed() probes.Probe {
	p := sp.on(rehearsalTake).With("dry_run", true)
	if text, ok := sp.text(); ok && sp.Op.Category == "UPDATE" {
		p = p.With("input", map[string]any{text.Name: sp.stamp(rehearsalTake) + "-new"})
	}
	return p
}

func judgeRehearsedCreate(s Subject, got []probes.Observation) Ruling {
	n := len(s.views(""))
	before, rehearsal, after := got[1:1+n], got[1+n], got[2+n:]
	switch {
	case !shows(before, s.Gen.Marker("")):
		return NotProven("our own object in a listing", "none").By(got[0])
	case !rehearsal.Succeeded():
		return NotProven("the request with dry_run to succeed", rehearsal)
	case shows(after, s.mark(rehearsalTake)):
		return Violates("no object made by a request with dry_run", "an object made").By(rehearsal, after[0])
	}
	return notListed(after).By(rehearsal)
}
