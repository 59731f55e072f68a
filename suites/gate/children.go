package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Some objects lie in a parent and have no READ of their own, as the comments of a ticket. The READ
// that lists the children of one parent shows them, told apart by the rest of their identifier. What
// such an identifier names lies in its parent. So it is ours where the parent is, and is left alone
// where the parent is of others.

// Listed reports whether objects of a kind are shown by a list of what lies in one parent.
func (k Kind) Listed() bool { return len(k.Views) > 0 && len(k.Within()) < len(k.Key) }

// Within returns the parts of the identifier that the first READ takes: all of them, or those that
// name the parent.
func (k Kind) Within() []string {
	if len(k.Views) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(k.Key), func(name string) bool { return !takes(k.Views[0], name) })
}

// takes reports whether an operation has a parameter of a name, in any style of writing.
func takes(o probes.Operation, name string) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return alike(p.Name, name) })
}

// Asks returns the parameters with which a READ shows the object of an identifier.
func (k Kind) Asks(view probes.Operation, key []probes.Value) map[string]any {
	params := map[string]any{}
	for i, name := range k.Key {
		if takes(view, name) {
			params[parameter(view, name).Name] = key[i].Go()
		}
	}
	return params
}

// In returns the part of an identifier that names the parent.
func (k Kind) In(key []probes.Value) (in []probes.Value) {
	for _, name := range k.Within() {
		in = append(in, key[slices.Index(k.Key, name)])
	}
	return in
}

// Asked returns the parent of which the parameters of a list of children ask.
func (k Kind) Asked(params probes.Value) (in []probes.Value, ok bool) {
	return Kind{Key: k.Within()}.KeyIn(params)
}

// Lacks reports whether the answer to a READ says that there is no object of an identifier. For a
// list of children it is the last page that was asked for.
func (k Kind) Lacks(o probes.Observation, key []probes.Value) bool {
	return ShowsNothing(o) && !k.Plain() || k.Listed() && o.Succeeded() && k.row(o, key).Is(probes.Absent)
}

// row returns the listed child of an identifier: a row that has all parts that the list does not take.
func (k Kind) row(o probes.Observation, key []probes.Value) probes.Value {
	rows := Rows(o.Data())
	i := slices.IndexFunc(rows, func(v probes.Value) bool {
		_, whole := ListedKey(Kind{Views: k.Views, Key: k.rest()}, probes.Value{}, v)
		return whole && carries(v, k, key)
	})
	if i < 0 {
		return probes.Value{}
	}
	return rows[i]
}

// rest are the parts of the identifier that tell the children of one parent apart.
func (k Kind) rest() []string {
	return slices.DeleteFunc(slices.Clone(k.Key), func(name string) bool { return takes(k.Views[0], name) })
}

// lies reports whether the texts that tell an object of ours are those of its parent.
func (k Kind) lies(key []probes.Value, fields map[string][]string) bool {
	return k.Listed() && slices.ContainsFunc(k.Within(), func(name string) bool {
		return slices.Contains(fields[name], spelled(key[slices.Index(k.Key, name)]))
	})
}

// see asks a READ for one object. A list of children is followed until it shows the child.
func (g *Gate) see(ctx context.Context, conn string, view probes.Operation, k Kind, key []probes.Value) (o probes.Observation) {
	p := g.viewing(conn, view, k, key)
	if !k.Listed() {
		return g.look(ctx, p)
	}
	var l listing
	for range maxPages {
		o = g.look(ctx, p)
		next, more := l.add(view, o)
		if !more || !k.row(o, key).Is(probes.Absent) {
			break
		}
		p = next
	}
	if k.Plain() && !l.ended && k.row(o, key).Is(probes.Absent) {
		return probes.Observation{Probe: o.Probe, Outcome: probes.Unasked} // it may stand on a page that was not seen
	}
	return o
}

// parents are the parameters of the creations of a kind whose objects are not known to be gone, one
// for each parent.
func (g *Gate) parents(maker string) (all []probes.Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	seen := map[string]bool{}
	for _, o := range g.made.byMake[maker] {
		if key, ok := o.kind.Asked(o.params); o.kind.Listed() && ok && !seen[keyText(key)] {
			seen[keyText(key)] = true
			all = append(all, o.params)
		}
	}
	return all
}

// inside finds the reads that list what lies in one parent, where an operation requires the
// identifier of the parent and one that tells the children apart.
func (r *Rules) inside(o probes.Operation) (views []probes.Operation, key []string) {
	removals := []probes.Operation{o}
	if o.Category == "UPDATE" {
		removals = r.selected(func(d probes.Operation) bool { return d.Category == "DELETE" && r.related(o, d) && r.usable(d) })
	}
	for _, d := range removals {
		if all, names := r.plainly(d); len(all) > 0 && (d.Name == o.Name || r.names(o, d, names)) {
			return all, names
		}
		told, _ := r.resource(d.Name)
		for _, v := range r.Operations {
			if v.Category != "READ" || v.Name == "introspect" || v.Name != told.List && !r.speaksOf(d, v) || !r.usable(v) {
				continue
			}
			if names, fits := r.childKey(d, v); fits && (d.Name == o.Name || r.names(o, d, names)) && (key == nil || slices.Equal(key, names)) {
				views, key = append(views, v), names
			}
		}
	}
	return views[:min(len(views), maxViews)], key
}

// childKey returns the parameters that identify a child for its removal, those that the list takes
// first. Each that the list requires is the key of another kind.
func (r *Rules) childKey(d, list probes.Operation) (key []string, ok bool) {
	for _, p := range list.Parameters {
		if !p.Required {
			continue
		}
		i := slices.IndexFunc(d.Parameters, func(q probes.Parameter) bool { return q.Required && alike(q.Name, p.Name) && q.Type == p.Type })
		if i < 0 || !r.parentKey(d, p) {
			return nil, false
		}
		key = append(key, p.Name)
	}
	within := len(key)
	for _, p := range d.Parameters {
		switch {
		case !p.Required || expected(d, p) || slices.ContainsFunc(key, func(name string) bool { return alike(name, p.Name) }):
		case !single(p) || scoping(p) || takes(list, p.Name) || probes.TakesToken(p.Name):
			return nil, false
		default:
			key = append(key, p.Name)
		}
	}
	return key, within > 0 && len(key) > within
}

// names reports whether a change requires the identifier that the removal has, and nothing else
// that could choose objects.
func (r *Rules) names(o, d probes.Operation, key []string) bool {
	for _, name := range key {
		p := parameter(o, name)
		if !p.Required || p.Type != parameter(d, name).Type {
			return false
		}
	}
	return !slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
		return p.Required && !slices.ContainsFunc(key, func(name string) bool { return alike(name, p.Name) }) && chooses(o, p)
	})
}

// parentKey reports whether a parameter of an operation is the whole identifier of another kind,
// which the adapter can make and remove.
func (r *Rules) parentKey(o probes.Operation, p probes.Parameter) bool {
	return slices.ContainsFunc(r.Operations, func(d probes.Operation) bool {
		if d.Category != "DELETE" || r.related(o, d) || !slices.ContainsFunc(d.Parameters, func(q probes.Parameter) bool { return alike(q.Name, p.Name) && q.Type == p.Type }) {
			return false
		}
		_, key := r.whole(d)
		return len(key) == 1 && alike(key[0], p.Name) && len(r.makers(d)) > 0 && r.usable(d)
	})
}

// outside says why what an identifier names does not lie in an object of ours: each part that names
// a parent has to be ours, or name nothing. The other parts are those of children that the run has
// made, or name nothing: an adapter may find a child by them alone.
func (g *Gate) outside(ctx context.Context, rules *Rules, conn string, op probes.Operation, k Kind, key []probes.Value) string {
	if !k.Listed() {
		return ""
	}
	if k.Plain() {
		return g.beyond(ctx, rules, conn, op, k, key)
	}
	for _, name := range k.rest() {
		v := key[slices.Index(k.Key, name)]
		g.mu.Lock()
		had := g.made.rests[restOf(k, name, v)]
		g.mu.Unlock()
		n := parameter(op, name)
		misfit := v.Is(probes.String) && (n.Type == "integer" || n.Type == "number") && !strings.ContainsFunc(v.Text(), unicode.IsDigit)
		if !had && !misfit && !rules.Parent(k, name) && !g.fresh(v) && !g.invented(v.Text()) {
			return fmt.Sprintf("the run made nothing with the %s %s", name, clip(v.String()))
		}
	}
	for i, name := range k.Key {
		parents := rules.ParentsOf(k, name)
		ours := slices.ContainsFunc(parents, func(p Kind) bool {
			alone := key[i : i+1]
			return g.find(conn, p, alone) != nil || g.claim(ctx, conn, p, alone) != nil || g.free(ctx, conn, p, alone)
		})
		if !ours && (len(parents) > 0 || slices.Contains(k.Within(), name)) {
			return fmt.Sprintf("it lies in %s %s, which is not proven to be ours", name, clip(key[i].String()))
		}
	}
	return ""
}

// restOf names the value of one part of the identifiers of children.
func restOf(k Kind, name string, v probes.Value) string {
	return strings.Join([]string{k.Views[0].Name, name, v.Canonical(nil)}, "\x00")
}

// text reports whether a creation has a free text beside the key of what the object lies in. An adapter may find another
// object by it. Days and times are looked at by busyTime, and a reference is proven to name what is ours.
func (r *Rules) text(k Kind, c *asked, in *probes.Member) bool {
	return slices.ContainsFunc(c.params.Members(), func(m probes.Member) bool {
		key := slices.ContainsFunc(k.Key, func(name string) bool { return alike(name, m.Name) })
		if key || !m.Value.Is(probes.String) || in != nil && in.Name == m.Name {
			return false
		}
		p := parameter(c.op, m.Name)
		free := len(r.EnumOf(p)) == 0 && !strings.HasPrefix(p.Raw.At("format").Text(), "date") // a day or a time is no name
		_, named := r.Namesake(k, m.Name)
		return free && !(named && r.identifies(k, p))
	})
}

// parent returns the parameter of a creation that names an object of ours in which the new one lies:
// its identifier begins with that of its parent.
func (g *Gate) parent(ctx context.Context, rules *Rules, k Kind, params probes.Value, conn string) *probes.Member {
	for _, name := range k.Key {
		if v := memberLike(params, name); rules.Parent(k, name) && scalar(v) && (g.owns(ctx, conn, v, k.Make.Name, name) || g.ownsParent(ctx, rules, conn, k, name, v)) {
			return &probes.Member{Name: name, Value: v}
		}
	}
	return nil
}

// astray returns a part of an identifier that tells children of one parent apart, where the rest of the
// identifier is missing or has another form: an adapter may take it for one in another parent.
func (g *Gate) astray(rules *Rules, k Kind, params probes.Value) string {
	all := flat(params)
	if _, whole := k.KeyIn(all); whole || len(k.Key) < 2 {
		return ""
	}
	for _, name := range k.Key {
		v := memberLike(all, name)
		if scalar(v) && !k.enumerated(name) && !rules.Parent(k, name) && rules.place(k, parameter(k.Make, name)) && !g.fresh(v) && !g.invented(v.Text()) {
			return name
		}
	}
	return ""
}

// scoping reports whether the name of a parameter says that it chooses a number of objects.
func scoping(p probes.Parameter) bool {
	return slices.ContainsFunc(vocab.Words(p.Name), func(w string) bool {
		return slices.Contains(scopes, w) || slices.Contains(widening, w) && w != "ids"
	})
}

// ownsParent reports whether a part of an identifier names an object of ours in which others lie.
func (g *Gate) ownsParent(ctx context.Context, rules *Rules, conn string, k Kind, name string, v probes.Value) bool {
	return scalar(v) && slices.ContainsFunc(rules.ParentsOf(k, name), func(p Kind) bool {
		return g.claim(ctx, conn, p, []probes.Value{v}) != nil
	})
}
