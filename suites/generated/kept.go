package generated

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Kept reports whether the answers to a script show that its rules are kept. That nothing was broken is too little:
// an adapter that refuses each change breaks no rule on changes. A valid request on an object that is there has to
// succeed. Another one may be refused, but for no fault of the object, and only if its operation accepts a
// valid request in this run.
func Kept(f *model.Adapter, sc model.Script, got probes.Answers) bool {
	if len(got) != len(sc.Steps) || len(Breaches(f, sc, got)) > 0 {
		return false
	}
	removed := false
	for i, o := range got {
		op, _ := f.Operation(sc.Steps[i].Operation)
		flaws, _ := f.Flaws(o.Probe)
		removes := slices.ContainsFunc(model.ValueIn(o.Probe, "input").Members(), func(m probes.Member) bool { return m.Value.Is(probes.Null) })
		refusable := len(flaws) > 0 || len(sc.Steps[i].TopLevel) > 0 || removes // not each field can be removed
		excused := strings.HasPrefix(o.Code(), "NOT_FOUND") || strings.HasPrefix(o.Code(), "CONFLICT")
		switch {
		case o.Lost(), o.RefusedBelow(), o.Deferred(), o.Transient() != "":
			return false
		case o.Succeeded():
			removed = removed || op.Category == "DELETE"
		case !removed && (!refusable || excused), !accepts(f, op):
			return false
		}
	}
	return true
}

// accepts reports whether a valid request of an operation succeeded in this run.
func accepts(f *model.Adapter, op probes.Operation) bool {
	return f.KnownGood[op.Name].State == model.Proven || slices.ContainsFunc(f.ObjectKinds, func(kind *model.ObjectKind) bool {
		for field, accepted := range kind.Accepted {
			if accepted && strings.HasPrefix(field, op.Name+".") {
				return true
			}
		}
		return false
	})
}
