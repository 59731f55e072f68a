package pagination

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// ties returns how many of the neighbours have the same value in the member by which the items are ordered, as a share. The member is
// one that the request names, or any if it names none. A cursor that holds this value alone loses an item, or shows one twice.
func ties(o probes.Observation) (share float64) {
	items, _, _ := check.Collection(o.Data())
	if len(items) < 3 {
		return 0
	}
	members, named := items[0].Members(), saidMembers(o, items[0])
	if len(named) > 0 {
		members = named
	}
	for _, m := range members {
		pairs := map[int]int{} // by which of the two is greater
		for i, item := range items[1:] {
			which, ok := compared(items[i].At(m.Name), item.At(m.Name))
			if !ok {
				which = 2
			}
			pairs[which]++
		}
		if pairs[2] == 0 && (pairs[1] == 0 || pairs[-1] == 0) && (pairs[0] < len(items)-1 || len(named) > 0) {
			share = max(share, float64(pairs[0])/float64(len(items)-1))
		}
	}
	return share
}

// saidMembers are the members of an item that a request names.
func saidMembers(o probes.Observation, item probes.Value) []probes.Member {
	said := probes.ValueOf(o.Probe.Params()).Scalars()
	return slices.DeleteFunc(slices.Clone(item.Members()), func(m probes.Member) bool {
		return !slices.ContainsFunc(said, func(text string) bool { return strings.Contains(vocab.Letters(text), vocab.Letters(m.Name)) })
	})
}

// tiesAsIs returns the ties of a listing that a request orders by a member, and that is in the plain order all the same: most items are
// equal in it.
func tiesAsIs(by check.Order, plain, o probes.Observation) float64 {
	x, _, _ := check.Collection(plain.Data())
	y, _, _ := check.Collection(o.Data())
	named := func(m probes.Member) bool { return vocab.Letters(m.Name) == vocab.Letters(by.Value.Text()) }
	if len(y) < 3 || !slices.EqualFunc(x, y, probes.Value.Equal) || !slices.ContainsFunc(y[0].Members(), named) {
		return 0
	}
	return ties(o)
}

// compared compares two numbers or two texts.
func compared(x, y probes.Value) (which int, ok bool) {
	a, number := x.Float()
	b, other := y.Float()
	if number && other {
		return cmp.Compare(a, b), true
	}
	return cmp.Compare(x.Text(), y.Text()), x.Is(probes.String) && y.Is(probes.String)
}
