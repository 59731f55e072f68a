package model

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// The operations on one kind of object belong together. The hints file may name them; the rest is
// inferred from the nouns in their names.

// The roles that an operation can have for a kind of object.
var (
	MakerRole   = func(r fixtures.Resource) string { return r.Create }
	ViewerRole  = func(r fixtures.Resource) string { return r.Read }
	ListerRole  = func(r fixtures.Resource) string { return r.List }
	RemoverRole = func(r fixtures.Resource) string { return r.Delete }
)

// resource returns the hint about the kind of object that an operation acts on.
func (f *Adapter) resource(operation string) (fixtures.Resource, bool) {
	for _, name := range slices.Sorted(maps.Keys(f.Hints.Resources)) {
		if r := f.Hints.Resources[name]; r.Names(operation) {
			return r, true
		}
	}
	return fixtures.Resource{}, false
}

// HasRole reports whether the candidate has a role for the kind of object that the operation acts
// on.
func (f *Adapter) HasRole(role func(fixtures.Resource) string, candidate, operation string) bool {
	if r, given := f.resource(operation); given && role(r) != "" {
		return candidate == role(r)
	}
	a, known := f.listedOperation(candidate)
	b, listed := f.listedOperation(operation)
	if known && listed {
		return f.Rules.SameKind(a, b)
	}
	return f.Noun(candidate) == f.Noun(operation)
}

// listedOperation returns a listed operation of an adapter whose rules are known.
func (f *Adapter) listedOperation(name string) (probes.Operation, bool) {
	if f.Rules == nil {
		return probes.Operation{}, false
	}
	return f.Operation(name)
}

// IsPlainRead reports whether the verb of a READ is a plain one, such as get or show.
func (f *Adapter) IsPlainRead(operation string) bool {
	return slices.Contains([]string{"get", "read", "show", "fetch", "view", "retrieve"}, f.Verb(operation))
}

// IdentifierPath returns the path in the answer to a CREATE to the value that a parameter of
// another operation takes: the one that was proven, the hinted path, or the best match. Where the
// answer does not tell the value, the path begins in the identity of the object.
func (f *Adapter) IdentifierPath(reply probes.Observation, made, d probes.Operation, p probes.Parameter) ([]string, bool) {
	data := reply.Data()
	if path := f.provenKeys[made.Name].path(data, p.Name); path != nil {
		return path, true
	}
	if r, given := f.resource(made.Name); given {
		whole := r.ID[""]
		if made.HasParameter(p.Name) {
			whole = "" // it identifies the parent of the object
		}
		path := strings.Split(cmp.Or(r.ID[p.Name], whole), ".")
		if v := data.At(path...); v.Is(probes.String) || v.Is(probes.Number) {
			return path, true
		}
	}
	if identity, err := probes.ParseValue([]byte(reply.Identity)); err == nil {
		for _, m := range identity.Members() {
			if vocab.Letters(m.Name) == vocab.Letters(p.Name) {
				return []string{probes.Identity, m.Name}, true
			}
		}
	}
	return f.bestIdentifierPath(data, made, d, p)
}

// TakesIdentifier reports whether a parameter takes the identifier of an existing object.
func (f *Adapter) TakesIdentifier(o probes.Operation, p probes.Parameter) bool {
	r, _ := f.resource(o.Name)
	return probes.IsReference(o, p) || r.ID[p.Name] != ""
}

// fieldOfUpdate reports whether an update of the kind takes an object of a creation as one field of its input, beside another parameter of
// the creation. Then it is a field of what is made, and the other parameters are too.
func (f *Adapter) fieldOfUpdate(o probes.Operation, p probes.Parameter) bool {
	if f.Rules == nil {
		return false
	}
	by, _ := f.Remember("updates by fields of input", func() any { return f.updatesByField() }).(map[string][]string)
	return slices.ContainsFunc(by[vocab.Letters(p.Name)], func(update string) bool {
		return f.HasRole(MakerRole, o.Name, update) && slices.ContainsFunc(o.Parameters, func(q probes.Parameter) bool {
			return q.Name != p.Name && slices.Contains(by[vocab.Letters(q.Name)], update)
		})
	})
}

// updatesByField are the UPDATE operations whose input has a documented field, by the letters of its name.
func (f *Adapter) updatesByField() map[string][]string {
	by := map[string][]string{}
	for _, o := range f.Operations {
		i := slices.IndexFunc(o.Parameters, func(p probes.Parameter) bool { return p.Name == "input" })
		if o.Category != "UPDATE" || i < 0 {
			continue
		}
		for _, p := range f.Fields(o.Parameters[i]) {
			by[vocab.Letters(p.Name)] = append(by[vocab.Letters(p.Name)], o.Name)
		}
	}
	return by
}

// toldFields are the fields of the only object type that the description of an object names. They
// are tried, and prove nothing by themselves: a description may name a type for another reason.
func (f *Adapter) toldFields(p probes.Parameter) []probes.Parameter {
	if p.Type != "object" {
		return nil
	}
	words := strings.FieldsFunc(p.Raw.At("description").Text(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	var told []probes.Parameter
	for _, t := range f.Types {
		if t.Kind != "object" || !slices.Contains(words, t.Name) {
			continue
		}
		if told != nil {
			return nil
		}
		told, _ = f.FieldsOf(probes.Parameter{Type: t.Name}, probes.Operation{})
	}
	return told
}
