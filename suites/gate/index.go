package gate

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// What the rules are asked for each request is found out once for all operations: an adapter may
// have a thousand of them.

// once returns what compute finds, which depends on what introspection says alone. It is found out
// anew while the operations are still being judged.
func once[T any](r *Rules, name string, compute func() T) T {
	if !r.complete {
		return compute()
	}
	known, was := r.memo.Load(name)
	if !was {
		known, _ = r.memo.LoadOrStore(name, compute())
	}
	return known.(T)
}

// writers are the CREATE and UPDATE operations.
func (r *Rules) writers() []probes.Operation {
	return once(r, "writers", func() []probes.Operation {
		return r.selected(func(o probes.Operation) bool { return o.Category == "CREATE" || o.Category == "UPDATE" })
	})
}

// makers are the CREATE operations on the kind of object that an operation acts on.
func (r *Rules) makers(o probes.Operation) []probes.Operation {
	return once(r, "makers of "+o.Name, func() []probes.Operation {
		return r.selected(func(m probes.Operation) bool { return m.Category == "CREATE" && r.related(m, o) })
	})
}

// bareReads are the READ operations that may be called and need no parameter.
func (r *Rules) bareReads() []probes.Operation {
	return once(r, "bare reads", func() []probes.Operation {
		return r.selected(func(o probes.Operation) bool {
			return o.Category == "READ" && o.Name != "introspect" && r.usable(o) && !slices.ContainsFunc(o.Parameters, required)
		})
	})
}

func (r *Rules) selected(keep func(probes.Operation) bool) []probes.Operation {
	var all []probes.Operation
	for _, o := range r.Operations {
		if keep(o) {
			all = append(all, o)
		}
	}
	return all
}

// Views reports whether an operation reads one object of a known kind by its complete identifier.
func (r *Rules) Views(operation string) bool {
	return once(r, "views", func() map[string]bool {
		views := map[string]bool{}
		for _, maker := range r.Operations {
			if k, ok := r.Kind(maker.Name); ok && !k.Listed() {
				for _, view := range k.Views {
					views[view.Name] = true
				}
			}
		}
		return views
	})[operation]
}

// A spelling is the letters of the name of an operation, without its style of writing.
type spelling struct {
	letters string
	o       probes.Operation
}

// spellings are the spellings of all operations, and the first operation of each.
func (r *Rules) spellings() ([]spelling, map[string]probes.Operation) {
	type found struct {
		all   []spelling
		first map[string]probes.Operation
	}
	f := once(r, "spellings", func() found {
		f := found{first: map[string]probes.Operation{}}
		for _, o := range slices.Backward(r.Operations) {
			f.first[vocab.Letters(o.Name)] = o
			f.all = append(f.all, spelling{vocab.Letters(o.Name), o})
		}
		slices.Reverse(f.all)
		return f
	})
	return f.all, f.first
}

// keys are the identifiers of all kinds, the longest first.
func (r *Rules) keys() [][]string {
	var keys [][]string
	for _, maker := range slices.Sorted(maps.Keys(r.kinds)) {
		keys = append(keys, r.kinds[maker].Key)
	}
	slices.SortStableFunc(keys, func(x, y []string) int { return len(y) - len(x) })
	return slices.CompactFunc(keys, slices.Equal) // most kinds have the key of their neighbour
}

// keysOf returns those of keys of which a row has the first member, in their order.
func (r *Rules) keysOf(row probes.Value) [][]string {
	type found struct {
		keys [][]string
		by   map[string][]int // by the letters of the first member
	}
	f := once(r, "keys", func() found {
		f := found{r.keys(), map[string][]int{}}
		for i, key := range f.keys {
			if len(key) > 0 {
				f.by[vocab.Letters(key[0])] = append(f.by[vocab.Letters(key[0])], i)
			}
		}
		return f
	})
	var places []int
	for _, m := range row.Members() {
		places = append(places, f.by[vocab.Letters(m.Name)]...)
	}
	slices.Sort(places)
	var keys [][]string
	for _, i := range slices.Compact(places) {
		keys = append(keys, f.keys[i])
	}
	return keys
}

// meant returns the listed operation that an adapter may take a name for: the one of
// that name in any style of writing, else one that is spelled nearly so. near is true
// for the latter.
func (r *Rules) meant(name string) (o probes.Operation, near, ok bool) {
	if o, ok = r.Operation(name); ok {
		return o, false, true
	}
	all, first := r.spellings()
	asked := vocab.Letters(name)
	if o, ok = first[asked]; ok {
		return o, false, true
	}
	for _, s := range all {
		if len(name) > 4 && vocab.Near(s.letters, asked, 2) {
			return s.o, true, true
		}
	}
	return probes.Operation{}, false, false
}

// holders are the kinds with one identifier, of which a name may be that, alone or with the noun of the kind before or
// behind it, or that noun.
func (r *Rules) holders(name string) []Kind {
	return once(r, "holders", func() map[string][]Kind {
		by := map[string][]Kind{}
		for _, o := range r.selected(func(o probes.Operation) bool { return o.Category == "CREATE" }) {
			k, ok := r.Kind(o.Name)
			if !ok || len(k.Key) != 1 {
				continue
			}
			names := []string{vocab.Letters(k.Key[0])}
			for _, noun := range nouns(k.Views[0].Name, vocab.Singular) {
				names = append(names, vocab.Letters(noun+"_"+k.Key[0]), vocab.Letters(k.Key[0]+"_"+noun), vocab.Letters(noun))
			}
			slices.Sort(names)
			for _, letters := range slices.Compact(names) {
				by[letters] = append(by[letters], k)
			}
		}
		return by
	})[vocab.Letters(name)]
}

// first returns the first of a list; the zero value of an empty one.
func first[T any](list []T) (v T) {
	if len(list) > 0 {
		v = list[0]
	}
	return v
}
