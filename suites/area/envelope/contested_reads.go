package envelope

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachContested is every READ but introspect with a parameter that can be given in both places.
func eachContested(f *model.Adapter) []model.Subject {
	return model.Only((*model.Adapter).ProvenReads, func(s model.Subject) bool { return len(contested(s))+len(switches(s)) > 0 })(f)
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

// mostSwitches bounds the booleans of one READ that are tried.
const mostSwitches = 3

// switches are the optional booleans of a READ. A false in params is lost where a reader takes it for nothing.
func switches(s model.Subject) (names []string) {
	tool, _ := s.Adapter.Adapter.Tool(s.Op.Tool)
	for _, p := range s.Op.Parameters {
		if p.Type == "boolean" && !p.Required && len(s.EnumOf(p)) == 0 && len(names) < mostSwitches && !tool.Raw.At("inputSchema", "properties").Has(p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
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
		for i, name := range switches(s) {
			step := probes.Nth("contested switch", i)
			off, on := ask(s.ValidCall().With(name, false).As(step+": false in params")), ask(s.ValidCall().Without(name).Top(name, true).As(step+": true at top level"))
			if off.Succeeded() && on.Succeeded() && !check.AgreesWhereStable(off.Data(), off.Data(), on.Data()) {
				both := s.ValidCall().With(name, false).Top(name, true)
				won := ask(both.As(step + ": both"))
				ask(s.ValidCall().With(name, false).Anew(step + ": false in params again"))
				if check.AgreesWhereStable(on.Data(), on.Data(), won.Data()) { // others may have written for a moment
					ask(both.Anew(step + ": both again"))
				}
				return
			}
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
		for i := range switches(s) {
			rs = append(rs, falseWon(got, probes.Nth("contested switch", i)))
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

// falseWon rules on a false in params beside a true at top level, where the two show other data.
func falseWon(got probes.Answers, step string) ruling.Ruling {
	both, asked := got.Find(step + ": both")
	off, again, on := got.Step(step+": false in params"), got.Step(step+": false in params again"), got.Step(step+": true at top level")
	later, repeated := got.Find(step + ": both again")
	switch {
	case !asked:
		return ruling.NotApplicable("does not hold: the boolean shows other data")
	case !both.Succeeded() || !again.Succeeded():
		return ruling.NotProven("an answer to one parameter in both places", both)
	case check.AgreesWhereStable(off.Data(), again.Data(), both.Data()):
		return ruling.Conforms().By(both)
	case repeated && !check.AgreesWhereStable(on.Data(), on.Data(), later.Data()):
		return ruling.Moved("an answer that repeats itself", later).By(both, off, on)
	case check.AgreesWhereStable(on.Data(), on.Data(), both.Data()):
		return ruling.Violates("false in params to win over true at top level", both).By(off, on)
	}
	return ruling.NotProven("the data of either value", both).By(off, on)
}
