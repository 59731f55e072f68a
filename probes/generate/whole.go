package generate

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// markedObjects are values for a parameter that takes a whole new object, each with the mark of the
// run: of the required fields, and of the documented examples, which refer to what the first one refers to or to what they did.
func (g *Generator) markedObjects(op probes.Operation, p probes.Parameter) []probes.Value {
	owner := p.Raw
	if t, known := g.Adapter.Type(p.Type); known && t.Kind == "object" {
		owner = t.Details
	}
	fields, _, _ := documented(owner)
	if !p.Required || len(fields) == 0 {
		return nil
	}
	var free, references []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch r := fields[name]; {
		case probes.IsReference(op, probes.Parameter{Name: name, Raw: r}):
			references = append(references, name)
		case g.free(r):
			free = append(free, name)
		}
	}
	var all []probes.Value
	made := g.synthesize(op, p)
	for _, v := range made {
		all = append(all, g.marked(v, free, free))
	}
	for _, example := range op.Details.At("examples").Items() {
		object := example.At("request", "params", p.Name)
		if len(made) > 0 {
			all = append(all, g.marked(referring(object, made[0], references), free, nil))
		}
		all = append(all, g.marked(object, free, nil))
	}
	return slices.DeleteFunc(all, func(v probes.Value) bool { return !strings.Contains(v.String(), g.Marker("")) })
}

// referring is an object that refers to what another one refers to: an example lies in an object of others, and its other
// values fit each other.
func referring(object, other probes.Value, references []string) probes.Value {
	members := map[string]any{}
	for _, m := range object.Members() {
		members[m.Name] = m.Value.Go()
		if to := other.At(m.Name); slices.Contains(references, m.Name) && !to.Is(probes.Absent) {
			members[m.Name] = to.Go()
		}
	}
	if len(members) == 0 {
		return probes.Value{}
	}
	return probes.ValueOf(members)
}

// free reports whether a field takes any text, so that it can carry the mark.
func (g *Generator) free(r probes.Value) bool {
	return r.At("type").Text() == "string" && !slices.ContainsFunc([]string{"enum", "const", "pattern", "format"}, r.Has) && g.markable(r)
}

// marked puts the mark into the free texts of an object. Where it has none, the first that it could
// have takes it.
func (g *Generator) marked(v probes.Value, free, more []string) probes.Value {
	if !v.Is(probes.Object) {
		return probes.Value{}
	}
	object := map[string]any{}
	for _, m := range v.Members() {
		object[m.Name] = m.Value.Go()
		if slices.Contains(free, m.Name) {
			object[m.Name] = g.Marker("")
		}
	}
	if len(more) > 0 && !slices.ContainsFunc(free, v.Has) {
		object[more[0]] = g.Marker("")
	}
	return probes.ValueOf(object)
}
