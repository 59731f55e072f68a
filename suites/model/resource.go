package model

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// The operations on one kind of object belong together. The author may say which
// they are; what is not said is inferred from the nouns of their names.

// The parts that an operation can play for a kind of object.
var (
	TheMaker   = func(r fixtures.Resource) string { return r.Create }
	TheViewer  = func(r fixtures.Resource) string { return r.Read }
	TheLister  = func(r fixtures.Resource) string { return r.List }
	TheRemover = func(r fixtures.Resource) string { return r.Delete }
)

// resource returns what the author says about the kind of object that an
// operation acts on.
func (f *Adapter) resource(operation string) (fixtures.Resource, bool) {
	for _, name := range slices.Sorted(maps.Keys(f.Hints.Resources)) {
		if r := f.Hints.Resources[name]; r.Names(operation) {
			return r, true
		}
	}
	return fixtures.Resource{}, false
}

// Plays reports whether a candidate plays a part for the kind of object that an
// operation acts on.
func (f *Adapter) Plays(part func(fixtures.Resource) string, candidate, operation string) bool {
	if r, told := f.resource(operation); told && part(r) != "" {
		return candidate == part(r)
	}
	return Noun(candidate) == Noun(operation)
}

// IdentifierPath returns the way below the data of a creation to the value that a
// parameter of another operation takes: the one the author says, else the one
// that fits best.
func (f *Adapter) IdentifierPath(data probes.Value, made, d probes.Operation, p probes.Parameter) ([]string, bool) {
	if path := f.keys[made.Name].path(data, p.Name); path != nil {
		return path, true
	}
	if r, told := f.resource(made.Name); told {
		whole := r.ID[""]
		if made.HasParameter(p.Name) {
			whole = "" // it identifies what the object belongs to
		}
		path := strings.Split(cmp.Or(r.ID[p.Name], whole), ".")
		if v := data.At(path...); v.Is(probes.String) || v.Is(probes.Number) {
			return path, true
		}
	}
	return identifierPath(data, made, d, p)
}

// Refers reports whether a parameter takes the identifier of something that
// exists.
func (f *Adapter) Refers(o probes.Operation, p probes.Parameter) bool {
	r, _ := f.resource(o.Name)
	return probes.IsReference(o, p) || r.ID[p.Name] != ""
}
