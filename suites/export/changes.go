package export

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
)

// Changes lists what an adapter says of itself otherwise than before, and whether that
// breaks a client that was right before, with the reason. Descriptions do not count.
func Changes(old, now *probes.Adapter) []reports.Change {
	c := &changes{}
	c.operations(old.Operations, now.Operations)
	c.types(old.Types, now.Types)
	return c.all
}

type changes struct{ all []reports.Change }

// breaks adds a change for which a client has to be changed, and why.
func (c *changes) breaks(where, why, format string, args ...any) {
	c.all = append(c.all, reports.Change{Where: where, What: fmt.Sprintf(format, args...), Breaking: true, Why: why})
}

// bears adds one that a client can live with.
func (c *changes) bears(where, format string, args ...any) {
	c.all = append(c.all, reports.Change{Where: where, What: fmt.Sprintf(format, args...)})
}

func (c *changes) operations(old, now []probes.Operation) {
	gone, come := oneSided(old, now, func(o probes.Operation) string { return o.Name })
	for _, o := range gone {
		i := slices.IndexFunc(come, func(n probes.Operation) bool { return sameCall(o, n) })
		if i < 0 {
			c.breaks(o.Name, "who calls it is refused", "operation removed")
			continue
		}
		c.breaks(o.Name, "who calls it by the old name is refused", "operation renamed to %s", come[i].Name)
		come = slices.Delete(come, i, i+1)
	}
	for _, n := range come {
		c.bears(n.Name, "operation added")
	}
	for _, o := range old {
		i := slices.IndexFunc(now, func(n probes.Operation) bool { return n.Name == o.Name })
		if i >= 0 {
			c.operation(o, now[i])
		}
	}
}

// oneSided returns what only one of two lists has, by name.
func oneSided[T any](old, now []T, name func(T) string) (gone, come []T) {
	without := func(all, from []T) []T {
		return slices.DeleteFunc(slices.Clone(all), func(x T) bool {
			return slices.ContainsFunc(from, func(y T) bool { return name(x) == name(y) })
		})
	}
	return without(old, now), without(now, old)
}

// sameCall reports whether two operations differ in nothing but their names.
func sameCall(a, b probes.Operation) bool {
	return a.Category == b.Category && len(a.Parameters) > 0 && slices.EqualFunc(a.Parameters, b.Parameters, func(p, q probes.Parameter) bool {
		return p.Name == q.Name && p.Type == q.Type && p.Required == q.Required
	})
}

func (c *changes) operation(o, n probes.Operation) {
	if o.Category != n.Category {
		c.breaks(o.Name, "a client permits calls by their category", "category %s is %s now", o.Category, n.Category)
	}
	if o.Endpoint != n.Endpoint {
		c.breaks(o.Name, "a call at the old endpoint is refused", "endpoint %s is %s now", o.Endpoint, n.Endpoint)
	}
	if before, after := o.Details.At("returns", "name").Text(), n.Details.At("returns", "name").Text(); before != after && before != "" {
		c.breaks(o.Name, "who reads the answer finds another type", "returns %s, was %s", orNothing(after), before)
	}
	c.danger(o, n)
	gone, come := oneSided(o.Parameters, n.Parameters, func(p probes.Parameter) string { return p.Name })
	for _, p := range gone {
		i := slices.IndexFunc(come, func(q probes.Parameter) bool { return q.Type == p.Type && q.Required == p.Required })
		if i >= 0 && len(gone) == 1 && len(come) == 1 {
			c.breaks(o.Name+"."+p.Name, "unknown parameters are refused (spec 4.6)", "parameter renamed to %s", come[i].Name)
			come = nil
			continue
		}
		c.breaks(o.Name+"."+p.Name, "unknown parameters are refused (spec 4.6)", "parameter removed")
	}
	for _, p := range come {
		if p.Required {
			c.breaks(o.Name+"."+p.Name, "who leaves it out is refused", "required parameter added")
		} else {
			c.bears(o.Name+"."+p.Name, "optional parameter added")
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
		c.breaks(o.Name, "a call may be held up for an approval", "danger level %s is %s now", orNothing(before), after)
	default:
		c.bears(o.Name, "danger level %s is %s now", before, orNothing(after))
	}
}

func (c *changes) types(old, now []probes.Type) {
	gone, come := oneSided(old, now, func(t probes.Type) string { return t.Name })
	for _, t := range gone {
		c.breaks("type "+t.Name, "what refers to it means nothing any more", "type removed")
	}
	for _, t := range come {
		c.bears("type "+t.Name, "type added")
	}
	for _, t := range old {
		i := slices.IndexFunc(now, func(n probes.Type) bool { return n.Name == t.Name })
		switch {
		case i < 0:
		case now[i].Kind != t.Kind:
			c.breaks("type "+t.Name, "its values have another form", "kind %s is %s now", t.Kind, now[i].Kind)
		default:
			c.values("type "+t.Name, t.Details.At("values"), now[i].Details.At("values"))
			c.fields("type "+t.Name, t.Details.At("fields"), now[i].Details.At("fields"))
		}
	}
}

// fields compares the fields of a type of object.
func (c *changes) fields(where string, old, now probes.Value) {
	name := func(v probes.Value) string { return v.At("name").Text() }
	gone, come := oneSided(old.Items(), now.Items(), name)
	for _, f := range gone {
		c.breaks(where+"."+name(f), "who reads it finds nothing", "field removed")
	}
	for _, f := range come {
		c.bears(where+"."+name(f), "field added")
	}
	for _, f := range old.Items() {
		i := slices.IndexFunc(now.Items(), func(n probes.Value) bool { return name(n) == name(f) })
		if i < 0 {
			continue
		}
		if before, after := f.At("type").Text(), now.Items()[i].At("type").Text(); before != after {
			c.breaks(where+"."+name(f), "who reads it finds another type", "type %s is %s now", orNothing(before), orNothing(after))
		}
	}
}

func orNothing(word string) string {
	if word == "" {
		return "none"
	}
	return word
}
