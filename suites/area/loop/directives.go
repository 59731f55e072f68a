package loop

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.6.2.
var everyStepReportIsEvaluated = check.Check{
	Requirement: "AQL-8.6.2-01",
	Rule:        "In an active loop every report is evaluated: each record_execution_step answer carries the outcome of an evaluation.",
	Why:         "Without an answer to its report the agent decides alone, and the loop exists to prevent that.",
	On:          check.InLoopModes([]string{check.Enforcing, check.Monitoring}),
	Lane:        probes.Serial,
	Drive:       tenReports,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		taken := 0
		for _, r := range reportsIn(got) {
			switch {
			case !r.Observation.Succeeded():
			case r.Directive.Is(probes.Absent):
				return ruling.Violates("a directive in the answer to every report", "none").By(r.Observation)
			default:
				taken++
			}
		}
		if taken < 10 {
			return ruling.NotProven("ten reports that are taken", taken)
		}
		return ruling.Conforms()
	},
	Fix: "answer every record_execution_step with a directive: a boolean continue and an array of factors",
}

// eachDirective rules on every directive that was given; the worst of them counts.
func eachDirective(got probes.Answers, judge func(r check.StepReport) ruling.Ruling) ruling.Ruling {
	if r, ok := directed(got); !ok {
		return r
	}
	var rs []ruling.Ruling
	for _, r := range reportsIn(got) {
		if !r.Directive.Is(probes.Absent) {
			rs = append(rs, judge(r).By(r.Observation))
		}
	}
	return ruling.Worst(rs...)
}

// directives registers a rule about the form of every directive. Section 8.7.1.
func directives(id, fix string, judge func(r check.StepReport) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          check.InLoopModes([]string{check.Enforcing, check.Monitoring}),
		Lane:        probes.Serial,
		Drive:       everything,
		Judge:       func(_ model.Subject, got probes.Answers) ruling.Ruling { return eachDirective(got, judge) },
		Fix:         fix,
	}
}

// Section 8.7.1.
var directivesCarryBooleanContinue = directives("AQL-8.7.1-01", "give every directive a boolean continue", func(r check.StepReport) ruling.Ruling {
	if v := r.Directive.At("continue"); !v.Is(probes.Boolean) {
		return ruling.Violates("a boolean continue in every directive", v)
	}
	return ruling.Conforms()
}).WithRule(
	"Each directive has a boolean continue.",
	`A model that reads "no" as a text that is not empty proceeds.`)

// Section 8.7.1.
var directivesCarryDecisionFactors = directives("AQL-8.7.1-02", "give every directive an array of factors, empty if there are none", func(r check.StepReport) ruling.Ruling {
	factors := r.Directive.At("factors")
	other := func(v probes.Value) bool { return !v.Is(probes.String) }
	if !factors.Is(probes.Array) || slices.ContainsFunc(factors.Items(), other) {
		return ruling.Violates("an array of strings factors in every directive", factors)
	}
	return ruling.Conforms()
}).WithRule(
	"Each directive has factors as an array of strings.",
	"A decision without its reasons cannot be checked by anybody.")

// Section 8.7.1.
var optionalDirectiveMembersAreWellTyped = directives("AQL-8.7.1-03", "give the optional members of a directive their declared types", func(r check.StepReport) ruling.Ruling {
	var rs []ruling.Ruling
	for _, m := range []struct {
		name string
		kind probes.Kind
	}{{"stopped", probes.Boolean}, {"reason", probes.String}, {"stepsRemaining", probes.Number}, {"nextStepRisk", probes.String}, {"notifications", probes.Array}} {
		v := r.Directive.At(m.name)
		switch {
		case v.Is(probes.Absent):
		case v.Is(probes.Null):
			rs = append(rs, ruling.Departs("no "+m.name+" rather than null", v))
		case !v.Is(m.kind):
			rs = append(rs, ruling.Violates("a "+m.name+" of its declared type", v))
		case m.name == "nextStepRisk" && !slices.Contains(tiers, v.Text()):
			rs = append(rs, ruling.Violates("a tier of advisory, confirm, verify, danger_zone", v))
		}
	}
	return ruling.Worst(append(rs, ruling.Conforms())...)
}).WithRule(
	"Optional directive members, when present, have their declared types and values.",
	"What is optional is still typed: a client branches on it.")

// tiers are the safety tiers, the mildest first. Section 8.7.2.
var tiers = []string{"advisory", "confirm", "verify", "danger_zone"}

// Section 8.7.1.
var stoppedNeverComesWithContinue = directives("AQL-8.7.1-04", "set continue to false wherever stopped is true", func(r check.StepReport) ruling.Ruling {
	if r.Stopped() && r.Continues() {
		return ruling.Violates("no stopped true beside continue true", "both")
	}
	return ruling.Conforms()
}).WithRule(
	"A directive with stopped:true never says continue:true.",
	"Two orders that contradict each other: the agent obeys the one it likes.")

// instant matches what ISO 8601 allows as an instant, and the day alone: section 4.7.2 shows it for dates and timestamps.
var instant = regexp.MustCompile(`^\d{4}-\d\d-\d\d$|^\d{4}-?\d\d-?\d\dT\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-]\d\d(:?\d\d)?)?$`)

// Section 8.7.3.
var notificationsAreWellFormed = check.Check{
	Requirement: "AQL-8.7.3-01",
	Rule:        "Each notification has type, message and timestamp of the declared kinds, and metadata, if any, is an object.",
	Why:         "An event that cannot be placed in time or told apart from others is noise to the agent.",
	On:          check.InLoopModes([]string{check.Enforcing, check.Monitoring}),
	Lane:        probes.Serial,
	Drive:       everything,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []ruling.Ruling
		for _, r := range reportsIn(got) {
			for _, n := range r.Directive.At("notifications").Items() {
				rs = append(rs, wellFormed(n).By(r.Observation))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no directive carries notifications")
		}
		return ruling.Worst(rs...)
	},
	Fix: "give every notification a type of the list, a message and an ISO 8601 timestamp",
}

// notificationTypes are the kinds of events. Section 8.7.3.
var notificationTypes = strings.Fields("permission_pending autonomy_pause danger_zone status error")

func wellFormed(n probes.Value) ruling.Ruling {
	metadata := n.At("metadata")
	switch {
	case !slices.Contains(notificationTypes, n.At("type").Text()):
		return ruling.Violates("a type of "+strings.Join(notificationTypes, ", "), n.At("type"))
	case !n.At("message").Is(probes.String):
		return ruling.Violates("a message in words", n.At("message"))
	case !instant.MatchString(n.At("timestamp").Text()), check.ISOForm(n.At("timestamp")) == "":
		return ruling.Violates("an ISO 8601 timestamp", n.At("timestamp"))
	case metadata.Is(probes.Null):
		return ruling.Departs("no metadata rather than null", metadata)
	case !metadata.Is(probes.Absent) && !metadata.Is(probes.Object):
		return ruling.Violates("an object metadata", metadata)
	}
	return ruling.Conforms()
}
