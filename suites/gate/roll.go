package gate

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// At its end a run proves of all that it has made that it is still its own, and that it is gone. One listing shows that of many
// objects. It is believed where a read of one of them has shown the same: the row with our text has the identifier of the object,
// and what the list does not show is not there.

// A roll is what the listings of a kind showed of the run.
type roll struct {
	at      time.Time
	pages   int
	ended   bool                       // each listing was seen to its end
	listed  map[string]bool            // the identities of all rows
	ours    map[*object][]probes.Value // the identifier of what is shown with a text of ours, and not as removed
	changes bool                       // one of them was changed
	trusted bool                       // a read has shown one of them as the listing does
	read    map[*object]bool           // objects that are read all the same
	used    int                        // objects that were proven by it
}

// enroll makes the roll of a kind from its listings.
func (g *Gate) enroll(k Kind, all []listing) *roll {
	r := &roll{at: time.Now(), ended: len(all) > 0, listed: map[string]bool{}, ours: map[*object][]probes.Value{}, read: map[*object]bool{}}
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
	return r
}

// shownAs returns the identifier by which a roll shows an object, which a read has shown before or the answer to its creation has
// told; nil if none does. A roll that is too old is made anew where that takes less than to read the objects.
func (g *Gate) shownAs(ctx context.Context, o *object) []probes.Value {
	r := g.rolls[o.op]
	if r == nil {
		return nil
	}
	if (o.changed || !r.changes) && r.ours[o] != nil && len(r.read) < mostRead {
		r.read[o] = true
	}
	if r.read[o] || !r.trusted {
		return nil
	}
	if time.Since(r.at) > shortly && r.used > 2*r.pages {
		k := o.kind
		made := g.enroll(k, g.listings(ctx, k, g.parents(o.op)...))
		made.trusted = r.trusted
		r, g.rolls[o.op] = made, made
	}
	key := r.ours[o]
	if key == nil || time.Since(r.at) > shortly {
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

// departs reports whether a later listing will show whether an object is gone: this one shows it.
func (g *Gate) departs(o *object) bool {
	r := g.rolls[o.op]
	return !g.last && r != nil && r.ours[o] != nil && !r.read[o]
}

// mostRead is how many objects of a kind are read before and after their removal all the same, changed ones where there are any: the
// record tells of a kind what was done with one object to its end.
const mostRead = 8

// confirm drops objects of which a removal has succeeded and which no listing shows any more. The first one of a kind is
// read as well: a listing may leave out what is there.
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
			absent[o.op] = g.over(ctx, o)
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
	case answer.Succeeded() && g.departs(o):
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
