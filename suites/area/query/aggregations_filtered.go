package query

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A filter holds for each summary of a request. Two values of an enumeration share no item, so they
// cannot both have the groups of all items.

const (
	groupedLabel     = "aqlx_groups"
	filteredSummary  = "filtered summary"
	mostFilterValues = 4
)

// A grouping is a filter by an enumeration, and another field to group by.
type grouping struct {
	filter string
	inside bool // within the parameter filter
	values []probes.Value
	by     string
}

// groupingOf returns the first grouping that an operation documents.
func groupingOf(s model.Subject) (g grouping, ok bool) {
	record := s.Op.Details.At("aggregation_support")
	if functions := record.At("functions").Items(); len(functions) > 0 && !slices.ContainsFunc(functions, func(v probes.Value) bool { return v.Text() == "count" }) {
		return g, false
	}
	consider := func(p probes.Parameter, inside bool) {
		values := s.EnumOf(p)
		i := slices.IndexFunc(record.At("groupable_fields").Items(), func(v probes.Value) bool { return v.Is(probes.String) && v.Text() != p.Name })
		if !ok && !p.Required && len(values) > 1 && i >= 0 {
			g, ok = grouping{p.Name, inside, values[:min(len(values), mostFilterValues)], record.At("groupable_fields").Items()[i].Text()}, true
		}
	}
	for _, p := range s.Op.Parameters {
		if p.Name != "filter" {
			if slices.ContainsFunc(record.At("groupable_fields").Items(), func(v probes.Value) bool { return v.Text() == p.Name }) {
				consider(p, false)
			}
			continue
		}
		fields, _ := s.FieldsOf(p, probes.Operation{})
		for _, field := range fields {
			consider(field, true)
		}
	}
	return g, ok
}

// summary asks for the groups and the number of all items, or of those with a value.
func (g grouping) summary(s model.Subject, value probes.Value) probes.Probe {
	p := s.ValidCall().With("aggregate", map[string]any{
		summaryLabel: map[string]any{"count": true}, groupedLabel: map[string]any{"count": true, "group_by": g.by}})
	switch {
	case value.Is(probes.Absent):
		return p
	case g.inside:
		return p.With("filter", map[string]any{g.filter: value.Go()})
	}
	return p.With(g.filter, value.Go())
}

// Introspection document, section 8.1.2.
var filterHoldsForGroups = check.Check{
	Requirement: "INT-8.1.2-07",
	Why:         "Groups over all items beside a filter are numbers about something that was not asked for.",
	On: model.Only(aggregators, func(s model.Subject) bool {
		_, ok := groupingOf(s)
		return s.Ruling == nil && ok
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g, _ := groupingOf(s)
		ask(g.summary(s, probes.Value{}).Anew(filteredSummary + ": before"))
		for i, v := range g.values {
			ask(g.summary(s, v).Anew(probes.Nth(filteredSummary+": value", i)))
		}
		ask(g.summary(s, probes.Value{}).Anew(filteredSummary + ": after"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		g, _ := groupingOf(s)
		before, after := got.Step(filteredSummary+": before"), got.Step(filteredSummary+": after")
		groups := func(o probes.Observation) string { return underLabel(o.Data(), groupedLabel).Canonical(nil) }
		all, counted := numberIn(underLabel(before.Data(), summaryLabel), true)
		if !before.Succeeded() || !counted || check.StableData(before) != check.StableData(after) || underLabel(before.Data(), groupedLabel).Is(probes.Absent) {
			return ruling.NotProven("groups and a number of all items that stay as they are", after).By(before)
		}
		var same, other probes.Answers
		together := 0.0
		for _, o := range got.Under(filteredSummary + ": value") {
			n, ok := numberIn(underLabel(o.Data(), summaryLabel), true)
			switch {
			case !o.Succeeded() || !ok || n <= 0 || n >= all:
			case groups(o) == groups(before):
				same, together = append(same, o), together+n
			default:
				other = append(other, o)
			}
		}
		switch {
		case len(same) > 1 && together <= all:
			return ruling.Violates("groups of the items that meet "+g.filter, "those of all items, beside a smaller number").By(same...).By(before)
		case len(other) > 0:
			return ruling.Conforms().By(other...)
		}
		return ruling.NotProven("two values of "+g.filter+" that select some of the items", "none").By(before)
	},
	Fix: "apply the filter before the items are grouped",
}
