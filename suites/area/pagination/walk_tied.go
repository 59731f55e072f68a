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
	members := items[0].Members()
	said := probes.ValueOf(o.Probe.Params()).Scalars()
	if named := slices.DeleteFunc(slices.Clone(members), func(m probes.Member) bool {
		return !slices.ContainsFunc(said, func(text string) bool { return strings.Contains(vocab.Letters(text), vocab.Letters(m.Name)) })
	}); len(named) > 0 {
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
		if pairs[2] == 0 && (pairs[1] == 0) != (pairs[-1] == 0) {
			share = max(share, float64(pairs[0])/float64(len(items)-1))
		}
	}
	return share
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
