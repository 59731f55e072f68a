package parameters

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// alien returns a value outside the enum, of its own JSON type. A text begins and ends with a listed value, as a
// pattern without anchors lets it pass.
func alien(s model.Subject) any {
	most, listed, text := 0.0, "", false
	for _, v := range s.EnumOf(s.Par) {
		n, _ := v.Float()
		most, text = max(most, n), text || v.Is(probes.String)
		listed = cmp.Or(v.Text(), listed)
	}
	if text {
		return strings.Trim(listed+"_aqlx_"+s.Nonce+"_"+listed, "_")
	}
	return int64(most) + 1
}

// nearby returns values outside the enum that a careless comparison lets pass: an empty text and the end of a listed
// one; a number below all, and one between two.
func nearby(s model.Subject) (all []any) {
	enum := s.EnumOf(s.Par)
	listed := func(v any) bool { return check.Contains(enum, probes.ValueOf(v)) }
	if _, text := alien(s).(string); text {
		all = append(all, "")
		for _, v := range enum {
			if runes := []rune(v.Text()); len(runes) > 2 && !listed(string(runes[1:])) {
				all = append(all, string(runes[1:]))
				break
			}
		}
		return slices.DeleteFunc(all, listed)
	}
	var ns []float64
	for _, v := range enum {
		if n, ok := v.Float(); ok {
			ns = append(ns, math.Floor(n))
		}
	}
	slices.Sort(ns)
	for i, n := range ns {
		if i == 0 {
			all = append(all, int64(n)-1)
		} else if n-ns[i-1] > 1 {
			return append(all, int64(ns[i-1])+1)
		}
	}
	return all
}

// recased returns a listed value in another letter case that is not listed itself.
func recased(s model.Subject) (string, bool) {
	all := s.EnumOf(s.Par)
	for _, v := range all {
		other := strings.Map(func(r rune) rune {
			if unicode.IsUpper(r) {
				return unicode.ToLower(r)
			}
			return unicode.ToUpper(r)
		}, v.Text())
		if other != v.Text() && !slices.ContainsFunc(all, func(w probes.Value) bool { return w.Text() == other }) {
			return other, true
		}
	}
	return "", false
}

// Section 3.2.
var valueOutsideEnumIsRefused = check.Check{
	Requirement: "OPS-5.4-04",
	Rule:        "Values outside a documented enum are refused.",
	Why:         "A value outside the list reaches code that was written for the listed ones alone.",
	On:          check.RequireUsable(check.EachVariableParameter(check.HasEnum)),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall(), check.WithValue(s, 0, alien(s)).As("enum: value outside it")}
		if other, ok := recased(s); ok {
			ps = append(ps, check.WithValue(s, 1, other).As("enum: other letter case"))
		}
		for i, v := range nearby(s) {
			ps = append(ps, check.WithValue(s, 2+i, v).As(probes.Nth("enum: value near it", i)))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{check.JudgeForbiddenValue(s, got[0], got.Step("enum: value outside it"), "a value outside the enum")}
		for _, o := range got.Under("enum: value near it") {
			v := model.ValueIn(o.Probe, s.Par.Name)
			if o.Succeeded() && v.Is(probes.String) && v.Text() == "" && s.Op.Category == "READ" && !s.Par.Required {
				rs = append(rs, ruling.Departs("a refusal of an empty text, which the enum does not list", o).By(got[0]))
				continue
			}
			rs = append(rs, check.JudgeForbiddenValue(s, got[0], o, "a value outside the enum"))
		}
		if other := got.Step("enum: other letter case"); other.Succeeded() {
			rs = append(rs, ruling.Departs("a refusal of another letter case than that of the enum", other).By(got[0]))
		}
		return ruling.Worst(rs...)
	},
	Fix: "compare the value with the documented list before the operation runs",
}
