package export

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// parameter compares the records of one parameter: the accepted values and the default.
func (c *changes) parameter(where string, p, q probes.Parameter) {
	switch {
	case p.Type == q.Type:
	case p.Type == "integer" && q.Type == "number", q.Type == "any":
		c.addCompatible(where, "type %s is %s now", p.Type, q.Type)
	default:
		c.addBreaking(where, "values that were taken are refused", "type %s is %s now", orNone(p.Type), orNone(q.Type))
	}
	switch {
	case !p.Required && q.Required:
		c.addBreaking(where, "who leaves it out is refused", "parameter became required")
	case p.Required && !q.Required:
		c.addCompatible(where, "parameter became optional")
	}
	switch before, after := p.Raw.At("default"), q.Raw.At("default"); {
	case before.Equal(after) && before.Is(probes.Absent) == after.Is(probes.Absent):
	case before.Is(probes.Absent):
		c.addCompatible(where, "default %s added", after)
	case after.Is(probes.Absent):
		c.addBreaking(where, "who leaves it out gets something else", "default %s removed", before)
	default:
		c.addBreaking(where, "who leaves it out gets something else", "default %s is %s now", before, after)
	}
	c.values(where, p.Raw.At("enum"), q.Raw.At("enum"))
	c.bounds(where, p.Raw, q.Raw)
}

// values compares two lists of allowed values.
func (c *changes) values(where string, old, now probes.Value) {
	holds := func(list probes.Value, v probes.Value) bool {
		return slices.ContainsFunc(list.Items(), func(w probes.Value) bool { return v.Equal(w) })
	}
	switch {
	case old.Is(probes.Absent) && now.Is(probes.Absent):
		return
	case old.Is(probes.Absent):
		c.addBreaking(where, "values that were taken are refused", "only %s allowed now", now)
		return
	case now.Is(probes.Absent):
		c.addCompatible(where, "any value allowed now")
		return
	}
	for _, v := range old.Items() {
		if !holds(now, v) {
			c.addBreaking(where, "who uses it is refused", "value %s removed", v)
		}
	}
	for _, v := range now.Items() {
		if !holds(old, v) {
			c.addCompatible(where, "value %s added", v)
		}
	}
}

// bounds compares the constraints on values.
func (c *changes) bounds(where string, old, now probes.Value) {
	for _, b := range []struct {
		name  string
		least bool // a greater value is stricter
	}{{"minimum", true}, {"minLength", true}, {"minItems", true}, {"maximum", false}, {"maxLength", false}, {"maxItems", false}} {
		before, after := old.At(b.name), now.At(b.name)
		x, wasBound := before.Float()
		y, isBound := after.Float()
		switch {
		case !wasBound && !isBound, wasBound && isBound && x == y:
		case isBound && (!wasBound || (y > x) == b.least):
			c.addBreaking(where, "values that were taken are refused", "%s is %s now, was %s", b.name, after, boundText(before))
		default:
			c.addCompatible(where, "%s is %s now, was %s", b.name, boundText(after), before)
		}
	}
	switch before, after := old.At("pattern").Text(), now.At("pattern").Text(); {
	case before == after:
	case after == "":
		c.addCompatible(where, "pattern removed")
	default:
		c.addBreaking(where, "values that were taken may be refused", "pattern is %s now", after)
	}
}

func boundText(v probes.Value) string {
	if v.Is(probes.Absent) {
		return "none"
	}
	return v.String()
}
