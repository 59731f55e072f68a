package gate

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A Kind is one kind of object as it is documented: the operation that makes one, the
// reads and the removal that name exactly one, and the parameters that do so.
type Kind struct {
	Make   probes.Operation
	Views  []probes.Operation // READ operations by the complete identifier, the plainest first; of a Listed kind, by the parent
	Remove probes.Operation   // the DELETE operation by the same identifier
	Lists  []probes.Operation // READ operations that need no parameter
	Key    []string           // names of the parameters that identify one, as the reads have them
}

// KeyIn returns the identifiers in the parameters of a call, in the order of the kind;
// ok is false where one is missing or is no text or number.
func (k Kind) KeyIn(params probes.Value) (key []probes.Value, ok bool) {
	for _, name := range k.Key {
		v := memberLike(params, name)
		if !v.Is(probes.String) && !v.Is(probes.Number) || v.Text() == "" && v.Is(probes.String) {
			return nil, false
		}
		key = append(key, v)
	}
	return key, len(key) > 0
}

// identifierWords end the names of parameters that take the identifier of what stands before them.
var identifierWords = strings.Fields("id ids key keys number slug")

// goesBy reports whether a parameter of an operation takes the identifier of an object of
// this kind: it has the name of the kind, or it relates one object of the kind to another.
func (k Kind) goesBy(op, name string) bool {
	words := vocab.Words(name)
	if len(words) == 0 || len(k.Views) == 0 {
		return false
	}
	own := related(op, k.Views[0].Name, vocab.Singular)
	keyName := slices.ContainsFunc(k.Key, func(key string) bool { return alike(key, name) })
	switch n := len(words) - 1; {
	case n > 0 && slices.Contains(identifierWords, words[n]):
		words = words[:n]
	case own && keyName:
		return true
	case n > 0 && keyName:
		words = words[:n] // in a name such as gazette_no the noun stands before what the adapter calls a key
	}
	words[len(words)-1] = vocab.Singular(words[len(words)-1])
	noun := func(n string) bool { return strings.HasSuffix(" "+strings.Join(words, " "), " "+n) }
	return slices.ContainsFunc(nouns(k.Views[0].Name, vocab.Singular), noun) || own && slices.Contains(kinships, words[len(words)-1])
}

// named reports whether a parameter has the name of the kind and no other word.
func (k Kind) named(name string) bool {
	if slices.ContainsFunc(k.Key, func(key string) bool { return alike(key, name) }) {
		return true
	}
	words := vocab.Words(name)
	if n := len(words) - 1; n > 0 && slices.Contains(identifierWords, words[n]) {
		words = words[:n]
	}
	words[len(words)-1] = vocab.Singular(words[len(words)-1])
	return slices.Contains(nouns(k.Views[0].Name, vocab.Singular), strings.Join(words, " "))
}

// memberLike returns the member of a name, in any style of writing it.
func memberLike(object probes.Value, name string) probes.Value {
	if v := object.At(name); !v.Is(probes.Absent) {
		return v
	}
	for _, m := range object.Members() {
		if alike(m.Name, name) {
			return m.Value
		}
	}
	return probes.Value{}
}

// alike reports whether two names are the same but for the style of writing.
func alike(a, b string) bool {
	return a == b || vocab.Letters(a) == vocab.Letters(b)
}

// maxViews bounds how many reads are tried to see an object again.
const maxViews = 3

// kind finds the reads and the removal of what an operation makes; ok is false where
// they are not documented, or may not be called.
func (r *Rules) kind(made probes.Operation) (k Kind, ok bool) {
	k = once(r, "kind "+made.Name, func() Kind { return r.removable(made) })
	k.Make, k.Lists = made, k.listed(r.lists(made))
	return k, k.Remove.Name != ""
}

// removable finds the removal of what an operation makes, and the reads of it.
func (r *Rules) removable(made probes.Operation) (k Kind) {
	for _, d := range r.Operations {
		if d.Category != "DELETE" || !r.related(made, d) || !r.usable(d) {
			continue
		}
		views, key, acts := r.acts(d)
		if acts && (k.Remove.Name == "" || removes(d) && !removes(k.Remove)) {
			k.Views, k.Remove, k.Key = views, d, key
		}
	}
	return k
}

// usable reports whether an operation may be called.
func (r *Rules) usable(o probes.Operation) bool { ok, _ := r.Callable(o); return ok }

// removes reports whether the name of a DELETE operation says so: other operations of
// that category may empty an object and leave it where it is.
func removes(d probes.Operation) bool {
	return slices.ContainsFunc(vocab.Words(d.Name), func(w string) bool {
		return slices.Contains(plainRemovals, vocab.Fold(w))
	})
}

// plainRemovals are verbs that say no more than that an object goes.
var plainRemovals = strings.Fields(`delete remove erase destroy unregister losche loesche loschen loeschen entferne entfernen
	borrar borra eliminar elimina quitar suprimir supprimer supprime effacer enlever cancellare elimina rimuovere remover apagar excluir verwijder verwijderen`)

// lists are the reads that show all objects of a kind: as a trial has shown, and as far as they are
// documented.
func (r *Rules) lists(made probes.Operation) []probes.Operation {
	documented := once(r, "lists of "+made.Name, func() []probes.Operation {
		told, _ := r.resource(made.Name)
		var all []probes.Operation // not a copy of all reads: each kind keeps its own
		for _, o := range r.bareReads() {
			if o.Name == told.List || told.List == "" && r.speaksOf(made, o) {
				all = append(all, o)
			}
		}
		return all
	})
	all := slices.Clone(r.listed[made.Name])
	for _, o := range documented {
		if !slices.ContainsFunc(all, func(l probes.Operation) bool { return l.Name == o.Name }) {
			all = append(all, o)
		}
	}
	return all
}

// listedBy reports whether a read lists the objects of the kind.
func (k Kind) listedBy(read probes.Operation) bool {
	return slices.ContainsFunc(k.Lists, func(l probes.Operation) bool { return l.Name == read.Name })
}

// Writers returns the operations that make or change what a read lists: those of the kind that
// it lists, else those that share its noun.
func (r *Rules) Writers(read probes.Operation) []probes.Operation {
	var kind Kind
	for _, maker := range slices.Sorted(maps.Keys(r.kinds)) {
		if k := r.kinds[maker]; kind.Make.Name == "" && k.listedBy(read) {
			kind = k
		}
	}
	return slices.DeleteFunc(slices.Clone(r.writers()), func(o probes.Operation) bool {
		switch {
		case kind.Make.Name == "":
			return r.Noun(o.Name) != r.Noun(read.Name)
		case o.Category == "CREATE":
			return o.Name != kind.Make.Name
		}
		views, _, acts := r.acts(o)
		return !acts || len(kind.Views) == 0 || !slices.ContainsFunc(views, func(v probes.Operation) bool { return v.Name == kind.Views[0].Name })
	})
}

// Lists notes that a read lists what an operation makes, as a trial has shown.
func (r *Rules) Lists(maker string, read probes.Operation) {
	r.listed[maker] = append(r.listed[maker], read)
	if k, ok := r.kinds[maker]; ok {
		k.Lists = append(slices.Clip(k.Lists), read)
		r.kinds[maker] = k
	}
}

// SameKind reports whether two operations act on the same kind of object, as far as their names
// and the trials so far tell.
func (r *Rules) SameKind(a, b probes.Operation) bool {
	shown := func(made, read probes.Operation) bool {
		return slices.ContainsFunc(r.listed[made.Name], func(l probes.Operation) bool { return l.Name == read.Name }) || read.Category == "READ" && r.speaksOf(made, read)
	}
	return share(r.singulars(a.Name), r.singulars(b.Name)) || shown(a, b) || shown(b, a)
}

func required(p probes.Parameter) bool { return p.Required }

// acts finds the reads that take exactly the identifier that an UPDATE or DELETE
// operation requires, or else those that list its objects within a parent, and the names of its
// parameters. ok is false where there is none:
// the operation may act on many objects, or on one that it does not name.
func (r *Rules) acts(o probes.Operation) (views []probes.Operation, key []string, ok bool) {
	type found struct {
		views []probes.Operation
		key   []string
	}
	if known, was := r.memo.Load("acts " + o.Name); was && r.complete {
		f := known.(found)
		return f.views, f.key, len(f.views) > 0
	}
	defer func() {
		if r.complete {
			r.memo.Store("acts "+o.Name, found{views, key})
		}
	}()
	if views, key = r.whole(o); len(views) == 0 {
		views, key = r.inside(o)
	}
	return views, key, len(views) > 0
}

// whole finds the reads of one object by its complete identifier.
func (r *Rules) whole(o probes.Operation) (views []probes.Operation, key []string) {
	for _, v := range r.Operations {
		if v.Category != "READ" || v.Name == "introspect" || !r.related(o, v) || !r.usable(v) {
			continue
		}
		names, fits := sharedKey(o, v)
		if !fits || key != nil && !slices.Equal(key, names) || r.parts(o, names) {
			continue
		}
		views, key = append(views, v), names
	}
	slices.SortStableFunc(views, func(x, y probes.Operation) int { return plainness(x) - plainness(y) })
	return views[:min(len(views), maxViews)], key
}

// plainness ranks reads: one whose name says that it gets an object comes first.
func plainness(o probes.Operation) int {
	words := vocab.Words(o.Name)
	if i := slices.Index(plainReads, first(words)); i >= 0 && len(words) > 0 {
		return i
	}
	return len(plainReads) + len(o.Parameters)
}

// plainReads are verbs that say no more than that an object is shown.
var plainReads = strings.Fields("get read fetch show view retrieve")

// scopes are names of parameters that choose which objects an operation acts on.
var scopes = strings.Fields("filter filters where query scope selector all condition conditions criteria match older than before since days status")

// chooses reports whether a required parameter beside the identifier may choose objects:
// a removal needs nothing but a reason, a confirmation or the version of its object, and a change its new values.
func chooses(o probes.Operation, p probes.Parameter) bool {
	if expected(o, p) {
		return false
	}
	e, err := probes.ParseType(p.Type)
	list := err != nil || e.Form == probes.ListOf || e.Form == probes.MapOf || e.Name == "array" || e.Name == "object"
	words := vocab.Words(p.Name)
	scope := scoping(p)
	if o.Category == "DELETE" {
		return list || scope || e.Name == "integer" || e.Name == "number" || probes.IsReference(o, p)
	}
	return p.Name != "input" && (scope && !slices.Contains(words, "status") || list && probes.IsReference(o, p))
}

// resource returns what the author says about the kind of object that an operation acts
// on.
func (r *Rules) resource(operation string) (fixtures.Resource, bool) {
	for _, told := range r.Hints.Resources {
		if told.Names(operation) {
			return told, true
		}
	}
	return fixtures.Resource{}, false
}
