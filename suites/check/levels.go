package check

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// ListingDifference names the operations that only one listing has, or that have different
// categories.
func ListingDifference(one, other probes.Observation) string {
	describe := func(o probes.Observation) map[string]string {
		m := map[string]string{}
		for _, e := range o.Data().At("operations").Items() {
			m[e.At("name").Text()] = e.At("semantic_category").Text()
		}
		return m
	}
	a, b := describe(one), describe(other)
	var odd []string
	for name, category := range a {
		if b[name] != category {
			odd = append(odd, name)
		}
	}
	for name := range b {
		if _, both := a[name]; !both {
			odd = append(odd, name)
		}
	}
	slices.Sort(odd)
	if len(odd) == 0 {
		return ""
	}
	return "different: " + strings.Join(slices.Compact(odd), ", ")
}

// TargetsLevelTwo reports whether the adapter claims Level 2 or the operator asks for it.
func TargetsLevelTwo(f *model.Adapter) bool {
	return f.TargetLevel == 2 || f.Protocol.At("conformance").Text() == "level-2"
}

// SomeField returns the name of a member of the answered object, or of the first object of an
// answered list that has more than one member, that fields takes. The members around an empty list are no
// fields of its items.
func SomeField(s model.Subject, o probes.Observation) string {
	items, _, ok := Collection(o.Data())
	record, list := SelectableRecord(s.Adapter, o)
	switch {
	case list != "":
	case ok && len(items) == 0 && (s.Rules == nil || !s.Rules.Views(o.Probe.Operation())):
		return ""
	case record.Has("pageInfo") || record.Has("pagination"): // null may stand for the empty list
		return ""
	}
	if names := record.Names(); list != "" && len(names) > 1 || len(names) > 2 {
		return first(FieldsTaken(s, names...))
	}
	for _, m := range o.Data().Members() {
		if items := m.Value.Items(); len(items) > 0 && len(items[0].Members()) > 1 {
			return first(FieldsTaken(s, items[0].Names()...))
		}
	}
	return ""
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// StatedLevel is the level that introspection states; 0 if it states no defined level.
func StatedLevel(f *model.Adapter) int {
	return slices.Index([]string{"", "level-1", "level-2"}, f.Protocol.At("conformance").Text())
}

// JudgeClaim rules on a stated level by its standing. The root cause of a failure is the
// requirement that failed.
func JudgeClaim(n int, standing reports.Standing, found []reports.Finding) ruling.Ruling {
	switch standing {
	case reports.Conformant:
		return ruling.Conforms()
	case reports.Nonconformant:
		i := slices.IndexFunc(found, func(f reports.Finding) bool {
			row, known := catalogue.Lookup(f.Requirement)
			return known && f.Verdict == reports.Fail && row.LevelNumber() > 0 && row.LevelNumber() <= n
		})
		r := ruling.Violates("the stated level reached", string(standing))
		if i >= 0 {
			r = r.Because(found[i].Requirement)
		}
		return r
	}
	return ruling.NotProven("the stated level established by this run", string(standing))
}

// ProtocolWith returns the adapter if its _protocol object has one of the members.
func ProtocolWith(members ...string) func(*model.Adapter) []model.Subject {
	return model.Given(func(f *model.Adapter) bool { return slices.ContainsFunc(members, f.Protocol.Has) }, model.IntrospectSubject)
}
