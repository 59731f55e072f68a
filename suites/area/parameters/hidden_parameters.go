package parameters

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// popularNames are parameters that adapters understand without saying so, with a
// value that would have an effect.
var popularNames = map[string]any{
	"fields": []any{"id"}, "limit": 1, "offset": 1, "page": 2, "page_size": 1, "first": 1, "count": 1, "per_page": 1, "skip": 1, "after": "aqlx", "sort": map[string]any{"field": "id", "order": "desc"},
	"order": "desc", "filter": map[string]any{"id": "aqlx"}, "query": "aqlx", "include": []any{"all"}, "dry_run": true,
}

// absurd is a value of a type that no popular parameter has.
var absurd = map[string]any{"aqlx": []any{1}}

// Section 4.6.
var undocumentedPopularParametersAreRefused = check.Check{
	Requirement: "AQL-4.6-09",
	Rule:        "Hidden parameters do not exist: every parameter an operation understands is documented.",
	Why:         "A hidden parameter is known by three signs: it passes where a random name is refused, it is refused as mistyped where the random name is refused as unknown, or it changes the answer.",
	On: model.Only(model.EachProven, func(s model.Subject) bool {
		return s.Op.Category == "READ" && s.Op.Name != "introspect"
	}),
	Drive: func(s model.Subject, ask model.AskFunc) {
		control, random := ask(s.ValidCall()), ask(s.ValidCall().With(check.UnknownName(s), 1).As("hidden parameters: random name"))
		if random.Succeeded() {
			ask(s.ValidCall().Anew("hidden parameters: valid request again"))
		}
		try := func(name, kind string, value any) {
			step := "hidden parameters: " + kind + " value of " + name
			if o := ask(s.ValidCall().With(name, value).As(step)); !sameOutcome(o, random) || check.StableData(o) != check.StableData(random) {
				ask(s.ValidCall().With(check.UnknownName(s), value).As(step + " under a random name"))
			}
		}
		names := append(hiddenCandidates(s), offered(s, random)...)
		if control.Succeeded() && refusedAsUnknown(random, check.UnknownName(s)) && len(names) > 1 {
			names = suspects(names, ask(screen(s, names, popularValue).As(allUsual)), ask(screen(s, names, func(string) any { return absurd }).As(allAbsurd)))
		}
		for _, name := range names {
			try(name, "usual", popularValue(name))
			try(name, "absurd", absurd)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		control := got[0]
		again, random := got.Step("hidden parameters: valid request again"), got.Step("hidden parameters: random name")
		if !control.Succeeded() {
			return ruling.NotProven("the plain request to succeed", control)
		}
		var rs []ruling.Ruling
		names := append(hiddenCandidates(s), offered(s, random)...)
		if screened, asked := got.Find(allUsual); asked {
			suspected := suspects(names, screened, got.Step(allAbsurd))
			if len(suspected) < len(names) {
				rs = append(rs, ruling.Conforms().By(screened, got.Step(allAbsurd)))
			}
			names = suspected
		}
		for _, name := range names {
			usual, ofUsual := triedWith(got, "hidden parameters: usual value of "+name, random)
			absurd, ofAbsurd := triedWith(got, "hidden parameters: absurd value of "+name, random)
			if r := mistypedAlone(name, absurd, ofAbsurd); r.Verdict == reports.Fail {
				rs = append(rs, r)
				continue
			}
			rs = append(rs, hidden(name, control, again, ofUsual, usual))
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("the operation documents every popular name")
		}
		return ruling.Worst(rs...)
	},
	Fix: "document every parameter that the operation understands, or refuse it",
}

// Two requests with all candidates come first. A candidate whose own name is in both lists of unknown
// names is none that the operation understands. Each of the others is tried alone, because the refusal
// of one name says nothing about another.
const (
	allUsual  = "hidden parameters: usual values of all names"
	allAbsurd = "hidden parameters: absurd values of all names"
)

// screen is the valid request with all candidates.
func screen(s model.Subject, names []string, value func(name string) any) probes.Probe {
	p := s.ValidCall()
	for _, name := range names {
		p = p.With(name, value(name))
	}
	return p
}

// suspects are the candidates that one of the answers does not call unknown.
func suspects(names []string, screened ...probes.Observation) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !slices.ContainsFunc(screened, func(o probes.Observation) bool { return !refusedAsUnknown(o, name) })
	})
}

// refusedAsUnknown reports whether a refusal has the name in its list of unknown names.
func refusedAsUnknown(o probes.Observation, name string) bool {
	return o.Refused() && o.Code() == "VALIDATION_UNKNOWN_PARAM" && slices.ContainsFunc(o.Details().At("unknown_params").Items(), func(v probes.Value) bool { return v.Text() == name })
}

// maxOffered bounds how many names that a refusal offers are tried.
const maxOffered = 8

// ofProtocol reports whether a name belongs to the protocol, so that any operation may understand it.
func ofProtocol(name string) bool {
	return strings.HasPrefix(name, "_") || name == "confirmation_token"
}

// offered are the names that a refusal calls valid and introspection does not know.
func offered(s model.Subject, refusal probes.Observation) (names []string) {
	known := append(hiddenCandidates(s), check.DocumentedNames(s)...)
	for _, v := range refusal.Details().At("valid_params").Items() {
		if name := v.Text(); name != "" && !slices.Contains(known, name) && !slices.Contains(names, name) && !ofProtocol(name) && len(names) < maxOffered {
			names = append(names, name)
		}
	}
	return names
}

// hiddenCandidates are the popular names and the names of sibling operations'
// parameters that this operation does not document.
func hiddenCandidates(s model.Subject) []string {
	byNoun := s.Remember("names of parameters of READ operations by noun", func() any { return readNames(s.Adapter) }).(map[string][]string)
	names := slices.AppendSeq(slices.Clone(byNoun[s.Noun(s.Name)]), maps.Keys(popularNames))
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(n string) bool {
		return s.Op.HasParameter(n) || s.Op.HasParameter(vocab.CamelCase(n)) || ofProtocol(n)
	})
}

// readNames are the names of the parameters of the READ operations on each kind of object.
func readNames(f *model.Adapter) map[string][]string {
	names := map[string][]string{}
	for _, o := range f.Operations {
		if o.Category != "READ" {
			continue
		}
		noun := f.Noun(o.Name)
		for _, p := range o.Parameters {
			names[noun] = append(names[noun], p.Name)
		}
	}
	return names
}

func popularValue(name string) any {
	if v, ok := popularNames[name]; ok {
		return v
	}
	return "aqlx"
}

// unknownTo reports whether the refusal says that the name is unknown.
func unknownTo(o probes.Observation, name string) bool {
	if o.Code() == "VALIDATION_UNKNOWN_PARAM" {
		return true
	}
	return strings.HasPrefix(o.Code(), "VALIDATION_") && o.Mentions(name) && saysUnknown(strings.ToLower(o.Message()))
}

// saysUnknown reports whether a text in lower case calls a name unknown.
func saysUnknown(text string) bool {
	known := []string{"unknown", "unexpected", "unrecognised", "unrecognized", "not allowed", "additional propert"}
	return slices.ContainsFunc(known, func(w string) bool { return strings.Contains(text, w) })
}

// sameOutcome reports whether two requests had the same outcome.
func sameOutcome(o, p probes.Observation) bool {
	return o.Succeeded() == p.Succeeded() && o.Code() == p.Code()
}

// triedWith returns the request of a step and the one with the same value under a random
// name, which was sent where the outcome differs from that of the first random name.
func triedWith(got probes.Answers, step string, random probes.Observation) (tried, control probes.Observation) {
	if o, asked := got.Find(step + " under a random name"); asked {
		random = o
	}
	return got.Step(step), random
}

// mistypedAlone rules on a candidate by the refusal of a value of a wrong type.
func mistypedAlone(name string, mistyped, random probes.Observation) ruling.Ruling {
	if mistyped.Refused() && mistyped.Code() != "INTERNAL_ERROR" && !mistyped.Deferred() && !unknownTo(mistyped, name) && !sameOutcome(mistyped, random) {
		return ruling.Violates("the refusal that a random name gets", "the parameter "+name+" type-checked: "+mistyped.Brief()).By(mistyped, random)
	}
	return ruling.Conforms().By(mistyped)
}

// hidden rules on one candidate by a usual value; random has the same value.
func hidden(name string, control, again, random, effective probes.Observation) ruling.Ruling {
	for _, o := range []probes.Observation{random, effective} {
		if o.Deferred() || o.Code() == "INTERNAL_ERROR" {
			return ruling.NotProven("an answer about the parameter "+name, o)
		}
	}
	const want = "the refusal that a random name gets"
	refusedRandom := !random.Succeeded()
	switch {
	case refusedRandom && !effective.Refused() && !effective.RefusedBelow():
		return ruling.Violates(want, "the parameter "+name+" accepted").By(effective, random)
	case refusedRandom && effective.Refused() && !unknownTo(effective, name) && !sameOutcome(effective, random):
		return ruling.Violates(want, "the parameter "+name+" recognised: "+effective.Brief()).By(effective, random)
	case refusedRandom:
		return ruling.Conforms().By(effective)
	case effective.Succeeded() && check.StableData(control) == check.StableData(again) && check.StableData(effective) != check.StableData(control) && check.StableData(effective) != check.StableData(random):
		return ruling.Violates("no effect of an undocumented parameter", "the parameter "+name+" honoured").By(effective, control)
	}
	return ruling.NotProven("a refusal of random names", random).Because("AQL-4.6-01")
}

const unknownBesideSize = "undocumented parameter: beside a size of pages"

// besidePageSize is a listing of the smallest page with a parameter that the operation does not document.
func besidePageSize(s model.Subject) []probes.Probe {
	if s.Op.Category != "READ" {
		return nil
	}
	_, sizes := check.OffsetParameters(s)
	for _, name := range append(sizes, check.CursorParameters(s)...) {
		if n, ok := check.SmallestPage(s, name); ok && check.IsNumeric(s, name) {
			return []probes.Probe{asUnknown(s, unknownBesideSize, 1).With(name, n).As(unknownBesideSize)}
		}
	}
	return nil
}
