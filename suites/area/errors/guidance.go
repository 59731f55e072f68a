package errors

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// guidance matches words that say what would have been right.
var guidance = regexp.MustCompile(`(?i)\b(introspect|expected|expects|must|one of|use|allowed|instead|provide|valid|did you mean|should|accepts?|requires?|supported|needed|needs?|wanted|add|leave (it |this )?out|remove it|between|at (least|most)|up to|only|may be|has to|have to|in the form)\b`)

// denied matches words of guidance that only say what was wrong.
var denied = regexp.MustCompile(`(?i)(\b(not|no|never|cannot)|n't) +(an? +|be +)?(valid|supported|allowed|use|expected)\b|\boperation\W+introspect\b`)

// english matches words that few other languages have. A message without any is in a language that cannot be read here.
var english = regexp.MustCompile(`(?i)\b(the|not|cannot|are|wrong|bad|invalid|unknown|undefined|unexpected|missing|failed|value|reading|does|with)\b`)

// guided reports whether the failure holds something to act on: an expected type,
// allowed values, valid names, the right endpoint or where to ask.
func guided(f *model.Adapter, o probes.Observation) bool {
	details := o.Details()
	for _, name := range []string{"expected_type", "expected", "allowed", "allowed_values", "valid_params", "valid_values", "available", "expected_endpoint", "suggestion", "hint", "enum"} {
		if v := details.At(name); !v.Is(probes.Absent) && !v.Is(probes.Null) {
			return true
		}
	}
	message := o.Message()
	if o.Code() != "VALIDATION_UNKNOWN_PARAM" { // what is not supported there is to be left out
		message = denied.ReplaceAllString(message, "")
	}
	return guidance.MatchString(message) || offers(f, o) ||
		slices.ContainsFunc(f.AQL, func(tool string) bool { return strings.Contains(o.Message(), tool) })
}

// offers reports whether message or details name what would have been right, whatever their
// language: an allowed value or the documented type of the parameter they are about, or
// another parameter of the operation. What is missing is to be given, as in the example of section 5.3.
func offers(f *model.Adapter, o probes.Observation) bool {
	op, _ := f.Operation(o.Probe.Operation())
	text := check.SeparateASCII(strings.Join(append(o.Details().Scalars(), o.Message()), "\n"))
	named := func(word string) bool {
		return word != "" && regexp.MustCompile(`(^|[^\pL\pN_])`+regexp.QuoteMeta(word)+`($|[^\pL\pN_])`).MatchString(text)
	}
	for _, p := range op.Parameters {
		sent := o.Probe.Params()[p.Name]
		for _, v := range f.EnumOf(p) {
			if text, _ := sent.(string); v.Text() != text && named(v.Text()) {
				return true
			}
		}
		kinds, _ := f.Kinds(p.Type)
		mistyped := sent != nil && !slices.Contains(kinds, string(probes.ValueOf(sent).Kind())) // whether its name is said or not
		about := sent == nil && named(p.Name)
		if (about || mistyped) && slices.ContainsFunc(append(kinds, p.Type), named) || about && (o.Code() == "VALIDATION_UNKNOWN_PARAM" || o.Code() == "VALIDATION_MISSING_PARAM") {
			return true
		}
	}
	return false
}
