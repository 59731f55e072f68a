package gate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// A Leftover is an object of the run that could not be removed.
type Leftover struct {
	What string // what is known of it, and why it is still there
	Call string // the call that removes it; empty where it is not proven to be ours
}

// String says what is left, and how to remove it.
func (l Leftover) String() string {
	if l.Call == "" {
		return "left behind: " + l.What
	}
	return fmt.Sprintf("left behind: %s; remove it with %s", l.What, l.Call)
}

// rounds is how often it is tried to remove what is left: what stood in the way may be
// gone, as the last note of a folder that must be empty.
const rounds = 3

// CleanUp removes what the run made, the last first, and returns what could not be
// removed. An object is proven once more to be ours before it is removed. Removals go one
// by one: not every store keeps the objects of others when it is written to side by side.
func (g *Gate) CleanUp(ctx context.Context) []Leftover {
	g.mu.Lock()
	g.ending = true
	g.mu.Unlock()
	if g.known() == nil {
		return nil
	}
	for round := range rounds {
		g.sweep(ctx)
		g.confirm(ctx)
		left := g.snapshot()
		if len(left) == 0 {
			break
		}
		if g.last = round == rounds-1; g.last && slices.ContainsFunc(left, func(o *object) bool { return o.unseen() || o.lost() }) {
			g.pause(ctx, settling) // a store may show late what it has made
			g.sweep(ctx)
		}
		slices.Reverse(left)
		for some := range slices.Chunk(left, probes.AtOnce(g.asker)) {
			g.removeAll(ctx, some, g.looked(ctx, some))
		}
	}
	g.departed(ctx)
	return g.left()
}

// removeAll removes some objects one by one, and looks side by side whether they are gone. In the last round each is looked at
// before the next is removed: what holds an object is found by that.
func (g *Gate) removeAll(ctx context.Context, some []*object, ours [][]probes.Value) {
	g.mu.Lock()
	g.later = !g.last
	g.mu.Unlock()
	removed := make([]func(), len(some))
	for i, o := range some {
		removed[i] = g.remove(ctx, o, ours[i])
	}
	probes.SideBySide(len(some), len(some), func(i int) {
		if removed[i] != nil {
			removed[i]()
		}
	})
}

func (g *Gate) snapshot() []*object {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.made.all)
}

// sweep looks in the listings for what carries our mark and is not known: the answer to a
// creation was lost or told no identifier, or it was refused and done all the same, or a
// removal was none.
func (g *Gate) sweep(ctx context.Context) {
	g.shownAt, g.allShown, g.unknown, g.rolls = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]*roll{}
	g.mu.Lock()
	makers := slices.Sorted(maps.Keys(g.marked))
	g.mu.Unlock()
	for _, name := range makers {
		k, ok := g.known().Kind(name)
		if !ok {
			continue
		}
		k.Make, _ = g.known().Operation(name)
		_, all := g.enroll(ctx, k)
		for _, l := range all {
			g.allShown[name] = g.allShown[name] || l.ended
			for _, row := range l.rows {
				key, ok := ListedKey(k, l.params, row)
				if ok && !(buried(row) && buried(row, g.askedFor(name, row)...)) { // to find who asked takes long
					g.shownAt[identity("", k, key)] = true
				}
				g.recover(ctx, k, key, ok, row)
			}
		}
		g.uncover(ctx, k)
	}
}

// recover claims a listed row that carries our mark.
func (g *Gate) recover(ctx context.Context, k Kind, key []probes.Value, ok bool, row probes.Value) {
	g.mu.Lock()
	before := g.surveys[k.Make.Name]
	known := ok && g.places[identity(g.conn, k, key)] != nil
	if ok { // another object may have the same text of the run
		known = known || slices.ContainsFunc(g.made.namesakes(k, key), func(o *object) bool { return o.told(k, key) && marksAll(row, o.fields) })
	}
	var pending *object
	for _, o := range g.made.byMake[k.Make.Name] {
		nameless := o.key == nil && len(o.may) == 0 // so that its fields hold the marks of its creation and no more
		if nameless && marksAll(row, o.fields) && (pending == nil || cmp.Or(cmp.Compare(len(o.fields), len(pending.fields)), cmp.Compare(agreeing(row, o.params), agreeing(row, pending.params))) > 0) {
			pending = o
		}
	}
	g.mu.Unlock()
	if !ok || !known && !before.has(key) {
		g.unknown[k.Make.Name] = true
	}
	if !ok || known || before.has(key) || buried(row, g.askedFor(k.Make.Name, row)...) {
		return
	}
	begun := pending != nil
	if !begun {
		fields := map[string][]string{}
		for _, m := range row.Members() {
			if m.Value.Is(probes.String) && g.invented(m.Value.Text()) {
				fields[m.Name] = []string{m.Value.Text()}
			}
		}
		pending = &object{kind: k, op: k.Make.Name, conn: g.conn, fields: fields}
	}
	if len(pending.fields) == 0 || !begun && g.expected(k, key) || !g.shown(ctx, g.conn, pending, key) {
		return
	}
	if !begun {
		g.mu.Lock()
		g.note(pending)
		g.mu.Unlock()
	}
	pending.conn = g.conn
	g.prove(pending, key)
}

// agreeing counts the values that a row has as a creation gave them: two objects may have the same text of the run.
func agreeing(row, params probes.Value) (n int) {
	for _, m := range params.Members() {
		if memberLike(row, m.Name).Equal(m.Value) {
			n++
		}
	}
	return n
}

// expected reports whether an identifier is one that the answer to a creation told: that
// object is proven by it, and the row is no other's.
func (g *Gate) expected(k Kind, key []probes.Value) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.made.namesakes(k, key), func(o *object) bool { return o.told(k, key) })
}

// unseen reports whether an object was made as the adapter says, and no read or listing has
// shown it so far.
func (o *object) unseen() bool { return o.key == nil && len(o.may) > 0 && !o.late }

// lost reports whether nothing is known of an object: the answer to its creation told nothing, and the request
// carried no mark.
func (o *object) lost() bool { return o.key == nil && len(o.may) == 0 && len(o.fields) == 0 && !o.done }

// pause lets time pass.
func (g *Gate) pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// settling is how long a store may take to show what it has made.
const settling = 2 * time.Second

// remove removes one object by the identifier with which a read has shown it as ours; key is nil if none has. look is nil, or
// looks whether the object is gone.
func (g *Gate) remove(ctx context.Context, o *object, key []probes.Value) (look func()) {
	switch k := o.kind; {
	case key != nil:
	case o.key == nil:
		g.missing(ctx, o)
		return nil
	case len(k.Views) == 0:
		return nil
	default:
		if g.absent(ctx, g.conn, k, o.key) {
			g.lose(ctx, o, o.key) // it is gone, or went with the process that had it
			return nil
		}
		if o.why = "the texts that it was made with were written over, so a read does not prove that it is ours"; ctx.Err() != nil {
			o.why = "there was no time left to look whether it is still ours"
		}
		g.mu.Lock()
		o.conn, o.sure = g.conn, false
		g.mu.Unlock()
		return nil
	}
	o.conn = g.conn
	g.prove(o, key)
	call, ok := o.removal()
	if !ok {
		o.why = "no operation removes it"
		return nil
	}
	answer, sure := g.confirmed(ctx, call), true // the last read showed it
	if g.last && strings.HasPrefix(answer.Code(), "CONFLICT") {
		answer = g.removeHeld(ctx, o, call, answer)
		sure = answer.Succeeded() || g.shown(ctx, g.conn, o, key)
	}
	return g.removed(ctx, o, answer, sure)
}

// missing drops an object whose identifier is known and names nothing on the face: it went
// with the process that had it.
func (g *Gate) missing(ctx context.Context, o *object) {
	if len(o.may) > 0 && !slices.ContainsFunc(o.may, func(key []probes.Value) bool { return !g.absent(ctx, g.conn, o.kind, key) }) {
		g.lose(ctx, o, o.may...)
	} else if len(o.may) == 0 && o.done && g.hidden(o) {
		o.why = "its creation succeeded, and no listing shows it" // its listings leave out what is as it is
	} else if len(o.may) == 0 && o.done && g.unknown[o.op] {
		o.why = "its creation succeeded, and nothing tells which of the listed ones it is"
	} else if len(o.may) == 0 && len(o.fields) > 0 && g.allShown[o.op] {
		g.drop(o) // its request was never carried out: all there is was listed, and it is not there
	} else if o.lost() && g.last && g.allShown[o.op] && !g.unknown[o.op] && !g.hidden(o) {
		g.drop(o) // the same: each listed row is ours, or was there before
	} else if len(o.may) > 0 && o.why == "" {
		o.why = "no read by its identifier shows our mark"
	}
}

// lose drops an object that a read does not find, unless a listing shows it. A list of children may
// leave out one that is there, so its removal is asked for all the same: it lies in a parent of ours.
func (g *Gate) lose(ctx context.Context, o *object, keys ...[]probes.Value) {
	for _, key := range keys {
		if call, ok := (&object{kind: o.kind, conn: g.conn, key: key}).removal(); ok && o.kind.Listed() && (!o.kind.Plain() || o.key != nil && o.sure && !o.late) {
			if answer := g.confirmed(ctx, call); answer.Succeeded() || strings.HasPrefix(answer.Code(), "NOT_FOUND") {
				g.drop(o)
				return
			}
		}
	}
	switch {
	case o.kind.Plain() && o.key == nil:
		o.why = noListing
	case slices.ContainsFunc(keys, func(key []probes.Value) bool { return g.shownAt[identity("", o.kind, key)] }):
		o.why = "a listing shows it, and a read by its identifier does not"
	case o.unseen() && o.conn == g.conn && !(g.last && g.allShown[o.op]) && !o.nothingMade():
		o.why = "its creation succeeded, and no read has shown it"
	default:
		g.drop(o)
	}
}
