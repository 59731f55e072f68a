package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// mostReleases is how many changes are tried on one object, and on how many objects of a kind they are tried at most where
// none helps.
const (
	mostReleases = 8
	mostHeld     = 2
)

// A release is a change of one field after which an object can be removed, or an operation on the object such as its archiving,
// which has no field. One that executes has to be permitted by its name.
type release struct {
	update probes.Operation
	path   []string
	value  any
}

// releases is what was learned of the objects of a kind that are held.
type releases struct {
	works  *release
	plain  bool // the removal asks for no confirmation and no version then
	failed int  // objects that no release has freed
}

// removeHeld changes an object of the run whose removal is a conflict, one field after the other, until the removal works.
// What stands in a list may hold the object, as the finalizers of Kubernetes do: it is emptied if the run has sent all that
// is in it. So may a state: a flag is turned, and a value of an enumeration is replaced. What has worked is tried first with
// the next object of the kind. The gate judges each update as it judges those of the checks. It returns the answer to the
// last removal.
func (g *Gate) removeHeld(ctx context.Context, o *object, removal probes.Probe, answer probes.Observation) probes.Observation {
	if o.kind.Listed() {
		return answer
	}
	g.mu.Lock()
	known := g.released[removal.Operation()]
	if known == nil {
		known = &releases{}
		g.released[removal.Operation()] = known
	}
	tries := []release{}
	if known.works != nil {
		tries = append(tries, *known.works)
	}
	enough := known.failed >= mostHeld
	g.mu.Unlock()
	if len(tries) == 0 && !enough {
		tries = g.releasesOf(o, g.see(ctx, g.conn, o.kind.Views[0], o.kind, o.key).Data(), answer)
	}
	for _, r := range tries[:min(len(tries), mostReleases)] {
		if !strings.HasPrefix(answer.Code(), "CONFLICT") {
			break
		}
		if g.changed(ctx, o, r) {
			if answer = g.confirmed(ctx, removal); answer.Succeeded() {
				g.mu.Lock()
				known.works, known.plain = &r, len(answer.Probe.Params()) == len(removal.Params())
				g.mu.Unlock()
				return answer
			}
		}
	}
	g.mu.Lock()
	known.failed++
	g.mu.Unlock()
	return answer
}

// RemovalTrial is the step of a removal that shows whether what an operation makes can be removed. No check knows the object.
const RemovalTrial = "trial of a removal"

// tried looks for what releases the object of a trial, where its removal is a conflict.
func (g *Gate) tried(ctx context.Context, r *request, answer probes.Observation) {
	for _, c := range r.calls {
		if r.probe.Step == RemovalTrial && strings.HasPrefix(answer.Code(), "CONFLICT") && plainRemoval(c) {
			call, _ := c.object.removal()
			if o := c.object; g.removeHeld(ctx, o, call, answer).Succeeded() && g.over(ctx, o) {
				g.drop(o)
			}
		}
	}
}

// ready releases the object of a removal, where a trial has shown how. What holds other objects of the run is left as it is:
// its removal may be refused for them. So is the object of a removal that asks for more, and that of a generated script,
// which has no step: what is refused is compared with what was there before. A wrong tool is to refuse what would work, so the
// object of such a removal is released too.
func (g *Gate) ready(ctx context.Context, r *request) {
	for _, c := range r.calls {
		if !plainRemoval(c) || c.entry >= 0 || r.probe.Step == "" {
			continue
		}
		g.mu.Lock()
		known := g.released[c.op.Name]
		trusted := known != nil && known.works != nil && known.plain
		holds := trusted && slices.ContainsFunc(g.made.all, func(o *object) bool {
			return slices.ContainsFunc(c.object.key, func(v probes.Value) bool {
				return o.lies(spelled(v))
			})
		})
		g.mu.Unlock()
		if trusted && !holds {
			g.changed(ctx, c.object, *known.works)
		}
	}
}

// lies reports whether the object lies in another one, which this value identifies.
func (o *object) lies(in string) bool {
	for _, texts := range o.home {
		if slices.Contains(texts, in) {
			return true
		}
	}
	return false
}

// plainRemoval reports whether a call removes an object of the run exactly as the ledger says, by whatever tool.
func plainRemoval(c *asked) bool {
	if !c.writes() || c.op.Category != "DELETE" || c.object == nil {
		return false
	}
	plain, ok := c.object.removal()
	if version, required := c.op.Precondition(); ok && required { // it was read for this request
		plain = plain.With(version.Name, c.params.At(version.Name).Go())
	}
	return ok && plain.Operation() == c.op.Name && probes.ValueOf(plain.Params()).Equal(c.params)
}

// releasesOf are the changes that may free an object, those first whose field the refusal of the removal names.
func (g *Gate) releasesOf(o *object, shown probes.Value, refusal probes.Observation) (all []release) {
	rules := g.known()
	for _, u := range rules.Operations {
		views, key, acts := rules.acts(u)
		permitted := u.Category == "EXECUTE" && rules.Lifted(u) // what it does beside is known to who names it
		if u.Category != "UPDATE" && !permitted || !acts || views[0].Name != o.kind.Views[0].Name {
			continue
		}
		if !slices.ContainsFunc(u.Parameters, func(p probes.Parameter) bool {
			return p.Required && !slices.ContainsFunc(key, func(name string) bool { return alike(name, p.Name) })
		}) && !ReachesOut(u.Name) && vocab.TextEffect(u.Details.At("description").Text()) < vocab.Reaches { // it is done for each object
			all = append(all, release{update: u})
		}
		if permitted {
			continue
		}
		input := parameter(u, "input")
		for _, path := range rules.listFields(input) {
			if g.sentAll(o, shown, path[len(path)-1]) {
				all = append(all, release{u, path, []any{}})
			}
		}
		for _, p := range rules.Fields(input) {
			switch is := memberAt(shown, p.Name); {
			case is.Is(probes.Boolean) && (is.True() || !Reaches(p, probes.ValueOf(true)) && !ReachesOut(p.Name)):
				all = append(all, release{u, []string{p.Name}, !is.True()})
			case is.Is(probes.String):
				for _, v := range rules.EnumOf(p) {
					if !v.Equal(is) && !Reaches(p, v) && !ReachesOut(v.Text()) {
						all = append(all, release{u, []string{p.Name}, v.Go()})
					}
				}
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(r release) bool { return named(refusal, r) })
	all = slices.DeleteFunc(all, func(r release) bool { return !named(refusal, r) })
	return append(all, rest...)
}

// ReachesOut reports whether a state by this name may mean an effect beyond the store: sent, paid, published.
func ReachesOut(state string) bool {
	words := vocab.Words(state)
	return vocab.TextEffect("It is "+strings.Join(words, " ")+".") >= vocab.Reaches ||
		slices.ContainsFunc(words, func(w string) bool { return vocab.EffectOf(w) >= vocab.Reaches })
}

// named reports whether a refusal names the field of a release, or has the beginning of a word of its operation in its code.
func named(refusal probes.Observation, r release) bool {
	if len(r.path) > 0 {
		return refusal.Mentions(r.path[len(r.path)-1])
	}
	const stem = 5 // archive in NOT_ARCHIVED
	code := strings.ToLower(refusal.Code())
	return slices.ContainsFunc(vocab.Words(r.update.Name), func(w string) bool {
		return len(w) > stem && strings.Contains(code, strings.ToLower(w)[:stem])
	})
}

// memberAt is the member of a name in an answer, at any depth of objects.
func memberAt(v probes.Value, name string) probes.Value {
	for _, m := range v.Members() {
		if alike(m.Name, name) {
			return m.Value
		}
		if found := memberAt(m.Value, name); m.Value.Is(probes.Object) && !found.Is(probes.Absent) {
			return found
		}
	}
	return probes.Value{}
}

// changed sends the update of a release and reports whether it worked.
func (g *Gate) changed(ctx context.Context, o *object, r release) bool {
	params := map[string]any{}
	for i, name := range o.kind.Key {
		params[parameter(r.update, name).Name] = o.key[i].Go()
	}
	input := r.value
	for _, name := range slices.Backward(r.path) {
		input = map[string]any{name: input}
	}
	call := probes.Call(o.conn, r.update.Tool, r.update.Name, params)
	if len(r.path) > 0 {
		call = call.With("input", input)
	}
	if ok, _ := g.may(ctx, g.read(call)); !ok {
		return false
	}
	return g.confirmed(ctx, call).Succeeded() // what asks takes its turn at the gate
}

// listFields are the paths of the documented lists in an object, and in the objects in it.
func (r *Rules) listFields(of probes.Parameter) (paths [][]string) {
	for _, field := range r.Fields(of) {
		if takesList(field) {
			paths = append(paths, []string{field.Name})
			continue
		}
		for _, inner := range r.Fields(field) {
			if takesList(inner) {
				paths = append(paths, []string{field.Name, inner.Name})
			}
		}
	}
	return paths
}

// takesList reports whether a parameter takes a list.
func takesList(p probes.Parameter) bool {
	e, err := probes.ParseType(p.Type)
	return p.Type == "array" || err == nil && e.Form == probes.ListOf
}

// noteItems remembers the texts in lists that a request for an object of the run sends. The lock is held.
func (o *object) noteItems(v probes.Value) {
	for _, m := range v.Members() {
		for _, item := range m.Value.Items() {
			if item.Is(probes.String) {
				if o.items == nil {
					o.items = map[string]bool{}
				}
				o.items[item.Text()] = true
			}
		}
		o.noteItems(m.Value)
	}
}

// sentAll reports whether a list of this name stands in an answer, at any depth of objects, and holds nothing but texts
// that the run has sent for this object.
func (g *Gate) sentAll(o *object, v probes.Value, name string) bool {
	return slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
		if !alike(m.Name, name) {
			return g.sentAll(o, m.Value, name)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		items := m.Value.Items()
		return len(items) > 0 && !slices.ContainsFunc(items, func(item probes.Value) bool { return !item.Is(probes.String) || !o.items[item.Text()] })
	})
}
