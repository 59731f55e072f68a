package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An alias is a documented parameter under the spelling of another language:
// pageSize for page_size. It is tried on reads, with a value that shows.

// eachAliased is every parameter of a proven READ whose name has several words and
// for which a value can be made.
func eachAliased(f *Face) []Subject {
	var all []Subject
	for _, s := range eachProven(f) {
		if s.Op.Category != "READ" || s.settled != nil {
			continue
		}
		for _, p := range s.Op.Parameters {
			t := Subject{Face: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p}
			if camel(p.Name) != p.Name && !s.Op.HasParameter(camel(p.Name)) && !strings.HasPrefix(p.Name, "_") && len(t.aliasValues()) > 0 {
				all = append(all, t)
			}
		}
	}
	return all
}

// aliasValues are values of the parameter, at most two, the proven one first.
func (s Subject) aliasValues() []probes.Value {
	values := s.Gen.Values(s.Op, s.Par)
	if proven := valueIn(s.ValidCall(), s.Par.Name); !proven.Is(probes.Absent) {
		values = append([]probes.Value{proven}, values...)
	}
	if kinds, _ := s.Kinds(s.Par.Type); slices.Contains(kinds, "boolean") {
		values = []probes.Value{probes.ValueOf(true), probes.ValueOf(false)} // one of the two is the default
	}
	return values[:min(len(values), 2)]
}

// aliasProbes are the plain request, one with an unknown name, and for each value
// the request under both names, then both names with a value of another type.
func aliasProbes(s Subject) []probes.Probe {
	name, plain := s.Par.Name, s.ValidCall()
	bare := plain.Without(name)
	if !s.Par.Required {
		plain = bare
	}
	ps := []probes.Probe{plain, s.ValidCall().With(unknownName(s), 1)}
	for _, v := range s.aliasValues() {
		ps = append(ps, bare.With(name, v.Go()), bare.With(camel(name), v.Go()))
	}
	if wrong := s.mistyped(); len(wrong) > 0 {
		ps = append(ps, bare.With(name, wrong[0]), bare.With(camel(name), wrong[0]))
	}
	return ps
}

// Operations document, section 4.1. A second spelling may be accepted; whether it
// is, is a fact about the adapter and no fault.
var _ = register(Check{
	Requirement: "OPS-4.1-02",
	On:          eachAliased,
	Ask:         aliasProbes,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if got[3].Succeeded() && !got[1].Succeeded() {
			return Conforms().Noting("the alias " + camel(s.Par.Name) + " is accepted").By(got[3])
		}
		return Conforms().Noting("no alias " + camel(s.Par.Name)).By(got[3])
	},
})

// aliasTake is the take of the requests whose answers are compared.
const aliasTake = 64 * specimenStage

// sameEffect compares the answers to the plain request, the named one, the aliased
// one, the named and the plain one again: only answers that rest can be compared,
// and only a value that shows tells whether the alias was heeded.
func (s Subject) sameEffect(got []probes.Observation) Ruling {
	plain, named, aliased := got[0], got[1], got[2]
	switch {
	case !plain.Succeeded() || !named.Succeeded() || !aliased.Succeeded():
		return NotProven("answers to compare", aliased).By(named)
	case masked(named) != masked(got[3]) || masked(plain) != masked(got[4]):
		return NotProven("answers that rest", "others each time").By(got[3], named)
	case masked(aliased) != masked(named):
		return Violates("the answer that "+cited(s.Par.Name)+" gets", "another for "+cited(camel(s.Par.Name))).By(aliased, named)
	case masked(named) == masked(plain):
		return NotProven("a value of "+s.Par.Name+" that shows", named).By(aliased)
	}
	return Conforms().By(aliased, named)
}

// Operations document, section 4.1. An alias that is taken and ignored is a
// parameter dropped in silence.
var _ = register(Check{
	Requirement: "OPS-4.1-03",
	On:          eachAliased,
	Ask: func(s Subject) []probes.Probe {
		ps := aliasProbes(s)
		for i := range s.aliasValues() {
			plain, named, aliased := ps[0], ps[2+2*i], ps[3+2*i]
			for j, p := range []probes.Probe{plain, named, aliased, named, plain} {
				ps = append(ps, p.Anew(aliasTake+10*i+j))
			}
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		alias, asked := camel(s.Par.Name), len(aliasProbes(s))
		switch {
		case got[1].Succeeded():
			return NotProven("a refusal of an unknown name", got[1]).Because("AQL-4.6-01")
		case !got[3].Succeeded():
			return NotApplicable("does not hold: a camelCase alias is accepted")
		}
		if named, aliased := got[asked-2], got[asked-1]; len(s.mistyped()) > 0 && named.Refused() && aliased.Succeeded() {
			return Violates("a refusal of "+alias+" with another type than "+s.Par.Type, aliased).By(named)
		}
		var rs []Ruling
		for i := range s.aliasValues() {
			rs = append(rs, s.sameEffect(got[asked+5*i:asked+5*i+5]))
		}
		// One value that shows is enough: another may be the default.
		if i := slices.IndexFunc(rs, func(r Ruling) bool { return r.verdict == Conforms().verdict }); i >= 0 && Worst(rs...).verdict == NotProven("", "").verdict {
			return rs[i]
		}
		return Worst(rs...)
	},
	Fix: "map an alias to its parameter before validation, or refuse it",
})
