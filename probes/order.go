package probes

import (
	"maps"
	"slices"
	"strings"
)

// callHead begins the payload of most calls, before the name of the operation.
const callHead = `{"arguments":{"operation":"`

// headOf returns the beginning of a key, to the end of the name of the operation. Two keys with
// different heads have the order of their heads: no head begins another one, unless it is a whole key.
func headOf(key string) string {
	_, rest, _ := strings.Cut(key, "\x00") // the connection
	_, payload, _ := strings.Cut(rest, "\x00")
	n := min(len(payload), len(callHead))
	if name, isCall := strings.CutPrefix(payload, callHead); isCall {
		if n = len(payload); strings.Contains(name, `"`) {
			n = len(callHead) + strings.Index(name, `"`) + 1
		}
	}
	return key[:len(key)-len(payload)+n]
}

func (k *Kept) head() string {
	if k.form != nil {
		return k.form.head
	}
	return headOf(k.Key())
}

// inKeyOrder returns all observations by probe key. The sorted ones are in this order already. The
// keys of packed observations are in the store, so only those of one head are in memory at a time.
func inKeyOrder(sorted, fresh []*Kept) []*Kept {
	type group struct {
		all   []*Kept
		fresh bool
	}
	groups := map[string]*group{}
	for i, some := range [][]*Kept{sorted, fresh} {
		for _, k := range some {
			head := k.head()
			g := groups[head]
			if g == nil {
				g = &group{}
				groups[head] = g
			}
			g.all, g.fresh = append(g.all, k), i == 1
		}
	}
	all := make([]*Kept, 0, len(sorted)+len(fresh))
	for _, head := range slices.Sorted(maps.Keys(groups)) {
		if g := groups[head]; g.fresh {
			sortByKey(g.all)
		}
		all = append(all, groups[head].all...)
	}
	return all
}

// sortByKey sorts by keys that are read once.
func sortByKey(all []*Kept) {
	type keyed struct {
		key string
		of  *Kept
	}
	keys := make([]keyed, len(all))
	for i, k := range all {
		keys[i] = keyed{k.Key(), k}
	}
	slices.SortStableFunc(keys, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	for i, k := range keys {
		all[i] = k.of
	}
}
