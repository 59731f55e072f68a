package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const listedValue = "enum: listed value"

// Introspection document, section 3.4.1.
var documentedEnumValuesAreAccepted = check.Check{
	Requirement: "INT-3.4.1-01",
	Rule:        "Each value listed in enum is accepted by the handler.",
	Why:         "A model picks from the list; a listed value that is refused sends it in circles.",
	On:          check.RequireUsable(check.EachVariableParameter(func(s model.Subject) bool { return check.HasEnum(s) && s.Par.Raw.At("enum").Is(probes.Array) })),
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall())
		for i, v := range check.EnumSamples(s) {
			if check.BlamesOnlyValue(s, ask(check.WithValue(s, 60+i, v.Go()).As(probes.Nth(listedValue, i)))) {
				check.TryCombinations(s, i, v, ask)
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got.Under(listedValue) {
			r := fair(s, got[0], o, func(probes.Observation) bool { return true })
			if check.IsDiscriminator(s) && check.NotApplicablePattern.MatchString(o.Message()) && !o.Succeeded() {
				r = ruling.NotProven("the value accepted", o).Because("INT-8.2.2-03")
			} else if other, found := check.JudgeCombination(s, got, o); found && r.Verdict == reports.Fail {
				r = other
			}
			rs = append(rs, r)
		}
		return ruling.Worst(rs...)
	},
	Fix: "accept every listed value, or take it out of the enum",
}

// harmless reports whether a number can be tried: no huge page is asked for, and no long wait.
func harmless(name string, n float64) bool {
	return !(n > 1e6 && slices.Contains(model.PageSizes, name)) && !(n > 1 && check.WaitPattern.MatchString(name))
}

// atBounds returns the exact bounds that can be tried without harm.
func atBounds(s model.Subject) []float64 {
	var ns []float64
	for _, name := range []string{"minimum", "maximum"} {
		if n, ok := check.NumericBound(s, name); ok && harmless(s.Par.Name, n) {
			ns = append(ns, n)
		}
	}
	return ns
}

// The steps of a script on bounds: the bound itself and, where it was refused, the next value inside.
const (
	theBound    = "documented bound: the bound"
	besideBound = "documented bound: beside it"
	roomBeside  = "documented bound: beside it, with room for it"
)

// withRoom moves the numbers that a call gives beside a value to their own bounds on that side: what has to be below one of them is
// below it then.
func withRoom(s model.Subject, call probes.Probe, n float64, upper bool) probes.Probe {
	bound, spare := "minimum", n-1000
	if upper {
		bound, spare = "maximum", n+1000
	}
	for _, q := range s.Op.Parameters {
		if q.Name == s.Par.Name || q.Type != s.Par.Type || probes.IsReference(s.Op, q) || model.ValueIn(call, q.Name).Is(probes.Absent) {
			continue
		}
		v := probes.ValueOf(spare)
		if own := q.Raw.At(bound); own.Is(probes.Number) {
			v = own
		}
		if n, _ := v.Float(); harmless(q.Name, n) && s.Misfit(q, v) == "" {
			call = call.With(q.Name, v.Go())
		}
	}
	return call
}

// inclusive rules on values at bounds. Where the next value inside is taken and the bound is not, the
// refusal is about the bound, whatever the language of its message.
func inclusive(s model.Subject, got probes.Answers, about func(probes.Observation) bool) ruling.Ruling {
	var rs []ruling.Ruling
	for _, o := range got.Under(theBound) {
		if probes.IsReference(s.Op, s.Par) && strings.HasPrefix(o.Code(), "NOT_FOUND_") {
			rs = append(rs, ruling.Conforms().By(o))
			continue
		}
		beside := got.Step(probes.Nth(besideBound, o.Probe.Index()))
		rs = append(rs, fair(s, got[0], o, func(o probes.Observation) bool {
			return about(o) && !(check.BoundByOthers(s, model.ValueIn(o.Probe, s.Par.Name), o) && beside.Refused()) || beside.Succeeded() && !check.MeaningWords.MatchString(o.Message())
		}))
	}
	if len(rs) == 0 {
		return ruling.NotProven("a bound that can be tried", s.Par.Raw)
	}
	return ruling.Worst(rs...)
}

// Introspection document, section 3.4.1.
var documentedNumericBoundsAreInclusive = check.Check{
	Requirement: "INT-3.4.1-02",
	Rule:        "Numeric bounds are inclusive: the exact minimum and the exact maximum are accepted.",
	Why:         "minimum and maximum read as in every schema language: the bound itself is allowed.",
	On:          crossed(check.RequireUsable(check.EachVariableParameter(check.HasNumericBounds))),
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall())
		for i, n := range atBounds(s) {
			beside := n + 1
			if low, bounded := check.NumericBound(s, "minimum"); !bounded || n != low {
				beside = n - 1
			}
			o := ask(check.WithValue(s, 12+i, n).As(probes.Nth(theBound, i)))
			if !o.Succeeded() && s.Misfit(s.Par, probes.ValueOf(beside)) == "" {
				ask(check.WithValue(s, 16+i, beside).As(probes.Nth(besideBound, i)))
				if check.Compared(s.Op, s.Par, o.Probe) {
					ask(withRoom(s, check.WithValue(s, 20+i, beside), n, beside < n).As(probes.Nth(roomBeside, i)))
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return inclusive(s, got, func(o probes.Observation) bool {
			room := got.Step(probes.Nth(roomBeside, o.Probe.Index()))
			alone := !check.Compared(s.Op, s.Par, o.Probe) || room.Refused() && room.Code() == o.Code() && check.BlamesOnlyValue(s, room)
			return check.AboutSize(o) && alone
		})
	},
	Fix: "accept the documented minimum and maximum themselves",
}

// Introspection document, section 3.4.1.
var documentedLengthLimitsAreInclusive = check.Check{
	Requirement: "INT-3.4.1-03",
	Rule:        "String length limits are inclusive: strings of exactly minLength and exactly maxLength characters are accepted.",
	Why:         "The longest text that is documented is the one that a model will write when it has much to say.",
	On:          crossed(check.RequireUsable(check.EachVariableParameter(check.HasLengthBounds))),
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall())
		for i, name := range []string{"minLength", "maxLength"} {
			n, ok := length(s, name)
			if !ok || n <= 0 || n > check.MaxAcceptedLength {
				continue
			}
			text, made := ofLength(s, n, 32+i)
			if !made {
				continue
			}
			if ask(check.WithValue(s, 32+i, text).As(probes.Nth(theBound, i))).Succeeded() {
				if name == "maxLength" {
					askWide(s, ask, text)
				}
				continue
			}
			if inside, made := ofLength(s, n+1-2*i, 36+i); made && s.Misfit(s.Par, probes.ValueOf(inside)) == "" {
				ask(check.WithValue(s, 36+i, inside).As(probes.Nth(besideBound, i)))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return ruling.Worst(inclusive(s, got, check.AboutLength), wide(s, got))
	},
	Fix: "accept texts of exactly minLength and maxLength characters",
}

// trialFormats are the formats of which a value is known; dates are the concern
// of AQL-4.7.2-04.
var trialFormats = strings.Fields("email uri url uuid hostname ipv4 ipv6")

// Introspection document, section 3.4.1.
var valuesOfDocumentedFormatAreAccepted = check.Check{
	Requirement: "INT-3.4.1-05",
	Rule:        "A value conforming to a documented format hint is accepted.",
	Why:         "A wrong format misleads clients more than a missing one.",
	On: check.RequireUsable(check.EachVariableParameter(func(s model.Subject) bool {
		return check.AcceptsKind(s, "string") && slices.Contains(trialFormats, s.Par.Raw.At("format").Text())
	})),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range conforming(s) {
			ps = append(ps, check.WithValue(s, 26+i, v.Go()))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if len(got) == 1 {
			return ruling.NotProven("a value of the format "+s.Par.Raw.At("format").Text(), "none")
		}
		var rs []ruling.Ruling
		for _, o := range got.Rest() {
			rs = append(rs, fair(s, got[0], o, func(o probes.Observation) bool { return !check.MeaningWords.MatchString(o.Message()) }))
		}
		return ruling.Worst(rs...)
	},
	Fix: "accept values of the documented format, or drop the format",
}
