package gate

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A held is a value in a request, with what is documented of it. A creation may take the new object
// whole, in one parameter. What the object holds may name what is not ours, or act on others, as a
// parameter may.
type held struct {
	of    probes.Parameter
	value probes.Value
}

// held returns a value and all that the objects in it hold, at any depth. What nobody documents
// has a name alone.
func (r *Rules) held(of probes.Parameter, v probes.Value) (all []held) {
	var walk func(of probes.Parameter, v probes.Value)
	walk = func(of probes.Parameter, v probes.Value) {
		all = append(all, held{of, v})
		fields := r.Fields(of)
		for _, m := range v.Members() {
			field := probes.Parameter{Name: m.Name}
			if i := slices.IndexFunc(fields, func(f probes.Parameter) bool { return alike(f.Name, m.Name) }); i >= 0 {
				field = fields[i]
			}
			walk(field, m.Value)
		}
		for _, item := range v.Items() {
			if !scalar(item) { // a list of identifiers is looked at as a whole
				walk(probes.Parameter{Name: of.Name, Raw: of.Raw.At("items")}, item)
			}
		}
	}
	walk(of, v)
	return all
}

// flat returns the parameters of a creation beside the members of the objects in them: a key that the
// client chooses may stand in either place.
func flat(params probes.Value) probes.Value {
	all := map[string]any{}
	for _, p := range params.Members() {
		for _, m := range p.Value.Members() {
			all[m.Name] = m.Value.Go()
		}
	}
	for _, p := range params.Members() {
		all[p.Name] = p.Value.Go()
	}
	return probes.ValueOf(all)
}
