package envelope

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An alias is a documented parameter under the spelling of another language:
// pageSize for page_size. It is tried on reads, with a value that shows.

// eachAliased is every parameter of a proven READ whose name has several words and
// for which a value can be made.
func eachAliased(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range f.ProvenReads() {
		for _, p := range s.Op.Parameters {
			t := model.Subject{Adapter: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p}
			if vocab.CamelCase(p.Name) != p.Name && !s.Op.HasParameter(vocab.CamelCase(p.Name)) && !strings.HasPrefix(p.Name, "_") && len(aliasValues(t)) > 0 {
				all = append(all, t)
			}
		}
	}
	return all
}

// aliasValues are values of the parameter, at most two, the proven one first.
func aliasValues(s model.Subject) []probes.Value {
	values := s.Gen.Values(s.Op, s.Par)
	if proven := model.ValueIn(s.ValidCall(), s.Par.Name); !proven.Is(probes.Absent) {
		values = append([]probes.Value{proven}, values...)
	}
	if kinds, _ := s.Kinds(s.Par.Type); slices.Contains(kinds, "boolean") {
		values = []probes.Value{probes.ValueOf(true), probes.ValueOf(false)} // one of the two is the default
	}
	return values[:min(len(values), 2)]
}

// An aliasRequests are the requests about one parameter.
type aliasRequests struct {
	plain, unknown probes.Probe      // without the parameter, unless it is required; with an unknown name
	pairs          [][2]probes.Probe // for each value the canonical name and the alias
	wrong          []probes.Probe    // both names with a value of another type
}

func aliasRequestsOf(s model.Subject) aliasRequests {
	name, plain := s.Par.Name, s.ValidCall()
	bare := plain.Without(name)
	if !s.Par.Required {
		plain = bare
	}
	both := func(step string, v any) [2]probes.Probe {
		return [2]probes.Probe{bare.With(name, v).As(step + ": canonical name"), bare.With(vocab.CamelCase(name), v).As(step + ": alias")}
	}
	r := aliasRequests{plain: plain, unknown: s.ValidCall().With(check.UnknownName(s), 1).As("camel-case alias: unknown name")}
	for i, v := range aliasValues(s) {
		r.pairs = append(r.pairs, both(probes.Nth("camel-case alias: value", i), v.Go()))
	}
	if wrong := check.WrongTypeValues(s); len(wrong) > 0 {
		pair := both("camel-case alias: wrong type", wrong[0])
		r.wrong = pair[:]
	}
	return r
}

// Operations document, section 4.1.
var camelCaseAliasesAreTolerated = check.Check{
	Requirement: "OPS-4.1-02",
	Rule:        "CamelCase spellings of documented parameters may be accepted as aliases.",
	Why:         "A second spelling may be accepted; whether it is, is a fact about the adapter and no fault.",
	On:          eachAliased,
	Ask: func(s model.Subject) []probes.Probe {
		r := aliasRequestsOf(s)
		return []probes.Probe{r.plain, r.unknown, r.pairs[0][1]}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		aliased := got.Step("camel-case alias: value 1: alias")
		if aliased.Succeeded() && !got.Step("camel-case alias: unknown name").Succeeded() {
			return ruling.Conforms().Noting("the alias " + vocab.CamelCase(s.Par.Name) + " is accepted").By(aliased)
		}
		return ruling.Conforms().Noting("no alias " + vocab.CamelCase(s.Par.Name)).By(aliased)
	},
}

// compared are the requests whose answers sameEffect compares. They are sent again, close together.
func compared(step string, plain, named, aliased probes.Probe) []probes.Probe {
	return []probes.Probe{
		plain.Anew(step + ": plain"), named.Anew(step + ": canonical name"), aliased.Anew(step + ": alias"),
		named.Anew(step + ": canonical name again"), aliased.Anew(step + ": alias again"), plain.Anew(step + ": plain again"),
	}
}

// sameEffect compares the answers to the plain request, to the canonical name and to the alias. Only
// answers that rest can be compared, and only a value that shows tells whether the alias was heeded.
func sameEffect(s model.Subject, got probes.Answers, step string) ruling.Ruling {
	plain, named, aliased := got.Step(step+": plain"), got.Step(step+": canonical name"), got.Step(step+": alias")
	plainAgain, namedAgain := got.Step(step+": plain again"), got.Step(step+": canonical name again")
	switch {
	case !plain.Succeeded() || !named.Succeeded() || !aliased.Succeeded():
		return ruling.NotProven("answers to compare", aliased).By(named)
	case check.StableData(named) != check.StableData(namedAgain) || check.StableData(plain) != check.StableData(plainAgain),
		check.StableData(aliased) != check.StableData(got.Step(step+": alias again")):
		return ruling.Moved("answers that rest", "others each time").By(namedAgain, named)
	case check.StableData(aliased) != check.StableData(named):
		return ruling.Violates("the answer that "+check.Quoted(s.Par.Name)+" gets", "another for "+check.Quoted(vocab.CamelCase(s.Par.Name))).By(aliased, named)
	case check.StableData(named) == check.StableData(plain):
		return ruling.NotProven("a value of "+s.Par.Name+" that shows", named).By(aliased)
	}
	return ruling.Conforms().By(aliased, named)
}

// Operations document, section 4.1.
var acceptedAliasActsLikeCanonicalName = check.Check{
	Requirement: "OPS-4.1-03",
	Handles:     check.Movement,
	Rule:        "An accepted camelCase alias acts exactly like the canonical name.",
	Why:         "An alias that is accepted and ignored is a silently dropped parameter.",
	On:          eachAliased,
	Drive: func(s model.Subject, ask model.AskFunc) {
		r := aliasRequestsOf(s)
		ask(r.plain)
		unknown, aliased := ask(r.unknown), ask(r.pairs[0][1])
		if unknown.Succeeded() || !aliased.Succeeded() {
			return // no alias is accepted, or nobody can tell
		}
		ps := r.wrong
		for i, pair := range r.pairs {
			ps = append(ps, pair[:]...)
			ps = append(ps, compared(probes.Nth("camel-case alias: comparison", i), r.plain, pair[0], pair[1])...)
		}
		for _, p := range ps {
			ask(p)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		alias, unknown := vocab.CamelCase(s.Par.Name), got.Step("camel-case alias: unknown name")
		switch {
		case unknown.Succeeded():
			return ruling.NotProven("a refusal of an unknown name", unknown).Because("AQL-4.6-01")
		case !got.Step("camel-case alias: value 1: alias").Succeeded():
			return ruling.NotApplicable("does not hold: a camelCase alias is accepted")
		}
		named, aliased := got.Step("camel-case alias: wrong type: canonical name"), got.Step("camel-case alias: wrong type: alias")
		if named.Refused() && aliased.Succeeded() {
			return ruling.Violates("a refusal of "+alias+" with another type than "+s.Par.Type, aliased).By(named)
		}
		var rs []ruling.Ruling
		for i := range aliasValues(s) {
			rs = append(rs, sameEffect(s, got, probes.Nth("camel-case alias: comparison", i)))
		}
		// One value that shows is enough: another may be the default.
		if i := slices.IndexFunc(rs, func(r ruling.Ruling) bool { return r.Verdict == ruling.Conforms().Verdict }); i >= 0 && ruling.Worst(rs...).Verdict == ruling.NotProven("", "").Verdict {
			return rs[i]
		}
		return ruling.Worst(rs...)
	},
	Fix: "map an alias to its parameter before validation, or refuse it",
}
