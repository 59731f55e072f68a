package envelope

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachContested is every READ but introspect with a parameter that can be given in both places.
func eachContested(f *model.Adapter) []model.Subject {
	return model.Only((*model.Adapter).ProvenReads, func(s model.Subject) bool { _, _, ok := contested(s); return ok })(f)
}

// contested returns a request of a READ with a parameter in params, and a value of another type for it. A tool
// that declares the parameter at top level may check it there.
func contested(s model.Subject) (in probes.Probe, p probes.Parameter, ok bool) {
	tool, _ := s.Adapter.Adapter.Tool(s.Op.Tool)
	for _, p := range s.Op.Parameters {
		v := model.ValueIn(s.ValidCall(), p.Name)
		if v.Is(probes.Absent) {
			v = p.Raw.At("default")
		}
		s.Par = p
		if v.Is(probes.Absent) || v.Is(probes.Null) || len(check.WrongTypeValues(s)) == 0 || tool.Raw.At("inputSchema", "properties").Has(p.Name) {
			continue
		}
		return s.ValidCall().With(p.Name, v.Go()), p, true
	}
	return in, p, false
}

// Section 4.2. A read that resolves its parameters by itself is seen only there.
var paramsValueWinsInEachRead = check.Check{
	Requirement: "AQL-4.2-02",
	On:          eachContested,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if !check.ResolvesTopLevel(s, ask) {
			return
		}
		in, p, _ := contested(s)
		s.Par = p
		ask(in.As("contested: in params"))
		ask(in.Top(p.Name, model.ValueIn(in, p.Name).Go()).As("contested: the same value in both places"))
		wrong := check.WrongTypeValues(s)[0]
		ask(in.Without(p.Name).Top(p.Name, wrong).As("contested: another type at top level alone"))
		ask(in.Top(p.Name, wrong).As("contested: another type at top level"))
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if !check.ResolvedTopLevel(got) {
			return check.TopLevelNotRead
		}
		in, both := got.Step("contested: in params"), got.Step("contested: the same value in both places")
		alone, other := got.Step("contested: another type at top level alone"), got.Step("contested: another type at top level")
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
	},
	Fix: "read params first and the top level only for names that params lacks",
}.WithReason("Adapters often resolve parameters in one place for all operations, and some in each of them.")
