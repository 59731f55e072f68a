package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// itemized reports whether the parameter documents the elements of an array.
func itemized(s model.Subject) bool {
	return check.AcceptsKind(s, "array") && s.Par.Raw.At("items").Is(probes.Object)
}

// element is the array's element as a parameter of its own.
func element(s model.Subject) model.Subject {
	items := s.Par.Raw.At("items")
	s.Par = probes.Parameter{Name: s.Par.Name, Type: items.At("type").Text(), Raw: items}
	return s
}

// goodArrays returns arrays whose elements fit: published ones first, then one that is made up; published
// counts the former. A published array is taken whole, because no record can say how many elements are
// wanted: a position has two.
func goodArrays(s model.Subject) (all []probes.Value, published int) {
	add := func(array probes.Value) {
		misfit := func(v probes.Value) bool { return s.Misfit(element(s).Par, v) != "" }
		if items := array.Items(); len(items) > 0 && !check.Contains(all, array) && !slices.ContainsFunc(items, misfit) {
			all = append(all, array)
		}
	}
	for _, v := range s.Par.Raw.At("items", "enum").Items() {
		add(probes.ValueOf([]any{v.Go()}))
	}
	add(s.Par.Raw.At("default"))
	for _, e := range s.Op.Details.At("examples").Items() {
		add(e.At("request", "params", s.Par.Name))
	}
	if field := check.SomeField(s, s.KnownGoodRequest().Reply); s.Par.Name == "fields" && field != "" {
		add(probes.ValueOf([]string{field}))
	}
	all = all[:min(len(all), 3)]
	published = len(all)
	if published == 0 {
		for _, v := range s.Gen.Values(s.Op, s.Par) {
			for _, item := range v.Items() {
				add(probes.ValueOf([]any{item.Go()}))
			}
		}
		all = all[:min(len(all), 1)]
	}
	return all, published
}

// Introspection document, section 3.4.1.
var arraysOfDocumentedItemsAreAccepted = check.Check{
	Requirement: "INT-3.4.1-06",
	Rule:        "An array whose elements conform to items is accepted.",
	Why:         "A model knows the elements of the list only from items.",
	On:          check.RequireUsable(check.EachVariableParameter(itemized)),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		all, _ := goodArrays(s)
		for i, v := range all {
			ps = append(ps, check.WithValue(s, 40+i, v.Go()))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		all, published := goodArrays(s)
		if len(all) == 0 {
			return ruling.NotProven("an element that fits items", s.Par.Raw.At("items"))
		}
		var rs []ruling.Ruling
		for i, o := range got.Rest() {
			r := fair(s, got[0], o, func(o probes.Observation) bool {
				return i < published || check.BlamesType(o)
			})
			if r.Verdict == reports.Fail && i >= published && check.UntoldElements(s) {
				// items cannot say what is in the objects: the made-up one is a guess
				r = ruling.Departs(r.Want, o).By(got[0])
				r.Fix = "name a type of kind object in items; its fields tell what an element needs"
			}
			rs = append(rs, r)
		}
		return ruling.Worst(rs...)
	},
	Fix: "accept elements of the documented type, or correct items",
}

// withBad is the array with a bad last element. One of several elements keeps its length, which may be the
// only one that is taken.
func withBad(array probes.Value, bad any) (all []any) {
	items := array.Items()
	for _, v := range items[:max(1, len(items)-1)] {
		all = append(all, v.Go())
	}
	return append(all, bad)
}

// badElements are values of another JSON type than the elements have.
func badElements(s model.Subject) []any { return check.WrongTypeValues(element(s)) }

// Introspection document, section 8.1.1.
var arrayElementsAreValidated = check.Check{
	Requirement: "CMP-ARRAY-01",
	Rule:        "An array whose elements break the documented items is refused.",
	Why:         "A list is as safe as its least checked element.",
	On:          check.RequireUsable(check.EachVariableParameter(itemized)),
	Ask: func(s model.Subject) []probes.Probe {
		all, _ := goodArrays(s)
		ps := []probes.Probe{s.ValidCall()}
		if len(all) == 0 {
			return ps
		}
		ps = append(ps, check.WithValue(s, 40, all[0].Go()).As("array: documented element"))
		for i, bad := range badElements(s) {
			ps = append(ps, check.WithValue(s, 50+i, withBad(all[0], bad)).As(probes.Nth("array: bad element: wrong type", i)))
		}
		if misfit := misfitElement(s); misfit != nil {
			ps = append(ps, check.WithValue(s, 59, []any{misfit}).As("array: bad element: broken constraint"))
		}
		return append(ps, badFields(s, all[0])...)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		good, bad := got.Step("array: documented element"), got.Under("array: bad element")
		switch {
		case len(bad) == 0:
			return ruling.NotProven("an element of another type than that of items", s.Par.Raw.At("items"))
		case !good.Succeeded() && s.KnownGoodRequest().State == model.Proven:
			return ruling.NotProven("an array of documented elements accepted", good).Because("INT-3.4.1-06")
		}
		var rs []ruling.Ruling
		for _, o := range bad {
			rs = append(rs, check.JudgeForbiddenValue(s, got[0], o, "whose element breaks items"))
		}
		return ruling.Worst(append(rs, fieldRulings(s, good, got)...)...)
	},
	Fix: "check each element of an array against its documented items",
}

// misfitElement returns a text that breaks a documented constraint of the
// elements; nil when there is none to break.
func misfitElement(s model.Subject) any {
	e := element(s)
	switch {
	case check.HasEnum(e):
		return alien(e)
	case check.HasNumericBounds(e) && len(outside(e)) > 0:
		return outside(e)[0]
	case patterned(e):
		if text, ok := unmatched(e); ok {
			return text
		}
	}
	return nil
}

// mostElementFields bounds the fields of elements that are tried: each takes some requests, for each array.
const mostElementFields = 30

// elementFields are the documented fields of elements that are objects.
func elementFields(s model.Subject) []model.Subject {
	all := innerFields(element(s))
	return all[:min(len(all), mostElementFields)]
}

// badFields are requests whose last element differs in one field from the documented one.
func badFields(s model.Subject, array probes.Value) (all []probes.Probe) {
	items := array.Items()
	last := items[len(items)-1]
	if !last.Is(probes.Object) {
		return nil
	}
	for i, f := range elementFields(s) {
		for _, v := range slices.Concat(check.WrongTypeValues(f), beyondEnum(f), beyondBounds(f), leftOut(f)) {
			p := check.WithValue(s, 70+len(all), withBad(array, with(membersOf(last), f.Par.Name, v)))
			all = append(all, p.As(probes.Nth(probes.Nth("array: bad field", i)+": value", len(all))))
		}
	}
	return all
}

// fieldRulings judges the answers to badFields.
func fieldRulings(s model.Subject, good probes.Observation, got probes.Answers) (rs []ruling.Ruling) {
	for i, f := range elementFields(s) {
		s.Par.Identifies = probes.IsReference(s.Op, f.Par) // what the element refers to may be looked up first
		for _, o := range got.Under(probes.Nth("array: bad field", i)) {
			if !good.Succeeded() {
				return append(rs, ruling.NotProven("an array of documented elements accepted", good))
			}
			rs = append(rs, check.JudgeForbiddenValue(s, good, o, "whose element breaks the documented field "+f.Par.Name))
		}
	}
	return rs
}
