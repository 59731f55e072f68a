package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 8.6.2. A report that is taken down and not answered leaves the agent to
// decide alone, which is what the loop exists to prevent.
var _ = register(Check{
	Requirement: "AQL-8.6.2-01",
	On:          inLoop([]string{enforcing, monitoring}),
	Lane:        probes.Serial,
	Drive:       tenReports,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		taken := 0
		for _, r := range reportsIn(got) {
			switch {
			case !r.o.Succeeded():
			case r.directive.Is(probes.Absent):
				return Violates("a directive in the answer to every report", "none").By(r.o)
			default:
				taken++
			}
		}
		if taken < 10 {
			return NotProven("ten reports that are taken", taken)
		}
		return Conforms()
	},
	Fix: "answer every record_execution_step with a directive: a boolean continue and an array of factors",
})

// eachDirective rules on every directive that was given; the worst of them counts.
func eachDirective(got []probes.Observation, judge func(r stepReport) Ruling) Ruling {
	if r, ok := directed(got); !ok {
		return r
	}
	var rs []Ruling
	for _, r := range reportsIn(got) {
		if !r.directive.Is(probes.Absent) {
			rs = append(rs, judge(r).By(r.o))
		}
	}
	return Worst(rs...)
}

// directives registers a rule about the form of every directive. Section 8.7.1.
func directives(id, fix string, judge func(r stepReport) Ruling) bool {
	return register(Check{
		Requirement: id,
		On:          inLoop([]string{enforcing, monitoring}),
		Lane:        probes.Serial,
		Drive:       everything,
		Judge:       func(_ Subject, got []probes.Observation) Ruling { return eachDirective(got, judge) },
		Fix:         fix,
	})
}

// Section 8.7.1. A model that reads "no" as a text that is not empty proceeds.
var _ = directives("AQL-8.7.1-01", "give every directive a boolean continue", func(r stepReport) Ruling {
	if v := r.directive.At("continue"); !v.Is(probes.Boolean) {
		return Violates("a boolean continue in every directive", v)
	}
	return Conforms()
})

// Section 8.7.1. A decision without its reasons cannot be checked by anybody.
var _ = directives("AQL-8.7.1-02", "give every directive an array of factors, empty if there are none", func(r stepReport) Ruling {
	factors := r.directive.At("factors")
	other := func(v probes.Value) bool { return !v.Is(probes.String) }
	if !factors.Is(probes.Array) || slices.ContainsFunc(factors.Items(), other) {
		return Violates("an array of strings factors in every directive", factors)
	}
	return Conforms()
})

// Section 8.7.1. What is optional is still typed: a client branches on it.
var _ = directives("AQL-8.7.1-03", "give the optional members of a directive their declared types", func(r stepReport) Ruling {
	var rs []Ruling
	for _, m := range []struct {
		name string
		kind probes.Kind
	}{{"stopped", probes.Boolean}, {"reason", probes.String}, {"stepsRemaining", probes.Number}, {"nextStepRisk", probes.String}, {"notifications", probes.Array}} {
		v := r.directive.At(m.name)
		switch {
		case v.Is(probes.Absent):
		case v.Is(probes.Null):
			rs = append(rs, Departs("no "+m.name+" rather than null", v))
		case !v.Is(m.kind):
			rs = append(rs, Violates("a "+m.name+" of its declared type", v))
		case m.name == "nextStepRisk" && !slices.Contains(tiers, v.Text()):
			rs = append(rs, Violates("a tier of advisory, confirm, verify, danger_zone", v))
		}
	}
	return Worst(append(rs, Conforms())...)
})

// tiers are the safety tiers, the mildest first. Section 8.7.2.
var tiers = []string{"advisory", "confirm", "verify", "danger_zone"}

// Section 8.7.1. Two orders that contradict each other: the agent obeys the one it
// likes.
var _ = directives("AQL-8.7.1-04", "set continue to false wherever stopped is true", func(r stepReport) Ruling {
	if r.stopped() && r.goesOn() {
		return Violates("no stopped true beside continue true", "both")
	}
	return Conforms()
})

// instant matches what ISO 8601 allows as an instant.
var instant = regexp.MustCompile(`^\d{4}-?\d\d-?\d\dT\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-]\d\d(:?\d\d)?)?$`)

// Section 8.7.3. An event that cannot be placed in time or told apart from others is
// noise to the agent.
var _ = register(Check{
	Requirement: "AQL-8.7.3-01",
	On:          inLoop([]string{enforcing, monitoring}),
	Lane:        probes.Serial,
	Drive:       everything,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		var rs []Ruling
		for _, r := range reportsIn(got) {
			for _, n := range r.directive.At("notifications").Items() {
				rs = append(rs, wellFormed(n).By(r.o))
			}
		}
		if len(rs) == 0 {
			return NotApplicable("no directive carries notifications")
		}
		return Worst(rs...)
	},
	Fix: "give every notification a type of the list, a message and an ISO 8601 timestamp",
})

// notificationTypes are the kinds of events. Section 8.7.3.
var notificationTypes = strings.Fields("permission_pending autonomy_pause danger_zone status error")

func wellFormed(n probes.Value) Ruling {
	metadata := n.At("metadata")
	switch {
	case !slices.Contains(notificationTypes, n.At("type").Text()):
		return Violates("a type of "+strings.Join(notificationTypes, ", "), n.At("type"))
	case !n.At("message").Is(probes.String):
		return Violates("a message in words", n.At("message"))
	case !instant.MatchString(n.At("timestamp").Text()):
		return Violates("an ISO 8601 timestamp", n.At("timestamp"))
	case metadata.Is(probes.Null):
		return Departs("no metadata rather than null", metadata)
	case !metadata.Is(probes.Absent) && !metadata.Is(probes.Object):
		return Violates("an object metadata", metadata)
	}
	return Conforms()
}
