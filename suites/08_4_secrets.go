package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// tellsSecret matches parameters that carry secrets whether or not they are
// marked; tokens that only lead to the next page or confirm are none.
var (
	tellsSecret = regexp.MustCompile(`(?i)(?:^|_)(?:password|passwd|passphrase|secret|api_?key|access_key|secret_key|private_key|credentials?|(?:access|auth|bearer|refresh|api|session|bot|oauth)_token|otp|pin_code)$|^token$`)
	tellsPage   = regexp.MustCompile(`(?i)^(?:page|next|continuation|sync|confirmation|cursor)_token$`)
)

// sensitive reports whether a parameter is secret by its flag or by its name.
// Introspection document, section 3.4.
func sensitive(p probes.Parameter) bool {
	if p.Raw.At("sensitive").True() {
		return true
	}
	return !p.Raw.Has("sensitive") && tellsSecret.MatchString(p.Name) && !tellsPage.MatchString(p.Name)
}

// eachSecretive is every operation with a sensitive parameter that may be sent a
// request to refuse: a READ, or a change whose request is known to be valid.
func eachSecretive(f *Face) []Subject {
	return only(eachDomain, func(s Subject) bool {
		ok, _ := s.Callable(s.Op)
		return ok && (s.Op.Category == "READ" || s.Baseline().Usable()) && slices.ContainsFunc(s.Op.Parameters, sensitive)
	})(f)
}

// canary is the secret we tell.
func (f *Face) canary() string { return "aqlx-secret-" + f.Nonce }

// Operations document, section 8.4. A secret that stays behind in one request and
// comes out in the next reaches somebody it was not meant for.
var _ = register(Check{
	Requirement: "OPS-8.4-03",
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		for i, t := range eachSecretive(s.Face) {
			bad := t.anew(96 + i)
			if t.Op.Category == "READ" {
				bad = t.filled(t.Op)
			}
			bad = bad.With(unknownName(t), 1)
			if ask(bad).Code() != "VALIDATION_UNKNOWN_PARAM" {
				continue // what may be executed is told no secret
			}
			for _, p := range t.Op.Parameters {
				if sensitive(p) {
					ask(bad.With(p.Name, s.canary()))
				}
			}
			later := 960 + i
			ask(bad.Anew(later))
			ask(unknownOperation(s.Face, s.Introspect).Anew(later))
			ask(s.Query(map[string]any{"query": "aqlx_" + s.Nonce}).Anew(later))
		}
	},
	Watch:  secretRuling,
	Strays: secretsUntold,
	Fix:    "never put the value of a sensitive parameter, of the environment or of a credential into a text",
})

// secretRuling rules on one answer: only those to the request that told the
// secret, and to the ones after it, show that it is kept.
func secretRuling(f *Face, o probes.Observation) Ruling {
	const want = "error text without a secret"
	canary := f.canary()
	told := o.Probe.Args() != nil && strings.Contains(string(o.Probe.Arguments()), canary)
	for _, p := range errorTexts(o) {
		switch found := strings.Contains(p.text, canary); {
		case found && !told:
			return Violates(want, "the secret of an earlier request in "+p.place).By(o)
		case found:
			return Violates(want, "the caller's own secret in "+p.place).By(o)
		}
		for _, l := range f.leaks(o, p, secretLeak) {
			return Violates(want, string(l.signature.kind)+" ("+l.signature.name+") in "+p.place).By(o)
		}
	}
	if told && o.Refused() {
		return Conforms()
	}
	return NotApplicable("")
}

// secretsUntold rules when there are secrets but no operation that could be told one.
func secretsUntold(f *Face, _ []probes.Frame) Ruling {
	secretive := slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return slices.ContainsFunc(o.Parameters, sensitive) })
	if secretive && len(eachSecretive(f)) == 0 {
		return NotProven("a request with a sensitive parameter that may be sent", "none")
	}
	return NotApplicable("")
}
