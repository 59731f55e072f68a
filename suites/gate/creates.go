package gate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// creates says why a creation must not be sent; "" when it may. What it makes has to
// carry our mark, so that it can be told from what others made, and nothing in it may
// have been seen in the adapter: an adapter may take it for what is there already.
func (g *Gate) creates(ctx context.Context, rules *Rules, r *request, c *asked, lifted bool) string {
	if lifted {
		return g.permitted(ctx, rules, r, c)
	}
	flag := permitting("create", c.op.Name)
	k, _ := rules.Kind(c.op.Name)
	if len(k.Views) == 0 {
		return refusal("no operation shows what it makes", flag)
	}
	if why := g.blind(ctx, r.probe.Conn, k); why != "" {
		return refusal(why, flag)
	}
	if why := g.removalRefused(k); why != "" {
		return refusal(why, flag)
	}
	if why := g.unshown(ctx, r.probe.Conn, k); why != "" {
		return refusal(why, flag)
	}
	if c.strange {
		return refusal("the request can be read in more than one way", flag)
	}
	seen := g.survey(ctx, k)
	if c.near { // what an adapter would make of a misspelt name is unknown
		c.params = probes.Value{}
	}
	c.parent = g.parent(ctx, rules, k, c.params, r.probe.Conn)
	if name := g.astray(rules, k, c.params); name != "" {
		return refusal("the "+name+" may name something that is not ours: the identifier is not whole", flag)
	}
	within := c.parent
	if within != nil && !g.ownsParent(ctx, rules, r.probe.Conn, k, within.Name, within.Value) {
		within = nil // the key of ours is that of another kind, and others may have the same
	}
	alone := g.untouched(rules, k, seen, c.params, within)
	for _, m := range c.params.Members() {
		if p := parameter(c.op, m.Name); rules.place(k, p) && (alone || c.parent != nil && g.local(rules, k, seen, p, m.Value)) {
			continue // whether it is free is asked below
		} else if why := g.strangeValue(ctx, rules, k, seen, c.params, p, m.Value, r.probe.Conn, c.parent != nil); why != "" {
			return refusal(why, flag)
		}
	}
	text := rules.text(k, c, c.parent)
	if in, why := g.unmarkedIn(ctx, rules, k, seen, c, r.probe.Conn); why != "" {
		return refusal(why, flag)
	} else if in != nil {
		c.parent, text = in, false
	}
	if (c.parent == nil || text) && !g.tells(c) && !g.invalid(rules, c) {
		return refusal(Unmarked, flag)
	}
	if key, ok := k.KeyIn(flat(c.params)); ok && g.claim(ctx, r.probe.Conn, k, key) == nil { // what replaces an object of ours harms nobody
		o := g.see(ctx, r.probe.Conn, k.Views[0], k, key)
		// A key within an object of ours that the read does not understand harms nobody.
		if !k.Lacks(o, key) && (c.parent == nil || !misread(rules, k, key, o)) || k.Plain() && !g.madeUp(c.op, key) {
			return refusal("the key "+clip(texts(key))+notFree, flag)
		}
	}
	return ""
}

// unmarkedIn returns the parameter that names the object of ours in which a creation without a text of the run lies. Or it says why
// the creation may take an object of others instead.
func (g *Gate) unmarkedIn(ctx context.Context, rules *Rules, k Kind, seen *survey, c *asked, conn string) (in *probes.Member, why string) {
	if g.tells(c) {
		return nil, ""
	}
	if in = c.parent; in == nil {
		in = g.holder(ctx, rules, k, seen, c.params, conn)
	}
	if in == nil || rules.text(k, c, in) {
		return nil, ""
	}
	if busy, at := seen.busyTime(c); busy != "" && !g.invalid(rules, c) {
		return nil, "the value " + clip(at.String()) + asOthers(busy)
	}
	return in, ""
}

// permitted says why a creation must not be sent that the operator or the author permits by its name. What is not proven to lie
// in an object of ours is removed by a text of the run alone.
func (g *Gate) permitted(ctx context.Context, rules *Rules, r *request, c *asked) string {
	if _, known := rules.Kind(c.op.Name); !known || g.creates(ctx, rules, r, c, false) != "" {
		c.parent = nil
	}
	return g.abandoned(rules, c)
}

// blind says why the reads of a kind could not show what was made: one that is asked for
// nothing that exists has to say so itself.
func (g *Gate) blind(ctx context.Context, conn string, k Kind) string {
	g.mu.Lock()
	sees, asked := g.sees[k.Make.Name]
	mute := g.mute[k.Make.Name]
	g.mu.Unlock()
	if mute {
		return "its answer does not tell what it made, and nothing lists it"
	}
	if !asked || k.Plain() { // what is there has to be shown to its end each time
		view := k.Views[0]
		var key []probes.Value
		for _, name := range k.Key {
			key = append(key, g.nobody(parameter(view, name)))
		}
		sees = k.tells(g.see(ctx, conn, view, k, key), key)
		g.mu.Lock()
		g.sees[k.Make.Name] = sees
		g.mu.Unlock()
	}
	if !sees {
		return k.Views[0].Name + " does not tell whether there is such an object"
	}
	return ""
}

// parameter returns the documented parameter of a name, in any style of writing.
func parameter(o probes.Operation, name string) probes.Parameter {
	for _, p := range o.Parameters {
		if alike(p.Name, name) {
			return p
		}
	}
	return probes.Parameter{Name: name}
}

// Unmarked says why a creation is not sent of which no text would tell that its object is of the run.
const Unmarked = "what it creates would not carry our mark"

// strangeValue says why a value must not be sent in a creation: it names something that
// is not ours, or it was seen in the adapter. What lies in an object of ours may be of the same sort
// as others; another value that they differ in may be theirs alone in all of the adapter.
func (g *Gate) strangeValue(ctx context.Context, rules *Rules, k Kind, seen *survey, params probes.Value, p probes.Parameter, v probes.Value, conn string, inside bool) string {
	if rules.sampled(k.Make.Name, p.Name, v) {
		return ""
	}
	for _, h := range rules.held(p, v) {
		if why := g.foreign(ctx, rules, k, seen, h.of, h.value, conn); why != "" {
			return why
		}
		if Reaches(h.of, h.value) && !g.nobodys(h.value) {
			return "the parameter " + clip(h.of.Name) + onOthers
		}
	}
	sort := len(rules.EnumOf(p)) > 0
	if !sort && !rules.identifies(k, p) && g.mayBeTheirs(k, p, v) && !g.keptApart(ctx, conn, k, params) {
		return fmt.Sprintf("the value %s%s", clip(v.String()), asOthers(p.Name))
	}
	optional := !p.Required && (v.Is(probes.Number) || sort) // what objects have to differ in is demanded
	if !optional && !(sort && rules.shared(k, p)) && !(inside && sort) && !slices.ContainsFunc(stringsIn(v), g.invented) && seen.taken(p.Name, v, sort || v.Equal(p.Raw.At("default"))) {
		return fmt.Sprintf("the value %s%s", clip(v.String()), asOthers(p.Name))
	}
	return ""
}

// foreign says why a value names something that is not ours; "" when it does not.
func (g *Gate) foreign(ctx context.Context, rules *Rules, k Kind, seen *survey, p probes.Parameter, v probes.Value, conn string) string {
	if !rules.identifies(k, p) {
		return ""
	}
	for _, leaf := range scalarsIn(v) {
		// What is the key of the new object alone is shown to be free before it is sent.
		own := func() bool { return rules.ownKey(k, p.Name) || g.vacant(ctx, rules, k, p.Name, leaf, conn) }
		listed := slices.ContainsFunc(rules.EnumOf(p), leaf.Equal)
		if !listed && (leaf.Is(probes.Number) || !g.invented(leaf.Text())) && !g.owns(ctx, conn, leaf, k.Make.Name, p.Name) && !g.ownsParent(ctx, rules, conn, k, p.Name, leaf) && !g.ownsNamesake(ctx, rules, conn, k, seen, p, leaf) && !g.ownsTold(ctx, rules, conn, k, seen, p, leaf) && (seen.shows(leaf) || !g.fresh(leaf) && !own()) && !g.unused(ctx, rules, conn, leaf, k.Make.Name, p.Name) {
			return fmt.Sprintf("the value %s%s", clip(leaf.String()), notOurs(p.Name))
		}
	}
	return ""
}

// unused reports whether the read of the kind that a parameter refers to says that a value names
// nothing. The name has to be that of the kind: a user group is no group.
func (g *Gate) unused(ctx context.Context, rules *Rules, conn string, v probes.Value, op, name string) bool {
	found := false
	for _, made := range slices.Sorted(maps.Keys(rules.kinds)) {
		k := rules.kinds[made]
		if made != op && len(k.Key) == 1 && len(k.Views) > 0 && k.goesBy(op, name) {
			if !k.named(name) || !g.absent(ctx, conn, k, []probes.Value{v}) {
				return false
			}
			found = true
		}
	}
	return found
}

// scalarsIn returns the texts and numbers in a value.
func scalarsIn(v probes.Value) []probes.Value {
	if scalar(v) {
		return []probes.Value{v}
	}
	var all []probes.Value
	for _, m := range v.Members() {
		all = append(all, scalarsIn(m.Value)...)
	}
	for _, item := range v.Items() {
		all = append(all, scalarsIn(item)...)
	}
	return all
}

// nobodys reports whether a text of this run names nobody and no place that something could be sent to.
func (g *Gate) nobodys(v probes.Value) bool {
	return g.invented(v.Text()) && !strings.Contains(v.Text(), "@") && !strings.Contains(v.Text(), "://")
}

// fresh reports whether an identifier is one that the generator makes up to be absent.
func (g *Gate) fresh(v probes.Value) bool {
	n, number := v.Float()
	return number && n >= 900_000_000 || g.invented(v.Text()) || strings.HasSuffix(v.Text(), fmt.Sprintf("%012x", []byte(g.nonce))[:12])
}

// stringsIn returns the texts in a value.
func stringsIn(v probes.Value) []string {
	if v.Is(probes.String) {
		return []string{v.Text()}
	}
	var all []string
	for _, m := range v.Members() {
		all = append(all, stringsIn(m.Value)...)
	}
	for _, item := range v.Items() {
		all = append(all, stringsIn(item)...)
	}
	return all
}

// carriesMark reports whether a text of a creation holds the letters of this run.
func (g *Gate) carriesMark(params probes.Value) bool {
	return slices.ContainsFunc(stringsIn(params), g.invented)
}

// invalid reports whether a creation breaks what is documented, so that an adapter has to
// refuse it.
func (g *Gate) invalid(rules *Rules, c *asked) bool {
	if !c.params.Is(probes.Object) || c.near {
		return true
	}
	for _, p := range c.op.Parameters {
		v := c.params.At(p.Name)
		if v.Is(probes.Absent) && p.Required || !v.Is(probes.Absent) && generate.Misfit(rules.Adapter, p, v) != "" {
			return true
		}
	}
	return slices.ContainsFunc(c.params.Members(), func(m probes.Member) bool { return !c.op.HasParameter(m.Name) })
}

func texts(key []probes.Value) string {
	var all []string
	for _, v := range key {
		all = append(all, v.String())
	}
	return strings.Join(all, " ")
}
