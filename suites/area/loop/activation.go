package loop

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// aboutLoop is the adapter, where there is a trace of the safety loop.
func aboutLoop(f *model.Adapter) []model.Subject {
	if !check.LoopPresent(f) && !loopUnderAnyKey(f) {
		return nil
	}
	return model.IntrospectSubject(f)
}

// loopUnderAnyKey reports whether a capability speaks of the loop in other words.
func loopUnderAnyKey(f *model.Adapter) bool {
	key, _ := check.CapabilityIn(f.Listed, namesLoop)
	return key != ""
}

func namesLoop(name string) bool {
	word := vocab.Letters(name)
	return strings.Contains(word, "safetyloop") || strings.Contains(word, "executionsafety")
}

// spokenOf matches prose about the loop.
var spokenOf = regexp.MustCompile(`(?i)(execution[ _-]*)?safety[ _-]*(loop|mode|enforcement)|execution[ _-]*safety|autonomy[ _-]*(directive|evaluat)|monitored execution`)

// said is all that introspection says in its listing and in the records of operations
// and types.
func said(f *model.Adapter) []string {
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
func unsaid(f *model.Adapter, r ruling.Ruling) ruling.Ruling {
	for _, o := range f.Operations {
		if o.Details.Is(probes.Absent) {
			return ruling.NotProven("what introspection says of every operation", "no record of "+o.Name)
		}
	}
	for _, t := range f.Types {
		if t.Details.Is(probes.Absent) {
			return ruling.NotProven("what introspection says of every type", "no record of "+t.Name)
		}
	}
	return r
}

// Section 8.6.1.
var introspectionTellsLoopSupport = check.Check{
	Requirement: "AQL-8.6.1-04",
	Rule:        "Introspection tells whether the safety loop is supported.",
	Why:         "A client that cannot find out whether the loop exists either does not use it or relies on a loop that is missing.",
	On:          aboutLoop,
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if !got[0].Succeeded() {
			return ruling.NotProven("a listing of operations", got[0]).Because("AQL-7.3-01")
		}
		if key, _ := check.CapabilityIn(got[0], namesLoop); key != "" {
			return ruling.Conforms()
		}
		if slices.ContainsFunc(said(s.Adapter), spokenOf.MatchString) {
			return ruling.Conforms().Noting("in prose alone")
		}
		return unsaid(s.Adapter, ruling.Violates("a word of introspection about the execution safety loop", "its operations alone"))
	},
	Fix: "state the capability execution_safety_loop in _protocol.capabilities",
}

// Section 8.6.1.
var loopSupportUsesDefinedKey = check.Check{
	Requirement: "AQL-8.6.1-05",
	Rule:        "Support is exposed under the capability key execution_safety_loop.",
	Why:         "One key, so that a client does not have to read prose.",
	On:          aboutLoop,
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if key, _ := check.LoopCapability(s.Adapter, got[0]); key != "" {
			return ruling.Conforms()
		}
		if key, value := check.CapabilityIn(got[0], namesLoop); key != "" {
			return ruling.Departs("the capability execution_safety_loop", key+" "+value.String())
		}
		if slices.ContainsFunc(said(s.Adapter), spokenOf.MatchString) {
			return ruling.Departs("the capability execution_safety_loop", "prose alone")
		}
		return ruling.NotProven("a word of introspection about the loop", "none").Because("AQL-8.6.1-04")
	},
	Fix: "call the capability execution_safety_loop",
}

// Section 8.6.1.
var loopCapabilityHasDefinedValue = check.Check{
	Requirement: "AQL-8.6.1-06",
	Rule:        "The capability value is one of enforcing, monitoring, logging, disabled.",
	Why:         "The value decides whether a directive binds.",
	On:          model.Given(func(f *model.Adapter) bool { return !check.LoopMode(f).Is(probes.Absent) }, model.IntrospectSubject),
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, value := check.LoopCapability(s.Adapter, got[0])
		switch {
		case slices.Contains(check.LoopModes, value.Text()):
			return ruling.Conforms()
		case value.Is(probes.Boolean):
			return ruling.Departs("one of "+strings.Join(check.LoopModes, ", "), value).Noting("the other capabilities are booleans, this one is not")
		}
		return ruling.Violates("one of "+strings.Join(check.LoopModes, ", "), value)
	},
	Fix: "write enforcing, monitoring, logging or disabled",
}

// forSafety matches refusals that a safety loop gives for its own reasons.
var forSafety = regexp.MustCompile(`(?i)safety[ _-]*(loop|block|stop)|step[ _-]*report|report[a-z]* [a-z ]*step|execution_?step|execute_agent|agent[a-z' _-]* (is|was)? ?blocked|agent_blocked|autonomy`)

func refusedForSafety(o probes.Observation) bool {
	return o.Refused() && (forSafety.MatchString(o.Code()) || forSafety.MatchString(o.Message()))
}

// Section 8.6.1.
var unusedSafetyLoopLeavesOperationsAlone = check.Check{
	Requirement: "AQL-8.6.1-02",
	Rule:        "While the loop is not enabled the adapter works normally without enforcement.",
	Why:         "The client chooses to use the loop. Without it, everything works as before.",
	On: model.Given(func(f *model.Adapter) bool { return check.LoopPresent(f) && check.LoopMode(f).Text() != check.Disabled },
		func(f *model.Adapter) []model.Subject { return []model.Subject{{Adapter: f, Name: "adapter"}} }),
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for _, o := range s.Operations {
			if b := s.KnownGood[o.Name]; o.Category == "READ" && o.Name != "introspect" && b.Probe.Tool != "" && b.State != model.NotPermitted {
				ps = append(ps, b.Probe)
			}
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		answered := false
		for _, o := range got {
			if refusedForSafety(o) && !answersItself(s, o) {
				if onByConfiguration(s.Adapter) {
					return ruling.NotApplicable("the loop is switched on by configuration")
				}
				return unsaid(s.Adapter, ruling.Violates("an ordinary answer while no agent is executing", o))
			}
			answered = answered || o.Succeeded() || strings.HasPrefix(o.Code(), "NOT_FOUND_")
		}
		if !answered {
			return ruling.NotProven("an ordinary operation that can be called", "none")
		}
		return ruling.Conforms()
	},
	Fix: "enforce nothing before execute_agent",
}

// answersItself reports whether a refusal is about what was asked for: an operation
// that looks up agents does not find one.
func answersItself(_ model.Subject, o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "NOT_FOUND_") || strings.HasPrefix(o.Code(), "VALIDATION_")
}

// showsExecution reports whether an answer has a member about an execution or its steps.
func showsExecution(r check.StepReport) bool {
	return slices.ContainsFunc(append(r.Observation.Data().Names(), r.Directive.Names()...), func(name string) bool {
		word := vocab.Letters(name)
		return strings.Contains(word, "step") || strings.Contains(word, "execution")
	})
}

// Section 8.6.1.
var monitoringStartsOnlyExplicitly = check.Check{
	Requirement: "AQL-8.6.1-03",
	Rule:        "Monitoring begins only by execute_agent or by adapter configuration.",
	Why:         "An execution must be started explicitly. Otherwise an agent is monitored that did not ask for it.",
	On: func(f *model.Adapter) []model.Subject {
		if check.LoopIsOff(f) {
			return nil // nothing can be monitored
		}
		return check.InLoopModes(check.LoopModes)(f)
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		tenReports(s, ask)
		stranger := &check.Agent{Subject: s, Ask: ask, Session: s.Conn, AgentName: "aqlx_agent_" + s.Nonce, Script: "agent never started"}
		stranger.Report("reading file a.txt", nil)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := active(got); !ok {
			return r
		}
		reports := reportsIn(got)
		last := reports[len(reports)-1]
		switch {
		case !last.Observation.Succeeded(), last.Directive.Is(probes.Absent):
			return ruling.Conforms().By(last.Observation)
		case last.Paused() && !showsExecution(last):
			return ruling.Conforms().By(last.Observation).Noting("the directive lets nobody go on, and no execution is shown")
		case onByConfiguration(s.Adapter):
			return ruling.Conforms().By(last.Observation).Noting("the loop is switched on by configuration")
		}
		return unsaid(s.Adapter, ruling.Departs("a refusal of a report of an agent that was never started", "a directive").By(last.Observation))
	},
	Fix: "refuse reports of agents that are not executing",
}
