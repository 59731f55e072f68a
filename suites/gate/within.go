package gate

import (
	"context"
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

// untouched reports whether a creation chooses a whole identifier of several parts that lies where no
// object of others is: each part means nothing without the others, all that is listed has these parts,
// and one of them has a value that nothing listed has. The part that names a parent of ours is not looked at: that
// parent holds no object of others.
func (g *Gate) untouched(rules *Rules, k Kind, seen *survey, params probes.Value, parent *probes.Member) bool {
	if k.Listed() || len(k.Key) < 2 || !seen.ended || len(seen.rows) == 0 {
		return false
	}
	if slices.ContainsFunc(seen.rows, func(row probes.Value) bool { _, whole := keyOf(k, row); return !whole }) {
		return false
	}
	apart := false
	for _, name := range k.Key {
		if parent != nil && alike(name, parent.Name) {
			continue
		}
		v, p := memberLike(params, name), parameter(k.Make, name)
		if !p.Required || !scalar(v) || !rules.place(k, p) || rules.parted(k, name, parent) {
			return false
		}
		sort := len(rules.EnumOf(p)) > 0
		held := slices.ContainsFunc(seen.rows, func(row probes.Value) bool { return plainText(identifierOf(row, k, name)) == plainText(v) })
		if held && !g.local(rules, k, seen, p, v) {
			return false
		}
		apart = apart || !held && !sort
	}
	return apart
}

// parted reports whether an operation demands a part of an identifier without the rest: what it names may
// hold objects of several kinds. What is demanded together with a parent of ours lies in that.
func (r *Rules) parted(k Kind, part string, parent *probes.Member) bool {
	return slices.ContainsFunc(r.Operations, func(o probes.Operation) bool {
		inside := parent != nil && parameter(o, parent.Name).Required
		return !inside && parameter(o, part).Required && slices.ContainsFunc(k.Key, func(name string) bool { return !parameter(o, name).Required })
	})
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

// vacant reports whether a parameter is the whole identifier of what a creation makes, and a value of it
// names nothing of another kind: each read that takes it alone says so, or its documentation rules it out
// and the read refuses it as invalid. Kinds often call their keys alike.
func (g *Gate) vacant(ctx context.Context, rules *Rules, k Kind, name string, v probes.Value, conn string) bool {
	return len(k.Key) == 1 && alike(k.Key[0], name) && !slices.ContainsFunc(rules.Operations, func(o probes.Operation) bool {
		if !takesAlone(o, name) || rules.related(k.Make, o) {
			return false
		}
		if !rules.usable(o) {
			return true // it is not asked, and nothing is known
		}
		p := parameter(o, name)
		answer := g.look(ctx, probes.Call(conn, o.Tool, o.Name, map[string]any{p.Name: v.Go()}))
		invalid := answer.Refused() && !answer.Deferred() && strings.HasPrefix(answer.Code(), "VALIDATION_") && generate.Misfit(rules.Adapter, p, v) != ""
		return !ShowsNothing(answer) && !invalid
	})
}

// abandoned says why a creation that is permitted by its name must not be sent all the same: it names a place
// of others without the part that the adapter gives, and does not carry our mark, though there is a text for
// it. Nobody could prove what it makes to be ours, so it would stay there.
func (g *Gate) abandoned(rules *Rules, c *asked) string {
	k, _ := rules.Kind(c.op.Name)
	if k.Remove.Name == "" || g.carriesMark(c.params) || g.invalid(rules, c) || g.astray(rules, k, c.params) == "" {
		return ""
	}
	text := slices.ContainsFunc(c.op.Parameters, func(p probes.Parameter) bool {
		return p.Type == "string" && !rules.identifies(k, p) && len(rules.EnumOf(p)) == 0 && !p.Raw.Has("pattern") && !p.Raw.Has("format")
	})
	if !text {
		return ""
	}
	return "what it makes would stay with what others made: it does not carry our mark"
}
