package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// maxEnumProbes bounds how many values of one enum are tried: reading is cheap,
// each trial of a CREATE makes an object.
var maxEnumProbes = map[string]int{"READ": 24, "CREATE": 8}

// enumTrials returns the values of the inline enum that are tried, the last one
// always among them: what was added last is what a handler forgot.
func enumTrials(s Subject) []probes.Value {
	all := s.Par.Raw.At("enum").Items()
	if most := max(maxEnumProbes[s.Op.Category], 3); len(all) > most {
		all = append(slices.Clone(all[:most-1]), all[len(all)-1])
	}
	return all
}

// Introspection document, section 3.4.1. A model picks from the list; a listed
// value that is refused sends it in circles.
var _ = register(Check{
	Requirement: "INT-3.4.1-01",
	On:          usable(eachValued(func(s Subject) bool { return enumerable(s) && s.Par.Raw.At("enum").Is(probes.Array) })),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range enumTrials(s) {
			ps = append(ps, s.varied(60+i, v.Go()))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, o := range got[1:] {
			r := fair(s, got[0], o, func(probes.Observation) bool { return true })
			if discriminates(s) && notApplicableText.MatchString(o.Message()) && !o.Succeeded() {
				r = NotProven("the value accepted", o).Because("INT-8.2.2-03")
			}
			rs = append(rs, r)
		}
		return Worst(rs...)
	},
	Fix: "accept every listed value, or take it out of the enum",
})

// What a refusal may speak of: the size of a number, the length or the form of a
// text, a type, or what the value means.
var (
	sizeWords   = regexp.MustCompile(`(?i)\b(minimum|maximum|min|max|at (?:least|most)|less|fewer|greater|more|between|range|above|below|exceeds?|too (?:large|small|big|high|low)|up to|smaller|larger)\b|[<>]=|\d+ (?:to|and|or) \d+|\d+\s*(?:-|–|\.\.)\s*\d+`)
	lengthWords = regexp.MustCompile(`(?i)\b(characters?|chars|letters|bytes|length|too (?:long|short)|longer|shorter|minLength|maxLength)\b`)
	formWords   = regexp.MustCompile(`(?i)\b(match(?:es)?|pattern|format|regex|regular expression)\b`)
	kindWords   = regexp.MustCompile(`(?i)\b(type|string|number|integer|boolean|object|array)s?\b`)
	meaningWord = regexp.MustCompile(`(?i)\b(unknown|not found|no such|does not exist|doesn't exist|unavailable|reserved|already|taken)\b`)
	waiting     = regexp.MustCompile(`(?i)(wait|delay|sleep|timeout|duration|interval|seconds|millis|_ms$)`)
)

// aboutSize reports whether the refusal is about how large the number is.
func aboutSize(o probes.Observation) bool {
	return !meaningWord.MatchString(o.Message()) && (sizeWords.MatchString(o.Message()) || strings.Contains(o.Code(), "RANGE") ||
		o.Details().Has("minimum") || o.Details().Has("maximum"))
}

// aboutLength reports whether the refusal is about how long the text is, and not
// about the form that the text has at that length.
func aboutLength(o probes.Observation) bool {
	return !meaningWord.MatchString(o.Message()) && !formWords.MatchString(o.Message()) && (lengthWords.MatchString(o.Message()) ||
		strings.Contains(o.Code(), "LENGTH") || o.Details().Has("minLength") || o.Details().Has("maxLength"))
}

// atBounds returns the exact bounds that can be tried without harm.
func atBounds(s Subject) []float64 {
	var ns []float64
	for _, name := range []string{"minimum", "maximum"} {
		n, ok := s.bound(name)
		if huge := n > 1e6 && slices.Contains(pageSizes, s.Par.Name); ok && !huge && !(n > 1 && waiting.MatchString(s.Par.Name)) {
			ns = append(ns, n)
		}
	}
	return ns
}

// Introspection document, section 3.4.1. minimum and maximum read as in every
// schema language: the bound itself is allowed.
var _ = register(Check{
	Requirement: "INT-3.4.1-02",
	On:          crossed(usable(eachValued(numeric))),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, n := range atBounds(s) {
			ps = append(ps, s.varied(12+i, n))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if len(got) == 1 {
			return NotProven("a bound that can be tried", s.Par.Raw)
		}
		var rs []Ruling
		for _, o := range got[1:] {
			rs = append(rs, fair(s, got[0], o, aboutSize))
		}
		return Worst(rs...)
	},
	Fix: "accept the documented minimum and maximum themselves",
})

// maxAcceptedLength is the length above which a refusal may well come from a
// limit on the whole request.
const maxAcceptedLength = 100000

// Introspection document, section 3.4.1. The longest text that is documented is
// the one that a model will write when it has much to say.
var _ = register(Check{
	Requirement: "INT-3.4.1-03",
	On:          crossed(usable(eachValued(measured))),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, name := range []string{"minLength", "maxLength"} {
			if n, ok := s.length(name); ok && n > 0 && n <= maxAcceptedLength {
				if text, ok := s.ofLength(n, 32+i); ok {
					ps = append(ps, s.varied(32+i, text))
				}
			}
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if len(got) == 1 {
			return NotProven("a text of the documented length", s.Par.Raw)
		}
		var rs []Ruling
		for _, o := range got[1:] {
			if probes.IsReference(s.Op, s.Par) && strings.HasPrefix(o.Code(), "NOT_FOUND_") {
				rs = append(rs, Conforms().By(o))
				continue
			}
			rs = append(rs, fair(s, got[0], o, aboutLength))
		}
		return Worst(rs...)
	},
	Fix: "accept texts of exactly minLength and maxLength characters",
})

// matching returns texts that the pattern matches in full: those the adapter
// published, and unless the proven request holds one, three made from the pattern.
func matching(s Subject) (all []probes.Value, published int) {
	add := func(v probes.Value) {
		if v.Is(probes.String) && !among(all, v) && unfit(s, v) == "" {
			all = append(all, v)
		}
	}
	add(s.Par.Raw.At("default"))
	for _, e := range s.Op.Details.At("examples").Items() {
		add(e.At("request", "params", s.Par.Name))
	}
	published = len(all)
	if s.Baseline().Usable() && !valueIn(s.ValidCall(), s.Par.Name).Is(probes.Absent) {
		return all, published
	}
	low, _ := s.length("minLength")
	for _, more := range []int{1, 3, 8} {
		if text, ok := generate.MatchFor(s.Par.Raw.At("pattern").Text(), max(low, more), 64); ok {
			add(probes.ValueOf(text))
		}
	}
	return all, published
}

// Introspection document, section 3.4.1. A stricter rule behind the documented
// one makes a model doubt what it did right.
var _ = register(Check{
	Requirement: "INT-3.4.1-04",
	On:          eachValued(patterned),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		all, _ := matching(s)
		for i, v := range all {
			ps = append(ps, s.varied(22+i, v.Go()))
		}
		return ps
	},
	Judge: judgePattern,
	Fix:   "refuse no text that the documented pattern matches, or document the stricter pattern",
})

func judgePattern(s Subject, got []probes.Observation) Ruling {
	_, published := matching(s)
	control := got[0]
	form := func(o probes.Observation) bool { return !meaningWord.MatchString(o.Message()) }
	if s.Baseline().Usable() {
		control = probes.Observation{} // the pattern was met in the proven request: nothing masks a refusal now
	} else if !s.accused(control) {
		return NotProven("a request of "+s.Op.Name+" that is known to be valid", s.Baseline())
	} else {
		control = probes.Observation{}
	}
	var own, made []Ruling
	for i, o := range got[1:] {
		r := fair(s, control, o, form)
		if i < published {
			own = append(own, r)
		} else {
			made = append(made, r)
		}
	}
	if s.Baseline().Usable() && !valueIn(s.ValidCall(), s.Par.Name).Is(probes.Absent) {
		own = append(own, Conforms().By(got[0]))
	}
	if i := slices.IndexFunc(made, func(r Ruling) bool { return r.verdict == Conforms().verdict }); i >= 0 {
		made = made[i : i+1] // one made text that passes shows that the pattern is the documented one
	}
	return Worst(append(own, made...)...)
}

// trialFormats are the formats of which a value is known; dates are the concern
// of AQL-4.7.2-04.
var trialFormats = strings.Fields("email uri url uuid hostname ipv4 ipv6")

// Introspection document, section 3.4.1. format is a hint, and a hint that
// misleads is worse than none.
var _ = register(Check{
	Requirement: "INT-3.4.1-05",
	On: usable(eachValued(func(s Subject) bool {
		return s.takes("string") && slices.Contains(trialFormats, s.Par.Raw.At("format").Text())
	})),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range s.conforming() {
			ps = append(ps, s.varied(26+i, v.Go()))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if len(got) == 1 {
			return NotProven("a value of the format "+s.Par.Raw.At("format").Text(), "none")
		}
		var rs []Ruling
		for _, o := range got[1:] {
			rs = append(rs, fair(s, got[0], o, func(o probes.Observation) bool { return !meaningWord.MatchString(o.Message()) }))
		}
		return Worst(rs...)
	},
	Fix: "accept values of the documented format, or drop the format",
})
