package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
)

// shared names the row that asks for valid references between releases. One run cannot see it.
const shared = "OPS-4.4.2-02: existing references are kept or aliased; "

func (c *changes) types(old, now *probes.Adapter) {
	gone, come := unmatched(old.Types, now.Types, func(t probes.Type) string { return t.Name })
	for _, t := range gone {
		what, why := "type removed", "what refers to it means nothing any more"
		i := slices.IndexFunc(come, func(n probes.Type) bool { return sameShape(t, n) })
		if i >= 0 {
			what = "type renamed to " + come[i].Name
		}
		places := references(old, t.Name)
		switch {
		case len(places) == 0:
		case i >= 0 && isAlias(come[i], t.Name):
			what, why = what+", which names it as an alias", "who looks up the old name needs the alias"
		default:
			why = fmt.Sprintf("%sthis one was named by %s", shared, strings.Join(places, ", "))
		}
		c.addBreaking("type "+t.Name, why, "%s", what)
		if i >= 0 {
			come = slices.Delete(come, i, i+1)
		}
	}
	for _, t := range come {
		c.addCompatible("type "+t.Name, "type added")
	}
	for _, t := range old.Types {
		i := slices.IndexFunc(now.Types, func(n probes.Type) bool { return n.Name == t.Name })
		switch {
		case i < 0:
		case now.Types[i].Kind != t.Kind:
			c.addBreaking("type "+t.Name, "its values have another form", "kind %s is %s now", t.Kind, now.Types[i].Kind)
		default:
			c.values("type "+t.Name, t.Details.At("values"), now.Types[i].Details.At("values"))
			c.fields("type "+t.Name, t.Details.At("fields"), now.Types[i].Details.At("fields"))
		}
	}
}

// sameShape reports whether two types differ in their names and texts alone.
func sameShape(a, b probes.Type) bool {
	if a.Kind != b.Kind {
		return false
	}
	fields := func(t probes.Type) (all []string) {
		for _, f := range t.Details.At("fields").Items() {
			all = append(all, f.At("name").Text()+" "+strings.ReplaceAll(f.At("type").Text(), t.Name, "itself"))
		}
		for _, list := range []string{"values", "members"} {
			for _, v := range t.Details.At(list).Items() {
				all = append(all, string(v.Raw()))
			}
		}
		return all
	}
	return len(fields(a)) > 0 && slices.Equal(fields(a), fields(b))
}

// isAlias reports whether a type tells its former name: as an alias, or in its description.
func isAlias(t probes.Type, former string) bool {
	for _, v := range append(t.Details.At("aliases").Items(), t.Details.At("aliases")) {
		if v.Text() == former {
			return true
		}
	}
	words := strings.FieldsFunc(t.Details.At("description").Text(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	return slices.Contains(words, former)
}

// references returns the places that name a type: parameters, answers and fields of other types.
func references(a *probes.Adapter, name string) (places []string) {
	add := func(expr, where string) {
		if e, err := probes.ParseType(expr); err == nil && slices.Contains(e.Leaves(), name) {
			places = append(places, where)
		}
	}
	record := func(where string, v probes.Value) {
		add(v.At("type").Text(), where)
		for items := v.At("items"); items.Is(probes.Object); items = items.At("items") {
			add(items.At("type").Text(), where)
		}
	}
	for _, o := range a.Operations {
		for _, p := range o.Parameters {
			record(o.Name+"."+p.Name, p.Raw)
		}
		add(o.Details.At("returns", "name").Text(), o.Name+" (answer)")
	}
	for _, t := range a.Types {
		for _, f := range t.Details.At("fields").Items() {
			record("type "+t.Name+"."+f.At("name").Text(), f)
		}
		for _, m := range t.Details.At("members").Items() {
			add(m.Text(), "type "+t.Name)
		}
	}
	return slices.DeleteFunc(slices.Compact(places), func(p string) bool { return strings.HasPrefix(p, "type "+name+".") })
}
