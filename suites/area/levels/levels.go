package levels

import (
	"slices"
	"strconv"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 10.1.
var level2SupportsBothEndpointModes = check.Check{
	Requirement: "AQL-10.1-08",
	Rule:        "Level 2: semantic and single mode are both supported.",
	Why:         "Level 2 is the promise that a host may choose: few semantic tools it can grant one by one, or a single one that costs the fewest tokens.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing().Anew("both modes: listing")}
		switch {
		case s.Mode() == "all":
			ps = append(ps, s.Listing().To(s.Unified).As("both modes: other listing"), bothWays(s, s.Unified).As("both modes: READ in the other mode"))
		case s.Other != nil:
			ps = append(ps, otherListing(s).As("both modes: other listing"), bothWays(s, s.Unified).As("both modes: READ in the other mode"))
		}
		return slices.DeleteFunc(ps, func(p probes.Probe) bool { return p.Tool == "" })
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		declared := s.Protocol.At("mode").Text() == "all"
		other, sent := got.Find("both modes: other listing")
		switch {
		case !sent && declared:
			return ruling.Violates("a semantic and a single endpoint mode", "mode all stated, mode "+s.Mode()+" found").By(got[0])
		case !sent:
			return ruling.NotProven("the adapter in its other endpoint mode", "mode "+s.Mode()+" alone").
				Mend("--also-cmd or --also-url with the launch of the other mode")
		case !got[0].Data().At("operations").Is(probes.Array):
			return ruling.NotProven("a listing of operations", got[0]).Because("AQL-7.3-01")
		case !other.Data().At("operations").Is(probes.Array):
			return ruling.Violates("introspect to answer in both modes", other).By(got[0])
		}
		if missing := check.ListingDifference(got[0], other); missing != "" {
			return ruling.Departs("the same operations in both modes", missing).By(other, got[0])
		}
		if name := otherParameters(s); name != "" {
			return ruling.Departs("the same parameters in both modes", "others of "+name).By(other, got[0])
		}
		if read, sent := got.Find("both modes: READ in the other mode"); sent && !read.Succeeded() {
			return ruling.Violates("a READ operation to work in both modes", read).By(got[0])
		}
		return ruling.Conforms().By(other)
	},
	Fix: "offer the same operations through the semantic tools and through the unified tool",
}

// otherParameters is an operation whose details in the other launch name other parameters, or require others.
func otherParameters(s model.Subject) string {
	if s.Other == nil || s.Mode() == "all" {
		return ""
	}
	documented := func(o probes.Operation) (all []string) {
		for _, p := range o.Parameters {
			all = append(all, p.Name+" "+strconv.FormatBool(p.Required))
		}
		slices.Sort(all)
		return all
	}
	for _, o := range s.Operations {
		other, known := s.Other.Operation(o.Name)
		if known && o.Details.Is(probes.Object) && other.Details.Is(probes.Object) && !slices.Equal(documented(o), documented(other)) {
			return o.Name
		}
	}
	return ""
}

// otherListing lists the operations through a tool of the mode that this face has
// not: the unified one when this face is semantic.
func otherListing(s model.Subject) probes.Probe {
	if s.Mode() == "semantic" && s.Other.Unified != "" {
		return s.Other.Listing().To(s.Other.Unified)
	}
	return s.Other.Listing()
}

// bothWays is a READ request with a proven answer, sent to the given tool of this
// face, or as it stands on the other face.
func bothWays(s model.Subject, unified string) probes.Probe {
	for _, t := range s.ProvenReads() {
		if len(t.ValidCall().Params()) == 0 {
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

// Section 10.1.
var level2OffersBatchOperations = check.Check{
	Requirement: "AQL-10.1-11",
	Rule:        "Level 2 adapters implement batch operations.",
	Why:         "Two listings in one request are the smallest batch.",
	On:          model.Given(check.TargetsLevelTwo, model.IntrospectSubject),
	Ask: func(s model.Subject) []probes.Probe {
		list := []any{s.Listing().Args(), s.TypesListing().Args()}
		return []probes.Probe{s.Listing(), probes.CallWith(s.Conn, s.Introspect, map[string]any{"operations": list}).As("batch of two listings")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		batch := got.Step("batch of two listings")
		results := batch.Envelope().At("results").Items()
		claimed := s.Protocol.At("capabilities", "batch").True()
		failed := func(entry probes.Value) bool { return entry.At("result", "success").False() }
		switch {
		case batch.Succeeded() && len(results) == 2 && slices.ContainsFunc(results, failed):
			return ruling.NotProven("a batch of two whose entries succeed", batch).Because("OPS-7.3-03")
		case batch.Succeeded() && len(results) == 2:
			return ruling.Conforms().By(batch)
		case claimed:
			return ruling.NotProven("a batch of two", batch).Noting("a batch that is announced and fails belongs to OPS-7.1-02")
		}
		return ruling.Violates("a batch of two introspect requests answered", batch)
	},
	Fix: "accept {\"operations\":[…]} as described in section 7 of the operations document",
}

// Section 10.1.
var level2OffersFieldSelection = check.Check{
	Requirement: "AQL-10.1-10",
	Rule:        "Level 2 adapters implement field selection.",
	Why:         "Field selection keeps what a model did not ask for out of its context.",
	On:          model.Given(check.TargetsLevelTwo, model.IntrospectSubject),
	Drive: func(s model.Subject, ask model.AskFunc) {
		for _, t := range s.ProvenReads() {
			if !t.Op.HasParameter("fields") {
				continue
			}
			whole := ask(t.ValidCall())
			if name := check.SomeField(t, whole); name != "" {
				for _, v := range selections(t, name) {
					ask(t.ValidCall().With("fields", v))
				}
				return
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if len(got) < 2 && slices.ContainsFunc(s.Operations, func(o probes.Operation) bool { return o.Category == "" && o.HasParameter("fields") }) {
			return ruling.NotProven("a READ operation with the parameter fields", "one of no documented category").Because("AQL-6.1-01")
		}
		if len(got) < 2 {
			return ruling.Violates("a READ operation with the parameter fields", "none")
		}
		var whole, last probes.Observation
		for _, o := range got {
			last = o
			switch _, part := o.Probe.Params()["fields"]; {
			case !part:
				whole = o
			case o.Succeeded() && len(o.Data().Raw()) < len(whole.Data().Raw()):
				return ruling.Conforms().By(o)
			}
		}
		untold := slices.ContainsFunc(s.ProvenReads(), func(t model.Subject) bool { return t.Name == last.Probe.Operation() && check.UntoldFields(t) })
		if untold && !slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Probe.Params()["fields"] != nil && !o.Refused() }) {
			return ruling.NotProven("a selection of fields in the form that the adapter takes", last).By(whole)
		}
		return ruling.Violates("fewer members than without fields", last).By(whole)
	},
	Fix: "offer the parameter fields on READ operations",
}

// selections returns values for the parameter fields: the name in a list, or where
// the type allows no list the presets it documents and the name alone.
func selections(s model.Subject, name string) []any {
	i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == "fields" })
	p := s.Op.Parameters[i]
	if kinds, understood := s.Kinds(p.Type); !understood || slices.Contains(kinds, "array") {
		return []any{[]any{name}}
	}
	var values []any
	for _, v := range s.Gen.Values(s.Op, p) {
		values = append(values, v.Go())
	}
	values = values[:min(len(values), 4)]
	if len(s.EnumOf(p)) == 0 && s.Misfit(p, probes.ValueOf(name)) == "" {
		values = append(values, name)
	}
	return values
}
