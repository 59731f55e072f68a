package gate

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A reference may be named after the part that the other object plays, as white_id and black_id are. What
// kind it is of is then told by the description, and shown by what is listed.

// toldHead is the beginning of a description that names what a reference is of, and no more than that.
var toldHead = regexp.MustCompile(`^(?:(?:the |an? )?(?:id|identifier|key|number) of )?(?:the |an? )?([\pL]+(?: [\pL]+)??)(?: (?:with|who|that|which|whose|as|to)\b|[.,;:(]|$)`)

// told returns the kind that the description of a required reference of a creation names, where its own
// name is that of no kind.
func (r *Rules) told(o probes.Operation, p probes.Parameter) (told Kind, ok bool) {
	if o.Category != "CREATE" || !p.Required || !probes.IsReference(o, p) || !single(p) {
		return Kind{}, false
	}
	head := toldHead.FindStringSubmatch(strings.ToLower(strings.TrimSpace(p.Raw.At("description").Text())))
	words := vocab.Words(p.Name)
	if head == nil || len(words) < 2 {
		return Kind{}, false
	}
	stem := vocab.Singular(words[len(words)-2])
	if slices.ContainsFunc(r.Operations, func(v probes.Operation) bool { return slices.Contains(nouns(v.Name, vocab.Singular), stem) }) {
		return Kind{}, false
	}
	for _, made := range slices.Sorted(maps.Keys(r.kinds)) {
		k := r.kinds[made]
		if k.goesBy(o.Name, p.Name) {
			return Kind{}, false
		}
		if made == o.Name || len(k.Key) != 1 || k.Listed() || parameter(k.Views[0], k.Key[0]).Type != p.Type || !slices.Contains(r.singulars(made), head[1]) {
			continue
		}
		if ok && told.Views[0].Name != k.Views[0].Name {
			return Kind{}, false
		}
		told, ok = k, true
	}
	return told, ok
}

// mostBorneOut is how many listed references are looked up.
const mostBorneOut = 3

// ownsTold reports whether a reference names an object of ours of the kind that its description names, and
// what is listed bears the description out: objects that are there name there what a read of the kind shows.
func (g *Gate) ownsTold(ctx context.Context, rules *Rules, conn string, k Kind, seen *survey, p probes.Parameter, v probes.Value) bool {
	told, ok := rules.told(k.Make, p)
	if !ok || g.claim(ctx, conn, told, []probes.Value{v}) == nil {
		return false
	}
	return g.bears(ctx, conn, k, told, p, seen)
}

// bears reports whether what is listed of a kind bears out that a parameter of its creation takes identifiers of another one.
func (g *Gate) bears(ctx context.Context, conn string, k, of Kind, p probes.Parameter, seen *survey) bool {
	if seen == nil { // nothing is known of what is listed
		return false
	}
	id := "reference " + k.Make.Name + " " + p.Name
	g.mu.Lock()
	borne, known := g.sees[id]
	g.mu.Unlock()
	if !known {
		borne = g.borneOut(ctx, conn, of, p, seen.rows)
		g.mu.Lock()
		g.sees[id] = borne
		g.mu.Unlock()
	}
	return borne
}

// borneOut reports whether the first rows name objects of a kind in a field.
func (g *Gate) borneOut(ctx context.Context, conn string, k Kind, p probes.Parameter, rows []probes.Value) bool {
	var named []probes.Value
	for _, row := range rows {
		if v := memberLike(row, p.Name); scalar(v) && len(named) < mostBorneOut && !slices.ContainsFunc(named, v.Equal) {
			named = append(named, v)
		}
	}
	return len(named) > 0 && !slices.ContainsFunc(named, func(v probes.Value) bool {
		o := g.see(ctx, conn, k.Views[0], k, []probes.Value{v})
		return !o.Succeeded() || ShowsNothing(o)
	})
}

// holder returns the required reference of a creation by which the new object is told from those of others,
// where it takes no text: it names an object of ours, and no update changes it.
func (g *Gate) holder(ctx context.Context, rules *Rules, k Kind, seen *survey, params probes.Value, conn string) *probes.Member {
	for _, p := range k.Make.Parameters {
		v := memberLike(params, p.Name)
		if !p.Required || !scalar(v) || rules.changes(k, p) {
			continue
		}
		holds := slices.ContainsFunc(rules.HoldersOf(k, p.Name), func(in Kind) bool { return g.claim(ctx, conn, in, []probes.Value{v}) != nil })
		if holds || g.ownsTold(ctx, rules, conn, k, seen, p, v) {
			return &probes.Member{Name: p.Name, Value: v}
		}
	}
	return nil
}

// changes reports whether an UPDATE of a kind may give a field another value.
func (r *Rules) changes(k Kind, p probes.Parameter) bool {
	return slices.ContainsFunc(r.Operations, func(o probes.Operation) bool {
		return o.Category == "UPDATE" && r.related(k.Make, o) && slices.ContainsFunc(o.Parameters, func(q probes.Parameter) bool {
			fields := r.Fields(q)
			free := q.Name == "input" && len(fields) == 0
			return free || alike(q.Name, p.Name) || slices.ContainsFunc(fields, func(f probes.Parameter) bool { return alike(f.Name, p.Name) })
		})
	})
}

// Refers reports whether a required reference of a creation names objects of the kind that another makes,
// by its description.
func (r *Rules) Refers(o probes.Operation, p probes.Parameter, maker string) bool {
	k, ok := r.told(o, p)
	made, known := r.Kind(maker)
	return ok && known && len(made.Views) > 0 && made.Views[0].Name == k.Views[0].Name
}

// GoesBy reports whether a parameter of an operation takes the one identifier of an object of this kind.
func (k Kind) GoesBy(op string, p probes.Parameter) bool {
	return len(k.Key) == 1 && len(k.Views) > 0 && (k.goesBy(op, p.Name) || alike(k.Key[0], p.Name) && parameter(k.Views[0], k.Key[0]).Type == p.Type)
}

// Namesake returns the one kind of objects whose key a parameter of a creation has the name of. The name says more than that
// it is a key, and what a READ finds by it alone is of this kind. Where it is a part of the identifier of what is created, such a READ lists
// the siblings.
func (r *Rules) Namesake(k Kind, name string) (of Kind, ok bool) {
	if len(k.Views) == 0 || slices.Contains(identifierWords, strings.ToLower(name)) {
		return of, false
	}
	holders := r.HoldersOf(k, name)
	if len(holders) != 1 {
		return of, false
	}
	if r.Parent(k, name) {
		return holders[0], true
	}
	return holders[0], !slices.ContainsFunc(r.Operations, func(o probes.Operation) bool {
		return takesAlone(o, name) && !r.related(holders[0].Make, o)
	})
}

// ownsNamesake reports whether a value identifies an object of the run of the one kind that goes by the name of a parameter, and
// what is listed bears it out: a place on a wall may have that name, too.
func (g *Gate) ownsNamesake(ctx context.Context, rules *Rules, conn string, k Kind, seen *survey, p probes.Parameter, v probes.Value) bool {
	of, ok := rules.Namesake(k, p.Name)
	return ok && scalar(v) && g.claim(ctx, conn, of, []probes.Value{v}) != nil && g.bears(ctx, conn, k, of, p, seen)
}
