package query

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

var (
	// groupWords are parameters by which other adapters summarize.
	groupWords = strings.Fields("aggregations aggregation aggregate_by group_by groupBy stats statistics summarize facets")

	ofSummaries = regexp.MustCompile(`(?i)aggregat|group|summar|statistic|\bcount|\bsum\b|average`)
)

// summarizers returns the parameters by which an operation summarizes.
func summarizers(s model.Subject) []string {
	disclosed := s.Op.Details.At("aggregation_support", "supported").True()
	return slices.DeleteFunc(check.DocumentedAmong(s, append([]string{"aggregate"}, groupWords...)), func(name string) bool {
		return !disclosed && !(check.IsListing(s) && check.DescriptionMatches(s, name, ofSummaries))
	})
}

// Operations document, section 4.2.
var aggregationUsesOneAggregateObject = check.Check{
	Requirement: "OPS-4.2-07",
	Rule:        "Aggregation takes one object parameter called aggregate that maps chosen labels to expressions.",
	Why:         "Labels of the caller's own make room for several summaries in one request; a parameter for each function does not.",
	On: model.Only(model.EachDomain, func(s model.Subject) bool {
		return s.Op.Category == "READ" && (len(summarizers(s)) > 0 || s.Op.Details.At("aggregation_support", "supported").True())
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		const want = "one object parameter aggregate"
		used := summarizers(s)
		other := slices.IndexFunc(used, func(name string) bool { return name != "aggregate" })
		p, ok := check.Parameter(s, "aggregate")
		kinds, understood := s.Kinds(p.Type)
		switch {
		case other >= 0:
			return ruling.Violates(want, "the parameter "+used[other])
		case !ok:
			return ruling.Violates(want, "none")
		case !understood:
			return ruling.NotProven("a type of aggregate that is understood", probes.ValueOf(p.Type))
		case !slices.Contains(kinds, "object"):
			return ruling.Violates(want, "aggregate of type "+p.Type)
		}
		return ruling.Conforms()
	},
	Fix: `take summaries in one object parameter: {"total":{"count":true}}`,
}

// aggregators are the READ operations that could show aggregation.
func aggregators(f *model.Adapter) []model.Subject {
	return model.Only(model.EachProven, func(s model.Subject) bool {
		disclosed := s.Op.Details.At("aggregation_support", "supported").True()
		return s.Op.Category == "READ" && (disclosed || check.HasKind(s, "aggregate", "object")) && s.Op.HasParameter("aggregate")
	})(f)
}

// summaryLabel is a label that no domain has.
const summaryLabel = "aqlx_total"

// summary is a request for one summary: the count, or where that is not among the documented functions the first that is,
// of a numeric field. ok is false where the record names neither.
func summary(s model.Subject) (p probes.Probe, counts, ok bool) {
	record := s.Op.Details.At("aggregation_support")
	functions, fields := record.At("functions").Items(), record.At("numeric_fields").Items()
	counts = len(functions) == 0 || slices.ContainsFunc(functions, probes.ValueOf("count").Equal)
	expression := map[string]any{"count": true}
	if i := slices.IndexFunc(functions, func(f probes.Value) bool { return f.Text() != "group_by" }); !counts && i >= 0 && len(fields) > 0 {
		expression, ok = map[string]any{functions[i].Text(): fields[0].Text()}, true
	}
	return s.ValidCall().With("aggregate", map[string]any{summaryLabel: expression}), counts, counts || ok
}

// aggregation names the steps of one of the aggregators.
func aggregation(index int, step string) string {
	return probes.Nth("aggregation: operation", index) + ": " + step
}

// Introspection document, section 4.1.1.
var announcedAggregationWorks = check.Check{
	Requirement: "INT-4.1.1-13",
	Rule:        "An adapter that announces aggregations answers an aggregate request with values under the requested labels.",
	Why:         "The flag spares a client the download of a collection that it only wants to count.",
	On:          promised("aggregations"),
	Lane:        probes.Serial, // nobody writes between the listings and the count
	Drive: func(s model.Subject, ask model.AskFunc) {
		for i, t := range aggregators(s.Adapter) {
			if p, _, ok := summary(t); ok && t.Ruling == nil {
				ask(t.ValidCall().Anew(aggregation(i, "listing before")))
				ask(p.Anew(aggregation(i, "summary")))
				ask(t.ValidCall().Anew(aggregation(i, "listing after")))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		disclosed := slices.ContainsFunc(model.EachListed(s.Adapter), func(t model.Subject) bool { return t.Op.Details.Has("aggregation_support") })
		unread := slices.ContainsFunc(model.EachListed(s.Adapter), func(t model.Subject) bool { return !t.Op.Details.Is(probes.Object) })
		var rs []ruling.Ruling
		for i, t := range aggregators(s.Adapter) {
			if _, _, ok := summary(t); t.Ruling != nil {
				rs = append(rs, *t.Ruling)
			} else if !ok {
				rs = append(rs, ruling.NotProven("count, or a function with a numeric field, in aggregation_support", t.Op.Details.At("aggregation_support")))
			} else {
				rs = append(rs, summedUp(t, got.Step(aggregation(i, "listing before")), got.Step(aggregation(i, "summary")), got.Step(aggregation(i, "listing after"))))
			}
		}
		r := ruling.NotProven("an operation that documents aggregate", "none")
		if len(rs) > 0 {
			r = best(rs...)
		}
		if !disclosed && !unread && r.Verdict != ruling.Violates("", "").Verdict {
			return ruling.Departs("aggregation_support in the details of an operation", "none").By(got...)
		}
		return r
	},
	Fix: "answer aggregate with a value under each label, or drop the flag",
}

// summedUp rules on a summary between two listings.
func summedUp(s model.Subject, before, o, after probes.Observation) ruling.Ruling {
	value := underLabel(o.Data(), summaryLabel)
	_, counts, _ := summary(s)
	n, number := numberIn(value, counts)
	known, size := sizeOf(before)
	_, again := sizeOf(after)
	switch {
	case !before.Succeeded() || o.Deferred() || !o.Succeeded() && !o.Refused():
		return ruling.NotProven("an answer to a summary", o).By(before)
	case o.Refused():
		return ruling.Violates("a summary of what "+s.Name+" finds", o).By(before)
	case value.Is(probes.Absent):
		return ruling.Violates("a value under the label "+summaryLabel, o.Data()).By(o, before)
	case !number:
		return ruling.NotProven("a number under the label", value).By(o)
	case counts && known && size == again && n != size:
		return ruling.Departs("the number of items under the label", value).By(o, before)
	}
	return ruling.Conforms().By(o, before)
}

// underLabel finds the member with the label, at any depth outside of lists.
func underLabel(v probes.Value, label string) probes.Value { return v.MemberNamed(label) }

// numberIn is the number that stands under a label: the value itself, or the first
// of its members, that called count where a count was asked for.
func numberIn(v probes.Value, counts bool) (n float64, ok bool) {
	if n, ok = v.Float(); ok {
		return n, true
	}
	for _, m := range v.Members() {
		if n, ok = m.Value.Float(); ok && (!counts || m.Name == "count") {
			return n, true
		}
	}
	return 0, false
}

// sizeOf is the size of the collection that a listing shows: its own total, else the
// items where it says that there are no more. known is false for anything else.
func sizeOf(o probes.Observation) (known bool, n float64) {
	if total, ok := o.Data().MemberNamed(check.ItemTotals...).Float(); ok {
		return true, total
	}
	items, _, ok := check.Collection(o.Data())
	return ok && check.PositionOf(o).More.False(), float64(len(items))
}
