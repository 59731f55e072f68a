package suites

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
)

// eachOmission is every required parameter of every operation that may be called
// without it: reads, and creations when writing is allowed. What identifies the
// target of a change or removal is never left out.
func eachOmission(f *Face) []Subject {
	var all []Subject
	for _, s := range eachProven(f) {
		if s.settled != nil || s.Op.Category == "DELETE" || s.Op.Category == "UPDATE" {
			continue
		}
		for _, p := range s.Op.Parameters {
			if p.Required {
				all = append(all, Subject{Face: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p})
			}
		}
	}
	return all
}

func omit(s Subject) []probes.Probe {
	return []probes.Probe{s.ValidCall(), s.anew(7).Without(s.Par.Name)}
}

// Operations document, section 5.4. A handler that runs without what it needs
// invents it; the refusal has to come before anything is executed.
var _ = register(Check{
	Requirement: "OPS-5.4-01",
	On:          eachOmission,
	Ask:         func(s Subject) []probes.Probe { return append(omit(s), s.anew(7).Drop("params")) },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		control := got[0]
		var rs []Ruling
		for _, o := range got[1:] {
			switch {
			case o.Succeeded():
				rs = append(rs, Violates("a refusal of a request without "+cited(s.Par.Name), o).By(control))
			case o.Deferred() || o.Code() == control.Code() && control.Refused(), !o.Refused() && !o.RefusedBelow():
				rs = append(rs, NotProven("a refusal of a request without "+s.Par.Name, o))
			case o.Code() == "NOT_FOUND_RESOURCE" || o.Code() == "INTERNAL_ERROR":
				rs = append(rs, Violates("a refusal before the handler runs", o).By(control))
			default:
				rs = append(rs, Conforms().By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "check that every required parameter is present before the operation runs",
})

// Section 5.3. The code of the commonest mistake a model makes: it says what to
// send again.
var _ = register(Check{
	Requirement: "AQL-5.3-01",
	On:          func(f *Face) []Subject { return append(introspecting(f), eachOmission(f)...) },
	Ask: func(s Subject) []probes.Probe {
		if s.Name == "introspect" {
			return []probes.Probe{s.Listing(), s.Query(map[string]any{})}
		}
		return omit(s)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		control, o := got[0], got[1]
		name := s.Par.Name
		if s.Name == "introspect" {
			name = "query"
		}
		legacy := s.Name == "introspect" && (o.Code() == "INTROSPECTION_ERROR" || o.Code() == "INVALID_QUERY_TYPE")
		switch {
		case !o.Refused() || o.Deferred() || control.Refused() && control.Code() == o.Code():
			return NotProven("a refusal for the missing parameter", o).Because("OPS-5.4-01")
		case o.Code() == "INTERNAL_ERROR" && s.Name != "introspect":
			return NotProven("a refusal for the missing parameter", o).Because("OPS-5.4-01")
		case o.Code() == "NOT_FOUND_RESOURCE" && s.Name != "introspect":
			return NotProven("a refusal for the missing parameter", o).Because("OPS-5.4-01")
		case !strings.HasPrefix(o.Code(), "VALIDATION_") && !legacy:
			return Violates("error VALIDATION_MISSING_PARAM", o).By(control)
		case o.Code() != "VALIDATION_MISSING_PARAM":
			return Departs("error VALIDATION_MISSING_PARAM", o).By(control)
		case !o.Mentions(name):
			return Departs("a message or details that name "+name, o).By(control)
		}
		return Conforms().By(o)
	},
	Fix: "answer a missing required parameter with VALIDATION_MISSING_PARAM and details.param_name",
})

// Introspection document, section 3.1. One taxonomy for all failures.
var _ = register(Check{
	Requirement: "INT-3.1-04",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.Query(map[string]any{"query": "aqlx_" + s.Nonce})}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		switch o := got[0]; {
		case !o.Refused():
			return NotProven("a refusal of an unknown query", o).Because("AQL-7.2-05")
		case !strings.HasPrefix(o.Code(), "VALIDATION_"):
			return Violates("a VALIDATION_ code", o)
		}
		return Conforms()
	},
	Fix: "use the VALIDATION_ codes for introspect too",
})

// Operations document, section 8.1. Unknown operation is the one failure after
// which a model should introspect again.
var _ = register(Check{
	Requirement: "OPS-8.1-04",
	On:          eachAQLTool,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		return append([]probes.Probe{unknownOperation(s.Face, s.Name)}, toolControls(s)...)
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		switch o := got[0]; {
		case !o.Refused():
			return NotProven("a failure envelope for an unknown operation", o).Because("AQL-3.2-01")
		case o.Code() != "NOT_FOUND_OPERATION":
			return Violates("error NOT_FOUND_OPERATION", o)
		}
		return controlled(Conforms(), got[:1], got[1:])
	},
	Fix: "answer unknown operations with NOT_FOUND_OPERATION",
})

// Operations document, section 8.1. What does not exist has one code, so that a
// client can tell it from a mistake in the request.
var _ = register(Check{
	Requirement: "OPS-8.1-03",
	On: func(f *Face) []Subject {
		var all []Subject
		for _, s := range eachDomain(f) {
			for _, p := range s.Op.Parameters {
				if s.Op.Category == "READ" && p.Required && probes.IsReference(s.Op, p) {
					s := Subject{Face: f, Name: s.Name, Op: s.Op, Par: p}
					if b := s.Baseline(); b.State != Proven {
						s = s.settle(NotProven("a request of "+s.Name+" that succeeds", b))
					}
					all = append(all, s)
				}
			}
		}
		return all
	},
	Ask: func(s Subject) []probes.Probe {
		absent := s.Gen.AbsentIdentifier(s.Par, valueIn(s.ValidCall(), s.Par.Name))
		return []probes.Probe{s.ValidCall(), s.ValidCall().With(s.Par.Name, absent.Go())}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		switch o := got[1]; {
		case o.Succeeded():
			return NotApplicable("absence is answered with success")
		case !o.Refused() || o.Deferred() || strings.HasPrefix(o.Code(), "VALIDATION_"):
			return NotProven("an answer about a resource that does not exist", o)
		case o.Code() == "INTERNAL_ERROR" && !got[0].Succeeded():
			return NotProven("an answer about a resource that does exist", got[0])
		case o.Code() == "NOT_FOUND_RESOURCE":
			return Conforms().By(o)
		case strings.HasPrefix(o.Code(), "NOT_FOUND_"):
			return Departs("error NOT_FOUND_RESOURCE", o).By(got[0])
		default:
			return Violates("error NOT_FOUND_RESOURCE", o).By(got[0])
		}
	},
	Fix: "answer a resource that does not exist with NOT_FOUND_RESOURCE",
})

// standardPrefixes are the prefixes of the error code taxonomy.
var standardPrefixes = []string{"VALIDATION_", "NOT_FOUND_", "PERMISSION_", "CONFLICT_", "CONFIRMATION_", "RATE_LIMIT_", "TOKEN_", "INTERNAL_"}

// Operations document, section 8.3. The prefix tells a client that does not know
// the code what sort of failure it met. Conditions with a code of their own are
// judged by their rows, so only failures of requests that introspection calls
// valid count here.
var _ = register(Check{
	Requirement: "OPS-8.3-01",
	Watch: faulty(func(o probes.Observation, e probes.Value) Ruling {
		code := e.At("code").Text()
		if !codeShape.MatchString(code) || definedCondition[code] {
			return elsewhere
		}
		for _, p := range standardPrefixes {
			if strings.HasPrefix(code, p) {
				return Conforms()
			}
		}
		return Violates("a code with a prefix of the taxonomy", "code "+code).By(o)
	}),
	Fix: "give domain failures codes such as NOT_FOUND_…, CONFLICT_… or INTERNAL_ERROR",
})

// definedCondition holds generic words that stand where a defined code was due;
// the rows of those conditions judge them.
var definedCondition = map[string]bool{"BAD_REQUEST": true, "ERROR": true, "INTROSPECTION_ERROR": true, "INVALID_QUERY_TYPE": true}

var genericText = regexp.MustCompile(`(?i)^(an? )?(unknown |internal |invalid |bad )?(error|failed|failure|request|input|bad request|not found|invalid|invalid input|invalid request)\.?!?$`)

// wordCount counts the words of a text; of scripts that put no spaces between words
// each two letters count as one, and so does what stands between them.
func wordCount(text string) int {
	dense := 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			dense++
		}
	}
	if dense == 0 {
		return len(strings.Fields(text))
	}
	return len(strings.Fields(asciiApart(text))) + dense/2
}

// provoked are requests with one plain mistake each; what the refusals say is what
// a model has to work with.
func provoked(s Subject) []probes.Probe {
	ps := []probes.Probe{
		unknownOperation(s.Face, s.Introspect),
		s.Query(map[string]any{}),
		s.Query(map[string]any{"query": 5}),
		s.Listing().With("aqlx_"+s.Nonce, "1"),
		s.Query(map[string]any{"query": "aqlx_" + s.Nonce}),
	}
	if o, wrong, ok := someMisrouting(s.Face); ok {
		ps = append(ps, s.Baselines[o].Probe.To(wrong))
	}
	for _, t := range eachProven(s.Face) {
		if t.settled != nil || t.Op.Category != "READ" {
			continue
		}
		for _, p := range t.Op.Parameters {
			if len(s.EnumOf(p)) > 0 && !p.Required {
				ps = append(ps, t.ValidCall().With(p.Name, "aqlx_"+s.Nonce))
			}
		}
	}
	for _, t := range eachTyped(s.Face) {
		if t.settled == nil && t.Op.Category == "READ" && t.Baseline().State == Proven {
			ps = append(ps, mistype(t)[1])
		}
	}
	for name, v := range s.Absent {
		for _, b := range s.Baselines {
			if b.State == Proven && b.Probe.Params()[name] != nil && s.category(b.Probe.Operation()) == "READ" {
				ps = append(ps, b.Probe.With(name, v.Go()))
			}
		}
	}
	slices.SortStableFunc(ps, func(x, y probes.Probe) int { return strings.Compare(x.Key(), y.Key()) })
	return ps
}

func (f *Face) category(operation string) string {
	o, _ := f.Operation(operation)
	return o.Category
}

// refusedTexts rules on the failures among the answers.
func refusedTexts(got []probes.Observation, judge func(o probes.Observation) Ruling) Ruling {
	var rs []Ruling
	for _, o := range got {
		if o.Refused() && !o.Deferred() && o.Message() != "" {
			rs = append(rs, judge(o))
		}
	}
	if len(rs) == 0 {
		return NotProven("a failure to read", "none")
	}
	return Worst(rs...)
}

// Introspection document, section 8.2.3. A model that is told "failed" can only guess.
var _ = register(Check{
	Requirement: "INT-8.2.3-01",
	On:          introspecting,
	Lane:        probes.Exclusive,
	Ask:         provoked,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		return refusedTexts(got, func(o probes.Observation) Ruling {
			if text := strings.TrimSpace(o.Message()); wordCount(text) < 3 || genericText.MatchString(text) {
				return Violates("a message that says what is wrong", "message "+o.Envelope().At("error", "message").String()).By(o)
			}
			return Conforms().By(o)
		})
	},
	Fix: "say in a sentence what was wrong with the request",
})
