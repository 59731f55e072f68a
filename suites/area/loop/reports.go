package loop

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// whereReported is record_execution_step, where it is listed and the loop is not off.
func whereReported(f *model.Adapter) []model.Subject {
	o, listed := f.Operation("record_execution_step")
	if !listed || check.LoopMode(f).Text() == check.Disabled {
		return nil
	}
	s := model.Subject{Adapter: f, Name: o.Name, Op: o}
	if o.Category != "" && !o.Guessed && o.Category != "CREATE" { // what only has the name may be something else
		s = s.WithRuling(ruling.NotProven("step reports that are a CREATE operation", o.Category).Because("AQL-8.5.4-03"))
	}
	return []model.Subject{s}
}

// wordings are what the reports of the scene differ in, in order: the first is the
// control. A parameter that is nil is left out.
var wordings = []map[string]any{
	{},
	{"element_name": nil}, {"nextActionHint": nil}, {"nextActionHint": 5}, {"nextActionHint": ""},
	{"stepDescription": "looked around"}, {"findings": "nothing of note"},
	{"outcome": "success"}, {"outcome": "skipped"}, {"outcome": "aqlx_bad"}, {"nextActionHint": null},
	{"element_name": null}, {"stepDescription": "looked beside it", "nextActionHint": nil}, {"nextActionHint": true}, {"outcome": "failure"},
}

// null is sent as null: nil leaves a parameter out.
var null = (*string)(nil)

// inOtherWords reports the same action in each of the wordings.
func inOtherWords(s model.Subject, ask model.AskFunc) {
	if _, lacks := check.LoopObstacle(s.Adapter, check.LoopMode(s.Adapter), []string{"safety.agent"}); lacks {
		return // what is documented can be read all the same
	}
	a := check.StartAgent(s, ask, check.ReportParameterScenario, 0, nil)
	if !a.Started() {
		return
	}
	for _, w := range wordings {
		a.Report(check.HarmlessAction(s), w)
	}
	leave(a)
}

// inWords returns the answer to the report with that wording.
func inWords(got probes.Answers, name string, value any) (probes.Observation, bool) {
	reports := callsOf(got, "record_execution_step")
	for i, w := range wordings {
		if v, ok := w[name]; ok && v == value && i < len(reports) {
			return reports[i], true
		}
	}
	return probes.Observation{}, false
}

// behaved rules what was asked, once it is clear that a plain report is taken.
func behaved(s model.Subject, got probes.Answers, judge func() ruling.Ruling) ruling.Ruling {
	if r, lacks := check.LoopObstacle(s.Adapter, check.LoopMode(s.Adapter), []string{"safety.agent"}); lacks {
		return r
	}
	if r, ok := active(got); !ok {
		return r
	}
	if control := callsOf(got, "record_execution_step")[0]; !control.Succeeded() {
		return ruling.NotProven("a plain report that is taken", control)
	}
	return judge()
}

// textual reports whether a parameter is documented as a string, be it one of a few.
func textual(f *model.Adapter, p probes.Parameter) bool {
	kinds, _ := f.Kinds(p.Type)
	return slices.Contains(kinds, "string")
}

// demandedText rules on the record of a parameter that has to be a required string.
func demandedText(s model.Subject, name string) ruling.Ruling {
	i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
	want := "a required string " + name + " among the parameters"
	switch {
	case !s.Op.Details.Is(probes.Object):
		return ruling.NotProven("the record of "+s.Name, s.Op.Details).Because("AQL-7.3-02")
	case i < 0:
		return ruling.Violates(want, "none")
	case !textual(s.Adapter, s.Op.Parameters[i]) || !s.Op.Parameters[i].Required:
		return ruling.Violates(want, s.Op.Parameters[i].Raw)
	}
	return ruling.Conforms()
}

// lacking rules on a report that lacks what is required.
func lacking(o probes.Observation, name string) ruling.Ruling {
	want := "error VALIDATION_MISSING_PARAM for a report without " + name
	switch {
	case o.Succeeded():
		return ruling.Violates(want, o)
	case o.Code() == "VALIDATION_MISSING_PARAM" || o.RefusedBelow():
		return ruling.Conforms().By(o)
	case o.Refused() && !o.Deferred():
		return ruling.Departs(want, o)
	}
	return ruling.NotProven(want, o)
}

// Section 8.6.3.
var stepReportsDemandAgentName = check.Check{
	Requirement: "AQL-8.6.3-02",
	Rule:        "Record_execution_step requires a string element_name.",
	Why:         "A report without an agent name would be counted for the wrong agent.",
	On:          whereReported,
	Lane:        probes.Serial,
	Drive:       inOtherWords,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return ruling.Worst(demandedText(s, "element_name"), behaved(s, got, func() ruling.Ruling {
			o, _ := inWords(got, "element_name", nil)
			noText, _ := inWords(got, "element_name", null)
			if noText.Succeeded() {
				return ruling.Violates("a refusal of an element_name that is no string", noText)
			}
			return lacking(o, "element_name")
		}))
	},
	Fix: "document element_name as a required string, and refuse a report without it",
}

// Section 8.6.3.
var stepReportsDemandNextAction = check.Check{
	Requirement: "AQL-8.6.3-03",
	Rule:        "Record_execution_step requires nextActionHint.",
	Why:         "Without the intended action there is nothing to evaluate, so the directive would approve anything.",
	On:          whereReported,
	Lane:        probes.Serial,
	Drive:       inOtherWords,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return ruling.Worst(demandedText(s, "nextActionHint"), behaved(s, got, func() ruling.Ruling {
			none, _ := inWords(got, "nextActionHint", nil)
			number, _ := inWords(got, "nextActionHint", 5)
			empty, _ := inWords(got, "nextActionHint", "")
			noText, _ := inWords(got, "nextActionHint", null)
			truth, _ := inWords(got, "nextActionHint", true)
			beside, _ := inWords(got, "stepDescription", "looked beside it")
			rs := []ruling.Ruling{lacking(none, "nextActionHint")}
			if beside.Succeeded() {
				rs = append(rs, lacking(beside, "nextActionHint"))
			}
			for _, o := range []probes.Observation{number, noText, truth} {
				const want = "a refusal of a nextActionHint that is no string"
				switch {
				case o.Succeeded():
					rs = append(rs, ruling.Violates(want, o))
				case !strings.HasPrefix(o.Code(), "VALIDATION_") && !o.RefusedBelow(): // the execution may have ended before
					rs = append(rs, ruling.NotProven(want, o))
				}
			}
			if empty.Succeeded() {
				rs = append(rs, ruling.Departs("a refusal of an empty nextActionHint", empty))
			}
			return ruling.Worst(rs...)
		}))
	},
	Fix: "document nextActionHint as a required string, and refuse a report without it",
}

// accepts rules on a parameter of a report that agents may leave out.
func accepts(s model.Subject, got probes.Answers, name string, values ...any) ruling.Ruling {
	i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
	want := "an optional string " + name + " among the parameters"
	switch {
	case !s.Op.Details.Is(probes.Object):
		return ruling.NotProven("the record of "+s.Name, s.Op.Details).Because("AQL-7.3-02")
	case i < 0:
		return ruling.Departs(want, "none")
	case !textual(s.Adapter, s.Op.Parameters[i]) || s.Op.Parameters[i].Required:
		return ruling.Departs(want, s.Op.Parameters[i].Raw)
	}
	return behaved(s, got, func() ruling.Ruling {
		for _, v := range values {
			o, _ := inWords(got, name, v)
			if !o.Succeeded() {
				if o.Mentions(name) || o.Code() == "VALIDATION_UNKNOWN_PARAM" {
					return ruling.Departs("a report that is taken with "+name, o)
				}
				return ruling.NotProven("a report that is taken with "+name, o)
			}
		}
		return ruling.Conforms()
	})
}

// Section 8.6.3.
var stepReportsAcceptStepDescription = check.Check{
	Requirement: "AQL-8.6.3-04",
	Rule:        "stepDescription is an accepted optional string.",
	Why:         "Agents are asked to report their last step. A loop that rejects such reports makes them stop reporting.",
	On:          whereReported,
	Lane:        probes.Serial,
	Drive:       inOtherWords,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return accepts(s, got, "stepDescription", "looked around")
	},
	Fix: "document and accept stepDescription as an optional string",
}

// Section 8.6.3.
var stepReportsAcceptLimitedOutcome = check.Check{
	Requirement: "AQL-8.6.3-05",
	Rule:        "outcome is an accepted optional string limited to success, failure, skipped.",
	Why:         "The outcome decides at the second stage of the evaluation; in free text a failure would go unnoticed.",
	On:          whereReported,
	Lane:        probes.Serial,
	Drive:       inOtherWords,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		r := accepts(s, got, "outcome", "success", "skipped", "failure")
		if o, asked := inWords(got, "outcome", "aqlx_bad"); asked && o.Succeeded() {
			r = ruling.Worst(r, ruling.Departs("a refusal of the outcome aqlx_bad", o))
		}
		return r
	},
	Fix: "accept success, failure and skipped as outcome, and nothing else",
}

// Section 8.6.3.
var stepReportsAcceptFindings = check.Check{
	Requirement: "AQL-8.6.3-06",
	Rule:        "findings is an accepted optional string.",
	Why:         "Findings are how the next reader learns what a step was good for.",
	On:          whereReported,
	Lane:        probes.Serial,
	Drive:       inOtherWords,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return accepts(s, got, "findings", "nothing of note")
	},
	Fix: "document and accept findings as an optional string",
}
