package model

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Subject is what a check is about: the adapter, one tool, one operation, one
// parameter or one type, on one face.
type Subject struct {
	*Adapter
	Name string // as printed: operation, tool, type, or "adapter"
	Op   probes.Operation
	Par  probes.Parameter
	Kind probes.Type
	Tool probes.Tool

	Settled *ruling.Ruling // judged without a question: why the check cannot be asked of it
}

// KnownGood returns the operation's proven request.
func (s Subject) KnownGood() KnownGood { return s.Baselines[s.Op.Name] }

// ValidCall returns the request of the operation that was proven valid.
func (s Subject) ValidCall() probes.Probe { return s.KnownGood().Probe }

// Settle returns the subject with a ruling instead of a question.
func (s Subject) Settle(r ruling.Ruling) Subject { s.Settled = &r; return s }

// WholeAdapter is the adapter as one subject.
func WholeAdapter(f *Adapter) []Subject {
	return []Subject{{Adapter: f, Name: "adapter"}}
}

// Introspecting is the adapter as a whole, once a tool answers introspect.
func Introspecting(f *Adapter) []Subject {
	s := Subject{Adapter: f, Name: "introspect"}
	s.Op, _ = f.Operation("introspect")
	if f.Introspect == "" {
		s = s.Settle(ruling.NotProven("a tool that answers introspect", "none").Because("AQL-7.2-01"))
	}
	return []Subject{s}
}

// eachTool is every listed tool.
func eachTool(f *Adapter) []Subject {
	var all []Subject
	for _, t := range f.Tools {
		all = append(all, Subject{Adapter: f, Name: t.Name, Tool: t})
	}
	return all
}

// EachAQLTool is every tool that speaks MCP-AQL.
func EachAQLTool(f *Adapter) []Subject {
	return slices.DeleteFunc(eachTool(f), func(s Subject) bool { return !slices.Contains(f.AQL, s.Name) })
}

// EachListed is every listed operation, introspect included.
func EachListed(f *Adapter) []Subject {
	var all []Subject
	for _, o := range f.Operations {
		all = append(all, Subject{Adapter: f, Name: o.Name, Op: o})
	}
	return all
}

// EachDetailed is every listed operation whose details were delivered; the others
// are the concern of AQL-7.3-02.
func EachDetailed(f *Adapter) []Subject {
	all := EachListed(f)
	for i, s := range all {
		if !s.Op.Details.Is(probes.Object) {
			all[i] = s.Settle(ruling.NotProven("details of "+s.Name, "none").Because("AQL-7.3-02"))
		}
	}
	return all
}

// EachParameter is every documented parameter of every operation.
func EachParameter(f *Adapter) []Subject {
	var all []Subject
	for _, o := range f.Operations {
		for _, p := range o.Parameters {
			all = append(all, Subject{Adapter: f, Name: o.Name + "." + p.Name, Op: o, Par: p})
		}
	}
	return all
}

// EachWith is every documented parameter whose record has one of the members.
func EachWith(members ...string) func(f *Adapter) []Subject {
	return func(f *Adapter) []Subject {
		return slices.DeleteFunc(EachParameter(f), func(s Subject) bool {
			return !slices.ContainsFunc(members, s.Par.Raw.Has)
		})
	}
}

// EachDomain is every operation but introspect.
func EachDomain(f *Adapter) []Subject {
	return slices.DeleteFunc(EachListed(f), func(s Subject) bool { return s.Op.Name == "introspect" })
}

// EachUsable is every operation but introspect, those without a valid request
// settled as not proven.
func EachUsable(f *Adapter) []Subject {
	all := EachDomain(f)
	for i, s := range all {
		if b := s.KnownGood(); !b.Usable() {
			all[i] = s.Settle(ruling.NotProven("a request of "+s.Name+" that is known to be valid", b).Mend(b.Unlock()))
		}
	}
	return all
}

// EachProven is every operation whose baseline succeeds.
func EachProven(f *Adapter) []Subject {
	all := EachUsable(f)
	for i, s := range all {
		if b := s.KnownGood(); s.Settled == nil && b.State != Proven {
			all[i] = s.Settle(ruling.NotProven("a request of "+s.Name+" that succeeds", b).Mend(b.Unlock()))
		}
	}
	return all
}

// EachType is every listed type.
func EachType(f *Adapter) []Subject {
	var all []Subject
	for _, t := range f.Types {
		all = append(all, Subject{Adapter: f, Name: t.Name, Kind: t})
	}
	return all
}

// Listing asks for the operations listing; it is the evidence of checks that only
// read it.
func Listing(s Subject) []probes.Probe { return []probes.Probe{s.Listing()} }

// Details asks for the operation's record; it is the evidence of checks that only
// read it.
func Details(s Subject) []probes.Probe {
	return []probes.Probe{s.Lookup("operations", s.Op.Name)}
}

// TypeDetails asks for the type's record.
func TypeDetails(s Subject) []probes.Probe {
	return []probes.Probe{s.Lookup("types", s.Kind.Name)}
}

// ToolPages asks for the pages of tools/list.
func ToolPages(s Subject) []probes.Probe { return s.Pages }

// Only keeps the subjects that a condition holds for.
func Only(on func(*Adapter) []Subject, holds func(Subject) bool) func(*Adapter) []Subject {
	return func(f *Adapter) []Subject {
		return slices.DeleteFunc(on(f), func(s Subject) bool { return !holds(s) })
	}
}

// Given is a list of subjects on faces that a condition holds for, none on others.
func Given(holds func(*Adapter) bool, on func(*Adapter) []Subject) func(*Adapter) []Subject {
	return func(f *Adapter) []Subject {
		if !holds(f) {
			return nil
		}
		return on(f)
	}
}

// Routed reports whether several endpoint tools stand side by side, so that an
// operation can go astray.
func Routed(f *Adapter) bool { return len(f.Semantic()) >= 2 }

// Semantic reports whether endpoint families are exposed at all.
func Semantic(f *Adapter) bool { return len(f.Semantic()) > 0 }

// Anew returns the proven request as a question of its own: what an operation
// creates gets another name each time, so that a conflict cannot mask the answer.
func (s Subject) Anew(take int) probes.Probe {
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
