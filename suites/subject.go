package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A Subject is what a check is about: the adapter, one tool, one operation, one
// parameter or one type, on one face.
type Subject struct {
	*Face
	Name string // as printed: operation, tool, type, or "adapter"
	Op   probes.Operation
	Par  probes.Parameter
	Kind probes.Type
	Tool probes.Tool

	settled *Ruling // judged without a question: why the check cannot be asked of it
}

// Baseline returns the operation's proven request.
func (s Subject) Baseline() Baseline { return s.Baselines[s.Op.Name] }

// ValidCall returns the request of the operation that was proven valid.
func (s Subject) ValidCall() probes.Probe { return s.Baseline().Probe }

// settle returns the subject with a ruling instead of a question.
func (s Subject) settle(r Ruling) Subject { s.settled = &r; return s }

// wholeAdapter is the adapter as one subject.
func wholeAdapter(f *Face) []Subject {
	return []Subject{{Face: f, Name: "adapter"}}
}

// introspecting is the adapter as a whole, once a tool answers introspect.
func introspecting(f *Face) []Subject {
	s := Subject{Face: f, Name: "introspect"}
	s.Op, _ = f.Operation("introspect")
	if f.Introspect == "" {
		s = s.settle(NotProven("a tool that answers introspect", "none").Because("AQL-7.2-01"))
	}
	return []Subject{s}
}

// eachTool is every listed tool.
func eachTool(f *Face) []Subject {
	var all []Subject
	for _, t := range f.Tools {
		all = append(all, Subject{Face: f, Name: t.Name, Tool: t})
	}
	return all
}

// eachAQLTool is every tool that speaks MCP-AQL.
func eachAQLTool(f *Face) []Subject {
	return slices.DeleteFunc(eachTool(f), func(s Subject) bool { return !slices.Contains(f.AQL, s.Name) })
}

// eachListed is every listed operation, introspect included.
func eachListed(f *Face) []Subject {
	var all []Subject
	for _, o := range f.Operations {
		all = append(all, Subject{Face: f, Name: o.Name, Op: o})
	}
	return all
}

// eachDetailed is every listed operation whose details were delivered; the others
// are the concern of AQL-7.3-02.
func eachDetailed(f *Face) []Subject {
	all := eachListed(f)
	for i, s := range all {
		if !s.Op.Details.Is(probes.Object) {
			all[i] = s.settle(NotProven("details of "+s.Name, "none").Because("AQL-7.3-02"))
		}
	}
	return all
}

// eachParameter is every documented parameter of every operation.
func eachParameter(f *Face) []Subject {
	var all []Subject
	for _, o := range f.Operations {
		for _, p := range o.Parameters {
			all = append(all, Subject{Face: f, Name: o.Name + "." + p.Name, Op: o, Par: p})
		}
	}
	return all
}

// eachWith is every documented parameter whose record has one of the members.
func eachWith(members ...string) func(f *Face) []Subject {
	return func(f *Face) []Subject {
		return slices.DeleteFunc(eachParameter(f), func(s Subject) bool {
			return !slices.ContainsFunc(members, s.Par.Raw.Has)
		})
	}
}

// eachDomain is every operation but introspect.
func eachDomain(f *Face) []Subject {
	return slices.DeleteFunc(eachListed(f), func(s Subject) bool { return s.Op.Name == "introspect" })
}

// eachUsable is every operation but introspect, those without a valid request
// settled as not proven.
func eachUsable(f *Face) []Subject {
	all := eachDomain(f)
	for i, s := range all {
		if b := s.Baseline(); !b.Usable() {
			all[i] = s.settle(NotProven("a request of "+s.Name+" that is known to be valid", b).Mend(b.unlock()))
		}
	}
	return all
}

// eachProven is every operation whose baseline succeeds.
func eachProven(f *Face) []Subject {
	all := eachUsable(f)
	for i, s := range all {
		if b := s.Baseline(); s.settled == nil && b.State != Proven {
			all[i] = s.settle(NotProven("a request of "+s.Name+" that succeeds", b).Mend(b.unlock()))
		}
	}
	return all
}

// eachType is every listed type.
func eachType(f *Face) []Subject {
	var all []Subject
	for _, t := range f.Types {
		all = append(all, Subject{Face: f, Name: t.Name, Kind: t})
	}
	return all
}

// listing asks for the operations listing; it is the evidence of checks that only
// read it.
func listing(s Subject) []probes.Probe { return []probes.Probe{s.Listing()} }

// details asks for the operation's record; it is the evidence of checks that only
// read it.
func details(s Subject) []probes.Probe {
	return []probes.Probe{s.Lookup("operations", s.Op.Name)}
}

// typeDetails asks for the type's record.
func typeDetails(s Subject) []probes.Probe {
	return []probes.Probe{s.Lookup("types", s.Kind.Name)}
}

// toolPages asks for the pages of tools/list.
func toolPages(s Subject) []probes.Probe { return s.Pages }

// only keeps the subjects that a condition holds for.
func only(on func(*Face) []Subject, holds func(Subject) bool) func(*Face) []Subject {
	return func(f *Face) []Subject {
		return slices.DeleteFunc(on(f), func(s Subject) bool { return !holds(s) })
	}
}

// given is a list of subjects on faces that a condition holds for, none on others.
func given(holds func(*Face) bool, on func(*Face) []Subject) func(*Face) []Subject {
	return func(f *Face) []Subject {
		if !holds(f) {
			return nil
		}
		return on(f)
	}
}

// routed reports whether several endpoint tools stand side by side, so that an
// operation can go astray.
func routed(f *Face) bool { return len(f.Semantic()) >= 2 }

// semantic reports whether endpoint families are exposed at all.
func semantic(f *Face) bool { return len(f.Semantic()) > 0 }
