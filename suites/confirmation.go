package suites

import (
	"regexp"

	"github.com/aql-conform/aql-conform/probes"
)

// tokenParameter matches documented parameters that take the token of a
// confirmation.
var tokenParameter = regexp.MustCompile(`(?i)^_?confirm(ation)?(_?token)?$`)

// tokenNames are the names under which the token of a confirmation may be sent
// back: the documented one, else those that the texts name. Operations document,
// section 7.5.3.
func tokenNames(o probes.Operation) []string {
	for _, p := range o.Parameters {
		if p.Type == "string" && tokenParameter.MatchString(p.Name) {
			return []string{p.Name}
		}
	}
	return []string{"_confirmation", "confirmation_token"}
}

// tokenOf returns the token that a refusal offers for a confirmation; absent when
// it offers none.
func tokenOf(o probes.Observation) probes.Value {
	if o.Code() != "CONFIRMATION_REQUIRED" {
		return probes.Value{}
	}
	for _, v := range []probes.Value{o.Details().At("confirmation_token"), o.Envelope().At("confirmation", "token")} {
		if v.Is(probes.String) {
			return v
		}
	}
	return probes.Value{}
}
