package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Refused means inert: after each refused write the state is read back. An
// adapter that refuses and does it all the same is worse than one that obeys,
// because nobody looks again.

// eachMarked is every CREATE operation whose objects can be told by a mark of
// ours and found again in a listing.
func eachMarked(f *Face) []Subject {
	var all []Subject
	for _, s := range eachListed(f) {
		if s.Op.Category != "CREATE" || slices.Contains(reserved, s.Name) {
			continue
		}
		switch b := f.Baselines[s.Name]; {
		case b.State != Proven:
			s = s.settle(NotProven("an object of our own made by "+s.Name, b).Mend(b.unlock()))
		case s.mark(1) == "":
			s = s.settle(NotProven("a free text parameter of "+s.Name+" to carry our mark", "none"))
		case len(s.views("")) == 0:
			s = s.settle(NotProven("a READ operation that lists what "+s.Name+" makes", "none"))
		}
		all = append(all, s)
	}
	return all
}

// mark returns the text that tells the object of one take from all others.
func (s Subject) mark(take int) string {
	for name, v := range s.anew(take).Params() {
		text := probes.ValueOf(v).Text()
		if strings.HasPrefix(text, s.Gen.Marker("")) && probes.ValueOf(s.ValidCall().Params()[name]).Text() != text {
			return text
		}
	}
	return ""
}

// views returns the reads in which an object carrying the mark would show up.
func (s Subject) views(mark string) []probes.Probe {
	var ps []probes.Probe
	for _, t := range eachProven(s.Face) {
		if t.settled != nil || t.Op.Category != "READ" || !s.plays(theLister, t.Name, s.Name) || s.needsReference(t.Op) {
			continue
		}
		p := t.wide()
		if t.Op.HasParameter("query") {
			p = p.With("query", mark)
		}
		ps = append(ps, p)
	}
	return ps
}

// shows reports whether one of the answers shows an object that holds exactly the mark.
func shows(got []probes.Observation, mark string) bool {
	return slices.ContainsFunc(got, func(o probes.Observation) bool { return lists(o.Data(), mark) })
}

// lists reports whether the data of a listing show an object that holds exactly the mark.
func lists(data probes.Value, mark string) bool {
	return slices.ContainsFunc(shownBy(data), func(item probes.Value) bool { return slices.Contains(item.Scalars(), mark) })
}

// inert drives one refused creation: the control object first, a look that shows
// it, then the bad requests, then a look that must not show theirs.
func inert(s Subject, ask Asking, take int, bad []probes.Probe) {
	control := s.Gen.Marker("")
	ask(s.ValidCall())
	for _, v := range s.views(control) {
		ask(v.Anew(take))
	}
	for _, p := range bad {
		ask(p)
	}
	for _, v := range s.views(s.mark(take)) {
		ask(v.Anew(take + 1))
	}
}

// inertRuling reads what inert asked.
func inertRuling(s Subject, got []probes.Observation, take, bad int) Ruling {
	n := len(s.views(""))
	before, tried, after := got[1:1+n], got[1+n:1+n+bad], got[1+n+bad:]
	refused := slices.ContainsFunc(tried, func(o probes.Observation) bool { return o.Refused() && !o.Deferred() })
	switch {
	case !shows(before, s.Gen.Marker("")):
		return NotProven("our own object in a listing", "none").By(got[0])
	case !refused:
		return NotProven("a refusal", tried[0]).By(got[0])
	case slices.ContainsFunc(tried, probes.Observation.Succeeded):
		return NotProven("a refusal of each bad request", "one that succeeded").By(tried...)
	case shows(after, s.mark(take)):
		return Violates("no effect of a refused request", "refused, but it happened").By(append(slices.Clone(tried), after[0])...)
	}
	return notListed(after).By(tried[0])
}

// notListed rules on listings that do not show an object: that proves something only
// where they would show all there is.
func notListed(listings []probes.Observation) Ruling {
	for _, o := range listings {
		switch {
		case !o.Succeeded():
			return NotProven("a listing afterwards", o)
		case partial(o.Envelope()):
			return NotProven("a listing that shows everything", "one page of it").By(o)
		}
	}
	return Conforms()
}

// Section 4.6. A name that is refused after the work is done protects nobody.
var _ = register(Check{
	Requirement: "AQL-4.6-07",
	On:          eachMarked,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		inert(s, ask, 70, []probes.Probe{s.anew(70).With(unknownName(s), 1)})
	},
	Judge: func(s Subject, got []probes.Observation) Ruling { return inertRuling(s, got, 70, 1) },
	Fix:   "validate the whole request before executing any of it",
})

// Section 3.2. All of a request is checked before any of it runs.
var _ = register(Check{
	Requirement: "OPS-5.1-02",
	On: func(f *Face) []Subject {
		return only(eachMarked, func(s Subject) bool {
			_, ok := mistypedOptional(s)
			return s.settled != nil || ok
		})(f)
	},
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		bad, _ := mistypedOptional(s)
		inert(s, ask, 80, []probes.Probe{bad})
	},
	Judge: func(s Subject, got []probes.Observation) Ruling { return inertRuling(s, got, 80, 1) },
	Fix:   "validate the whole request before executing any of it",
})

// mistypedOptional is a creation whose only fault is the type of an optional
// parameter.
func mistypedOptional(s Subject) (probes.Probe, bool) {
	for _, p := range s.Op.Parameters {
		t := Subject{Face: s.Face, Name: s.Name, Op: s.Op, Par: p}
		if values := t.mistyped(); !p.Required && len(values) > 0 {
			return s.anew(80).With(p.Name, values[0]), true
		}
	}
	return probes.Probe{}, false
}

// Section 6.2. A misrouted operation that runs and then says it did not is the
// worst of both.
var _ = register(Check{
	Requirement: "AQL-6.2-04",
	On: func(f *Face) []Subject {
		if !routed(f) {
			return nil
		}
		return only(eachMarked, func(s Subject) bool { return s.settled != nil || len(wrongTools(f, s.Op)) > 0 })(f)
	},
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		inert(s, ask, 90, misrouted(s))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		r := inertRuling(s, got, 90, len(misrouted(s)))
		if r.verdict == NotProven("", "").verdict {
			return r.Because("AQL-6.2-03")
		}
		return r
	},
	Fix: "check the endpoint before executing anything",
})

func misrouted(s Subject) []probes.Probe {
	var ps []probes.Probe
	for _, t := range wrongTools(s.Face, s.Op) {
		ps = append(ps, s.anew(90).To(t))
	}
	return ps
}
