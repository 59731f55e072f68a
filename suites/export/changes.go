package export

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
)

// Changes lists the differences between two introspections and whether they break existing clients,
// with the reason. Descriptions are ignored.
func Changes(old, now *probes.Adapter) []reports.Change {
	c := &changes{}
	c.operations(old.Operations, now.Operations)
	c.types(old, now)
	return c.all
}

type changes struct{ all []reports.Change }

// addBreaking adds a change that requires a change of clients.
func (c *changes) addBreaking(where, why, format string, args ...any) {
	c.all = append(c.all, reports.Change{Where: where, What: fmt.Sprintf(format, args...), Breaking: true, Why: why})
}

// addCompatible adds a change that existing clients tolerate.
func (c *changes) addCompatible(where, format string, args ...any) {
	c.all = append(c.all, reports.Change{Where: where, What: fmt.Sprintf(format, args...)})
}

func (c *changes) operations(old, now []probes.Operation) {
	gone, come := unmatched(old, now, func(o probes.Operation) string { return o.Name })
	for _, o := range gone {
		i := slices.IndexFunc(come, func(n probes.Operation) bool { return sameSignature(o, n) })
		if i < 0 {
			c.addBreaking(o.Name, "who calls it is refused", "operation removed")
			continue
		}
		c.addBreaking(o.Name, "who calls it by the old name is refused", "operation renamed to %s", come[i].Name)
		come = slices.Delete(come, i, i+1)
	}
	for _, n := range come {
		c.addCompatible(n.Name, "operation added")
	}
	for _, o := range old {
		i := slices.IndexFunc(now, func(n probes.Operation) bool { return n.Name == o.Name })
		if i >= 0 {
			c.operation(o, now[i])
		}
	}
}

// unmatched returns the elements that only one of two lists has, by name.
func unmatched[T any](old, now []T, name func(T) string) (removed, added []T) {
	without := func(all, from []T) []T {
		return slices.DeleteFunc(slices.Clone(all), func(x T) bool {
			return slices.ContainsFunc(from, func(y T) bool { return name(x) == name(y) })
		})
	}
	return without(old, now), without(now, old)
}

// sameSignature reports whether two operations differ only in their names.
func sameSignature(a, b probes.Operation) bool {
	return a.Category == b.Category && len(a.Parameters) > 0 && slices.EqualFunc(a.Parameters, b.Parameters, func(p, q probes.Parameter) bool {
		return p.Name == q.Name && p.Type == q.Type && p.Required == q.Required
	})
}

func (c *changes) operation(o, n probes.Operation) {
	if o.Category != n.Category {
		c.addBreaking(o.Name, "a client permits calls by their category", "category %s is %s now", o.Category, n.Category)
	}
	if o.Endpoint != n.Endpoint {
		c.addBreaking(o.Name, "a call at the old endpoint is refused", "endpoint %s is %s now", o.Endpoint, n.Endpoint)
	}
	if before, after := o.Details.At("returns", "name").Text(), n.Details.At("returns", "name").Text(); before != after && before != "" {
		c.addBreaking(o.Name, "who reads the answer finds another type", "returns %s, was %s", orNone(after), before)
	}
	c.danger(o, n)
	gone, come := unmatched(o.Parameters, n.Parameters, func(p probes.Parameter) string { return p.Name })
	for _, p := range gone {
		i := slices.IndexFunc(come, func(q probes.Parameter) bool { return q.Type == p.Type && q.Required == p.Required })
		if i >= 0 && len(gone) == 1 && len(come) == 1 {
			c.addBreaking(o.Name+"."+p.Name, "unknown parameters are refused (spec 4.6)", "parameter renamed to %s", come[i].Name)
			come = nil
			continue
		}
		c.addBreaking(o.Name+"."+p.Name, "unknown parameters are refused (spec 4.6)", "parameter removed")
	}
	for _, p := range come {
		if p.Required {
			c.addBreaking(o.Name+"."+p.Name, "who leaves it out is refused", "required parameter added")
		} else {
			c.addCompatible(o.Name+"."+p.Name, "optional parameter added")
		}
	}
	for _, p := range o.Parameters {
		if i := slices.IndexFunc(n.Parameters, func(q probes.Parameter) bool { return q.Name == p.Name }); i >= 0 {
			c.parameter(o.Name+"."+p.Name, p, n.Parameters[i])
		}
	}
}

func (c *changes) danger(o, n probes.Operation) {
	before, after := check.DangerLevel(o.Details).Text(), check.DangerLevel(n.Details).Text()
	switch {
	case before == after:
	case slices.Index(check.DangerLevels, after) > slices.Index(check.DangerLevels, before):
		c.addBreaking(o.Name, "a call may be held up for an approval", "danger level %s is %s now", orNone(before), after)
	default:
		c.addCompatible(o.Name, "danger level %s is %s now", before, orNone(after))
	}
}

// fields compares the fields of an object type.
func (c *changes) fields(where string, old, now probes.Value) {
	name := func(v probes.Value) string { return v.At("name").Text() }
	gone, come := unmatched(old.Items(), now.Items(), name)
	for _, f := range gone {
		c.addBreaking(where+"."+name(f), "who reads it finds nothing", "field removed")
	}
	for _, f := range come {
		c.addCompatible(where+"."+name(f), "field added")
	}
	for _, f := range old.Items() {
		i := slices.IndexFunc(now.Items(), func(n probes.Value) bool { return name(n) == name(f) })
		if i < 0 {
			continue
		}
		if before, after := f.At("type").Text(), now.Items()[i].At("type").Text(); before != after {
			c.addBreaking(where+"."+name(f), "who reads it finds another type", "type %s is %s now", orNone(before), orNone(after))
		}
	}
}

func orNone(word string) string {
	if word == "" {
		return "none"
	}
	return word
}
