package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// unknownName is a parameter name that no operation can document: it is random
// and has no leading underscore, which would exempt it (section 4.6.1).
func unknownName(s Subject) string { return "aqlx_unknown_" + s.Nonce }

// Section 4.6. Dropping an unknown parameter hides a typo or a hallucinated name
// from the model, so silence violates the rule as much as obedience does.
var _ = register(Check{
	Requirement: "AQL-4.6-01",
	On:          eachUsable,
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range []any{1, "x", map[string]any{}, []any{}, nil} {
			ps = append(ps, s.anew(i+1).With(unknownName(s), v))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, o := range got[1:5] {
			r := unknownRefused(s, o)
			if o.Code() == "INTERNAL_ERROR" && got[1].Code() != o.Code() {
				// a check that every value meets has one answer; its code is AQL-4.6-02's concern
				r = Violates("the refusal that another value gets: "+got[1].Brief(), o).By(got[1])
			}
			rs = append(rs, r)
		}
		if got[5].Succeeded() {
			rs = append(rs, Departs("a refusal of an unknown parameter that is null", got[5]))
		}
		return Worst(rs...).By(got[0])
	},
	Fix: "refuse parameters that the operation does not document; list them in details.unknown_params",
})

// unknownRefused rules on one request that differs from a valid one by an unknown
// parameter alone.
func unknownRefused(s Subject, o probes.Observation) Ruling {
	switch {
	case o.Succeeded() && warned(o):
		return Violates("error VALIDATION_UNKNOWN_PARAM", o).Noting("strict-mode-off: a warning is not a refusal")
	case o.Succeeded():
		return Violates("error VALIDATION_UNKNOWN_PARAM", o)
	case masksUnknown(s, o), !o.Refused() && !o.RefusedBelow():
		return NotProven("a refusal of the unknown parameter", o)
	case o.Code() == "INTERNAL_ERROR":
		return NotProven("a refusal of the unknown parameter", o).Because("AQL-4.6-02")
	}
	return Conforms()
}

// masksUnknown reports whether the refusal may have another reason than the
// unknown parameter: the absent resource, or a layer in front of the operation.
func masksUnknown(s Subject, o probes.Observation) bool {
	if o.Deferred() || strings.HasPrefix(o.Code(), "CONFLICT_") {
		return true
	}
	return s.Baseline().State == Missing && o.Code() == s.Baseline().Reply.Code()
}

func warned(o probes.Observation) bool { return len(o.Envelope().At("warnings").Items()) > 0 }

// Operations document, section 9.2. introspect is an operation like any other,
// and often served outside the path that validates the others.
var _ = register(Check{
	Requirement: "OPS-9.2-06",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.Listing(), s.Listing().With("aqlx_"+s.Nonce, "1")}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if got[1].Succeeded() {
			return Violates("error VALIDATION_UNKNOWN_PARAM", got[1]).By(got[0])
		}
		return Conforms().By(got[1])
	},
	Fix: "validate the parameters of introspect like those of every other operation",
})

// Section 4.6. The code tells a program that the name is wrong, not the value.
var _ = register(Check{
	Requirement: "AQL-4.6-02",
	On:          func(f *Face) []Subject { return append(introspecting(f), eachUsable(f)...) },
	Ask: func(s Subject) []probes.Probe {
		if s.Name == "introspect" {
			return []probes.Probe{s.Listing(), s.Listing().With("aqlx_"+s.Nonce, "1")}
		}
		return []probes.Probe{s.ValidCall(), s.anew(1).With(unknownName(s), 1)}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		o := got[1]
		switch {
		case o.Succeeded():
			return NotProven("a refused unknown parameter", o).Because("AQL-4.6-01")
		case o.RefusedBelow():
			return Departs("error VALIDATION_UNKNOWN_PARAM", o).Noting("refused by a layer below MCP-AQL")
		case s.Name != "introspect" && masksUnknown(s, o):
			return NotProven("a refusal of the unknown parameter", o)
		case o.Code() != "VALIDATION_UNKNOWN_PARAM":
			return Violates("error VALIDATION_UNKNOWN_PARAM", o).By(got[0])
		}
		return Conforms().By(o)
	},
	Fix: "answer unknown parameters with the code VALIDATION_UNKNOWN_PARAM",
})

// refusedUnknowns asks introspect and every usable operation for a parameter that
// does not exist; the details of the refusals are what several rows read.
func refusedUnknowns(judge func(s Subject, o probes.Observation) Ruling) Check {
	return Check{
		On: func(f *Face) []Subject { return append(introspecting(f), eachUsable(f)...) },
		Ask: func(s Subject) []probes.Probe {
			if s.Name == "introspect" {
				return []probes.Probe{s.Listing().With("aqlx_"+s.Nonce, "1")}
			}
			return []probes.Probe{s.anew(1).With(unknownName(s), 1)}
		},
		Judge: func(s Subject, got []probes.Observation) Ruling {
			if got[0].Code() != "VALIDATION_UNKNOWN_PARAM" {
				return NotProven("a refusal with VALIDATION_UNKNOWN_PARAM", got[0]).Because("AQL-4.6-02")
			}
			return judge(s, got[0])
		},
	}
}

// Section 4.6. The refusal names the operation, so that a batch or a log can be read.
var _ = register(func() Check {
	c := refusedUnknowns(func(s Subject, o probes.Observation) Ruling {
		if named := o.Details().At("operation"); named.Text() != s.Name {
			return Violates("details.operation "+s.Name, named).By(o)
		}
		return Conforms()
	})
	c.Requirement, c.Fix = "AQL-4.6-03", "put the operation's name into details.operation"
	return c
}())

// Section 4.6. All unknown names at once: one round trip instead of one a name.
var _ = register(Check{
	Requirement: "AQL-4.6-04",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.Listing().With("aqlx_u1", 1).With("aqlx_u2", 2)}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		o := got[0]
		if o.Succeeded() || o.Code() != "VALIDATION_UNKNOWN_PARAM" {
			return NotProven("a refusal with VALIDATION_UNKNOWN_PARAM", o).Because("OPS-9.2-06")
		}
		names := o.Details().At("unknown_params").Scalars()
		slices.Sort(names)
		if !slices.Equal(names, []string{"aqlx_u1", "aqlx_u2"}) {
			return Violates("details.unknown_params with both unknown names and no other", o.Details().At("unknown_params")).By(o)
		}
		return Conforms()
	},
	Fix: "collect all unknown names before refusing",
})

// Section 4.6. The valid names let a model repair its call without another question.
var _ = register(func() Check {
	c := refusedUnknowns(func(s Subject, o probes.Observation) Ruling {
		offered, documented := o.Details().At("valid_params"), documentedNames(s)
		if s.Name == "introspect" && len(documented) == 0 {
			documented = []string{"name", "query"}
		}
		names := offered.Scalars()
		slices.Sort(names)
		if !offered.Is(probes.Array) || !slices.Equal(names, documented) {
			return Violates("details.valid_params ["+strings.Join(documented, ", ")+"]", offered).By(o)
		}
		return Conforms()
	})
	c.Requirement, c.Fix = "AQL-4.6-05", "derive details.valid_params from the same table as introspection"
	return c
}())

func documentedNames(s Subject) []string {
	var names []string
	for _, p := range s.Op.Parameters {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// nearMisses are typos of documented names and names every object inherits in
// some language; a membership test on a bare object lets the latter through.
var nearMisses = []string{"queryy", "query ", "names", "constructor", "toString", "hasOwnProperty", "valueOf", "length", "Query", "operation"}

// Section 4.6. Near-misses are what models really send.
var _ = register(Check{
	Requirement: "AQL-4.6-06",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing().With("aqlx_"+s.Nonce, "1")}
		for _, name := range nearMisses {
			if !s.Op.HasParameter(name) {
				ps = append(ps, s.Listing().With(name, 1))
			}
		}
		return ps
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if got[0].Succeeded() {
			return NotProven("a refusal of a random name", got[0]).Because("OPS-9.2-06")
		}
		rs := []Ruling{Conforms().By(got...)}
		for _, o := range got[1:] {
			_, alias := o.Probe.Params()["Query"]
			_, protocol := o.Probe.Params()["operation"]
			switch {
			case !o.Succeeded():
			case alias || protocol:
				rs = append(rs, Departs("a refusal of a near-miss name", o).By(got[0]))
			default:
				rs = append(rs, Violates("a refusal of a near-miss name", o).By(got[0]))
			}
		}
		return Worst(rs...)
	},
	Fix: "test membership in the set of documented names, exactly",
})

// inheritedNames are the near-misses that tell how membership is tested.
var inheritedNames = []string{"constructor", "toString", "hasOwnProperty", "valueOf"}

// Section 4.6. Each operation may test its names in its own way.
var _ = register(Check{
	Requirement: "AQL-4.6-06",
	On:          only(eachProven, func(s Subject) bool { return s.settled == nil && s.Op.Category == "READ" }),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall().With(unknownName(s), 1)}
		for _, name := range inheritedNames {
			if !s.Op.HasParameter(name) {
				ps = append(ps, s.ValidCall().With(name, 1))
			}
		}
		return ps
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if got[0].Succeeded() {
			return NotProven("a refusal of a random name", got[0]).Because("AQL-4.6-01")
		}
		for _, o := range got[1:] {
			if o.Succeeded() {
				return Violates("a refusal of an inherited name", o).By(got[0])
			}
		}
		return Conforms().By(got...)
	},
	Fix: "test membership in the set of documented names, exactly",
})

// anew returns the proven request as a question of its own: what an operation
// creates gets another name each time, so that a conflict cannot mask the answer.
func (s Subject) anew(take int) probes.Probe {
	p := s.ValidCall()
	if s.Op.Category != "CREATE" {
		return p
	}
	mark := s.Gen.Marker("")
	for name, v := range p.Params() {
		text := probes.ValueOf(v)
		par := probes.Parameter{}
		if i := slices.IndexFunc(s.Op.Parameters, func(q probes.Parameter) bool { return q.Name == name }); i >= 0 {
			par = s.Op.Parameters[i]
		}
		if fresh := s.freshKey(par, take); s.chosen(s.Op, par) && !fresh.Is(probes.Absent) {
			p = p.With(name, fresh.Go())
			continue
		}
		if text.Text() != mark {
			continue
		}
		if fresh := probes.ValueOf(fmt.Sprintf("%s-%d", mark, take)); s.Misfit(par, fresh) == "" {
			p = p.With(name, fresh.Go())
		}
	}
	return p
}
