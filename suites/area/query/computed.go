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

// computedOf returns the computed fields of what an operation answers: its own, else
// those of the type that it returns.
func computedOf(s model.Subject) []string {
	if names := check.ComputedFieldNames(s.Op.Details); len(names) > 0 {
		return names
	}
	var names []string
	for _, t := range s.Types {
		if slices.Contains(check.TypeLeaves(s.Op.Details.At("returns", "name").Text()), t.Name) {
			names = append(names, check.ComputedFieldNames(t.Details)...)
		}
	}
	return names
}

// computers are the READ operations that could show computed fields.
func computers(f *model.Adapter) []model.Subject {
	return model.Only(model.EachProven, func(s model.Subject) bool { return s.Op.Category == "READ" && len(computedOf(s)) > 0 })(f)
}

// brings reports whether an answer holds one of the fields, beside the others or
// below a member of their own.
func brings(v probes.Value, names []string) bool {
	for _, m := range v.Members() {
		if slices.Contains(names, strings.TrimPrefix(m.Name, "_computed.")) || brings(m.Value, names) {
			return true
		}
	}
	return slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return brings(item, names) })
}

// asksComputed are the requests that could bring computed fields: the plain one, and
// where fields are selected the paths of the computed ones.
func asksComputed(s model.Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	if check.HasKind(s, "fields", "array") {
		var paths, names []any
		for _, name := range computedOf(s) {
			paths, names = append(paths, "_computed."+name), append(names, name)
		}
		ps = append(ps, s.ValidCall().With("fields", paths), s.ValidCall().With("fields", names))
	}
	if p, _ := check.Parameter(s, "fields"); check.HasKind(s, "fields", "string") && s.Misfit(p, probes.ValueOf("full")) == "" {
		ps = append(ps, s.ValidCall().With("fields", "full"))
	}
	return ps
}

// switching matches parameters that may bring what is not answered otherwise.
var switching = regexp.MustCompile(`^(include|expand|embed|with)|comput|derive|preset|view|detail`)

// Introspection document, section 4.1.1.
var announcedComputedFieldsAreDisclosed = check.Check{
	Requirement: "INT-4.1.1-14",
	Rule:        "An adapter that announces computed fields discloses them and delivers them in its data.",
	Why:         "A derived value that is promised and never comes makes a model work it out, and wrongly.",
	On:          promised("computed_fields"),
	Drive: func(s model.Subject, ask model.AskFunc) {
		for _, t := range computers(s.Adapter) {
			if t.Ruling != nil {
				continue
			}
			for _, p := range asksComputed(t) {
				if brings(ask(p).Data(), computedOf(t)) {
					return
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		disclosed := slices.ContainsFunc(model.EachListed(s.Adapter), func(t model.Subject) bool { return t.Op.Details.Has("computed_fields") }) ||
			slices.ContainsFunc(model.EachType(s.Adapter), func(t model.Subject) bool { return t.Kind.Details.Has("computed_fields") })
		unread := slices.ContainsFunc(model.EachListed(s.Adapter), func(t model.Subject) bool { return !t.Op.Details.Is(probes.Object) })
		if !disclosed && !unread {
			return ruling.Departs("computed_fields in the details of an operation", "none").By(got...)
		}
		rs := []ruling.Ruling{ruling.NotProven("a READ operation whose answers have computed fields", "none")}
		for _, t := range computers(s.Adapter) {
			if t.Ruling != nil {
				rs = append(rs, *t.Ruling)
				continue
			}
			if about := of(t, got); len(about) > 0 {
				rs = append(rs, computed(t, about))
			}
		}
		if len(rs) > 1 {
			rs = rs[1:]
		}
		return best(rs...)
	},
	Fix: "answer the computed fields that introspection declares, or drop the flag",
}

// computed rules on the answers of one operation.
func computed(s model.Subject, got probes.Answers) ruling.Ruling {
	names := computedOf(s)
	if i := slices.IndexFunc(got, func(o probes.Observation) bool { return brings(o.Data(), names) }); i >= 0 {
		return ruling.Conforms().By(got[i])
	}
	plain, _ := check.SelectableRecord(s.Adapter, got[0])
	switched := slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return switching.MatchString(p.Name) })
	switch {
	case len(plain.Names()) == 0:
		return ruling.NotProven("an answer with an object", got[0])
	case slices.ContainsFunc(got, probes.Observation.Deferred):
		return ruling.NotProven("an answer to the computed fields", got.Last())
	case switched:
		return ruling.NotProven("the computed fields "+strings.Join(names, ", "), "none without a parameter that may bring them").By(got...)
	}
	return ruling.Violates("the computed fields "+strings.Join(names, ", "), "none of them").By(got.Last()).By(got...)
}
