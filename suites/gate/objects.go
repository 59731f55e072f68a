package gate

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An object is something that the run made, or tried to make.
type object struct {
	n       int  // in the ledger
	kind    Kind //
	op      string
	conn    string
	key     []probes.Value      // nil until it is proven
	may     [][]probes.Value    // what the answer to the creation may have told as its identifier
	fields  map[string][]string // texts with our mark by field, with every value that the field was given since
	home    map[string][]string // the member that names the object of ours in which it lies, with its value
	removed map[string]bool     // fields that updates have set to null or to an empty list
	params  probes.Value        // of the creation
	items   map[string]bool     // texts in lists that were sent for it
	written bool                // an update or a removal of it was sent
	sure    bool                // it is proven to be ours, and nothing has happened since that could have changed this
	late    bool                // another run made it, so that nothing has to be waited for
	changed bool                // an update of it succeeded
	done    bool                // the adapter said that it was made
	gone    bool                // its removal succeeded when the run ended, and a listing has to show it
	root    *object             // the object as it was made, where this is how another connection shows it
	place   int                 // in the order in which objects were made
	ids     []string            // every identity that it has or may have, without the connection
	places  []string            // where the gate has it, and how other connections show it
	why     string              // why it is not proven to be ours; empty when it is, or nobody tried
}

// identity is what tells an object from others: the reads that show it and the
// identifiers.
func identity(conn string, k Kind, key []probes.Value) string {
	view := ""
	if len(k.Views) > 0 {
		view = k.Views[0].Name
	}
	parts := []string{conn, view}
	for _, v := range key {
		if v.Is(probes.String) {
			v = probes.ValueOf(folded(v.Text()))
		}
		parts = append(parts, v.Canonical(nil))
	}
	return strings.Join(parts, "\x00")
}

// begin notes in the ledger that an object is about to be made.
func (g *Gate) begin(c *asked, conn string) (o *object, why string) {
	rules := g.known()
	k, _ := rules.Kind(c.op.Name)
	k.Make = c.op
	g.mu.Lock()
	defer g.mu.Unlock()
	o = &object{kind: k, op: c.op.Name, conn: conn, fields: g.visible(c.op.Name, MarkedIn(c.params, g.nonce)), params: c.params}
	if c.parent != nil { // what lies in an object of ours is ours
		o.home = map[string][]string{c.parent.Name: {spelled(c.parent.Value)}}
	}
	if len(o.fields) == 0 {
		maps.Copy(o.fields, o.home)
	}
	o.noteItems(c.params)
	g.marked[c.op.Name] = true
	return o, g.note(o)
}

// note writes an object down before it is made.
func (g *Gate) note(o *object) (why string) {
	n, err := g.ledger.Begin(o.entry())
	if err != nil {
		return "the ledger cannot be written: " + err.Error()
	}
	o.n = n
	g.made.add(o)
	return ""
}

// MarkedIn returns the texts that hold the mark of a run, by the name of the member that
// has them. The texts of lists tell an object where no other text does.
func MarkedIn(params probes.Value, nonce string) map[string][]string {
	found := map[string][]string{}
	var listed map[string][]string
	var walk func(v probes.Value, depth int)
	walk = func(v probes.Value, depth int) {
		for _, m := range v.Members() {
			if m.Value.Is(probes.String) && ofRun(m.Value.Text(), nonce) {
				found[m.Name] = append(found[m.Name], m.Value.Text())
			}
			for _, item := range m.Value.Items() {
				if item.Is(probes.String) && ofRun(item.Text(), nonce) {
					if listed == nil {
						listed = map[string][]string{}
					}
					listed[m.Name] = append(listed[m.Name], item.Text())
				}
			}
			if depth < 2 {
				walk(m.Value, depth+1)
			}
		}
	}
	walk(params, 0)
	if len(found) == 0 && listed != nil {
		return listed
	}
	return found
}

// settle finds out what a creation made. It returns the identity where the answer does not tell
// it.
func (g *Gate) settle(ctx context.Context, c *asked, data probes.Value, succeeded, refused bool) (identity string) {
	o := c.object
	switch {
	case refused:
		g.drop(o)
	case !succeeded: // nobody knows; what carries our mark is looked for in the end
	case len(o.kind.Views) == 0:
		o.why = "no read shows one by its identifier"
	default:
		keys := Candidates(o.kind, c.params, data)
		if identity = o.kind.untold(c.params, data); len(keys) == 0 {
			keys, identity = g.identify(ctx, c, data)
		}
		g.merge(ctx, o, c.params, data)
		g.told(o, keys)
		g.overwrote(ctx, o, keys)
	}
	return identity
}

// told notes what may identify a new object. It is proven when the object is first named:
// a read may have an effect of its own, and nobody has to see every object.
func (g *Gate) told(o *object, keys [][]probes.Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	o.done = true
	before := g.surveys[o.op]
	if len(keys) == 0 && len(o.kind.Lists) == 0 && !o.kind.Listed() {
		g.mute[o.op] = true
	}
	for _, key := range keys {
		if before.has(key) {
			o.why = "the answer names " + clip(texts(key)) + ", which was there before"
			continue
		}
		if g.unmarked(o) && slices.ContainsFunc(key, func(v probes.Value) bool { return before.taken(o.kind.Key[slices.IndexFunc(key, v.Equal)], v, false) }) {
			o.why = "the answer names " + clip(texts(key)) + ", of which a part was there before"
			continue
		}
		if len(keys) == 1 || !g.named(o, key) {
			o.may = append(o.may, key) // an identifier of another object of ours is not that of a new one
			g.made.may(o, key)
		}
	}
	g.ledger.Known(o.entry())
}

// named reports whether an identifier belongs to another object that was made over the
// same connection and is still there. The lock is held.
func (g *Gate) named(o *object, key []probes.Value) bool {
	return slices.ContainsFunc(g.made.namesakes(o.kind, key), func(p *object) bool {
		return p != o && p.conn == o.conn && p.is(o.kind, key) && !p.rehearsed()
	})
}

// drop forgets an object that was not made, or is gone.
func (g *Gate) drop(o *object) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if o.root != nil {
		o = o.root
	}
	g.made.remove(o)
	for _, id := range o.places {
		if p := g.places[id]; p != nil && (p == o || p.root == o) {
			delete(g.places, id)
		}
	}
	g.ledger.Gone(o.n)
}

// prove notes that an object is ours.
func (g *Gate) prove(o *object, key []probes.Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	o.key, o.sure, o.why = key, true, ""
	g.made.may(o, key)
	g.made.prove(o, key)
	g.put(o)
	g.ledger.Known(o.entry())
}

// put notes where an object is found that is proven. The lock is held.
func (g *Gate) put(o *object) {
	id, root := identity(o.conn, o.kind, o.key), cmp.Or(o.root, o)
	g.places[id] = o
	if !slices.Contains(root.places, id) {
		root.places = append(root.places, id)
	}
}

// find returns the object of ours that an identifier names on a connection, where that is
// beyond doubt.
func (g *Gate) find(conn string, k Kind, key []probes.Value) *object {
	g.mu.Lock()
	defer g.mu.Unlock()
	if o := g.places[identity(conn, k, key)]; o != nil && o.sure {
		return o
	}
	return nil
}

// claim proves anew that an identifier names an object of ours: one that was made over
// another connection, or one that may have changed since it was proven.
func (g *Gate) claim(ctx context.Context, conn string, k Kind, key []probes.Value) *object {
	g.claims.Lock() // who comes second finds what the first has proven
	defer g.claims.Unlock()
	if o := g.find(conn, k, key); o != nil {
		return o
	}
	for _, o := range g.namesakes(conn, k, key) {
		if !g.shown(ctx, conn, o, key) {
			continue
		}
		if o.conn != conn {
			seen := &object{kind: o.kind, op: o.op, conn: conn, key: key, fields: o.fields, sure: true, n: o.n, root: o}
			g.mu.Lock()
			g.put(seen)
			g.mu.Unlock()
			return seen
		}
		g.prove(o, key)
		return o
	}
	return nil
}

// namesakes are the objects that an identifier may name, those of a connection and the
// newest first.
func (g *Gate) namesakes(conn string, k Kind, key []probes.Value) []*object {
	g.mu.Lock()
	defer g.mu.Unlock()
	var near, far []*object
	for _, o := range slices.Backward(g.made.namesakes(k, key)) {
		switch {
		case !o.is(k, key):
		case o.conn == conn:
			near = append(near, o)
		default:
			far = append(far, o)
		}
	}
	return append(near, far...)[:min(len(near)+len(far), maxCandidates)]
}

// owns reports whether a value identifies an object of the run, and proves it if needed.
// Objects of two kinds may have the same number, so a number counts only if the parameter
// name of the operation op takes identifiers of that kind.
func (g *Gate) owns(ctx context.Context, conn string, v probes.Value, op, name string) bool {
	g.mu.Lock()
	made := slices.Clone(g.made.all)
	g.mu.Unlock()
	for _, o := range slices.Backward(made) {
		if v.Is(probes.Number) && !o.kind.goesBy(op, name) {
			continue
		}
		g.mu.Lock()
		sure, key, may := o.sure, o.key, o.may
		g.mu.Unlock()
		if key != nil {
			may = [][]probes.Value{key}
		}
		for _, told := range may {
			if slices.ContainsFunc(told, func(t probes.Value) bool { return SameOwn(t, v) }) && (sure || g.claim(ctx, conn, o.kind, told) != nil) {
				return true
			}
		}
	}
	return false
}
