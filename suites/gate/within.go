package gate

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// What lies in an object of ours is ours, unless an adapter finds it by what it shares with objects of
// others: a number that means the same in every parent.

// mostPlaces is how many places a parent may have that the client chooses from.
const mostPlaces = 64

// local reports whether the part of an identifier that tells the children of one parent apart names
// nothing of others, should it mean the same in every parent: no child that is listed has the number,
// unless the children of several parents share theirs. A text is made up.
func (g *Gate) local(rules *Rules, k Kind, seen *survey, p probes.Parameter, v probes.Value) bool {
	if v.Is(probes.Number) {
		most, bounded := p.Raw.At("maximum").Float()
		few := k.Listed() && bounded && most <= mostPlaces // what is unique in the whole adapter has more values
		return few || len(k.Lists) > 0 && !seen.taken(p.Name, v, false)
	}
	return g.invented(v.Text()) || slices.ContainsFunc(rules.EnumOf(p), v.Equal)
}

// misread reports whether a read refuses an identifier because it is not as documented. Any other
// refusal may be about an object that lies elsewhere.
func misread(rules *Rules, k Kind, key []probes.Value, o probes.Observation) bool {
	return o.Refused() && !o.Deferred() && strings.HasPrefix(o.Code(), "VALIDATION_") && slices.ContainsFunc(key, func(v probes.Value) bool {
		p := parameter(k.Views[0], k.Key[slices.IndexFunc(key, v.Equal)])
		return generate.Misfit(rules.Adapter, p, v) != ""
	})
}

// unmarked reports whether nothing but its parent tells that an object is ours.
func (g *Gate) unmarked(o *object) bool {
	for _, texts := range o.fields {
		if slices.ContainsFunc(texts, g.invented) {
			return false
		}
	}
	return len(o.fields) > 0
}
