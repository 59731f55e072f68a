package parameters

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const unknownIn = "undocumented parameter of introspect: "

// Operations document, section 9.2.
var introspectRefusesUnknownParameters = check.Check{
	Requirement: "OPS-9.2-06",
	Rule:        "introspect refuses undocumented parameters like any other operation.",
	Why:         "introspect is an operation like any other, and often served outside the path that validates the others.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		unknown := func(p probes.Probe, step string) probes.Probe {
			return p.With("aqlx_"+s.Nonce, "1").As(unknownIn + step)
		}
		types, one := s.TypesListing(), s.Lookup("operations", "introspect")
		return []probes.Probe{s.Listing(), withUndocumented(s), types.As("types"), unknown(types, "types"), one.As("lookup"), unknown(one, "lookup")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		o := got.Step("undocumented parameter: refused")
		if o.Succeeded() {
			return ruling.Violates("error VALIDATION_UNKNOWN_PARAM", o).By(got[0])
		}
		for _, form := range []string{"types", "lookup"} {
			if other := got.Step(unknownIn + form); other.Succeeded() && got.Step(form).Succeeded() {
				return ruling.Violates("error VALIDATION_UNKNOWN_PARAM, as for the list of operations", other).By(other, got.Step(form), o)
			}
		}
		return ruling.Conforms().By(o)
	},
	Fix: "validate the parameters of introspect like those of every other operation",
}
