package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// few is the number of operations below which sizes say nothing.
const few = 5

// Introspection document, section 1.2. The listing is read at the beginning of
// every session; what belongs into the details makes all of them pay.
var _ = register(Check{
	Requirement: "INT-1.2-03",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.Listing(), s.TypesListing()}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		for _, e := range got[0].Data().At("operations").Items() {
			for _, member := range []string{"parameters", "examples", "returns"} {
				if v := e.At(member); len(v.Items()) > 0 || len(v.Members()) > 0 {
					return Violates("summaries in the listing", member+" of "+e.At("name").Text()).By(got[0])
				}
			}
		}
		for _, e := range got[1].Data().At("types").Items() {
			if e.Has("values") || e.Has("fields") || e.Has("members") {
				return Conforms().Noting("the listing of types holds bodies, as the operations document shows it")
			}
		}
		return Conforms()
	},
	Fix: "move parameters, examples and returns into the details",
})

// inlines reports whether the listing holds what belongs into the details.
func inlines(f *Face) bool {
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool {
		return o.Summary.Has("parameters") || o.Summary.Has("examples") || o.Summary.Has("returns")
	})
}

// allRecords asks for the tool list, the listing and the details of each operation.
func allRecords(s Subject) []probes.Probe {
	ps := append(slices.Clone(s.Pages), s.Listing())
	for _, o := range s.Operations {
		ps = append(ps, s.Lookup("operations", o.Name))
	}
	return ps
}

// Introspection document, section 7.1. Discovery in two steps pays only if the
// first step is the cheap one.
var _ = register(Check{
	Requirement: "INT-7.1-01",
	On: func(f *Face) []Subject {
		if n := len(f.Operations); n > 0 && n < few {
			return []Subject{(Subject{Face: f, Name: "introspect"}).settle(NotApplicable("fewer than five operations: sizes say nothing"))}
		}
		return introspecting(f)
	},
	Ask: allRecords,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		pages := len(s.Pages)
		tools, list, records := 0, size(got[pages].Data()), 0
		for _, o := range got[:pages] {
			tools += size(o.Result())
		}
		for _, o := range got[pages+1:] {
			records += size(o.Data())
		}
		note := fmt.Sprintf("tools/list %d bytes, listing %d, all details %d", tools, list, records)
		switch n := len(got) - pages - 1; {
		case n == 0 || records == 0:
			return NotProven("details of the operations", "none")
		case list > records && inlines(s.Face):
			return NotProven("a listing of summaries", note).Because("INT-1.2-03")
		case list > records:
			return Violates("a listing smaller than all details together", note)
		case records/n > 2000*bytesPerToken:
			return Violates("details of at most 2000 tokens on average", note)
		case tools > records:
			return Violates("a tool list smaller than all details together", note)
		}
		return Conforms().Noting(note)
	},
	Fix: "keep tool descriptions and summaries short; the details are one question away",
})

func size(v probes.Value) int { return len(v.Raw()) }

// bytesPerToken is the usual estimate for English text and JSON.
const bytesPerToken = 4

// TokenCost estimates what it costs a model to read the face's tool list and its
// introspection, from the answers of the run, beside the figures that the
// specification gives for its own example (spec, Appendix; introspection 7.1).
// It is information, no verdict, and says that it is an estimate.
func (f *Face) TokenCost(record probes.Record) string {
	var lookups []probes.Probe
	for _, o := range f.Operations {
		lookups = append(lookups, f.Lookup("operations", o.Name))
	}
	for _, t := range f.Types {
		lookups = append(lookups, f.Lookup("types", t.Name))
	}
	sizes := map[string]int{}
	for _, p := range slices.Concat(f.Pages, []probes.Probe{f.Listing(), f.TypesListing()}, lookups) {
		sizes[p.Key()] = 0
	}
	for o := range record.All() {
		if _, wanted := sizes[o.Probe.Key()]; !wanted {
			continue
		}
		if sizes[o.Probe.Key()] = size(o.Result()); o.Succeeded() {
			sizes[o.Probe.Key()] = size(o.Envelope())
		}
	}
	cost := func(ps ...probes.Probe) int {
		total := 0
		for _, p := range ps {
			total += sizes[p.Key()]
		}
		return (total + bytesPerToken/2) / bytesPerToken
	}
	tools, list, kinds, details := cost(f.Pages...), cost(f.Listing()), cost(f.TypesListing()), cost(lookups...)
	return fmt.Sprintf("token cost (estimate, bytes/%d): tools/list %s, listing %s, types %s, all %d details %s, together %s; "+
		"the specification's example: 29,600 for discrete tools, 4,300 for five semantic tools, 1,100 for a single tool",
		bytesPerToken, grouped(tools), grouped(list), grouped(kinds), len(lookups), grouped(details), grouped(tools+list+kinds+details))
}

// grouped writes a count with a comma at the thousands.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// AX rule R5. A list that is pasted into every operation is maintained in none.
var _ = register(Check{
	Requirement: "AX-R5-12",
	On:          given(func(f *Face) bool { return len(f.Operations) >= few }, introspecting),
	Ask:         allRecords,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		where := map[string][]string{}
		for _, u := range eachParameter(s.Face) {
			values := u.Par.Raw.At("enum").Items()
			t, named := s.Face.Type(u.Par.Type)
			if len(values) < 3 || named && t.Kind == "enum" || crossCutting[u.Par.Name] != "" || u.Op.Name == "introspect" {
				continue
			}
			key := unordered(u.Par.Raw.At("enum"))
			if !slices.Contains(where[key], u.Op.Name) {
				where[key] = append(where[key], u.Op.Name)
			}
		}
		for _, key := range sortedKeys(where) {
			if names := where[key]; len(names) >= 3 {
				return Violates("a named type for a list of values that several operations use", "the same enum in "+strings.Join(names, ", "))
			}
		}
		return Conforms()
	},
	Fix: "register an enum type and name it as the type of the parameters",
})
