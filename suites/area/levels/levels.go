package levels

import (
	"slices"

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
		if read, sent := got.Find("both modes: READ in the other mode"); sent && !read.Succeeded() {
			return ruling.Violates("a READ operation to work in both modes", read).By(got[0])
		}
		return ruling.Conforms().By(other)
	},
	Fix: "offer the same operations through the semantic tools and through the unified tool",
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
	for _, t := range model.EachProven(s.Adapter) {
		if t.Ruling == nil && t.Op.Category == "READ" && len(t.ValidCall().Params()) == 0 {
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
		switch {
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
		for _, t := range model.EachProven(s.Adapter) {
			if t.Ruling != nil || t.Op.Category != "READ" || !t.Op.HasParameter("fields") {
				continue
			}
			whole := ask(t.ValidCall())
			if name := check.SomeField(t.Adapter, whole); name != "" {
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
		return ruling.Violates("fewer members than without fields", last).By(whole)
	},
	Fix: "offer the parameter fields on READ operations",
}

// selections returns values for the parameter fields: the name in a list, or where
// the type allows no list the presets it documents.
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
	return values[:min(len(values), 4)]
}

// Section 10.3.
var extensionsDoNotDisableCoreRules = check.Check{
	Requirement: "AQL-10.3-03",
	Rule:        "No extension changes core behaviour.",
	Why:         "An extension must not disable validation or routing.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(model.EachProven, func(s model.Subject) bool {
			return s.Ruling == nil && s.Op.Category == "READ" && s.Op.HasParameter("fields")
		})(f)
	},
	Ask: func(s model.Subject) []probes.Probe {
		unknown := s.ValidCall().With(check.UnknownName(s), 1)
		field := check.SomeField(s.Adapter, s.KnownGoodRequest().Reply)
		extended := s.ValidCall().With("fields", []any{"success"})
		ps := []probes.Probe{
			unknown,
			unknown.With("fields", []any{field}).As("extension: unknown parameter with fields"),
			s.ValidCall().As("extension: request without it"),
			extended.As("extension: fields"),
		}
		if s.Op.HasParameter("dry_run") {
			ps = append(ps, unknown.With("dry_run", true).As("extension: unknown parameter with dry_run"))
		}
		if wrong := check.WrongTools(s.Adapter, s.Op); model.SeveralEndpointTools(s.Adapter) && len(wrong) > 0 {
			ps = append(ps, s.ValidCall().To(wrong[0]).As("extension: wrong endpoint"), extended.To(wrong[0]).As("extension: wrong endpoint with fields"))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms().By(got.Step("extension: fields"))}
		misrouted := got.Step("extension: wrong endpoint")
		for _, o := range got {
			_, extended := o.Probe.Params()["fields"]
			_, dry := o.Probe.Params()["dry_run"]
			_, unknown := o.Probe.Params()[check.UnknownName(s)]
			switch {
			case !extended && !dry:
			case unknown && got[0].Succeeded():
				rs = append(rs, ruling.NotProven("a refusal of the unknown parameter without the extension", got[0]).Because("AQL-4.6-01"))
			case unknown && o.Succeeded():
				rs = append(rs, ruling.Violates("the unknown parameter refused as without the extension", o).By(got[0]))
			case o.Probe.Step == "extension: fields" && !o.Succeeded() && !o.Refused():
				rs = append(rs, ruling.Violates("an envelope as without the extension", o).By(got.Step("extension: request without it")))
			case o.Probe.Step == "extension: wrong endpoint with fields" && misrouted.Refused() && o.Succeeded():
				rs = append(rs, ruling.Violates("the wrong endpoint refused as without the extension", o).By(misrouted))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "let fields and its like act on data alone",
}
