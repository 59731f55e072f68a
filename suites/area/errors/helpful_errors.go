package errors

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Introspection document, section 8.2.3.
var errorsSayWhatToDo = check.Check{
	Requirement: "INT-8.2.3-02",
	Rule:        "Errors say what the caller should do.",
	Why:         "An error that says what to do saves a round trip, and a model's tokens with it.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask:         check.InvalidRequests,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var bad []string // all of them, so that one mend serves for all
		r := refusedTexts(got, func(o probes.Observation) ruling.Ruling {
			mistake := strings.HasPrefix(o.Code(), "VALIDATION_") || o.Code() == "INTERNAL_ERROR"
			if mistake && !guided(s.Adapter, o) {
				const want = "expected type, allowed values, valid names or where to look"
				message := o.Envelope().At("error", "message").String()
				if !english.MatchString(o.Message()) { // it may say so in words that are not known here
					return ruling.NotProven(want, "message "+message).By(o)
				}
				if !slices.Contains(bad, message) {
					bad = append(bad, message)
				}
				return ruling.Violates(want, "message "+message).By(o)
			}
			return ruling.Conforms().By(o)
		})
		if len(bad) > 1 {
			r = r.Noting("all messages without: " + strings.Join(bad, ", "))
		}
		return r
	},
	Fix: "name what would have been right: the type, the allowed values, the valid names or the endpoint",
}

// Introspection document, section 8.2.3.
var errorsPointToFittingOperation = check.Check{
	Requirement: "INT-8.2.3-03",
	Rule:        "Errors point to the fitting operation where there is one.",
	Why:         "The error should lead the client to the right name or endpoint.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{check.UnknownOperation(s.Adapter, s.Introspect)}
		if o, wrong, ok := check.MisroutedRead(s.Adapter); ok {
			ps = append(ps, s.KnownGood[o].Probe.To(wrong))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return refusedTexts(got, func(o probes.Observation) ruling.Ruling {
			if pointsOn(s.Adapter, o) {
				return ruling.Conforms().By(o)
			}
			return ruling.Violates("introspect, an existing operation or the right endpoint", "message "+o.Envelope().At("error", "message").String()).By(o)
		})
	},
	Fix: "mention introspect or details.available for an unknown operation, the right endpoint for a misrouted one",
}

func pointsOn(f *model.Adapter, o probes.Observation) bool {
	if strings.Contains(strings.ToLower(o.Message()), "introspect") || o.Details().At("available").Is(probes.Array) {
		return true
	}
	for _, op := range f.Operations {
		if op.Name != o.Probe.Operation() && o.Mentions(op.Name) {
			return true
		}
	}
	own, _ := f.Operation(o.Probe.Operation())
	return own.Name != "" && (o.Mentions(own.Tool) || o.Mentions(own.Endpoint) || o.Mentions(strings.ToUpper(own.Endpoint)))
}

// Operations document, section 8.4.
var errorsNameItemsConcerned = check.Check{
	Requirement: "OPS-8.4-02",
	Rule:        "Messages or details contain the parameter, identifier or operation concerned; missing-parameter texts preferably add type and description.",
	Why:         "A message without the name of the thing sends the reader searching.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask:         check.InvalidRequests,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return refusedTexts(got, func(o probes.Observation) ruling.Ruling {
			for _, name := range concerned(s.Adapter, o) {
				if !o.Mentions(name) && !o.Mentions(strings.ToUpper(name)) && !o.Mentions(strings.ToLower(name)) { // as it is stored
					return ruling.Violates("the name or identifier concerned: "+name, "message "+o.Envelope().At("error", "message").String()).By(o)
				}
			}
			return ruling.Conforms().By(o)
		})
	},
	Fix: "put the parameter, identifier or operation concerned into message or details",
}

// concerned returns what a good message of the failure would name.
func concerned(f *model.Adapter, o probes.Observation) []string {
	switch {
	case o.Code() == "NOT_FOUND_OPERATION":
		return []string{o.Probe.Operation()}
	case o.Code() == "VALIDATION_MISSING_PARAM" && o.Probe.Operation() == "introspect":
		return []string{"query"}
	case o.Code() == "VALIDATION_UNKNOWN_PARAM":
		for name := range o.Probe.Params() {
			if strings.HasPrefix(name, "aqlx_") {
				return []string{name}
			}
		}
	case strings.HasPrefix(o.Code(), "NOT_FOUND"):
		for name, v := range f.Absent {
			if model.ValueIn(o.Probe, name).Equal(v) && !sensitive(f, o.Probe.Operation(), name) {
				if v.Is(probes.Object) { // each part of a key of several parts
					return v.Scalars()
				}
				return []string{strings.Trim(v.String(), `"`)}
			}
		}
	}
	return nil
}

// sensitive reports whether an adapter marks a parameter as one whose value is not to be shown.
func sensitive(f *model.Adapter, operation, name string) bool {
	o, _ := f.Operation(operation)
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Name == name && p.Raw.At("sensitive").True() })
}

// Section 2.3.5.
var errorsCarrySessionIdentifier = check.Check{
	Requirement: "AQL-2.3.5-04",
	Rule:        "Error envelopes carry a session identifier to help debugging.",
	Why:         "A person who has the error finds the log lines of the same session by it.",
	On:          model.Given(tracksSessions, model.IntrospectSubject),
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{check.UnknownOperation(s.Adapter, s.Introspect)}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		o := got[0]
		if !o.Refused() {
			return ruling.NotProven("a failure envelope", o)
		}
		for _, place := range []probes.Value{o.Details(), o.Envelope().At("_meta")} {
			for _, name := range place.Names() {
				if strings.Contains(strings.ToLower(name), "session") {
					return ruling.Conforms()
				}
			}
		}
		return ruling.Violates("a session identifier in error.details or _meta", "none").By(o)
	},
	Fix: "add the session identifier to error.details",
}

// tracksSessions reports whether the adapter shows a session identifier: a number or a flag, such as the time after
// which a session ends, is none.
func tracksSessions(f *model.Adapter) bool {
	return slices.ContainsFunc(f.Protocol.Members(), func(m probes.Member) bool {
		limit := m.Value.Is(probes.Number) || m.Value.Is(probes.Boolean)
		return strings.Contains(strings.ToLower(m.Name), "session") && !limit
	})
}
