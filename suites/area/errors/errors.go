package errors

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachOmission is every required parameter of every operation that may be called
// without it: reads, and creations when writing is allowed. What identifies the
// target of a change or removal is never left out.
func eachOmission(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range model.EachProven(f) {
		if s.Ruling != nil || s.Op.Category == "DELETE" || s.Op.Category == "UPDATE" {
			continue
		}
		for _, p := range s.Op.Parameters {
			if p.Required {
				all = append(all, model.Subject{Adapter: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p})
			}
		}
	}
	return all
}

func omit(s model.Subject) []probes.Probe {
	return []probes.Probe{s.ValidCall(), s.FreshCall("omitted parameter").Without(s.Par.Name).As("omitted parameter")}
}

// Operations document, section 5.4.
var missingRequiredParameterIsRefused = check.Check{
	Requirement: "OPS-5.4-01",
	Rule:        "Every parameter documented as required is really demanded before anything is executed.",
	Why:         "A handler without a required value uses an invented one. The request must be rejected before anything is executed.",
	On:          eachOmission,
	Ask: func(s model.Subject) []probes.Probe {
		return append(omit(s), s.FreshCall("omitted parameter").Drop("params").As("omitted parameter: no parameters"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		control := got[0]
		var rs []ruling.Ruling
		for _, o := range got.Under("omitted parameter") {
			switch {
			case o.Succeeded():
				rs = append(rs, ruling.Violates("a refusal of a request without "+check.Quoted(s.Par.Name), o).By(control))
			case o.Deferred() || o.Code() == control.Code() && control.Refused(), !o.Refused() && !o.RefusedBelow():
				rs = append(rs, ruling.NotProven("a refusal of a request without "+s.Par.Name, o))
			case o.Code() == "NOT_FOUND_RESOURCE" || o.Code() == "INTERNAL_ERROR":
				rs = append(rs, ruling.Violates("a refusal before the handler runs", o).By(control))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "check that every required parameter is present before the operation runs",
}

// Section 5.3.
var missingParameterHasItsDefinedCode = check.Check{
	Requirement: "AQL-5.3-01",
	Rule:        "The error code for a missing required parameter is VALIDATION_MISSING_PARAM.",
	Why:         "This is the most common mistake of models. The code tells them to send the parameter.",
	On:          func(f *model.Adapter) []model.Subject { return append(model.IntrospectSubject(f), eachOmission(f)...) },
	Ask: func(s model.Subject) []probes.Probe {
		if s.Name == "introspect" {
			return []probes.Probe{s.DocumentedListing(), s.Query(map[string]any{}).As("omitted parameter")}
		}
		return omit(s)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		control, o := got[0], got.Step("omitted parameter")
		name := s.Par.Name
		if s.Name == "introspect" {
			name = "query"
		}
		legacy := s.Name == "introspect" && (o.Code() == "INTROSPECTION_ERROR" || o.Code() == "INVALID_QUERY_TYPE")
		switch {
		case !o.Refused() || o.Deferred() || control.Refused() && control.Code() == o.Code():
			return ruling.NotProven("a refusal for the missing parameter", o).Because("OPS-5.4-01")
		case o.Code() == "INTERNAL_ERROR" && s.Name != "introspect":
			return ruling.NotProven("a refusal for the missing parameter", o).Because("OPS-5.4-01")
		case o.Code() == "NOT_FOUND_RESOURCE" && s.Name != "introspect":
			return ruling.NotProven("a refusal for the missing parameter", o).Because("OPS-5.4-01")
		case !strings.HasPrefix(o.Code(), "VALIDATION_") && !legacy:
			return ruling.Violates("error VALIDATION_MISSING_PARAM", o).By(control)
		case o.Code() != "VALIDATION_MISSING_PARAM":
			return ruling.Departs("error VALIDATION_MISSING_PARAM", o).By(control)
		case !o.Mentions(name):
			return ruling.Departs("a message or details that name "+name, o).By(control)
		}
		return ruling.Conforms().By(o)
	},
	Fix: "answer a missing required parameter with VALIDATION_MISSING_PARAM and details.param_name",
}

// Introspection document, section 3.1.
var introspectionFailuresUseSharedCodes = check.Check{
	Requirement: "INT-3.1-04",
	Rule:        "The code of a failing introspection comes from the shared taxonomy; the sample code INTROSPECTION_ERROR is merely tolerated.",
	Why:         "One taxonomy for all failures.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.Query(map[string]any{"query": "aqlx_" + s.Nonce})}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		switch o := got[0]; {
		case !o.Refused():
			return ruling.NotProven("a refusal of an unknown query", o).Because("AQL-7.2-05")
		case !strings.HasPrefix(o.Code(), "VALIDATION_"):
			return ruling.Violates("a VALIDATION_ code", o)
		}
		return ruling.Conforms()
	},
	Fix: "use the VALIDATION_ codes for introspect too",
}

// Operations document, section 8.1.
var unknownOperationHasItsDefinedCode = check.Check{
	Requirement: "OPS-8.1-04",
	Rule:        "The error code for an unknown operation is NOT_FOUND_OPERATION.",
	Why:         "Unknown operation is the one failure after which a model should introspect again.",
	On:          model.EachAQLTool,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		return append([]probes.Probe{check.UnknownOperation(s.Adapter, s.Name)}, model.ToolControls(s)...)
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		switch o := got[0]; {
		case !o.Refused():
			return ruling.NotProven("a failure envelope for an unknown operation", o).Because("AQL-3.2-01")
		case o.Code() != "NOT_FOUND_OPERATION":
			return ruling.Violates("error NOT_FOUND_OPERATION", o)
		}
		return model.WithControls(ruling.Conforms(), got[:1], got.Rest())
	},
	Fix: "answer unknown operations with NOT_FOUND_OPERATION",
}

// Operations document, section 8.1.
var missingResourceHasItsDefinedCode = check.Check{
	Requirement: "OPS-8.1-03",
	Rule:        "The error code for a resource that does not exist is NOT_FOUND_RESOURCE.",
	Why:         "A missing object has one code, so that a client can tell it from a mistake in the request.",
	On: func(f *model.Adapter) []model.Subject {
		var all []model.Subject
		for _, s := range model.EachDomain(f) {
			for _, p := range s.Op.Parameters {
				if s.Op.Category == "READ" && p.Required && probes.IsReference(s.Op, p) {
					s := model.Subject{Adapter: f, Name: s.Name, Op: s.Op, Par: p}
					if b := s.KnownGoodRequest(); b.State != model.Proven {
						s = s.WithRuling(ruling.NotProven("a request of "+s.Name+" that succeeds", b))
					}
					all = append(all, s)
				}
			}
		}
		return all
	},
	Ask: func(s model.Subject) []probes.Probe {
		absent := s.Gen.AbsentIdentifier(s.Par, model.ValueIn(s.ValidCall(), s.Par.Name))
		if known, ok := s.Absent[s.AbsentKey(s.Op, s.Par)]; ok && (absent.Is(probes.Absent) || s.Misfit(s.Par, absent) != "") {
			absent = known
		}
		ps := []probes.Probe{s.ValidCall()}
		if !absent.Is(probes.Absent) {
			ps = append(ps, s.ValidCall().With(s.Par.Name, absent.Go()).As(absentResource))
		}
		for i, name := range []string{"constructor", "__proto__"} {
			if v := probes.ValueOf(name); absent.Is(probes.String) && s.Misfit(s.Par, v) == "" {
				ps = append(ps, s.ValidCall().With(s.Par.Name, name).As(probes.Nth(inheritedName, i)))
			}
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		switch o := got.Step(absentResource); {
		case o.Succeeded() && nothing(o.Data()) && got[0].Succeeded() && !nothing(got[0].Data()) && documentsAbsence(s.Op) && soleReference(s.Op, s.Par):
			return ruling.Departs("error NOT_FOUND_RESOURCE, which "+s.Name+" documents", o).By(got[0])
		case o.Succeeded():
			return ruling.NotApplicable("absence is answered with success")
		case !o.Refused() || o.Deferred() || strings.HasPrefix(o.Code(), "VALIDATION_"):
			return ruling.NotProven("an answer about a resource that does not exist", o)
		case o.Code() == "INTERNAL_ERROR" && !got[0].Succeeded():
			return ruling.NotProven("an answer about a resource that does exist", got[0])
		case o.Code() == "NOT_FOUND_RESOURCE":
			for _, named := range got.Under(inheritedName) {
				if named.Succeeded() && emptied(named.Data()) || named.Code() == "INTERNAL_ERROR" {
					return ruling.Violates("error NOT_FOUND_RESOURCE, as for another absent resource", named).By(o)
				}
			}
			return ruling.Conforms().By(o)
		case strings.HasPrefix(o.Code(), "NOT_FOUND_"):
			return ruling.Departs("error NOT_FOUND_RESOURCE", o).By(got[0])
		default:
			return ruling.Violates("error NOT_FOUND_RESOURCE", o).By(got[0])
		}
	},
	Fix: "answer a resource that does not exist with NOT_FOUND_RESOURCE",
}

const (
	absentResource = "absent resource"
	inheritedName  = "inherited name" // of what objects of JavaScript inherit: a look-up in a plain object finds it
)

// nothing reports whether a value is null, or an object of nothing but such members.
func nothing(v probes.Value) bool {
	return v.Is(probes.Null) || v.Is(probes.Object) && len(v.Members()) > 0 &&
		!slices.ContainsFunc(v.Members(), func(m probes.Member) bool { return !nothing(m.Value) })
}

// emptied reports whether a value is an object without a value in it. A resource that exists has
// something to show.
func emptied(v probes.Value) bool {
	return v.Is(probes.Object) && !slices.ContainsFunc(v.Members(), func(m probes.Member) bool { return !emptied(m.Value) })
}

// standardPrefixes are the prefixes of the error code taxonomy.
var standardPrefixes = []string{"VALIDATION_", "NOT_FOUND_", "PERMISSION_", "CONFLICT_", "CONFIRMATION_", "RATE_LIMIT_", "TOKEN_", "INTERNAL_"}

// Operations document, section 8.3.
var errorCodesBelongToTaxonomy = check.Check{
	Requirement: "OPS-8.3-01",
	Rule:        "Error codes come from the standard taxonomy.",
	Why:         "The prefix tells a client that does not know the code what sort of failure it met. Conditions with a code of their own are judged by their rows, so only failures of requests that introspection calls valid count here.",
	Ambient: &check.Ambient{
		Watch: check.OnError(func(_ probes.Observation, e probes.Value) ruling.Ruling { return codeInTaxonomy(e.At("code").Text()) }),
		Cured: codeInTaxonomy,
	},
	Fix: "give domain failures codes such as NOT_FOUND_…, CONFLICT_… or INTERNAL_ERROR",
}

func codeInTaxonomy(code string) ruling.Ruling {
	standard := func(prefix string) bool { return strings.HasPrefix(code, prefix) }
	switch {
	case !check.CodePattern.MatchString(code) || definedCondition[code]:
		return check.Irrelevant
	case slices.ContainsFunc(standardPrefixes, standard):
		return ruling.Conforms()
	}
	return ruling.Violates("a code with a prefix of the taxonomy", "code "+code)
}

// definedCondition holds generic words that stand where a defined code was due;
// the rows of those conditions judge them.
var definedCondition = map[string]bool{"BAD_REQUEST": true, "ERROR": true, "INTROSPECTION_ERROR": true, "INVALID_QUERY_TYPE": true}

var genericText = regexp.MustCompile(`(?i)^(an? )?(unknown |internal |invalid |bad )?(error|failed|failure|request|input|bad request|not found|invalid|invalid input|invalid request)\.?!?$`)

// reference matches a word with a digit in it, such as the number of an incident, by which equal messages differ.
var reference = regexp.MustCompile(`[\pL\pN_-]*\pN[\pL\pN_-]*`)

// refusedTexts rules on the failures among the answers.
func refusedTexts(got probes.Answers, judge func(o probes.Observation) ruling.Ruling) ruling.Ruling {
	var rs []ruling.Ruling
	for _, o := range got {
		if o.Refused() && !o.Deferred() && o.Message() != "" {
			rs = append(rs, judge(o))
		}
	}
	if len(rs) == 0 {
		return ruling.NotProven("a failure to read", "none")
	}
	return ruling.Worst(rs...)
}

// Introspection document, section 8.2.3.
var errorsSayWhatWentWrong = check.Check{
	Requirement: "INT-8.2.3-01",
	Rule:        "Errors say plainly what went wrong.",
	Why:         `A model that is told "failed" can only guess.`,
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask:         check.InvalidRequests,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		codes, texts := map[string]bool{}, map[string]bool{}
		r := refusedTexts(got, func(o probes.Observation) ruling.Ruling {
			codes[o.Code()], texts[reference.ReplaceAllString(o.Message(), "")] = true, true
			if text := strings.TrimSpace(o.Message()); check.WordCount(text) < 3 || genericText.MatchString(text) {
				return ruling.Violates("a message that says what is wrong", "message "+o.Envelope().At("error", "message").String()).By(o)
			}
			return ruling.Conforms().By(o)
		})
		if r.Verdict == reports.Pass && len(codes) > 1 && len(texts) == 1 { // what fits every failure tells none
			return ruling.Violates("messages that tell failures apart", "one message for all of them").By(r.Evidence...)
		}
		return r
	},
	Fix: "say in a sentence what was wrong with the request",
}
