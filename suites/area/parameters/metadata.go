package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.6.1.
var misplacedTopLevelFieldsAreNot = check.Check{
	Requirement: "AQL-4.6.1-02",
	Rule:        "Without top-level resolution the treatment of unknown top-level fields is open, but dropping them without a signal loses misplaced parameters.",
	Why:         "If the adapter does not read the top level, a parameter there is lost without a warning.",
	// Adapters often check names in one place for all operations, and some in each of them.
	On: func(f *model.Adapter) []model.Subject {
		return slices.Concat(model.IntrospectSubject(f), f.ProvenReads())
	},
	Drive: func(s model.Subject, ask model.AskFunc) {
		if check.ResolvesTopLevel(s, ask) {
			return
		}
		plain := s.Listing()
		if s.Name != "introspect" {
			plain = s.FreshCall("top-level field: none")
		}
		ask(plain.As("top-level field: none"))
		ask(plain.Top(check.UnknownName(s), 1).As("top-level field: unknown"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		plain, o := got.Step("top-level field: none"), got.Step("top-level field: unknown")
		switch {
		case check.ResolvedTopLevel(got):
			return ruling.NotApplicable("does not hold: the adapter does not resolve top-level parameters")
		case !plain.Succeeded():
			return ruling.NotProven("a request that succeeds without the unknown field", plain)
		case o.Succeeded() && !signalled(plain, o, check.UnknownName(s)):
			return ruling.Violates("a refusal or a warning for a field next to operation", o).By(plain)
		case !o.Succeeded() && !o.RefusedBelow() && !concernsField(o, check.UnknownName(s)):
			return ruling.NotProven("an answer that concerns the field next to operation", o).By(plain)
		}
		return ruling.Conforms().By(o)
	},
	Fix: "refuse or warn about members of the arguments that nobody reads",
}

// concernsField reports whether a refusal can come from a check of names: it is one of validation, or it names one of the fields.
// Any other may come from the state of the adapter, which can differ from request to request.
func concernsField(o probes.Observation, fields ...string) bool {
	return strings.HasPrefix(o.Code(), "VALIDATION_") || slices.ContainsFunc(fields, func(name string) bool {
		return slices.ContainsFunc(append(o.Details().Scalars(), o.Message()), check.WholeWord(name).MatchString)
	})
}

// signalled reports whether an answer warns of the field: with its name, or with a code that the answer
// without the field does not have. The text of a warning on something else may change from answer to answer.
func signalled(plain, o probes.Observation, name string) bool {
	usual := plain.Envelope().At("warnings").Items()
	return slices.ContainsFunc(o.Envelope().At("warnings").Items(), func(w probes.Value) bool {
		code := w.At("code").Text()
		return strings.Contains(string(w.Raw()), name) || !slices.ContainsFunc(usual, func(u probes.Value) bool { return u.At("code").Text() == code })
	})
}

// Section 4.6.1.
var underscoreMetadataFieldsAreTolerated = check.Check{
	Requirement: "AQL-4.6.1-04",
	Rule:        "Top-level metadata fields starting with an underscore are exempt from the unknown-parameter check.",
	Why:         "Metadata travels beside the request; refusing it breaks clients that trace their calls.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		plain := s.Listing().Anew("underscore fields: none")
		withMeta := func(meta map[string]any) probes.Probe {
			return plain.WithRaw(probes.ValueOf(map[string]any{"name": plain.Tool, "arguments": plain.Args(), "_meta": meta}).Raw())
		}
		return []probes.Probe{
			plain,
			plain.Top("_meta", map[string]any{"trace": "x"}).As("underscore fields: _meta"),
			plain.Top("_request_id", "r1").As("underscore fields: _request_id"),
			plain.Top("_aqlx_trace", "t").As("underscore fields: unknown to all"),
			withMeta(map[string]any{"aqlx": "1"}).As("underscore fields: _meta of MCP"),
			withMeta(map[string]any{"progressToken": 0}).As("underscore fields: a progress token of MCP"),
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if !got[0].Succeeded() {
			return ruling.NotProven("the plain request to succeed", got[0])
		}
		const want = "the answer of the request without the metadata field"
		var rs []ruling.Ruling
		for _, o := range got.Rest() {
			switch {
			case o.Succeeded() && slices.Equal(o.Data().Names(), got[0].Data().Names()):
				rs = append(rs, withoutComplaint(o))
			case !o.Succeeded() && !o.RefusedBelow() && !concernsField(o, "_meta", "_request_id", "_aqlx_trace", "progressToken", "progress_token"):
				rs = append(rs, ruling.NotProven(want, o).By(got[0]))
			case o.RefusedBelow(), o.Probe.Step == "underscore fields: unknown to all":
				rs = append(rs, ruling.Departs(want, o).By(got[0]))
			default:
				rs = append(rs, ruling.Violates(want, o).By(got[0]))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "exempt top-level names that begin with an underscore from the unknown-parameter check",
}

// withoutComplaint rules on the success of a request with a metadata field. A warning that calls the field
// unknown comes from the check that it is exempt from; one that says something else of the field does not.
func withoutComplaint(o probes.Observation) ruling.Ruling {
	for _, w := range o.Envelope().At("warnings").Items() {
		text := string(w.Raw())
		for name := range o.Probe.Args() {
			if strings.HasPrefix(name, "_") && check.WholeWord(name).MatchString(text) && saysUnknown(strings.ToLower(text)) {
				return ruling.Departs("no warning that calls "+name+" unknown", w).By(o)
			}
		}
	}
	return ruling.Conforms().By(o)
}

// Section 4.6.1.
var underscoreMetadataFieldsAreToleratedByReads = check.Check{
	Requirement: "AQL-4.6.1-04",
	On:          (*model.Adapter).ProvenReads,
	Drive: func(s model.Subject, ask model.AskFunc) {
		plain := s.FreshCall("metadata of a read: none")
		for _, field := range metadata(s) {
			if !ask(plain.Top(field.name, field.value).As("metadata of a read: " + field.name)).Succeeded() {
				ask(plain.Anew("metadata of a read: none, after " + field.name)) // a read may fail for another reason than the field
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, field := range metadata(s) {
			const want = "the success of the request without the metadata field"
			o, plain := got.Step("metadata of a read: "+field.name), got.Step("metadata of a read: none, after "+field.name)
			switch {
			case o.Succeeded():
				rs = append(rs, withoutComplaint(o))
			case !plain.Succeeded() || o.Deferred():
				rs = append(rs, ruling.NotProven(want, plain).By(o))
			case o.RefusedBelow():
				rs = append(rs, ruling.Departs(want, o).By(plain))
			case !concernsField(o, field.name):
				rs = append(rs, ruling.NotProven(want, o).By(plain))
			default:
				rs = append(rs, ruling.Violates(want, o).By(plain))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "exempt top-level names that begin with an underscore from the unknown-parameter check, in each operation",
}.WithReason("Adapters often check names in one place for all operations, and some in each of them.")

// A metadataField is a member beside operation that the specification names as exempt.
type metadataField struct {
	name  string
	value any
}

// metadata are the fields that the specification names. An adapter may remember the identifiers of requests, so each READ has one of its own.
func metadata(s model.Subject) []metadataField {
	return []metadataField{{"_meta", map[string]any{"trace": "x"}}, {"_request_id", s.Nonce + "-" + s.Name}}
}
