package leaks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// eachSecretive is every operation with a sensitive parameter that may be sent a
// request to refuse: a READ, or a change whose request is known to be valid.
func eachSecretive(f *model.Adapter) []model.Subject {
	return model.Only(model.EachDomain, func(s model.Subject) bool {
		ok, _ := s.Callable(s.Op)
		return ok && (s.Op.Category == "READ" || s.KnownGoodRequest().Usable()) && slices.ContainsFunc(s.Op.Parameters, check.IsSensitive)
	})(f)
}

// canary is the secret we tell.
func canary(f *model.Adapter) string { return "aqlx-secret-" + f.Nonce }

// Operations document, section 8.4.
var secretsAreNotEchoed = check.Check{
	Requirement: "OPS-8.4-03",
	Rule:        "Messages do not expose secrets or internal paths.",
	Why:         "A secret that is kept after its request can appear in the answer to another client.",
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for i, t := range eachSecretive(s.Adapter) {
			bad := t.FreshCall(probes.Nth("told secret: refused request", i))
			if t.Op.Category == "READ" {
				bad = filled(t.Adapter, t.Op)
			}
			bad = bad.With(check.UnknownName(t), 1)
			if ask(bad).Code() != "VALIDATION_UNKNOWN_PARAM" {
				continue // what may be executed is told no secret
			}
			for _, p := range t.Op.Parameters {
				if check.IsSensitive(p) {
					ask(bad.With(p.Name, canary(s.Adapter)))
				}
			}
			later := probes.Nth("told secret: afterwards", i)
			ask(bad.Anew(later + ": refused request"))
			ask(check.UnknownOperation(s.Adapter, s.Introspect).Anew(later + ": unknown operation"))
			ask(s.Query(map[string]any{"query": "aqlx_" + s.Nonce}).Anew(later + ": unknown query"))
		}
	},
	Ambient: &check.Ambient{
		Watch:       secretRuling,
		Unsolicited: secretsUntold,
	},
	Fix: "never put the value of a sensitive parameter, of the environment or of a credential into a text",
}

// secretRuling rules on one answer: only those to the request that told the
// secret, and to the ones after it, show that it is kept.
func secretRuling(f *model.Adapter, o probes.Observation) ruling.Ruling {
	const want = "error text without a secret"
	canary := canary(f)
	told := func() bool { return o.Probe.Args() != nil && strings.Contains(string(o.Probe.Arguments()), canary) }
	leaked := ""
	eachErrorText(o, func(p passage) {
		found := strings.Contains(p.text, canary)
		switch {
		case leaked != "":
		case found && !told():
			leaked = "the secret of an earlier request in " + p.place
		case found:
			leaked = "the caller's own secret in " + p.place
		default:
			for _, l := range leaks(f, o, p, vocab.SecretLeak) {
				leaked = cmp.Or(leaked, string(l.Signature.Kind)+" ("+l.Signature.Name+") in "+p.place)
			}
		}
	})
	switch {
	case leaked != "":
		return ruling.Violates(want, leaked).By(o)
	case o.Refused() && told():
		return ruling.Conforms()
	}
	return ruling.NotApplicable("")
}

// secretsUntold rules when there are secrets but no operation that could be told one.
func secretsUntold(f *model.Adapter, _ []probes.Frame) ruling.Ruling {
	secretive := slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return slices.ContainsFunc(o.Parameters, check.IsSensitive) })
	if secretive && len(eachSecretive(f)) == 0 {
		return ruling.NotProven("a request with a sensitive parameter that may be sent", "none")
	}
	return ruling.NotApplicable("")
}
