package gate

import (
	"context"
	"fmt"
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
		return ""
	}
	flag := permitting("create", c.op.Name)
	k, _ := rules.Kind(c.op.Name)
	if why := g.blind(ctx, r.probe.Conn, k); why != "" {
		return refusal(why, flag)
	}
	if c.strange {
		return refusal("the request can be read in more than one way", flag)
	}
	seen := g.survey(ctx, k)
	if c.near {
		c.params = probes.Value{} // what an adapter would make of a misspelt name is unknown
	}
	for _, m := range c.params.Members() {
		p := parameter(c.op, m.Name)
		if why := g.strangeValue(ctx, rules, k, seen, p, m.Value, r.probe.Conn); why != "" {
			return refusal(why, flag)
		}
	}
	if !g.carriesMark(c.params) && !g.invalid(rules, c) {
		return refusal("what it creates would not carry our mark", flag)
	}
	if key, ok := k.key(c.params); ok && !g.absent(ctx, r.probe.Conn, k.Views[0], k.Key, key) {
		return refusal("the key "+clip(texts(key))+" is not shown to be free", flag)
	}
	return ""
}

// blind says why the reads of a kind could not show what was made: one that is asked for
// nothing that exists has to say so itself.
func (g *Gate) blind(ctx context.Context, conn string, k Kind) string {
	g.mu.Lock()
	sees, asked := g.sees[k.Make.Name]
	g.mu.Unlock()
	if !asked {
		view := k.Views[0]
		var key []probes.Value
		for _, name := range k.Key {
			key = append(key, g.nobody(parameter(view, name)))
		}
		o := g.look(ctx, g.viewing(conn, view, k.Key, key))
		sees = o.Refused() && !o.Deferred() || o.Succeeded() && o.Data().Is(probes.Null)
		g.mu.Lock()
		g.sees[k.Make.Name] = sees
		g.mu.Unlock()
	}
	if !sees {
		return k.Views[0].Name + " does not tell whether there is such an object"
	}
	return ""
}

// nobody is an identifier that nothing should have.
func (g *Gate) nobody(p probes.Parameter) probes.Value {
	if p.Type == "integer" || p.Type == "number" {
		return probes.ValueOf(987654321)
	}
	return probes.ValueOf("aqlc-" + g.nonce + "-absent")
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

// strangeValue says why a value must not be sent in a creation: it names something that
// is not ours, or it was seen in the adapter.
func (g *Gate) strangeValue(ctx context.Context, rules *Rules, k Kind, seen *survey, p probes.Parameter, v probes.Value, conn string) string {
	switch {
	case slices.ContainsFunc(rules.EnumOf(p), v.Equal), v.Equal(p.Raw.At("default")), rules.sampled(k.Make.Name, p.Name, v):
		return ""
	}
	scalar := v.Is(probes.String) || v.Is(probes.Number)
	identifies := probes.IsReference(k.Make, p) || slices.ContainsFunc(k.Key, func(name string) bool { return alike(name, p.Name) })
	if scalar && identifies && (v.Is(probes.Number) || !g.invented(v.Text())) && !g.owns(ctx, conn, v) && (seen.shows(v) || !g.fresh(v)) {
		return fmt.Sprintf("the value %s of %s names something that is not ours", clip(v.String()), p.Name)
	}
	if text := v.Text(); v.Is(probes.String) && !g.invented(text) && seen.once(p.Name, text) {
		return fmt.Sprintf("the value %q of %s is one that the adapter lists", clip(text), p.Name)
	}
	return ""
}

// fresh reports whether an identifier is one that the generator makes up to be absent.
func (g *Gate) fresh(v probes.Value) bool {
	n, number := v.Float()
	return number && n >= 900_000_000 || strings.Contains(v.Text(), g.nonce) || strings.HasSuffix(v.Text(), fmt.Sprintf("%012x", []byte(g.nonce))[:12])
}

// sampled reports whether the author gives a value for a parameter.
func (r *Rules) sampled(operation, parameter string, v probes.Value) bool {
	for _, of := range []string{operation, "*"} {
		for _, raw := range r.Hints.Samples[of][parameter] {
			if given, err := probes.ParseValue(raw); err == nil && given.Equal(v) {
				return true
			}
		}
	}
	return false
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
