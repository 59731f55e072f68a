package levels

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A variation is something that an adapter may do or leave out. These rows accuse no
// adapter. The report notes what was seen.
type variation struct {
	id, rule, why string
	seen          func(f *model.Adapter, got probes.Answers) string
}

var variations = []variation{
	{"AQL-8.1-07", "DELETE operations are allowed to ask for confirmation first.", "A question before a removal is allowed, and no refusal.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "DELETE operations asked for confirmation", func(o probes.Operation) bool {
			return o.Category == "DELETE" && f.KnownGood[o.Name].Reply.Code() == "CONFIRMATION_REQUIRED"
		})
	}},
	{"ODD-01", "Tools that do not speak the envelope may stand beside the AQL tools, also when one of their arguments is called operation.", "An adapter may serve more than MCP-AQL: what its other tools do is no concern of these rules.", func(f *model.Adapter, _ probes.Answers) string {
		return fmt.Sprintf("%d tools beside those that speak MCP-AQL", len(f.Tools)-len(f.AQL))
	}},
	{"ODD-02", "An operation whose healthy request answers only permission, authentication, rate-limit or transport errors proves nothing either way.", "What nobody may call here shows neither a right nor a wrong answer.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "operations stand behind credentials, limits or a backend", func(o probes.Operation) bool { return f.KnownGood[o.Name].State == model.Blocked })
	}},
	{"ODD-03", "The operation listing may be filtered by who asks or by state, and may change when a change is announced or documented.", "Who asks, and when, may decide what there is to list.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "operations were listed", func(probes.Operation) bool { return true })
	}},
	{"ODD-04", "A semantic adapter may expose a single family, lack any category but introspection, or spread one family over several tools.", "An adapter needs no family for which it has no operations, and may have one alone.", func(f *model.Adapter, _ probes.Answers) string {
		return fmt.Sprintf("%d endpoint families", len(f.Semantic()))
	}},
	{"ODD-05", "Tool names may carry prefixes or be renamed by a gateway; the documented mcpTool is then matched by behaviour.", "A gateway that puts a prefix before tool names leaves the adapter as it was.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "operations name a tool that is listed under another name", func(o probes.Operation) bool {
			named := o.Details.At("mcpTool").Text()
			return named != "" && !slices.Contains(f.AQL, named)
		})
	}},
	{"ODD-06", "A success may carry null data where the object asked for does not exist, if that is what the operation documents.", "That there is no such object may be said with null.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "operations answered null data", func(o probes.Operation) bool { return f.KnownGood[o.Name].Reply.Data().Is(probes.Null) })
	}},
	{"ODD-07", "Identifiers may be numeric, slugs, names or composite; nothing in the text marks them.", "An object may be known by a number or by its name: no shape of identifier is prescribed.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "operations take an identifier that is a number or a name", func(o probes.Operation) bool {
			return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
				return probes.IsReference(o, p) && (p.Name == "name" || p.Type == "integer" || p.Type == "number")
			})
		})
	}},
	{"ODD-08", "A write may answer with an execution or a pending status and become visible later.", "A write may be accepted now and done later, if the answer says so.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "writes were announced as pending", func(o probes.Operation) bool {
			return o.Category != "READ" && check.AnnouncedPending(f, f.KnownGood[o.Name].Reply)
		})
	}},
	{"ODD-09", "A null value may be treated as an absent member, also under unknown names.", "Many languages cannot tell a member that is null from one that is not there.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "operations have parameters that may be null", func(o probes.Operation) bool { return len(o.Parameters) > 0 })
	}},
	{"ODD-10", "Enum and type values may be computed at run time and may be empty at a moment.", "The values of an enum may be known at run time alone, or not at all yet.", func(f *model.Adapter, _ probes.Answers) string {
		empty := 0
		for _, t := range f.Types {
			if t.Kind == "enum" && len(t.Details.At("values").Items()) == 0 {
				empty++
			}
		}
		return fmt.Sprintf("%d enums were empty", empty)
	}},
	{"ODD-11", "A gated operation may be confirmed through a channel that shows the caller no token.", "A person may be asked on a way of his own, and no token goes through the client.", func(f *model.Adapter, _ probes.Answers) string {
		return countOf(f, "operations asked for a confirmation without showing a token", func(o probes.Operation) bool {
			reply := f.KnownGood[o.Name].Reply
			return reply.Code() == "CONFIRMATION_REQUIRED" && reply.ConfirmationToken().Is(probes.Absent)
		})
	}},
	{"ODD-13", "An adapter may offer introspection alone and still reach Level 1.", "Describing itself is all that an adapter owes.", func(f *model.Adapter, _ probes.Answers) string {
		return fmt.Sprintf("%d operations beside introspect", len(model.EachDomain(f)))
	}},
}

func countOf(f *model.Adapter, what string, holds func(probes.Operation) bool) string {
	n := 0
	for _, o := range f.Operations {
		if holds(o) {
			n++
		}
	}
	return fmt.Sprintf("%d %s", n, what)
}

// Specification, sections 1.3 and 10.3. What the texts do not prescribe is free.
var variationChecks = func() []check.Check {
	var all []check.Check
	for _, odd := range variations {
		all = append(all, check.Check{
			Requirement: odd.id,
			Rule:        odd.rule,
			Why:         odd.why,
			On:          model.Given(func(f *model.Adapter) bool { return odd.id != "AQL-8.1-07" || check.UsesConfirmation(f) }, model.IntrospectSubject),
			Ask:         model.Listing,
			Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
				return ruling.Conforms().Noting(odd.seen(s.Adapter, got)).By(got[0])
			},
		})
	}
	return all
}()

// Section 4.2.
var topLevelParametersAreOptionalTo = check.Check{
	Requirement: "AQL-4.2-01",
	Rule:        "Accepting parameters next to operation is optional; the check only finds out whether the adapter does.",
	Why:         "Both kinds of query have to follow the top level: an adapter that ignores it may default to one of them.",
	On:          model.IntrospectSubject,
	Drive:       func(s model.Subject, ask model.AskFunc) { s.ResolvesTopLevel(ask) },
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		i := -1
		resolves := s.ResolvesTopLevel(func(probes.Probe) probes.Observation { i++; return got[i] })
		return ruling.Conforms().Noting(fmt.Sprintf("top-level parameters resolved: %t", resolves)).By(got...)
	},
}

// Introspection document, section 8.3.
var longListingsMayBePaged = check.Check{
	Requirement: "INT-8.3-04",
	Rule:        "Large listings may be filtered or paged.",
	Why:         "Completeness is judged on all pages together.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		switch {
		case s.Unended:
			last := s.Listings[len(s.Listings)-1]
			return ruling.NotProven("a parameter of introspect that leads to the page that the last one announces", "none that does").By(last).
				Mend("document the parameter that takes the cursor or the offset")
		case len(s.Listings) > 1:
			return ruling.Conforms().Noting(fmt.Sprintf("the listing has %d pages", len(s.Listings))).By(s.Listings...)
		}
		return ruling.NotApplicable("does not hold: the listing says that it has another page")
	},
}

// Section 2.3.4.
var storedDataMayOutliveSession = check.Check{
	Requirement: "AQL-2.3.4-01",
	Rule:        "Configuration, operation schemas, stored data, audit records and finished execution results are allowed to outlive a session.",
	Why:         "Whether stored data outlives a session decides how the rows on several sessions are read.",
	On:          model.IntrospectSubject,
	Lane:        probes.Serial,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.Listing())
		ask(s.Listing().Over(s.Conn + check.SecondSession))
		for _, name := range keptObjects(s.Adapter) {
			sp, _ := s.TestObject(name)
			ask(sp.Maker.ValidCall())
			sp.Base = 2
			ask(sp.Read("kept object: read in the second session").Over(s.Conn + check.SecondSession))
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		note := "nothing written that a second session could show"
		if read, sent := got.Find("kept object: read in the second session"); sent {
			note = fmt.Sprintf("what one session wrote is visible in the next: %t", read.Succeeded())
		}
		return ruling.Conforms().Noting(note).By(got...)
	},
}

// keptObjects is one CREATE operation whose object a READ shows.
func keptObjects(f *model.Adapter) []string {
	for _, s := range model.EachListed(f) {
		if sp, why := f.TestObject(s.Name); s.Op.Category == "CREATE" && why == nil && sp.Viewer.Name != "" {
			return []string{s.Name}
		}
	}
	return nil
}

// Section 3.3.
var bothEndpointModesAreOffered = check.Check{
	Requirement: "AQL-3.3-02",
	Rule:        "Both the semantic and the single mode are offered.",
	Why:         "Two modes serve two kinds of client; one launch shows one of them.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := model.Listing(s)
		for _, tool := range s.AQL {
			ps = append(ps, s.Listing().To(tool))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		modes, declared := s.Hint("modes")
		stated := s.Protocol.At("mode").Text()
		both := s.Mode() == "all" || s.Other != nil && s.Other.Introspect != "" && s.Other.Mode() != s.Mode()
		switch {
		case both:
			return ruling.Conforms().By(got...)
		case stated == "all" && s.Mode() != "all":
			return ruling.Violates("the unified tool beside the endpoint tools, as mode all promises", s.Mode()+" mode alone").By(got...)
		case !declared:
			return model.HintMissing("modes", "the endpoint modes the adapter can be launched in, as in semantic,single").By(got...)
		case s.Protocol.At("conformance").Text() == "level-2" && s.Mode() != "all":
			return ruling.NotProven("both endpoint modes, which level 2 promises", modes+" alone").By(got...).Because("INT-4.1.1-10")
		case !strings.Contains(modes, ",") && !strings.Contains(modes, "all"):
			return ruling.Violates("both endpoint modes", modes+" alone").By(got...)
		}
		return ruling.NotProven("a launch in the other mode", "one launch").By(got...).Mend("--also-cmd or --also-url: the adapter launched in the other mode")
	},
	Fix: "offer both the semantic and the single endpoint mode",
}
