package gate

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// A run proves that an object is its own before it removes the object at the end, and that the object is gone afterwards. One
// listing shows this of many objects. The gate believes a listing where a read of one object shows the same: the row with our text
// has the identifier of the object, and an object without a row is not found.

// A roll is what the listings of a kind showed of the run.
type roll struct {
	at      time.Time // before the listings were asked for
	pages   int
	ended   bool                       // each listing was seen to its end
	listed  map[string]bool            // the identities of all rows
	ours    map[*object][]probes.Value // the identifier of what is shown with a text of ours, and not as removed
	changes bool                       // one of them was changed
	trusted bool                       // a read has shown one of them as the listing does
	read    map[*object]bool           // objects that are read all the same
	used    int                        // objects that were proven by it
}

// enroll asks for the listings of a kind, and makes its roll from them.
func (g *Gate) enroll(ctx context.Context, k Kind) (r *roll, all []listing) {
	r = &roll{at: time.Now(), listed: map[string]bool{}, ours: map[*object][]probes.Value{}, read: map[*object]bool{}}
	all = g.listings(ctx, k, g.parents(k.Make.Name)...)
	r.ended = len(all) > 0
	for _, l := range all {
		r.ended = r.ended && l.ended
		r.pages += l.pages
		for _, row := range l.rows {
			key, ok := ListedKey(k, l.params, row)
			if !ok {
				continue
			}
			r.listed[identity("", k, key)] = true
			g.mu.Lock()
			some := g.made.namesakes(k, key)
			g.mu.Unlock()
			for _, o := range some {
				told := o.key != nil || len(o.may) == 1
				if told && o.op == k.Make.Name && o.is(k, key) && o.kind.marked(row, o.fields) && !buried(row, o.params) {
					r.ours[o] = key
					r.changes = r.changes || o.changed
				}
			}
		}
	}
	g.rolls[k.Make.Name] = r
	return r, all
}

// shownAs returns the identifier with which a roll shows an object; nil if it shows none. A read has shown this identifier before,
// or the answer to the creation told it. A roll that is too old is made anew where it saved requests. Its listings are
// compared with a read once more. In the last round each object is read.
func (g *Gate) shownAs(ctx context.Context, o *object) []probes.Value {
	r := g.rolls[o.op]
	if r == nil || g.last {
		return nil
	}
	if (o.changed || !r.changes) && r.ours[o] != nil && len(r.read) < mostRead {
		r.read[o] = true
	}
	if r.read[o] || !r.trusted {
		return nil
	}
	if time.Since(r.at) > shortly {
		if r.used > 2*r.pages {
			g.enroll(ctx, o.kind)
		}
		return nil
	}
	key := r.ours[o]
	if key == nil {
		return nil
	}
	r.used++
	return key
}

// trust notes that a read has shown an object as ours, as the roll of its kind does.
func (g *Gate) trust(o *object, key []probes.Value) {
	if r := g.rolls[o.op]; r != nil && key != nil && r.ours[o] != nil && identity("", o.kind, r.ours[o]) == identity("", o.kind, key) {
		r.trusted = true
	}
}

// awaitsListing reports whether the next listing tells if an object is gone: the last one shows the object.
func (g *Gate) awaitsListing(o *object) bool {
	r := g.rolls[o.op]
	return !g.last && r != nil && r.ours[o] != nil && !r.read[o]
}

// mostRead is how many objects of a kind are read singly before and after their removal, changed ones if there are any. The report
// tells whether one object of the kind was created, read, updated and removed, and each step needs a read.
const mostRead = 8

// confirm drops the objects whose removal succeeded and which no listing shows any more. It reads the first one of each kind, because
// a listing may leave out what is there.
func (g *Gate) confirm(ctx context.Context) {
	left := slices.DeleteFunc(g.snapshot(), func(o *object) bool { return !o.gone })
	absent := map[string]bool{} // by the operation that makes a kind: the read tells what the listing does
	for _, o := range left {
		o.gone = false
		r := g.rolls[o.op]
		if r == nil || !r.ended || r.listed[identity("", o.kind, o.key)] {
			continue
		}
		if _, known := absent[o.op]; !known {
			absent[o.op] = g.over(ctx, o) // the control of the listing
		}
		if absent[o.op] {
			g.drop(o)
		}
	}
}

// removed says what the answer to a removal tells of an object. look is nil, or looks whether it is gone.
func (g *Gate) removed(ctx context.Context, o *object, answer probes.Observation, sure bool) (look func()) {
	g.mu.Lock()
	held := g.made.holds(o)
	g.mu.Unlock()
	left := func() {
		o.why = answer.Brief()
		g.mu.Lock()
		o.sure = sure
		g.mu.Unlock()
	}
	switch {
	case !held: // a read has shown that it is gone
	case answer.Outcome == probes.Unasked:
		o.why = Reason(answer.Exit)
	case answer.Succeeded() && g.awaitsListing(o):
		o.gone, o.why = true, "its removal succeeded, and no listing has shown since that it is gone"
	case answer.Succeeded() || strings.HasPrefix(answer.Code(), "NOT_FOUND"):
		return func() {
			if !g.over(ctx, o) {
				left()
				return
			}
			g.drop(o)
		}
	default:
		left()
	}
	return nil
}
