package gate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// The answer to a creation may tell no more than that it succeeded. What identifies the new object
// is then in the request, where the client chose it, or in a listing that shows the mark.

// untold returns the identity of an object whose key the client chose, as a JSON object; empty
// where the answer tells it.
func (k Kind) untold(params, data probes.Value) string {
	chosen, ok := k.KeyIn(params)
	told := !slices.ContainsFunc(k.Key, func(name string) bool { return len(valuesOf(k, name, data)) == 0 })
	if keys := Candidates(k, params, data); !ok && k.Listed() && len(keys) == 1 {
		chosen, ok = keys[0], true // the parent is in the request, and the answer tells the rest
	}
	if !ok || told {
		return ""
	}
	return k.identity(chosen)
}

// identity writes an identifier as a JSON object.
func (k Kind) identity(key []probes.Value) string {
	named := map[string]any{}
	for i, name := range k.Key {
		named[name] = key[i].Go()
	}
	return string(probes.ValueOf(named).Raw())
}

// Told are the identifiers that a successful creation may have told of what was made.
func Told(k Kind, made probes.Observation) [][]probes.Value {
	if identity, err := probes.ParseValue([]byte(made.Identity)); err == nil {
		if key, whole := k.KeyIn(identity); whole {
			return [][]probes.Value{key}
		}
	}
	return Candidates(k, probes.ValueOf(made.Probe.Params()), made.Data())
}

// firstPause is how long a listing may take to show a new object before it is read again. Each
// further pause is twice as long.
const firstPause = 20 * time.Millisecond

// identify looks in the listings for the object that a creation has just made. Where a listing
// shows none in time, it is read once for each later object.
func (g *Gate) identify(ctx context.Context, c *asked, data probes.Value) (keys [][]probes.Value, identity string) {
	o := c.object
	if c.entry >= 0 || len(o.fields) == 0 {
		return nil, ""
	}
	if key, ok := g.received(ctx, o, data); ok {
		return [][]probes.Value{key}, o.kind.identity(key)
	}
	if len(o.kind.shows(c.params)) == 0 {
		return nil, ""
	}
	g.mu.Lock()
	patient := !g.unlisted[o.op]
	g.mu.Unlock()
	for pause := firstPause; ; pause *= 2 {
		if key, ok := g.listedAs(ctx, o); ok {
			return [][]probes.Value{key}, o.kind.identity(key)
		}
		if !patient || pause > settling/2 || ctx.Err() != nil {
			break
		}
		g.pause(ctx, pause)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.unlisted[o.op] = true
	return nil, ""
}

// Bounds of the texts and numbers of an answer that are tried as an identifier, and of the creations in which they are.
const (
	mostReceived  = 3
	mostReceivers = 3
)

// A receipt is what the run knows of a creation whose answers give the identifier another name.
type receipt struct {
	member string // that holds the identifier; empty while none is known
	failed int    // creations in which no member was one
}

// received finds the identifier in an answer that has another name for it: a read by that text or number shows the new
// object. The member is learned. One that was there before is told too: the creation may have overwritten somebody's.
func (g *Gate) received(ctx context.Context, o *object, data probes.Value) (key []probes.Value, ok bool) {
	if len(o.kind.Key) != 1 || o.kind.Listed() {
		return nil, false
	}
	g.mu.Lock()
	known := g.receipts[o.op]
	g.mu.Unlock()
	of, tried := parameter(o.kind.Views[0], o.kind.Key[0]), 0
	for _, m := range data.Members() {
		other := known.member != "" && m.Name != known.member
		if other || known.failed >= mostReceivers || !scalar(m.Value) || tried == mostReceived || generate.Misfit(g.known().Adapter, of, m.Value) != "" {
			continue
		}
		tried++
		key := []probes.Value{m.Value}
		g.mu.Lock()
		taken := g.named(o, key)
		g.mu.Unlock()
		if !taken && g.shown(ctx, o.conn, o, key) {
			g.mu.Lock()
			g.receipts[o.op] = receipt{member: m.Name}
			g.mu.Unlock()
			return key, true
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if now := g.receipts[o.op]; now.member == "" && tried > 0 {
		g.receipts[o.op] = receipt{failed: now.failed + 1}
	}
	return nil, false
}

// listedAs returns the identifier of the one listed row that has all texts of a creation, and
// that no other object of the run has.
func (g *Gate) listedAs(ctx context.Context, o *object) (key []probes.Value, ok bool) {
	for _, list := range o.kind.shows(o.params) {
		var found [][]probes.Value
		for _, row := range g.pages(ctx, probes.Call(o.conn, list.op.Tool, list.op.Name, list.params), list.op).rows {
			key, whole := ListedKey(o.kind, o.params, row)
			if !whole || !marksAll(row, o.fields) && !o.kind.lies(key, o.fields) || buried(row, o.params) {
				continue
			}
			g.mu.Lock()
			known := g.named(o, key)
			if known {
				g.mergedInto(o, key)
			}
			g.mu.Unlock()
			if !known {
				found = append(found, key)
			}
		}
		if len(found) == 1 {
			return found[0], true
		}
	}
	return nil, false
}

// mostUnshown is how many objects of a kind are made of which no read has shown one as
// ours. Nothing of the kind could be removed, so more would only be left behind. A read
// may lag behind the creation, so one is not enough to tell.
const mostUnshown = 3

// mostUnfound is how many objects of a kind are made that are identified neither by an answer nor by a listing, where
// others of the kind were. They may be found in the end, so a few are risked.
const mostUnfound = 8

// unshown says why a kind gets no further object: none that was made is proven, or too many are lost.
func (g *Gate) unshown(ctx context.Context, conn string, k Kind) string {
	var open []*object
	var unfound []*object
	g.mu.Lock()
	proven := g.provable[k.Make.Name]
	for _, o := range g.made.byMake[k.Make.Name] {
		if o.conn == conn && (len(o.may) > 0 || o.done && !k.Plain()) {
			proven = proven || o.key != nil
			open = append(open, o)
		}
		if o.conn == conn && o.done && o.key == nil && len(o.may) == 0 && o.why == "" {
			unfound = append(unfound, o)
		}
	}
	g.mu.Unlock()
	if len(unfound) >= mostUnfound && !g.found(ctx, unfound) {
		g.mu.Lock()
		g.mute[k.Make.Name] = true
		g.mu.Unlock()
		return fmt.Sprintf("nothing identifies %d of the objects that it made, so nobody could remove them", len(unfound))
	}
	if k.Plain() {
		return g.hiding(ctx, conn, open)
	}
	for _, o := range slices.Backward(open) {
		proven = proven || slices.ContainsFunc(o.may, func(key []probes.Value) bool { return g.claim(ctx, conn, o.kind, key) != nil })
	}
	switch {
	case proven:
		g.mu.Lock()
		g.provable[k.Make.Name] = true
		g.mu.Unlock()
	case len(open) >= mostUnshown:
		return fmt.Sprintf("no read by its identifier shows our mark in any of the %d that were made, so nobody could remove it", len(open))
	}
	return ""
}

// found looks once more in the listings for objects that were made, and reports whether one is found: a listing may be
// late.
func (g *Gate) found(ctx context.Context, unfound []*object) (some bool) {
	for _, o := range unfound {
		if key, ok := g.listedAs(ctx, o); ok {
			g.told(o, [][]probes.Value{key})
			some = true
		}
	}
	return some
}
