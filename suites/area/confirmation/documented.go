package confirmation

import (
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// What an adapter may document of its tokens beyond the default: that they outlive their session, or that one of them
// approves more than its call.
var (
	outlivesSession = regexp.MustCompile(`(?i)\b(cross-|(across|between|beyond|outlives?|survives?) +((the|its|their|all|several) +)?)sessions?\b`)
	approvesSession = regexp.MustCompile(`(?i)\bsession-wide\b|\b(every|all|any) +([a-z]+ +){0,3}operations? +([a-z]+ +){0,3}session\b`)
	denies          = regexp.MustCompile(`(?i)\b(not?|never|cannot|nor|without)\b`)
	sentence        = regexp.MustCompile(`[^.;\n]+`)
)

// documents reports whether a sentence of an operation, or of a parameter that takes a token, says so.
func documents(o probes.Operation, what *regexp.Regexp) bool {
	texts := check.Description(model.Subject{Op: o})
	for _, p := range o.Parameters {
		if probes.TakesToken(p.Name) {
			texts += "\nToken: " + p.Raw.At("description").Text()
		}
	}
	return slices.ContainsFunc(sentence.FindAllString(texts, -1), func(said string) bool {
		return what.MatchString(said) && !denies.MatchString(said)
	})
}
