package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 10.1. Level 2 is the promise that a host may choose: few semantic tools
// it can grant one by one, or a single one that costs the fewest tokens.
var _ = register(Check{
	Requirement: "AQL-10.1-08",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing().Anew(77)}
		switch {
		case s.Mode() == "all":
			ps = append(ps, s.Listing().To(s.Unified), s.bothWays(s.Unified))
		case s.Other != nil:
			ps = append(ps, s.otherListing(), s.bothWays(s.Unified))
		}
		return slices.DeleteFunc(ps, func(p probes.Probe) bool { return p.Tool == "" })
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		declared := s.Protocol.At("mode").Text() == "all"
		switch {
		case len(got) == 1 && declared:
			return Violates("a semantic and a single endpoint mode", "mode all stated, mode "+s.Mode()+" found").By(got[0])
		case len(got) == 1:
			return NotProven("the adapter in its other endpoint mode", "mode "+s.Mode()+" alone").
				Mend("--also-cmd or --also-url with the launch of the other mode")
		case !got[0].Data().At("operations").Is(probes.Array):
			return NotProven("a listing of operations", got[0]).Because("AQL-7.3-01")
		case !got[1].Data().At("operations").Is(probes.Array):
			return Violates("introspect to answer in both modes", got[1]).By(got[0])
		}
		if missing := unlike(got[0], got[1]); missing != "" {
			return Departs("the same operations in both modes", missing).By(got[1], got[0])
		}
		if len(got) > 2 && !got[2].Succeeded() {
			return Violates("a READ operation to work in both modes", got[2]).By(got[0])
		}
		return Conforms().By(got[1])
	},
	Fix: "offer the same operations through the semantic tools and through the unified tool",
})

// otherListing lists the operations through a tool of the mode that this face has
// not: the unified one when this face is semantic.
func (s Subject) otherListing() probes.Probe {
	if s.Mode() == "semantic" && s.Other.Unified != "" {
		return s.Other.Listing().To(s.Other.Unified)
	}
	return s.Other.Listing()
}

// bothWays is a READ request with a proven answer, sent to the given tool of this
// face, or as it stands on the other face.
func (s Subject) bothWays(unified string) probes.Probe {
	for _, t := range eachProven(s.Face) {
		if t.settled == nil && t.Op.Category == "READ" && len(t.ValidCall().Params()) == 0 {
			if s.Other != nil && s.Mode() != "all" {
				other, _ := s.Other.Operation(t.Name)
				tool := other.Tool
				if s.Mode() == "semantic" && s.Other.Unified != "" {
					tool = s.Other.Unified
				}
				return t.ValidCall().Over(s.Other.Conn).To(tool)
			}
			return t.ValidCall().To(unified)
		}
	}
	return probes.Probe{}
}

// unlike says which operation one listing has and the other has not, or has with
// another category.
func unlike(one, other probes.Observation) string {
	describe := func(o probes.Observation) map[string]string {
		m := map[string]string{}
		for _, e := range o.Data().At("operations").Items() {
			m[e.At("name").Text()] = e.At("semantic_category").Text()
		}
		return m
	}
	a, b := describe(one), describe(other)
	var odd []string
	for name, category := range a {
		if b[name] != category {
			odd = append(odd, name)
		}
	}
	for name := range b {
		if _, both := a[name]; !both {
			odd = append(odd, name)
		}
	}
	slices.Sort(odd)
	if len(odd) == 0 {
		return ""
	}
	return "different: " + strings.Join(slices.Compact(odd), ", ")
}

// levelTwo reports whether the adapter claims Level 2 or the operator asks for it;
// its options mean nothing to anybody else.
func levelTwo(f *Face) bool {
	return f.Goal == 2 || f.Protocol.At("conformance").Text() == "level-2"
}

// Section 10.1. Two listings in one round trip is the smallest batch there is.
var _ = register(Check{
	Requirement: "AQL-10.1-11",
	On:          given(levelTwo, introspecting),
	Ask: func(s Subject) []probes.Probe {
		list := []any{s.Listing().Args(), s.TypesListing().Args()}
		return []probes.Probe{s.Listing(), probes.CallWith(s.Conn, s.Introspect, map[string]any{"operations": list})}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		results := got[1].Envelope().At("results").Items()
		claimed := s.Protocol.At("capabilities", "batch").True()
		switch {
		case got[1].Succeeded() && len(results) == 2:
			return Conforms().By(got[1])
		case claimed:
			return NotProven("a batch of two", got[1]).Noting("a batch that is announced and fails belongs to OPS-7.1-02")
		}
		return Violates("a batch of two introspect requests answered", got[1])
	},
	Fix: "accept {\"operations\":[…]} as described in section 7 of the operations document",
})

// Section 10.1. Field selection keeps what a model did not ask for out of its
// context.
var _ = register(Check{
	Requirement: "AQL-10.1-10",
	On:          given(levelTwo, introspecting),
	Drive: func(s Subject, ask Asking) {
		for _, t := range eachProven(s.Face) {
			if t.settled != nil || t.Op.Category != "READ" || !t.Op.HasParameter("fields") {
				continue
			}
			whole := ask(t.ValidCall())
			if name := aField(whole.Data()); name != "" {
				for _, v := range selections(t, name) {
					ask(t.ValidCall().With("fields", v))
				}
				return
			}
		}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if len(got) < 2 {
			return Violates("a READ operation with the parameter fields", "none")
		}
		var whole probes.Observation
		for _, o := range got {
			switch _, part := o.Probe.Params()["fields"]; {
			case !part:
				whole = o
			case o.Succeeded() && len(o.Data().Raw()) < len(whole.Data().Raw()):
				return Conforms().By(o)
			}
		}
		return Violates("fewer members than without fields", got[len(got)-1]).By(whole)
	},
	Fix: "offer the parameter fields on READ operations",
})

// selections returns values for the parameter fields: the name in a list, or where
// the type takes no list the presets it documents.
func selections(s Subject, name string) []any {
	i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == "fields" })
	p := s.Op.Parameters[i]
	if kinds, understood := s.Kinds(p.Type); !understood || slices.Contains(kinds, "array") {
		return []any{[]any{name}}
	}
	var values []any
	for _, v := range s.Gen.Values(s.Op, p) {
		values = append(values, v.Go())
	}
	return values[:min(len(values), 4)]
}

// aField returns the name of a member of the answered object, or of the first
// object of an answered list that has more than one.
func aField(data probes.Value) string {
	for _, m := range data.Members() {
		if items := m.Value.Items(); len(items) > 0 && len(items[0].Members()) > 1 {
			return items[0].Names()[0]
		}
	}
	if names := data.Names(); len(names) > 2 {
		return names[0]
	}
	return ""
}

// Section 10.3. An extension that switches validation or routing off turns an
// option into a hole.
var _ = register(Check{
	Requirement: "AQL-10.3-03",
	On: func(f *Face) []Subject {
		return only(eachProven, func(s Subject) bool {
			return s.settled == nil && s.Op.Category == "READ" && s.Op.HasParameter("fields")
		})(f)
	},
	Ask: func(s Subject) []probes.Probe {
		unknown := s.ValidCall().With(unknownName(s), 1)
		field := aField(s.Baseline().Reply.Data())
		extended := s.ValidCall().With("fields", []any{"success"})
		ps := []probes.Probe{unknown, unknown.With("fields", []any{field}), s.ValidCall(), extended}
		if s.Op.HasParameter("dry_run") {
			ps = append(ps, unknown.With("dry_run", true))
		}
		if wrong := wrongTools(s.Face, s.Op); routed(s.Face) && len(wrong) > 0 {
			ps = append(ps, s.ValidCall().To(wrong[0]), extended.To(wrong[0]))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		rs := []Ruling{Conforms().By(got[3])}
		for i, o := range got {
			_, extended := o.Probe.Params()["fields"]
			_, dry := o.Probe.Params()["dry_run"]
			_, unknown := o.Probe.Params()[unknownName(s)]
			switch {
			case !extended && !dry:
			case unknown && got[0].Succeeded():
				rs = append(rs, NotProven("a refusal of the unknown parameter without the extension", got[0]).Because("AQL-4.6-01"))
			case unknown && o.Succeeded():
				rs = append(rs, Violates("the unknown parameter refused as without the extension", o).By(got[0]))
			case i == 3 && !o.Succeeded() && !o.Refused():
				rs = append(rs, Violates("an envelope as without the extension", o).By(got[2]))
			case o.Probe.Tool != s.Op.Tool && got[i-1].Refused() && o.Succeeded():
				rs = append(rs, Violates("the wrong endpoint refused as without the extension", o).By(got[i-1]))
			}
		}
		return Worst(rs...)
	},
	Fix: "let fields and its like act on data alone",
})
