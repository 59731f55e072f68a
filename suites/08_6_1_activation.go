package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// aboutLoop is the adapter, where there is a trace of the safety loop.
func aboutLoop(f *Face) []Subject {
	if !f.loopTraced() && !f.loopUnderAnyKey() {
		return nil
	}
	return introspecting(f)
}

// loopUnderAnyKey reports whether a capability speaks of the loop in other words.
func (f *Face) loopUnderAnyKey() bool {
	key, _ := capabilityIn(f.Listed, namesLoop)
	return key != ""
}

func namesLoop(name string) bool {
	word := letters(name)
	return strings.Contains(word, "safetyloop") || strings.Contains(word, "executionsafety")
}

// spokenOf matches prose about the loop.
var spokenOf = regexp.MustCompile(`(?i)(execution[ _-]*)?safety[ _-]*(loop|mode|enforcement)|execution[ _-]*safety|autonomy[ _-]*(directive|evaluat)|monitored execution`)

// said is all that introspection says in its listing and in the records of operations
// and types.
func (f *Face) said() []string {
	all := []string{string(f.Listed.Envelope().Raw())}
	for _, o := range f.Operations {
		all = append(all, string(o.Details.Raw()))
	}
	for _, t := range f.Types {
		all = append(all, string(t.Summary.Raw()), string(t.Details.Raw()))
	}
	return all
}

// unsaid is the ruling on a word that introspection should say and does not; where the
// record of an operation or type was never learnt, the word may stand there.
func (f *Face) unsaid(r Ruling) Ruling {
	for _, o := range f.Operations {
		if o.Details.Is(probes.Absent) {
			return NotProven("what introspection says of every operation", "no record of "+o.Name)
		}
	}
	for _, t := range f.Types {
		if t.Details.Is(probes.Absent) {
			return NotProven("what introspection says of every type", "no record of "+t.Name)
		}
	}
	return r
}

// Section 8.6.1. A client that cannot learn whether it is watched over will either do
// without the loop or trust one that is not there.
var _ = register(Check{
	Requirement: "AQL-8.6.1-04",
	On:          aboutLoop,
	Ask:         listing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if !got[0].Succeeded() {
			return NotProven("a listing of operations", got[0]).Because("AQL-7.3-01")
		}
		if key, _ := capabilityIn(got[0], namesLoop); key != "" {
			return Conforms()
		}
		if slices.ContainsFunc(s.said(), spokenOf.MatchString) {
			return Conforms().Noting("in prose alone")
		}
		return s.unsaid(Violates("a word of introspection about the execution safety loop", "its operations alone"))
	},
	Fix: "state the capability execution_safety_loop in _protocol.capabilities",
})

// Section 8.6.1. One key, so that a client does not have to read prose.
var _ = register(Check{
	Requirement: "AQL-8.6.1-05",
	On:          aboutLoop,
	Ask:         listing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if key, _ := s.loopCapability(got[0]); key != "" {
			return Conforms()
		}
		if key, value := capabilityIn(got[0], namesLoop); key != "" {
			return Departs("the capability execution_safety_loop", key+" "+value.String())
		}
		if slices.ContainsFunc(s.said(), spokenOf.MatchString) {
			return Departs("the capability execution_safety_loop", "prose alone")
		}
		return NotProven("a word of introspection about the loop", "none").Because("AQL-8.6.1-04")
	},
	Fix: "call the capability execution_safety_loop",
})

// Section 8.6.1. The value decides whether a directive binds.
var _ = register(Check{
	Requirement: "AQL-8.6.1-06",
	On:          given(func(f *Face) bool { return !f.loopMode().Is(probes.Absent) }, introspecting),
	Ask:         listing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, value := s.loopCapability(got[0])
		switch {
		case slices.Contains(loopModes, value.Text()):
			return Conforms()
		case value.Is(probes.Boolean):
			return Departs("one of "+strings.Join(loopModes, ", "), value).Noting("the other capabilities are booleans, this one is not")
		}
		return Violates("one of "+strings.Join(loopModes, ", "), value)
	},
	Fix: "write enforcing, monitoring, logging or disabled",
})

// always matches the statement that the loop is on without being started.
var always = regexp.MustCompile(`(?i)by configuration|configured|always (on|active|enabled|enforc)`)

// forSafety matches refusals that a safety loop gives for its own reasons.
var forSafety = regexp.MustCompile(`(?i)safety[ _-]*(loop|block|stop)|step[ _-]*report|report[a-z]* [a-z ]*step|execution_?step|execute_agent|agent[a-z' _-]* (is|was)? ?blocked|agent_blocked|autonomy`)

func refusedForSafety(o probes.Observation) bool {
	return o.Refused() && (forSafety.MatchString(o.Code()) || forSafety.MatchString(o.Message()))
}

// Section 8.6.1. The loop is a choice of the client: who does not start it works as
// without it.
var _ = register(Check{
	Requirement: "AQL-8.6.1-02",
	On: given(func(f *Face) bool { return f.loopTraced() && f.loopMode().Text() != disabled },
		func(f *Face) []Subject { return []Subject{{Face: f, Name: "adapter"}} }),
	Ask: func(s Subject) []probes.Probe {
		var ps []probes.Probe
		for _, o := range s.Operations {
			if b := s.Baselines[o.Name]; o.Category == "READ" && o.Name != "introspect" && b.Probe.Tool != "" && b.State != Barred {
				ps = append(ps, b.Probe)
			}
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		answered := false
		for _, o := range got {
			if refusedForSafety(o) && !answersItself(s, o) {
				if slices.ContainsFunc(s.said(), always.MatchString) {
					return NotApplicable("the loop is switched on by configuration")
				}
				return s.unsaid(Violates("an ordinary answer while no agent is executing", o))
			}
			answered = answered || o.Succeeded() || strings.HasPrefix(o.Code(), "NOT_FOUND_")
		}
		if !answered {
			return NotProven("an ordinary operation that can be called", "none")
		}
		return Conforms()
	},
	Fix: "enforce nothing before execute_agent",
})

// answersItself reports whether a refusal is about what was asked for: an operation
// that looks up agents does not find one.
func answersItself(_ Subject, o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "NOT_FOUND_") || strings.HasPrefix(o.Code(), "VALIDATION_")
}

// Section 8.6.1. An execution that begins by itself watches somebody who never asked
// for it, and gives directives to whoever names an agent.
var _ = register(Check{
	Requirement: "AQL-8.6.1-03",
	On:          inLoop(loopModes),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		tenReports(s, ask)
		stranger := &agent{Subject: s, ask: ask, over: s.Conn, name: "aqlx_agent_" + s.Nonce, take: sceneTakes}
		stranger.report("reading file a.txt", nil)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := active(got); !ok {
			return r
		}
		reports := reportsIn(got)
		last := reports[len(reports)-1]
		switch {
		case !last.o.Succeeded(), last.directive.Is(probes.Absent):
			return Conforms().By(last.o)
		case slices.ContainsFunc(s.said(), always.MatchString):
			return Conforms().By(last.o).Noting("the loop is switched on by configuration")
		}
		return s.unsaid(Departs("a refusal of a report of an agent that was never started", "a directive").By(last.o))
	},
	Fix: "refuse reports of agents that are not executing",
})

// Section 8.6.7. Who trusts a loop that is off is worse off than without one.
var _ = register(Check{
	Requirement: "AQL-8.6.7-04",
	On: func(f *Face) []Subject {
		all := inLoop(loopModes, "safety.step_limit")(f)
		for i, s := range all {
			if missing := f.unserved(); missing != "" {
				all[i] = s.settle(Violates("the operation "+missing+" where the capability says "+f.loopMode().Text(), "no such operation"))
			}
		}
		return all
	},
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		if s.loopMode().Text() == enforcing {
			everything(s, ask)
		}
		ask(s.Listing().Anew(int(limitScene)))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, now := s.loopCapability(got[len(got)-1])
		switch r, ok := active(got); {
		case now.Text() != s.loopMode().Text():
			return NotProven("a capability that stays", now)
		case now.Text() == disabled, now.Text() != enforcing:
			return Conforms().Noting("whether that is kept is AQL-8.6.4-06, AQL-8.6.4-08 and AQL-8.6.7-02")
		case !ok:
			return r
		}
		reports := reportsIn(got)
		if slices.ContainsFunc(reports, func(r stepReport) bool { return r.paused() || r.stopped() }) {
			return Conforms()
		}
		h := s.halted(got)
		evaluated := slices.ContainsFunc(h.reports, func(r stepReport) bool { return !r.directive.Is(probes.Absent) })
		if len(h.reports) == 0 || h.at > 0 || evaluated && len(h.reports) < h.limit+2 {
			return NotProven("directives beyond the step limit", "none").By(reports[0].o)
		}
		return Violates("a pause at the step limit, after a failure or by a pattern", "none, though the capability says enforcing").By(reports[0].o)
	},
	Fix: "state the mode that the loop is in",
})

// unserved is an operation that a loop cannot do without and that is not listed,
// although the capability promises one that works.
func (f *Face) unserved() string {
	mode := f.loopMode().Text()
	for _, name := range []string{"execute_agent", "record_execution_step"} {
		if _, listed := f.Operation(name); !listed && slices.Contains(loopModes, mode) && mode != disabled {
			return name
		}
	}
	return ""
}
