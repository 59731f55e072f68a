package probes

import "regexp"

var tokenParameter = regexp.MustCompile(`(?i)^_?confirm(ation)?(_?token)?$`)

// TakesToken reports whether a parameter of this name takes the token of a confirmation.
func TakesToken(name string) bool { return tokenParameter.MatchString(name) }

// TokenNames are the names under which the token of a confirmation may be sent back: the
// documented one, else those that the texts name. Operations document, section 7.5.3.
func (o Operation) TokenNames() []string {
	for _, p := range o.Parameters {
		if p.Type == "string" && TakesToken(p.Name) {
			return []string{p.Name}
		}
	}
	return []string{"_confirmation", "confirmation_token"}
}

// ConfirmationToken is the token that a refusal offers for a confirmation; absent when it
// offers none.
func (o Observation) ConfirmationToken() Value {
	if o.Code() != "CONFIRMATION_REQUIRED" {
		return Value{}
	}
	for _, v := range []Value{o.Details().At("confirmation_token"), o.Envelope().At("confirmation", "token")} {
		if v.Is(String) {
			return v
		}
	}
	return Value{}
}
