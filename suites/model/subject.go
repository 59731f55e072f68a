package model

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Subject is what a check is about: the adapter, one tool, one operation, one parameter or one
// type, in one endpoint mode.
type Subject struct {
	*Adapter
	Name string // as printed: operation, tool, type, or "adapter"
	Op   probes.Operation
	Par  probes.Parameter
	Kind probes.Type
	Tool probes.Tool

	Ruling *ruling.Ruling // decided in advance: why the check cannot be applied

	full bool // its known-good request is the one that lists most
}

// KnownGoodRequest returns the known-good request of the operation.
func (s Subject) KnownGoodRequest() KnownGood {
	if b, ok := s.fuller[s.Op.Name]; ok && s.full {
		return b
	}
	return s.KnownGood[s.Op.Name]
}

// ValidCall returns the known-good request of the operation as a probe.
func (s Subject) ValidCall() probes.Probe { return s.KnownGoodRequest().Probe }

// WithRuling returns the subject with a ruling that is decided in advance.
func (s Subject) WithRuling(r ruling.Ruling) Subject { s.Ruling = &r; return s }

// WholeAdapter returns the adapter as the only subject.
func WholeAdapter(f *Adapter) []Subject {
	return []Subject{{Adapter: f, Name: "adapter"}}
}

// IntrospectSubject returns the adapter as the only subject. The check is not proven if no tool
// answers introspect.
func IntrospectSubject(f *Adapter) []Subject {
	s := Subject{Adapter: f, Name: "introspect"}
	s.Op, _ = f.Operation("introspect")
	if f.Introspect == "" {
		s = s.WithRuling(ruling.NotProven("a tool that answers introspect", "none").Because("AQL-7.2-01"))
	}
	return []Subject{s}
}

func eachTool(f *Adapter) []Subject {
	var all []Subject
	for _, t := range f.Tools {
		all = append(all, Subject{Adapter: f, Name: t.Name, Tool: t})
	}
	return all
}

// EachAQLTool returns every tool that speaks MCP-AQL.
func EachAQLTool(f *Adapter) []Subject {
	return slices.DeleteFunc(eachTool(f), func(s Subject) bool { return !slices.Contains(f.AQL, s.Name) })
}

// EachListed returns every listed operation, including introspect.
func EachListed(f *Adapter) []Subject {
	all := make([]Subject, 0, len(f.Operations))
	for _, o := range f.Operations {
		all = append(all, Subject{Adapter: f, Name: o.Name, Op: o})
	}
	return all
}

// EachDetailed returns every listed operation. Those without details are not proven; AQL-7.3-02
// covers them.
func EachDetailed(f *Adapter) []Subject {
	all := EachListed(f)
	for i, s := range all {
		if !s.Op.Details.Is(probes.Object) {
			all[i] = s.WithRuling(ruling.NotProven("details of "+s.Name, "none").Because("AQL-7.3-02"))
		}
	}
	return all
}

// EachParameter returns every documented parameter of every operation.
func EachParameter(f *Adapter) []Subject {
	n := 0
	for _, o := range f.Operations {
		n += len(o.Parameters)
	}
	all := make([]Subject, 0, n)
	for _, o := range f.Operations {
		for _, p := range o.Parameters {
			all = append(all, Subject{Adapter: f, Name: o.Name + "." + p.Name, Op: o, Par: p})
		}
	}
	return all
}

// EachParameterWith returns every documented parameter whose record has one of the members.
func EachParameterWith(members ...string) func(f *Adapter) []Subject {
	return func(f *Adapter) []Subject {
		return slices.DeleteFunc(EachParameter(f), func(s Subject) bool {
			return !slices.ContainsFunc(members, s.Par.Raw.Has)
		})
	}
}

// EachDomain returns every operation except introspect.
func EachDomain(f *Adapter) []Subject {
	return slices.DeleteFunc(EachListed(f), func(s Subject) bool { return s.Op.Name == "introspect" })
}

// EachUsable returns every operation except introspect. Those without a valid request are not
// proven.
func EachUsable(f *Adapter) []Subject {
	all := EachDomain(f)
	for i, s := range all {
		if b := s.KnownGoodRequest(); !b.Usable() {
			all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Name+" that is known to be valid", b).Mend(b.Unlock()))
		}
	}
	return all
}

// EachProven is EachUsable, but an operation is not proven unless its known-good request succeeds.
func EachProven(f *Adapter) []Subject {
	all := EachUsable(f)
	for i, s := range all {
		if b := s.KnownGoodRequest(); s.Ruling == nil && b.State != Proven {
			all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Name+" that succeeds", b).Mend(b.Unlock()))
		}
	}
	return all
}

// ProvenReads returns every READ operation with a known-good request that succeeds, except
// introspect. The list is shared.
func (f *Adapter) ProvenReads() []Subject {
	return f.RememberReads("proven reads", EachProven, func(s Subject) bool { return s.Ruling == nil && s.Op.Category == "READ" })
}

// ProvenListings returns those of ProvenReads that need no reference. The list is shared.
func (f *Adapter) ProvenListings() []Subject {
	return f.RememberReads("proven listings", (*Adapter).ProvenReads, func(s Subject) bool { return !s.NeedsReference(s.Op) })
}

// RememberReads selects reads once, because they are compared with each kind of object. Before all
// known-good requests are found, it selects them anew.
func (f *Adapter) RememberReads(name string, from func(*Adapter) []Subject, keep func(Subject) bool) []Subject {
	find := func() any { return slices.Clip(Only(from, keep)(f)) }
	if !f.explored {
		return find().([]Subject)
	}
	return f.Remember(name, find).([]Subject)
}

// EachType returns every listed type.
func EachType(f *Adapter) []Subject {
	var all []Subject
	for _, t := range f.Types {
		all = append(all, Subject{Adapter: f, Name: t.Name, Kind: t})
	}
	return all
}

// Listing asks for the list of operations. It is the evidence of checks that only read that list.
func Listing(s Subject) []probes.Probe { return []probes.Probe{s.Listing()} }

// Details asks for the record of the operation. It is the evidence of checks that only read that
// record.
func Details(s Subject) []probes.Probe {
	return []probes.Probe{s.Lookup("operations", s.Op.Name)}
}

// TypeDetails asks for the record of the type.
func TypeDetails(s Subject) []probes.Probe {
	return []probes.Probe{s.Lookup("types", s.Kind.Name)}
}

// ToolPages asks for the pages of tools/list.
func ToolPages(s Subject) []probes.Probe { return s.Pages }

// Only keeps the subjects for which the condition holds.
func Only(on func(*Adapter) []Subject, holds func(Subject) bool) func(*Adapter) []Subject {
	return func(f *Adapter) []Subject {
		var kept []Subject // on may return a shared list
		for _, s := range on(f) {
			if holds(s) {
				kept = append(kept, s)
			}
		}
		return kept
	}
}

// Given returns the subjects of on if the condition holds for the adapter, and none otherwise.
func Given(holds func(*Adapter) bool, on func(*Adapter) []Subject) func(*Adapter) []Subject {
	return func(f *Adapter) []Subject {
		if !holds(f) {
			return nil
		}
		return on(f)
	}
}

// SeveralEndpointTools reports whether there are at least two endpoint tools, so that an operation
// can be misrouted.
func SeveralEndpointTools(f *Adapter) bool { return len(f.Semantic()) >= 2 }

// HasEndpointTools reports whether the adapter has any endpoint tools.
func HasEndpointTools(f *Adapter) bool { return len(f.Semantic()) > 0 }

// FreshCall returns the known-good request for a step. A CREATE gets a new name in each step, so
// that a name conflict cannot mask the answer.
func (s Subject) FreshCall(step string) probes.Probe {
	return s.freshCall(probes.StepNumber(step))
}

// otherKey is how far the number of a second key is from that of the first.
const otherKey = 500

// WithOtherKey returns a creation whose keys are new once more, where the client chooses them.
func (s Subject) WithOtherKey(p probes.Probe, step string) probes.Probe {
	for name := range p.Params() {
		i := slices.IndexFunc(s.Op.Parameters, func(q probes.Parameter) bool { return q.Name == name })
		if i < 0 || !s.ClientChosen(s.Op, s.Op.Parameters[i]) && !s.sole[s.Op.Name+"."+name] {
			continue
		}
		if fresh := s.freshKey(s.Op.Parameters[i], probes.StepNumber(step)+otherKey); !fresh.Is(probes.Absent) {
			p = p.With(name, fresh.Go())
		}
	}
	return p
}

func (s Subject) freshCall(number int) probes.Probe {
	p := s.ValidCall()
	if s.Op.Category != "CREATE" {
		return p
	}
	var parents []string
	for name, v := range p.Params() {
		par := probes.Parameter{}
		if i := slices.IndexFunc(s.Op.Parameters, func(q probes.Parameter) bool { return q.Name == name }); i >= 0 {
			par = s.Op.Parameters[i]
		}
		if s.parents[s.Op.Name+"."+name] {
			parents = append(parents, name)
			continue
		}
		if fresh := s.anew(par, probes.ValueOf(v), number); !fresh.Equal(probes.ValueOf(v)) {
			p = p.With(name, fresh.Go())
		}
	}
	// The mark in the name of another object does not tell this one.
	rest := maps.Clone(p.Params())
	maps.DeleteFunc(rest, func(name string, _ any) bool { return slices.Contains(parents, name) })
	body := s.withoutParents(rest)
	if len(parents) == 0 && body == "" {
		return p
	}
	for name, v := range s.marked(s.Op, rest, s.numberMark(number)) {
		if name != body {
			p = p.With(name, v)
		}
	}
	return p
}

// withoutParents takes the names of other objects out of the body of a creation. It returns the name of the body if
// there were any.
func (s Subject) withoutParents(params map[string]any) (changed string) {
	body, _, ok := s.body(s.Op)
	object, whole := Native(probes.ValueOf(params[body.Name])).(map[string]any)
	if !ok || !whole {
		return ""
	}
	maps.DeleteFunc(object, func(field string, _ any) bool {
		if s.parents[s.Op.Name+"."+body.Name+"."+field] {
			changed = body.Name
		}
		return s.parents[s.Op.Name+"."+body.Name+"."+field]
	})
	if changed != "" {
		params[body.Name] = object
	}
	return changed
}
