package gate

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// The name of a creation may speak of something else than what it makes: to lend a book makes a loan.
// What it makes is told by the type that it returns, where that is documented. It then belongs to the
// removal that takes the key of objects of this type, and not to that of its noun.

// adoptMakers finds the creations whose documented type contradicts their noun, and the removals that they
// belong to.
func (r *Rules) adoptMakers() {
	adopted := map[string]string{}
	for _, m := range r.Operations {
		if _, told := r.resource(m.Name); m.Category != "CREATE" || told || !r.misnamed(m) {
			continue
		}
		found := ""
		for _, d := range r.Operations {
			if d.Category == "DELETE" && !r.related(m, d) && r.removesTyped(m, d) {
				if found != "" {
					found = ""
					break
				}
				found = d.Name
			}
		}
		if found != "" {
			adopted[m.Name] = found
		}
	}
	r.adopted = adopted
	r.memo.Clear()
}

// goesAs returns the name whose nouns an operation goes by.
func (r *Rules) goesAs(name string) string {
	if d, ok := r.adopted[name]; ok {
		return d
	}
	if canonical, ok := r.canonical[name]; ok {
		return canonical
	}
	return name
}

// misnamed reports whether reads with the noun of a creation show other types than it makes.
func (r *Rules) misnamed(m probes.Operation) bool {
	made, others := r.made(m), false
	for _, v := range r.Operations {
		if v.Category != "READ" || v.Name == "introspect" || !r.speaksOf(m, v) {
			continue
		}
		shown := r.shownTypes(v)
		if share(made, shown) {
			return false
		}
		others = others || len(shown) > 0
	}
	return len(made) > 0 && others
}

// removesTyped reports whether a removal takes the key of what a creation makes: all that it requires are
// fields of that type, a read shows the type, and no read by the same key shows another.
func (r *Rules) removesTyped(m, d probes.Operation) bool {
	key := slices.DeleteFunc(slices.Clone(d.Parameters), func(p probes.Parameter) bool { return !p.Required })
	shown := false
	for _, name := range r.made(m) {
		if len(key) == 0 || slices.ContainsFunc(key, func(p probes.Parameter) bool { return !single(p) || !r.holdsKey(name, p) }) {
			continue
		}
		for _, v := range r.Operations {
			if v.Category != "READ" || v.Name == "introspect" {
				continue
			}
			types := r.shownTypes(v)
			if _, byKey := sharedKey(d, v); byKey && !slices.Contains(types, name) {
				return false
			}
			shown = shown || slices.Contains(types, name)
		}
	}
	return shown
}

// holdsKey reports whether objects of a type have a field that a parameter takes as their key.
func (r *Rules) holdsKey(name string, p probes.Parameter) bool {
	words := vocab.Words(p.Name)
	return len(words) > 0 && slices.ContainsFunc(r.Fields(probes.Parameter{Type: name}), func(f probes.Parameter) bool {
		return f.Type == p.Type && (alike(f.Name, p.Name) || alike(f.Name, words[len(words)-1]))
	})
}

// objectType returns the name of a documented type of objects; empty for any other.
func (r *Rules) objectType(name string) string {
	if t, ok := r.Type(name); ok && t.Kind == "object" {
		return name
	}
	return ""
}

// made returns the documented types of what a creation makes: the one that it returns, and the one object
// in that where it holds no other.
func (r *Rules) made(m probes.Operation) (all []string) {
	whole := r.objectType(m.Details.At("returns", "name").Text())
	if whole == "" {
		return nil
	}
	all = append(all, whole)
	var inner []string
	for _, f := range r.Fields(probes.Parameter{Type: whole}) {
		if t := r.objectType(f.Type); t != "" {
			inner = append(inner, t)
		}
	}
	if len(inner) == 1 {
		all = append(all, inner...)
	}
	return all
}

// shownTypes returns the documented types of what a read shows: the one that it returns, and those of the
// objects and lists of objects in it.
func (r *Rules) shownTypes(v probes.Operation) []string {
	whole := r.objectType(v.Details.At("returns", "name").Text())
	if whole == "" {
		return nil
	}
	all := []string{whole}
	for _, f := range r.Fields(probes.Parameter{Type: whole}) {
		if t := r.objectType(f.Type); t != "" {
			all = append(all, t)
		}
	}
	return append(all, r.rowTypes(v)...)
}

// rowTypes returns the documented types of the objects that stand in lists in the answer to a read.
func (r *Rules) rowTypes(v probes.Operation) (all []string) {
	for _, f := range r.Fields(probes.Parameter{Type: v.Details.At("returns", "name").Text()}) {
		item := f.Raw.At("items", "type").Text()
		if e, err := probes.ParseType(f.Type); err == nil && e.Form == probes.ListOf {
			item = e.Parts[0].Name
		}
		if t := r.objectType(item); t != "" {
			all = append(all, r.nodeType(t))
		}
	}
	return all
}

// RowsHave reports whether the documented objects in the lists of a read have a field.
func (r *Rules) RowsHave(v probes.Operation, field string) bool {
	return slices.ContainsFunc(r.rowTypes(v), func(t string) bool {
		return slices.ContainsFunc(r.Fields(probes.Parameter{Type: t}), func(f probes.Parameter) bool { return alike(f.Name, field) })
	})
}

// nodeType returns the type of the node where a type is that of an edge, which has a node and a cursor.
func (r *Rules) nodeType(t string) string {
	fields := r.Fields(probes.Parameter{Type: t})
	if !slices.ContainsFunc(fields, func(f probes.Parameter) bool { return f.Name == "cursor" }) {
		return t
	}
	for _, f := range fields {
		if node := r.objectType(f.Type); f.Name == "node" && node != "" {
			return node
		}
	}
	return t
}
