package descriptions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachSought is every domain operation that may be called.
func eachSought(f *model.Adapter) []model.Subject {
	all := model.EachDomain(f)
	for i, s := range all {
		switch ok, _ := f.Callable(s.Op); {
		case !ok:
			all[i] = s.WithRuling(s.NotCallable("leave to call "+s.Name, ""))
		case s.Op.Category != "READ" && s.Op.Category != "CREATE":
			all[i] = s.WithRuling(ruling.NotProven("a request that reaches the handler and harms nobody", "none, because each may change or remove something"))
		}
	}
	return all
}

// firstDraft is the request that introspection alone suggests, before any error
// has taught anything; ok is false when a value can only be found, not made.
func firstDraft(s model.Subject) (probes.Probe, bool) {
	params := map[string]any{}
	for _, p := range s.Op.Parameters {
		if !p.Required {
			continue
		}
		values := s.Gen.Values(s.Op, p)
		if len(values) == 0 {
			return probes.Probe{}, false
		}
		params[p.Name] = values[0].Go()
	}
	return s.Request(s.Op, params), true
}

// hinting matches descriptions that state a form or a limit in words.
var hinting = regexp.MustCompile(`(?i)\d|format|characters?|letters|iso\b|such as|e\.g|example|at least|at most|between|valid|url|uri|e-?mail|uuid|\bdate|\btime|json|code|path|pattern|language|currency|country|regex|markdown|html|colou?r|query language|expression|phone|one of|base64|identifier|version`)

// unlimited are the required texts of which introspection says nothing that would
// forbid a single letter.
func unlimited(s model.Subject) []probes.Parameter {
	return slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool {
		kinds, ok := s.Kinds(p.Type)
		limited := slices.ContainsFunc([]string{"minLength", "pattern", "format", "enum", "items"}, p.Raw.Has)
		return !p.Required || !ok || !slices.Equal(kinds, []string{"string"}) || limited || len(s.EnumOf(p)) > 0 ||
			probes.IsReference(s.Op, p) || hinting.MatchString(p.Raw.At("description").Text())
	})
}

// constraintOwner is the requirement that a refused documented value breaks.
func constraintOwner(p probes.Parameter) string {
	for _, c := range []struct{ member, owner string }{
		{"enum", "INT-3.4.1-01"}, {"minimum", "INT-3.4.1-02"}, {"maximum", "INT-3.4.1-02"}, {"minLength", "INT-3.4.1-03"},
		{"pattern", "INT-3.4.1-04"}, {"format", "INT-3.4.1-05"}, {"items", "INT-3.4.1-06"},
	} {
		if p.Raw.Has(c.member) {
			return c.owner
		}
	}
	return ""
}

// Introspection document, section 1.2.
var introspectionSufficesForValidRequests = check.Check{
	Requirement: "INT-1.2-01",
	Rule:        "A request assembled from introspection alone passes validation; every limit the adapter enforces is stated there.",
	Why:         "Clients learn of an undocumented rule only by failing calls.",
	On:          eachSought,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if p, ok := firstDraft(s); ok {
			ask(p)
		}
		if s.KnownGoodRequest().State == model.Proven {
			for _, p := range unlimited(s) {
				ask(s.FreshCall("introspection suffices: single letter").With(p.Name, "a"))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if len(got) == 0 {
			return ruling.NotProven("a request of "+s.Name+" made from introspection alone", s.KnownGoodRequest())
		}
		var rs []ruling.Ruling
		for _, o := range got {
			rs = append(rs, sufficient(s, o))
		}
		return ruling.Worst(rs...)
	},
	Fix: "document every limit and form that is enforced",
}

// sufficient rules on the answer to a request made from introspection alone.
func sufficient(s model.Subject, o probes.Observation) ruling.Ruling {
	const want = "a request made from introspection alone to pass validation"
	r := ruling.NotProven(want, o)
	if o.Succeeded() || strings.HasPrefix(o.Code(), "NOT_FOUND_") && o.Code() != "NOT_FOUND_OPERATION" || strings.HasPrefix(o.Code(), "CONFLICT_") {
		return ruling.Conforms().By(o)
	}
	if !strings.HasPrefix(o.Code(), "VALIDATION_") {
		return r
	}
	if o.Code() == "VALIDATION_MISSING_PARAM" {
		return r.Because("INT-8.1.1-04")
	}
	for _, name := range check.SortedKeys(o.Probe.Params()) {
		t := s
		p, known := check.Parameter(s, name)
		t.Par = p
		kinds, _ := s.Kinds(p.Type)
		stated := hinting.MatchString(p.Raw.At("description").Text()) || hinting.MatchString(s.Op.Details.At("description").Text()) || tellsAnother(s, p, o)
		switch {
		case !known || o.Details().At("param_name").Text() != "" && o.Details().At("param_name").Text() != name:
		case check.BlamedKnownName(s, o) == name:
			return r.Because("AQL-4.3-02")
		case check.DemandedPath(s.Op, name, o) != "":
			return r.Because("INT-8.2.2-02")
		case check.WantsOtherType(kinds, name, o):
			return r.Because("INT-8.1.1-02")
		case !check.BlamesOnlyValue(t, o):
		case constraintOwner(p) == "INT-3.4.1-03" && !check.AboutLength(o) && !stated:
			return ruling.Violates("the rule on "+name+" stated in introspection", o)
		case constraintOwner(p) != "" && (constraintOwner(p) != "INT-3.4.1-03" || check.AboutLength(o)):
			return r.Because(constraintOwner(p))
		case stated:
			return r.Noting("a description may state the limit")
		case s.Misfit(p, model.ValueIn(o.Probe, name)) == "":
			return ruling.Violates("the limit on "+name+" stated in introspection", o)
		}
	}
	return r
}

// tellsAnother reports whether a rule on two parameters stands in the description of one, in any language: the description
// names the other parameter, and the refusal names it too, or a value that it had.
func tellsAnother(s model.Subject, p probes.Parameter, o probes.Observation) bool {
	sent := model.ValueIn(o.Probe, p.Name)
	return slices.ContainsFunc(s.Op.Parameters, func(q probes.Parameter) bool {
		if q.Name == p.Name || !check.WholeWord(q.Name).MatchString(p.Raw.At("description").Text()) {
			return false
		}
		value := model.ValueIn(o.Probe, q.Name)
		of := append(value.Names(), value.Scalars()...)
		return check.WholeWord(q.Name).MatchString(o.Message()) || slices.ContainsFunc(of, func(text string) bool { return len(text) > 2 && text != sent.Text() && o.Mentions(text) })
	})
}

// AX, definition.
var toolListTellsHowToIntrospect = check.Check{
	Requirement: "AX-R1-01",
	Rule:        "From tools/list alone, without any manual, an agent can find out how to ask for the catalogue.",
	Why:         "An agent that has the tool list alone can call nothing if no tool there tells how operations are found.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return append(slices.Clone(s.Pages), check.Handshake(s).As("way to introspect: handshake"), s.Listing().As("way to introspect: listing"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if listing := got.Step("way to introspect: listing"); !listing.Succeeded() {
			return ruling.NotProven("the listing of operations", listing).Because("AQL-7.2-01")
		}
		hint := func(text string) bool { return strings.Contains(strings.ToLower(text), "introspect") }
		if hint(got.Step("way to introspect: handshake").Result().At("instructions").Text()) {
			return ruling.Conforms()
		}
		for _, t := range s.Tools {
			said := append(check.OperationEnum(t.Raw.At("inputSchema")), t.Raw.At("description").Text(), t.Raw.At("title").Text())
			said = append(said, t.Raw.At("inputSchema").Scalars()...)
			if slices.ContainsFunc(said, hint) {
				return ruling.Conforms()
			}
		}
		return ruling.Violates("introspect mentioned in a tool description, in an enum of operation or in the instructions", "not mentioned").By(got[0])
	},
	Fix: `say in the tool description: call {"operation":"introspect","params":{"query":"operations"}}`,
}

// AX rule R4.
var capabilityTagsAreOptionalLists = check.Check{
	Requirement: "AX-R4-04",
	Rule:        "Domain capability tags, where offered, are machine-readable lists of short identifiers.",
	Why:         "Some adapters offer tags, although the published schema excludes them.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		var odd []string
		offered := 0
		for _, o := range s.Operations {
			for _, member := range []string{"capabilities", "tags", "x-ax-capabilities"} {
				tags := o.Details.At(member)
				if tags.Is(probes.Absent) {
					tags = o.Summary.At(member)
				}
				short := func(v probes.Value) bool { return v.Is(probes.String) && len(v.Text()) <= 64 }
				switch {
				case tags.Is(probes.Absent):
				case !tags.Is(probes.Array) || slices.ContainsFunc(tags.Items(), func(v probes.Value) bool { return !short(v) }):
					odd = append(odd, o.Name+"."+member)
				default:
					offered++
				}
			}
		}
		if len(odd) > 0 {
			return ruling.Conforms().Noting(ruling.Clip("not lists of short identifiers: " + strings.Join(odd, ", ")))
		}
		if offered == 0 {
			return ruling.Conforms().Noting("no capability tags")
		}
		return ruling.Conforms().Noting("capability tags are lists of short identifiers")
	},
}
