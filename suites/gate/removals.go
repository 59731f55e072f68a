package gate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// unmade notes what became of a removal and reports whether a read shows that it worked.
// The object has to be proven anew before it is touched again: a refused removal may have
// worked, and one that worked may have emptied the object and left it where it is. CleanUp
// looks at several removed objects later, side by side.
func (g *Gate) unmade(ctx context.Context, c *asked, succeeded bool) (gone bool) {
	g.mu.Lock()
	root := c.object
	if root.root != nil {
		root = root.root
	}
	root.sure, root.written = false, true
	for _, id := range root.places {
		if p := g.places[id]; p != nil && p.root == root {
			p.sure = false
		}
	}
	later := g.later
	g.mu.Unlock()
	if gone = succeeded && !later && g.over(ctx, c.object); gone {
		g.drop(c.object)
	}
	return gone
}

// over reports whether a removal that succeeded has removed an object: a read does not
// show it any more, or shows it as removed. Where nobody answers that is not known.
func (g *Gate) over(ctx context.Context, o *object) bool {
	look := g.see(ctx, o.conn, o.kind.Views[0], o.kind, o.key)
	if look.Outcome == probes.Unasked || look.Lost() {
		return false
	}
	return !Shows(look, o.kind, o.key, o.fields) || ShowsBurial(look.Data(), o.params)
}

// removals are the results of one DELETE operation on objects of the run, called exactly
// as the ledger says.
type removals struct {
	worked  bool // a read showed that an object was gone
	refused []*object
	held    []*object // their removal was a conflict
	answer  string    // the last refusal
}

// maxRefusedRemovals is the number of objects whose removal may be refused before the run
// makes no more of their kind.
const maxRefusedRemovals = 2

// maxHeldObjects is how many objects of a kind the run makes, where the removal of one was a conflict and no other removal
// has worked.
const maxHeldObjects = 6

// learnRemoval notes whether the objects of a kind can be removed. A demand for
// confirmation and a rate limit are temporary, so they do not count as refusals.
func (g *Gate) learnRemoval(c *asked, o probes.Observation, gone bool) {
	passing := slices.ContainsFunc([]string{"CONFIRMATION_", "TOKEN_", "RATE_LIMIT_", "NOT_FOUND"}, func(prefix string) bool { return strings.HasPrefix(o.Code(), prefix) })
	if !plainRemoval(c) || c.object.kind.Remove.Tool != o.Probe.Tool || passing {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.removals[c.op.Name]
	if r == nil {
		r = &removals{}
		g.removals[c.op.Name] = r
	}
	switch {
	case gone:
		r.worked = true
	case strings.HasPrefix(o.Code(), "CONFLICT"):
		if !slices.Contains(r.held, c.object) {
			r.held, r.answer = append(r.held, c.object), o.Brief()
		}
	case o.Refused() && !slices.Contains(r.refused, c.object):
		r.refused, r.answer = append(r.refused, c.object), o.Brief()
	}
}

// removalRefused says that the adapter refused to remove objects of a kind; "" when it did
// not.
func (g *Gate) removalRefused(k Kind) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.released[k.Remove.Name]
	if r := g.removals[k.Remove.Name]; r != nil && !r.worked && (known == nil || known.works == nil) && (len(r.refused) >= maxRefusedRemovals || len(r.held) > 0 && len(g.made.byMake[k.Make.Name]) >= maxHeldObjects) {
		return fmt.Sprintf("%s refused to remove what the run made (%s)", k.Remove.Name, clip(r.answer))
	}
	return ""
}

// doubt notes that an adapter has ended: what it starts with again may have other
// identifiers.
func (g *Gate) doubt(conn string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sights.forget()
	for _, o := range g.made.all {
		if o.conn == conn {
			o.sure = false
		}
	}
	for _, o := range g.places {
		if o.conn == conn {
			o.sure = false
		}
	}
}

// free reports whether an identifier names nothing: nothing that the adapter listed had
// it, and a read says at this moment that there is no such thing.
func (g *Gate) free(ctx context.Context, conn string, k Kind, key []probes.Value) bool {
	g.mu.Lock()
	listed := false
	for _, s := range g.surveys {
		listed = listed || s.about(k) && s.has(key)
	}
	g.mu.Unlock()
	if listed {
		return false
	}
	if slices.ContainsFunc(key, func(v probes.Value) bool { return !g.invented(v.Text()) }) {
		return g.absent(ctx, conn, k, key) // somebody else may have made it meanwhile
	}
	return k.Lacks(g.saw(ctx, conn, k.Views[0], k, key), key)
}

// absent asks a read whether an identifier names nothing.
func (g *Gate) absent(ctx context.Context, conn string, k Kind, key []probes.Value) bool {
	return k.Lacks(g.see(ctx, conn, k.Views[0], k, key), key)
}

// ShowsNothing reports whether a read by an identifier says that there is no such object.
func ShowsNothing(o probes.Observation) bool {
	notFound := o.Refused() && strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
	return notFound || o.Succeeded() && o.Data().Is(probes.Null)
}

// viewing is the read of one object.
func (g *Gate) viewing(conn string, view probes.Operation, k Kind, key []probes.Value) probes.Probe {
	return probes.Call(conn, view.Tool, view.Name, k.Asks(view, key))
}

// confirmed asks for a removal and confirms it where the adapter wants that: the object
// is our own, and who made it may consent to its end.
func (g *Gate) confirmed(ctx context.Context, call probes.Probe) probes.Observation {
	call = g.known().WithVersion(call, func(p probes.Probe) probes.Observation { return g.look(ctx, p) })
	answer := g.look(ctx, call)
	token := answer.ConfirmationToken()
	o, _ := g.known().Operation(call.Operation())
	for _, name := range o.TokenNames() {
		if token.Is(probes.Absent) {
			return answer
		}
		answer = g.look(ctx, call.With(name, token.Go()))
		switch fresh := answer.ConfirmationToken(); {
		case !fresh.Is(probes.Absent):
			token = fresh // the name was overlooked
		case !strings.HasPrefix(answer.Code(), "VALIDATION_"):
			return answer
		}
	}
	return answer
}

// nobody is an identifier that nothing should have.
func (g *Gate) nobody(p probes.Parameter) probes.Value {
	if p.Type == "integer" || p.Type == "number" {
		return probes.ValueOf(987654321)
	}
	return probes.ValueOf("aqlc-" + g.nonce + "-absent")
}

// parts reports whether a removal requires, beside an identifier, that of an object of another kind: it takes the
// one out of the other, and both stay.
func (r *Rules) parts(d probes.Operation, key []string) bool {
	return d.Category == "DELETE" && slices.ContainsFunc(d.Parameters, func(p probes.Parameter) bool {
		own := slices.ContainsFunc(key, func(name string) bool { return alike(name, p.Name) })
		return p.Required && !own && slices.ContainsFunc(r.Operations, func(v probes.Operation) bool {
			return v.Category == "READ" && takesAlone(v, p.Name) && parameter(v, p.Name).Type == p.Type && !r.related(d, v)
		})
	})
}

// expected reports whether a parameter takes the version that the object has now. A name that chooses a number of
// objects, as older_than, is another matter whatever its description says; if_match has one of these words by chance.
func expected(o probes.Operation, p probes.Parameter) bool {
	version, required := o.Precondition()
	return required && version.Name == p.Name && (alike(p.Name, "if_match") || !scoping(p))
}

// WithVersion gives a change or a removal that requires the version of its object the one that a read of the
// object shows. Without such a read the request stays as it is.
func (r *Rules) WithVersion(p probes.Probe, ask func(probes.Probe) probes.Observation) probes.Probe {
	o, _ := r.Operation(p.Operation())
	version, required := o.Precondition()
	if !required {
		return p
	}
	views, names, _ := r.acts(o)
	k := Kind{Views: views, Key: names}
	key, whole := k.KeyIn(probes.ValueOf(p.Params()))
	if len(views) == 0 || !whole {
		return p
	}
	shown := ask(probes.Call(p.Conn, views[0].Tool, views[0].Name, k.Asks(views[0], key)))
	tag := probes.VersionTagIn(shown.Data())
	if k.Listed() {
		tag = probes.VersionTag(k.row(shown, key))
	}
	switch {
	case tag.Is(probes.Absent):
		return p
	case tag.Is(probes.Number) && version.Type == "string":
		return p.With(version.Name, tag.String())
	}
	return p.With(version.Name, tag.Go())
}

// negating are words with which a description may name the states in which an object is not removed.
var negating = strings.Fields("not no non never nicht kein keine keinen nunca nie niet geen pas jamais senza sans unless except otherwise whether any")

// behindObject begins what a description says beside the object that is removed.
var behindObject = regexp.MustCompile(`(?i)[\s,](with|by|and|then|con|por|y|mit|und|avec|par|et|com|e|ed|met)\s`)

// outOfState returns the state in which an operation makes its objects, where the description of the removal names other
// states alone for what it removes: the objects would stay. The states are those by which a list is filtered. Only the first
// sentence says what is removed; a refusal that follows names the states of the others.
func (r *Rules) outOfState(made, removal probes.Operation) (state string) {
	first, _, _ := strings.Cut(removal.Details.At("description").Text(), ".")
	first = behindObject.Split(first, 2)[0]
	takes, makes := vocab.Words(first), vocab.Words(made.Details.At("description").Text())
	if slices.ContainsFunc(takes, func(w string) bool { return slices.Contains(negating, w) }) {
		return ""
	}
	for _, list := range r.lists(made) {
		for _, p := range list.Parameters {
			fields := slices.ContainsFunc(r.EnumOf(p), func(v probes.Value) bool {
				return slices.ContainsFunc(append(slices.Clone(made.Parameters), removal.Parameters...), func(q probes.Parameter) bool { return alike(q.Name, v.Text()) })
			})
			if fields {
				continue
			}
			var begins, ends []string
			for _, v := range r.EnumOf(p) {
				if slices.Contains(makes, strings.ToLower(v.Text())) {
					begins = append(begins, v.Text())
				}
				if slices.Contains(takes, strings.ToLower(v.Text())) {
					ends = append(ends, v.Text())
				}
			}
			if len(begins) == 1 && len(ends) > 0 && !slices.Contains(ends, begins[0]) {
				return begins[0]
			}
		}
	}
	return ""
}
