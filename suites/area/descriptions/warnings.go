package descriptions

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// warnable are requests that an adapter may answer with a warning: each proven
// read, its examples, and each deprecated parameter of it. An example is often the first
// request that was sent at all: a warning that is given once ever was given there.
func warnable(s model.Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	for _, p := range check.ExecutableExamples(s) {
		if !probes.ValueOf(p.Args()).Equal(probes.ValueOf(ps[0].Args())) {
			ps = append(ps, p)
		}
	}
	for _, p := range s.Op.Parameters {
		if values := s.Gen.Values(s.Op, p); !p.Required && len(values) > 0 && p.Raw.Has("deprecated") && !p.Raw.At("deprecated").False() {
			ps = append(ps, s.ValidCall().With(p.Name, values[0].Go()))
		}
	}
	return ps
}

// warningsOf writes the warnings of an answer by their codes.
func warningsOf(o probes.Observation) string {
	text := ""
	for _, w := range o.Envelope().At("warnings").Items() {
		text += w.At("code").Text() + ";"
	}
	return text
}

// circumstance matches words of warnings of what a first request may have put right
// for all sessions: such a silence is no memory of warnings.
var circumstance = regexp.MustCompile(`^(?:re|un|pre)?(?:cache[ds]?|caching|cold|warm(?:ed|ing|up)?|slow(?:ed|er|ly)?|load(?:ed|ing|s)?|latency|stale(?:ness)?|refresh(?:ed|es|ing)?|sync(?:ed|ing|hroni[sz]\w*)?|retr(?:y|ied|ies|ying)|temporar(?:y|ily)|degraded|timeouts?|start(?:ed|ing|s|up)?)$`)

// circumstantial reports whether a warning speaks of circumstances.
func circumstantial(warnings probes.Value) bool {
	return slices.ContainsFunc(vocab.Words(strings.Join(warnings.Scalars(), " ")), circumstance.MatchString)
}

// Section 2.3.3.
var warningMemoryEndsWithSession = check.Check{
	Requirement: "AQL-2.3.3-05",
	Rule:        "What an adapter remembers about warnings it already issued is forgotten when the session ends.",
	Why:         "Answers of one session must not depend on what another session was told.",
	On:          model.Only(model.EachProven, func(s model.Subject) bool { return s.Ruling == nil && s.Op.Category == "READ" }),
	Lane:        probes.Serial,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for i, p := range warnable(s) {
			if first := ask(p); warningsOf(first) == "" {
				continue
			}
			if again := ask(p.Anew(probes.Nth("repeated warning: second request", i))); again.Succeeded() && warningsOf(again) == "" {
				ask(p.Over(probes.InSession(fmt.Sprintf("%s/warned-%s-%d", s.Conn, s.Name, i))))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i, o := range got {
			if i < 2 || o.Probe.Conn == s.Conn {
				continue
			}
			first := got[i-2]
			switch {
			case o.Lost() || !o.Succeeded():
				rs = append(rs, ruling.NotProven("an answer in a second session", o))
			case !check.InSession(o):
				rs = append(rs, check.NoSessions)
			case warningsOf(o) != "":
				rs = append(rs, ruling.Conforms().By(o, got[i-1], first))
			case circumstantial(first.Envelope().At("warnings")):
				rs = append(rs, ruling.NotProven("a warning about the request", "one about circumstances, which may have passed").By(o, first))
			default:
				rs = append(rs, ruling.Violates("the warning "+warningsOf(first)+" in a new session", "none").By(o, got[i-1], first))
			}
		}
		if len(rs) > 0 {
			return ruling.Worst(rs...)
		}
		return ruling.NotApplicable("does not hold: a READ request shows its warning only once per session")
	},
	Fix: "keep the memory of issued warnings in the session",
}

// Introspection document, section 4.1.1.
var warningsAreWellFormedAndOn = check.Check{
	Requirement: "INT-4.1.1-17",
	Rule:        "Non-fatal conditions arrive as an array of code and message objects beside success:true.",
	Why:         "A program that is to react to a warning needs its code, a person its message.",
	Ambient: &check.Ambient{Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		warnings := o.Envelope().At("warnings")
		switch {
		case warnings.Is(probes.Absent):
			return ruling.NotApplicable("")
		case warnings.Is(probes.Null):
			return ruling.Departs("an array of warnings, or none", "null").By(o)
		case !warnings.Is(probes.Array):
			return ruling.Violates("an array of warnings", warnings).By(o)
		}
		for _, w := range warnings.Items() {
			if !w.At("code").Is(probes.String) || !w.At("message").Is(probes.String) {
				return ruling.Violates("a warning with code and message", w).By(o)
			}
		}
		if !o.Succeeded() && len(warnings.Items()) > 0 {
			return ruling.Departs("warnings beside success: true", o)
		}
		return ruling.Conforms()
	}},
	Fix: "write each warning as an object with a code and a message",
}
