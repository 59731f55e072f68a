package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A filter is an optional parameter of a listing, or a field of one, that has an enumeration and is called like a
// member of the items.
type filter struct {
	par    probes.Parameter // the parameter, or the field
	inside string           // the parameter that has the field; empty for none
}

// with returns the request of a listing with the filter set.
func (f filter) with(p probes.Probe, value any) probes.Probe {
	if f.inside != "" {
		return p.With(f.inside, map[string]any{f.par.Name: value})
	}
	return p.With(f.par.Name, value)
}

// unproven reports whether the filter is a field of an object that is not called filter. Such a field may also leave items out,
// or order them.
func (f filter) unproven() bool { return f.inside != "" && f.inside != "filter" }

// values are those that are tried: two, so that one that stands for all tells nothing.
func (f filter) values(s model.Subject) []probes.Value {
	all := s.EnumOf(f.par)
	return all[:min(len(all), 3)]
}

// filtersOf returns the filters of an operation on the members of the items it lists.
func filtersOf(s model.Subject) []filter {
	items, _, _ := check.Collection(s.KnownGoodRequest().Reply.Data())
	if len(items) == 0 {
		return nil
	}
	return slices.DeleteFunc(conditions(s), func(f filter) bool {
		told := strings.ToLower(f.par.Raw.String())
		outdated := strings.Contains(told, "deprecat") || strings.Contains(told, "no effect") || strings.Contains(told, "without effect")
		v := items[0].At(f.par.Name)
		return len(s.EnumOf(f.par)) < 2 || !v.Is(probes.String) || !slices.ContainsFunc(s.EnumOf(f.par), v.Equal) || outdated
	})
}

// conditions are the optional parameters that the request of a listing leaves out, and the fields of each that is an
// object without a required one.
func conditions(s model.Subject) (all []filter) {
	for _, p := range s.Op.Parameters {
		if _, set := s.ValidCall().Params()[p.Name]; p.Required || set {
			continue
		}
		all = append(all, filter{p, ""})
		fields, _ := s.FieldsOf(p, probes.Operation{})
		if !slices.ContainsFunc(fields, func(f probes.Parameter) bool { return f.Required }) {
			for _, f := range fields {
				all = append(all, filter{f, p.Name})
			}
		}
	}
	return all
}

// requests are the calls with each value.
func (f filter) requests(s model.Subject) (all []probes.Probe) {
	for _, v := range f.values(s) {
		all = append(all, f.with(s.LargestPage(), v.Go()))
	}
	return all
}

// filtered rules on one filter: it has no effect where two values or more list the same as none, and
// items with other values among them.
func filtered(s model.Subject, f filter, before probes.Observation, tried probes.Answers) ruling.Ruling {
	idle, effective := probes.Answers{}, probes.Answers{}
	for j, v := range f.values(s) {
		o := tried[j]
		items, _, ok := check.Collection(o.Data())
		other := slices.ContainsFunc(items, func(item probes.Value) bool {
			return item.At(f.par.Name).Is(probes.String) && !item.At(f.par.Name).Equal(v)
		})
		switch {
		case !o.Succeeded() || !ok:
		case other && check.StableData(o) == check.StableData(before):
			idle = append(idle, o)
		case !other:
			effective = append(effective, o)
		}
	}
	want := "items that meet " + f.par.Name
	switch {
	case len(idle) > 1 && (!f.unproven() || len(effective) > 0):
		return ruling.Violates(want, "the same items for each value").By(idle...).By(before)
	case len(effective) > 0:
		return ruling.Conforms().By(effective...)
	}
	return ruling.NotProven(want, "items that tell nothing of it").By(before)
}
