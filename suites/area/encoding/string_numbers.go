package encoding

import (
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

var (
	// asText matches a description that speaks of a string form. A text may also be a thing that the amount belongs to: the word
	// counts where it stands for the form, as in "as text", "decimal text", "text form" or "Amount in cents; text". A number in quotes shows the form.
	asText = regexp.MustCompile(`(?i)\b(?:string|quoted|quotes|quotation)|(?:^|[(;:,.]\s*|\b(?:as|is|be|are)\s+)(?:an?\s+(?:\w+\s+)?)?text\b|\b(?:decimal|numeric|numerical|plain)\s+text\b|\btext\s+(?:form|format|representation|of digits|value)\b|["'\x60“‘]-?\d[\d.,]*["'\x60”’]`)

	numberText = regexp.MustCompile(`^[-+]?\d*[.,]?\d+([eE][-+]?\d+)?$`)
)

// anAmount reports whether the documentation of a parameter calls it an amount. A serial number is no amount, and is only
// called a number.
func anAmount(p probes.Parameter) bool {
	return amountWord.MatchString(p.Raw.At("description").Text()) || slices.Contains(numberFormat, p.Raw.At("format").Text())
}

// otherText is a text that is no number and that the documentation of the parameter allows.
func otherText(s model.Subject) (string, bool) {
	values := s.Gen.Values(s.Op, s.Par)
	i := slices.IndexFunc(values, func(v probes.Value) bool {
		return v.Is(probes.String) && v.Text() != "" && !numberText.MatchString(v.Text())
	})
	if i < 0 {
		return "", false
	}
	return values[i].Text(), true
}

// Section 4.7.3.
var numbersNeededAsStringsAreDocumented = check.Check{
	Requirement: "AQL-4.7.3-05",
	Rule:        "It is documented which numeric parameters must be given as strings.",
	Why:         "A model sends numbers as numbers unless it is told otherwise.",
	On: model.Only(model.EachParameterWith("type"), func(s model.Subject) bool {
		return s.Par.Type == "string" && len(s.EnumOf(s.Par)) == 0 && (anAmount(s.Par) || numberPhrase.MatchString(s.Par.Raw.At("description").Text()))
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.Lookup("operations", s.Op.Name))
		if reads := s.Op.Category == "READ" || s.Op.Category == "CREATE"; reads && s.KnownGoodRequest().State == model.Proven {
			ask(s.FreshCall("number in a string: string").With(s.Par.Name, "12.50").As("number in a string: string"))
			ask(s.FreshCall("number in a string: number").With(s.Par.Name, 12.5).As("number in a string: number"))
			if other, ok := otherText(s); ok {
				ask(s.FreshCall("number in a string: other text").With(s.Par.Name, other).As("number in a string: other text"))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		found := asText.MatchString(s.Par.Raw.At("description").Text())
		asString, asNumber := got.Step("number in a string: string"), got.Step("number in a string: number")
		if other := got.Step("number in a string: other text"); other.Succeeded() {
			return ruling.NotApplicable("does not hold: a string parameter speaks of amounts, bigint or decimal").By(other)
		}
		if !found && got.Has("number in a string: number") && asString.Succeeded() && rejected(s, asNumber) {
			if word, given := s.Hint("attest.string_numbers"); !given || word == "no" {
				return ruling.Departs("a word about the string form", "a number that is accepted only as string").By(asNumber, asString)
			}
		}
		return check.JudgeDocumented(s.Adapter, "attest.string_numbers", found, "a word about the string form", "a description without it")
	},
	Fix: "say in the description that the number is given as a string",
}
