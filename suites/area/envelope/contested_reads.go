package envelope

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachContested is every READ but introspect with a parameter that can be given in both places.
func eachContested(f *model.Adapter) []model.Subject {
	return model.Only((*model.Adapter).ProvenReads, func(s model.Subject) bool { return len(contested(s)) > 0 })(f)
}

// A contest is a request of a READ with a parameter in params.
type contest struct {
	in probes.Probe
	of probes.Parameter
}

// contested returns such requests, one for each type of parameter: a reader of integers may be another function than that of
// texts. A tool that declares the parameter at top level may check it there.
func contested(s model.Subject) (all []contest) {
	tool, _ := s.Adapter.Adapter.Tool(s.Op.Tool)
	types := map[string]bool{}
	for _, p := range s.Op.Parameters {
		v := model.ValueIn(s.ValidCall(), p.Name)
		if v.Is(probes.Absent) {
			v = p.Raw.At("default")
		}
		s.Par = p
		if v.Is(probes.Absent) || v.Is(probes.Null) || types[p.Type] || len(check.WrongTypeValues(s)) == 0 || tool.Raw.At("inputSchema", "properties").Has(p.Name) {
			continue
		}
		types[p.Type] = true
		all = append(all, contest{s.ValidCall().With(p.Name, v.Go()), p})
	}
	return all
}

// Section 4.2. A read that resolves its parameters by itself is seen only there.
var paramsValueWinsInEachRead = check.Check{
	Requirement: "AQL-4.2-02",
	On:          eachContested,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if !check.ResolvesTopLevel(s, ask) {
			return
		}
		for i, c := range contested(s) {
			s.Par = c.of
			wrong, name := check.WrongTypeValues(s)[0], c.of.Name
			ask(c.in.As(probes.Nth("contested", i) + ": in params"))
			ask(c.in.Top(name, model.ValueIn(c.in, name).Go()).As(probes.Nth("contested", i) + ": the same value in both places"))
			ask(c.in.Without(name).Top(name, wrong).As(probes.Nth("contested", i) + ": another type at top level alone"))
			ask(c.in.Top(name, wrong).As(probes.Nth("contested", i) + ": another type at top level"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if !check.ResolvedTopLevel(got) {
			return check.TopLevelNotRead
		}
		var rs []ruling.Ruling
		for i := range contested(s) {
			rs = append(rs, contestedWon(got, probes.Nth("contested", i)))
		}
		return ruling.Worst(rs...)
	},
	Fix: "read params first and the top level only for names that params lacks",
}.WithReason("Adapters often resolve parameters in one place for all operations, and some in each of them.")

// contestedWon rules on the requests for one parameter.
func contestedWon(got probes.Answers, step string) ruling.Ruling {
	in, both := got.Step(step+": in params"), got.Step(step+": the same value in both places")
	alone, other := got.Step(step+": another type at top level alone"), got.Step(step+": another type at top level")
	switch {
	case !in.Succeeded():
		return ruling.NotProven("a request with the parameter in params that succeeds", in)
	case !both.Succeeded():
		return ruling.NotApplicable("does not hold: the same value may be given in both places")
	case other.Succeeded():
		return ruling.Conforms().By(other)
	case other.Refused() && other.Code() != "" && other.Code() == alone.Code(): // refused as where that value counts
		return ruling.Violates("the value in params to win over one of another type at top level", other).By(in, both, alone)
	}
	return ruling.NotProven("an answer to one parameter in both places", other)
}
