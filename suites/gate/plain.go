package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// Some objects have a removal by their key and no read by it. A listing of all of them shows one where its
// rows have that key. What is on a page that nobody can ask for, or is left out by a filter of the adapter's
// own, is not shown, so an identifier that is missing there names nothing only where this run made it up, or
// has proven the object to be its own before.

// Plain reports whether objects of a kind are shown by listings of all of them alone.
func (k Kind) Plain() bool { return k.Listed() && len(k.Within()) == 0 }

// Plain reports whether a removal names objects that listings of all of them show, and no read.
func (r *Rules) Plain(o probes.Operation) bool {
	if o.Category != "DELETE" {
		return false
	}
	views, key, ok := r.acts(o)
	return ok && Kind{Views: views, Key: key}.Plain()
}

// identifies reports whether each row of a listing has the identifier of a kind.
func (k Kind) identifies(rows []probes.Value) bool {
	return !slices.ContainsFunc(rows, func(row probes.Value) bool { _, whole := keyOf(k, row); return !whole })
}

// listed are the listings of a kind and, of a plain one, those that show it.
func (k Kind) listed(lists []probes.Operation) []probes.Operation {
	for _, v := range k.Views {
		if k.Plain() && !slices.ContainsFunc(lists, func(l probes.Operation) bool { return l.Name == v.Name }) {
			lists = append(slices.Clip(lists), v)
		}
	}
	return lists
}

// madeUp reports whether this run made an identifier up. A number is one of those that the generator draws,
// and none that the author gives as an example.
func (g *Gate) madeUp(op probes.Operation, key []probes.Value) bool {
	told := scalarsIn(op.Details.At("examples"))
	return !slices.ContainsFunc(key, func(v probes.Value) bool {
		n, number := v.Float()
		drawn := number && n >= 900_000_000 && n < 1_000_000_000 && !slices.ContainsFunc(told, v.Equal)
		return !drawn && (number || !g.fresh(v))
	})
}

// beyond says why an identifier of a plain kind must not be sent to a change or a removal: what is neither
// proven to be ours now, nor was before, has to be made up in the documented form. No read tells what an
// adapter takes another form for.
func (g *Gate) beyond(ctx context.Context, rules *Rules, conn string, op probes.Operation, k Kind, key []probes.Value) string {
	if g.claim(ctx, conn, k, key) != nil {
		return ""
	}
	g.mu.Lock()
	had := g.made.proven[identity("", k, key)]
	g.mu.Unlock()
	for i, name := range k.Key {
		if generate.Misfit(rules.Adapter, parameter(op, name), key[i]) != "" {
			return fmt.Sprintf("no read tells what the %s %s names", name, clip(key[i].String()))
		}
	}
	if !had && !g.madeUp(op, key) {
		return "the run made nothing with the " + strings.Join(k.Key, " ") + " " + clip(texts(key))
	}
	return ""
}

// tells reports whether the reads of a kind tell what is not there, by the answer to one of what does not exist.
func (k Kind) tells(o probes.Observation, key []probes.Value) bool {
	switch {
	case k.Plain():
		return k.Lacks(o, key) && k.identifies(Rows(o.Data()))
	case o.Succeeded():
		return o.Data().Is(probes.Null) || k.Listed() && len(Rows(o.Data())) == 0
	}
	return o.Refused() && !o.Deferred()
}

// plainly finds the listings that show all objects which a removal names by one key, where no read takes
// that key: they need no parameter, and their documented rows are what a creation of the kind makes.
func (r *Rules) plainly(d probes.Operation) (views []probes.Operation, key []string) {
	needs := slices.DeleteFunc(slices.Clone(d.Parameters), func(p probes.Parameter) bool { return !p.Required || expected(d, p) })
	if d.Category != "DELETE" || len(needs) != 1 || !single(needs[0]) || scoping(needs[0]) || probes.TakesToken(needs[0].Name) {
		return nil, nil
	}
	for _, v := range r.Operations {
		if v.Category != "READ" || v.Name == "introspect" || takes(v, needs[0].Name) || slices.ContainsFunc(v.Parameters, required) || !r.usable(v) {
			continue
		}
		if slices.ContainsFunc(r.rowTypes(v), func(t string) bool {
			return r.holdsKey(t, needs[0]) && slices.ContainsFunc(r.Operations, func(m probes.Operation) bool {
				return m.Category == "CREATE" && r.related(m, d) && (slices.Contains(r.made(m), t) || r.speaksOf(m, v) && r.summarises(t, r.made(m)))
			})
		}) {
			views, key = append(views, v), []string{needs[0].Name}
		}
	}
	return views[:min(len(views), maxViews)], key
}

// summarises reports whether rows of a type are objects of one of some types in short: each field of a row is
// a field of the whole object, and some field beside the key is left in which a mark can be seen.
func (r *Rules) summarises(row string, of []string) bool {
	short := r.Fields(probes.Parameter{Type: row})
	texts := func(f probes.Parameter) bool { return f.Type == "string" && f.Raw.At("format").Is(probes.Absent) }
	return len(slices.DeleteFunc(slices.Clone(short), func(f probes.Parameter) bool { return !texts(f) })) > 1 && slices.ContainsFunc(of, func(whole string) bool {
		fields := r.Fields(probes.Parameter{Type: whole})
		return !slices.ContainsFunc(short, func(f probes.Parameter) bool {
			return !slices.ContainsFunc(fields, func(w probes.Parameter) bool { return w.Name == f.Name && w.Type == f.Type })
		})
	})
}

// noListing is why an object of a plain kind cannot be removed.
const noListing = "no listing has shown it"

// hiding says why a plain kind gets no further object: a listing does not show one that was made, which then
// nobody could remove.
func (g *Gate) hiding(ctx context.Context, conn string, made []*object) string {
	for _, o := range made {
		g.mu.Lock()
		known, may := o.key != nil, o.may
		g.mu.Unlock()
		if !known && !slices.ContainsFunc(may, func(key []probes.Value) bool { return g.claim(ctx, conn, o.kind, key) != nil }) {
			return "no listing shows what " + o.op + " has made, so nobody could remove it"
		}
	}
	return ""
}
