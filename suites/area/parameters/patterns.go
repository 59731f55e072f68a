package parameters

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

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
	plainText     = "pattern: text of one letter"
	variedText    = "pattern: text with a letter of another kind"
	lastText      = "pattern: made text with another end"
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
		refused := probes.Value{}
		for i, v := range made(s) {
			if metByProvenRequest(s) {
				break
			}
			o := ask(check.WithValue(s, 22+mostMade+i, v.Go()).As(probes.Nth(madeText, i)))
			if o.Succeeded() {
				refused = probes.Value{}
				break
			}
			if o.Refused() {
				refused = v
			}
		}
		narrower := askVaried(s, ask)
		if text, ok := unmatched(s); ok && (narrower || refused.Is(probes.String)) {
			ask(check.WithValue(s, 20, text).As(unlikeText))
		}
		for i, v := range otherEnds(s, refused) {
			if ask(check.WithValue(s, 70+i, v.Go()).As(probes.Nth(lastText, i))).Succeeded() {
				return
			}
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
	// A rule beside the pattern has words of its own: there may be no such day, or no such place.
	likeUnlike := func(o probes.Observation) bool { return form(o) && !checked(s, o) && sameReason(s, o, unlike) }
	var made []ruling.Ruling
	for _, o := range slices.Concat(got.Under(madeText), got.Under(lastText)) {
		r := fair(s, probes.Observation{}, o, likeUnlike)
		if r.Verdict == ruling.Conforms().Verdict {
			made = nil // one made text that passes shows that the pattern is the documented one
			rs = append(rs, r)
			break
		}
		made = append(made, r.By(unlike))
	}
	for _, o := range got.Under(variedText) {
		// The description may state a rule that the pattern does not, as for a version or a postal code.
		if r := fair(s, probes.Observation{}, o, likeUnlike).By(unlike, got.Step(plainText)); r.Verdict == ruling.Violates("", "").Verdict {
			made = append(made, ruling.Departs(r.Want, o).By(unlike, got.Step(plainText)))
		}
	}
	return ruling.Worst(append(rs, made...)...)
}

// askVaried asks for a text of one letter or digit, which shows that any text will do, and then with one letter of each other kind
// that the pattern takes. It reports whether one of these is refused.
func askVaried(s model.Subject, ask model.AskFunc) (refused bool) {
	plain, others := varied(s)
	if len(others) == 0 || !ask(check.WithValue(s, 60, plain.Go()).As(plainText)).Succeeded() {
		return false
	}
	for i, v := range others {
		refused = ask(check.WithValue(s, 61+i, v.Go()).As(probes.Nth(variedText, i))).Refused() || refused
	}
	return refused
}

// varied are a text of one letter or digit that matches the pattern, and those with a letter, a digit or a sign of another kind in it.
func varied(s model.Subject) (plain probes.Value, others []probes.Value) {
	low, _ := length(s, "minLength")
	text, made := generate.MatchFor(s.Par.Raw.At("pattern").Text(), max(low, 3), 64)
	if plain = probes.ValueOf(text); !made || strings.Trim(text, text[:1]) != "" || len(matching(s, []probes.Value{plain})) == 0 {
		return plain, nil
	}
	for _, other := range "aA0_-" {
		v := probes.ValueOf(text[:1] + string(other) + text[2:])
		if !strings.ContainsRune(text, other) && len(matching(s, []probes.Value{v})) > 0 {
			others = append(others, v)
		}
	}
	return plain, others
}

// otherEnds are the texts that differ from a refused one in the last letter or digit alone, and match the pattern: one of them
// has the right check digit, of which a pattern cannot tell.
func otherEnds(s model.Subject, refused probes.Value) []probes.Value {
	var all []probes.Value
	if text := refused.Text(); len(text) >= 6 {
		for _, end := range "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
			all = append(all, probes.ValueOf(text[:len(text)-1]+string(end)))
		}
	}
	return slices.DeleteFunc(matching(s, all), refused.Equal)
}

// checkWords are of rules that no pattern can state.
var checkWords = regexp.MustCompile(`(?i)\b(check[- ]?(digit|sum|character|letter)s?|iban|luhn)\b`)

// checked reports whether a value has to agree with check digits, by the words of its record or of the refusal.
func checked(s model.Subject, o probes.Observation) bool {
	return checkWords.MatchString(o.Message()) || checkWords.MatchString(s.Par.Raw.At("description").Text())
}

// sameReason reports whether two values of the parameter are refused for the same reason.
func sameReason(s model.Subject, o, other probes.Observation) bool {
	told := func(o probes.Observation) string {
		value := model.ValueIn(o.Probe, s.Par.Name).Text()
		return strings.ReplaceAll(strings.ReplaceAll(o.Message(), check.BriefValue(probes.ValueOf(value)), "*"), value, "*")
	}
	return other.Refused() && other.Code() == o.Code() && told(o) == told(other)
}
