package suites

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// executable returns the examples that fit their record, as requests that can be
// sent: a creation carries our mark and refers to what exists, a change or a
// removal names what was proven absent.
func executable(s Subject) []probes.Probe {
	var ps []probes.Probe
	for i, e := range instances(s) {
		if !e.request.Is(probes.Object) || misfitting(s, e.request, false) != "" {
			continue
		}
		p := probes.Call(s.Conn, s.toolOf(), s.Op.Name, nil)
		for _, m := range e.request.Members() {
			if m.Name != "params" && m.Name != "operation" {
				p = p.Top(m.Name, m.Value.Go())
			}
		}
		if e.request.Has("params") {
			p = p.Top("params", map[string]any{})
		}
		for _, m := range e.request.At("params").Members() {
			p = p.With(m.Name, s.own(m, 20000+i))
		}
		ps = append(ps, p)
	}
	return ps
}

// toolOf is the tool by which the operation is called.
func (s Subject) toolOf() string {
	if s.Op.Name == "introspect" {
		return s.Introspect
	}
	return s.Op.Tool
}

// own replaces a value of an example that would touch what is not ours.
func (s Subject) own(m probes.Member, take int) any {
	if s.Op.Category == "READ" || s.Op.Category == "EXECUTE" {
		return m.Value.Go()
	}
	par, _ := s.parameter(m.Name)
	proven := s.anew(take).Params()[m.Name]
	marked := strings.HasPrefix(probes.ValueOf(proven).Text(), s.Gen.Marker(""))
	if proven != nil && (probes.IsReference(s.Op, par) || marked && s.Op.Category == "CREATE") {
		return proven
	}
	return m.Value.Go()
}

// Introspection document, section 8.2. The example is what a model sends first.
var _ = register(Check{
	Requirement: "INT-8.2-10",
	On: func(f *Face) []Subject {
		all := eachExemplified(f)
		for i, s := range all {
			switch ok, why := f.Callable(s.Op); {
			case s.Op.Name == "introspect":
			case !ok && s.Op.Category != "UPDATE" && s.Op.Category != "DELETE":
				all[i] = s.settle(NotProven("leave to call "+s.Name, why))
			case !s.Baseline().Usable():
				all[i] = s.settle(NotProven("a request of "+s.Name+" that is known to be valid", s.Baseline()))
			}
		}
		return all
	},
	Ask: func(s Subject) []probes.Probe { return append(details(s), executable(s)...) },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		if len(got)-1 < len(instances(s)) {
			rs = append(rs, NotProven("examples that fit the record of "+s.Name, "one that does not").Because("INT-8.2-09"))
		}
		for _, o := range got[1:] {
			rs = append(rs, exemplary(s, o))
		}
		return Worst(rs...)
	},
	Fix: "try the examples against the adapter before publishing them",
})

// exemplary rules on the answer to an example.
func exemplary(s Subject, o probes.Observation) Ruling {
	const want = "an answer past validation"
	switch code := o.Code(); {
	case o.Succeeded(), strings.HasPrefix(code, "NOT_FOUND_") && code != "NOT_FOUND_OPERATION", strings.HasPrefix(code, "CONFLICT_"), code == "CONFIRMATION_REQUIRED":
		return Conforms().By(o)
	case complaint(s, o) != "":
		p, _ := s.parameter(complaint(s, o))
		return NotProven(want, o).Because(nameOwner(p))
	case strings.HasPrefix(code, "VALIDATION_"), code == "NOT_FOUND_OPERATION":
		return Violates(want, o)
	}
	return NotProven(want, o)
}
