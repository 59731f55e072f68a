package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
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

// atBounds returns the exact bounds that can be tried without harm.
func atBounds(s model.Subject) []float64 {
	var ns []float64
	for _, name := range []string{"minimum", "maximum"} {
		n, ok := check.NumericBound(s, name)
		if huge := n > 1e6 && slices.Contains(model.PageSizes, s.Par.Name); ok && !huge && !(n > 1 && check.WaitPattern.MatchString(s.Par.Name)) {
			ns = append(ns, n)
		}
	}
	return ns
}

// The steps of a script on bounds: the bound itself and, where it was refused, the next value inside.
const (
	theBound    = "documented bound: the bound"
	besideBound = "documented bound: beside it"
)

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
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling { return inclusive(s, got, check.AboutSize) },
	Fix:   "accept the documented minimum and maximum themselves",
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
			if !made || ask(check.WithValue(s, 32+i, text).As(probes.Nth(theBound, i))).Succeeded() {
				continue
			}
			if inside, made := ofLength(s, n+1-2*i, 36+i); made && s.Misfit(s.Par, probes.ValueOf(inside)) == "" {
				ask(check.WithValue(s, 36+i, inside).As(probes.Nth(besideBound, i)))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling { return inclusive(s, got, check.AboutLength) },
	Fix:   "accept texts of exactly minLength and maxLength characters",
}

// commonForms are texts of usual forms. A pattern tells of a date how it is written, and not which days
// there are.
var commonForms = strings.Fields(`2024-05-17 2024-05-17T10:30:00Z 2024-05-17T10:30:00.000Z 2024-05 10:30 10:30:00 17.05.2024 17/05/2024 05/17/2024 2024/05/17
	20240517 P1D PT1H en de en-US de-DE EUR USD DE US Europe/Berlin UTC +00:00 user@example.org https://example.org/ example.org
	192.0.2.1 2001:db8::1 123e4567-e89b-42d3-a456-426614174000 #336699 1.0.0 10115 12345 +12025550123`)

// published are the texts of the documentation that the pattern matches.
func published(s model.Subject) []probes.Value {
	texts := []probes.Value{s.Par.Raw.At("default")}
	for _, e := range s.Op.Details.At("examples").Items() {
		texts = append(texts, e.At("request", "params", s.Par.Name))
	}
	return matching(s, texts)
}

// matching returns the different texts among some that the record allows.
func matching(s model.Subject, texts []probes.Value) (all []probes.Value) {
	for _, v := range texts {
		if v.Is(probes.String) && !check.Contains(all, v) && check.ValueMismatch(s, v) == "" {
			all = append(all, v)
		}
	}
	return all
}

// The most texts that are tried beside the published ones: of usual forms, and made from the pattern.
const (
	mostForms = 3
	mostMade  = 3
)

// made are texts that the pattern matches and nobody published.
func made(s model.Subject) []probes.Value {
	var usual, generated []probes.Value
	for _, text := range commonForms {
		usual = append(usual, probes.ValueOf(text))
	}
	low, _ := length(s, "minLength")
	for _, more := range []int{1, 3, 8} {
		if text, ok := generate.MatchFor(s.Par.Raw.At("pattern").Text(), max(low, more), 64); ok {
			generated = append(generated, probes.ValueOf(text))
		}
	}
	usual, generated = matching(s, usual), matching(s, generated)
	return append(usual[:min(len(usual), mostForms)], generated[:min(len(generated), mostMade)]...)
}

// metByProvenRequest reports whether the known-good request holds a text that the pattern matches.
func metByProvenRequest(s model.Subject) bool {
	return s.KnownGoodRequest().Usable() && !model.ValueIn(s.ValidCall(), s.Par.Name).Is(probes.Absent)
}

const (
	publishedText = "pattern: published text"
	madeText      = "pattern: made text"
	unlikeText    = "pattern: text that it does not match"
)

// Introspection document, section 3.4.1.
var stringsMatchingPatternAreAccepted = check.Check{
	Requirement: "INT-3.4.1-04",
	Rule:        "A string matching pattern is accepted as far as the pattern is concerned.",
	Why:         "If the adapter enforces a stricter rule than it documents, correct calls fail.",
	On:          check.EachVariableParameter(patterned),
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.ValidCall())
		for i, v := range published(s) {
			ask(check.WithValue(s, 22+i, v.Go()).As(probes.Nth(publishedText, i)))
		}
		if metByProvenRequest(s) {
			return
		}
		for i, v := range made(s) {
			if ask(check.WithValue(s, 22+mostMade+i, v.Go()).As(probes.Nth(madeText, i))).Succeeded() {
				return
			}
		}
		if text, ok := unmatched(s); ok {
			ask(check.WithValue(s, 20, text).As(unlikeText))
		}
	},
	Judge: judgePattern,
	Fix:   "refuse no text that the documented pattern matches, or document the stricter pattern",
}

func judgePattern(s model.Subject, got probes.Answers) ruling.Ruling {
	if !s.KnownGoodRequest().Usable() && !check.BlamesOnlyValue(s, got[0]) {
		return ruling.NotProven("a request of "+s.Op.Name+" that is known to be valid", s.KnownGoodRequest())
	}
	var rs []ruling.Ruling
	form := func(o probes.Observation) bool { return !check.MeaningWords.MatchString(o.Message()) }
	for _, o := range got.Under(publishedText) {
		rs = append(rs, fair(s, probes.Observation{}, o, form))
	}
	if metByProvenRequest(s) {
		rs = append(rs, ruling.Conforms().By(got[0]))
	}
	unlike := got.Step(unlikeText)
	var made []ruling.Ruling
	for _, o := range got.Under(madeText) {
		// A rule beside the pattern has words of its own: there may be no such day, or no such place.
		r := fair(s, probes.Observation{}, o, func(o probes.Observation) bool { return form(o) && sameReason(s, o, unlike) })
		if r.Verdict == ruling.Conforms().Verdict {
			made = nil // one made text that passes shows that the pattern is the documented one
			rs = append(rs, r)
			break
		}
		made = append(made, r.By(unlike))
	}
	return ruling.Worst(append(rs, made...)...)
}

// sameReason reports whether two values of the parameter are refused for the same reason.
func sameReason(s model.Subject, o, other probes.Observation) bool {
	told := func(o probes.Observation) string {
		value := model.ValueIn(o.Probe, s.Par.Name).Text()
		return strings.ReplaceAll(strings.ReplaceAll(o.Message(), check.BriefValue(probes.ValueOf(value)), "*"), value, "*")
	}
	return other.Refused() && other.Code() == o.Code() && told(o) == told(other)
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
