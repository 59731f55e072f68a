package gate

import (
	"context"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// Checks read an object of the run shortly before they change it. The gate takes their read as a proof, as long as
// no request since then could have changed what the identifier names.

// sights are the last answers to reads of one object by its identifier.
type sights struct {
	mu      sync.Mutex
	answers map[string]sight
	order   []string      // their keys, the oldest first
	effects [slots]uint64 // requests that may have had an effect, by the slot of each text and number in them
	open    [slots]int    // the same, of those that are not answered yet
}

// A sight is an answer with the effects that its identifier had seen.
type sight struct {
	answer  probes.Observation
	effects uint64
	at      time.Time
}

// Texts and numbers share a fixed number of slots, so that a long run needs no more memory. Two in the same slot
// cost a read too many. A request that may act on anything has the first slot, which counts for all reads.
const (
	slots      = 1024
	anything   = 0
	mostSights = 256

	longestSight = 32 << 10 // bytes of an answer that is kept
	shortly      = 5 * time.Second
)

// touched are the slots of what a request names, where it may have an effect. A removal may give the next identifier
// another object, and what is permitted by its name may act on many.
func touched(r *request, rules *Rules) (at []int) {
	if r.probe.CommandName() != "" {
		return []int{anything}
	}
	for _, c := range r.calls {
		reads := c.listed && c.op.Category == "READ" && (rules == nil || rules.suspicion(c.op) == "")
		switch {
		case reads || c.op.Name == "introspect":
		case !c.listed, c.strange, c.op.Category != "CREATE" && c.op.Category != "UPDATE", r.probe.Frame != nil, c.object == nil && rules != nil && rules.Lifted(c.op):
			return []int{anything}
		default:
			at = append(at, slotsIn(c.beside)...)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// slotsIn returns the slots of the texts and numbers in a value.
func slotsIn(v probes.Value) (at []int) {
	if scalar(v) {
		h := fnv.New32a()
		h.Write([]byte(folded(spelled(v))))
		return []int{1 + int(h.Sum32()%(slots-1))}
	}
	for _, m := range v.Members() {
		at = append(at, slotsIn(m.Value)...)
	}
	for _, item := range v.Items() {
		at = append(at, slotsIn(item)...)
	}
	return at
}

// entered notes that a request is sent. noted has to be told its answer.
func (s *sights) entered(r *request, rules *Rules) (noted func(probes.Observation)) {
	if at := touched(r, rules); len(at) > 0 {
		s.begun(at)
		return func(o probes.Observation) {
			if !o.Unanswered() { // what is not answered may still be done
				s.ended(at, !idle(r, o))
			}
		}
	}
	if len(r.calls) == 1 && r.calls[0].entry < 0 && r.probe.Method == "" && rules != nil && rules.Views(r.calls[0].op.Name) {
		return s.reading(r.probe)
	}
	return func(probes.Observation) {}
}

// idle reports whether a request had no effect: it was not sent, or refused for a reason that says so. A removal
// of an object of ours is not believed to be refused.
func idle(r *request, o probes.Observation) bool {
	removes := slices.ContainsFunc(r.calls, func(c *asked) bool { return c.object != nil && c.op.Category == "DELETE" })
	return o.Outcome == probes.Unasked && o.Sent.Seq == 0 || o.Refused() && conclusive(o) && !removes
}

// forget makes all answers old: the adapter has ended, and may start again with other objects.
func (s *sights) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.effects[anything]++
}

// begun notes that a request is sent.
func (s *sights) begun(at []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range at {
		s.open[i]++
	}
}

// ended notes that a request is answered. changed tells whether it may have had an effect.
func (s *sights) ended(at []int, changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range at {
		s.open[i]--
		if changed {
			s.effects[i]++
		}
	}
}

// since counts the effects on what a read names. quiet tells that no request is on its way that may have one.
// The lock is held.
func (s *sights) since(p probes.Probe) (effects uint64, quiet bool) {
	effects, quiet = s.effects[anything], s.open[anything] == 0
	at := slotsIn(probes.ValueOf(p.Params()))
	slices.Sort(at)
	for _, i := range slices.Compact(at) {
		effects += s.effects[i]
		quiet = quiet && s.open[i] == 0
	}
	return effects, quiet
}

// reading begins a read. noted has to be told its answer, and keeps it unless something changed meanwhile.
func (s *sights) reading(p probes.Probe) (noted func(probes.Observation)) {
	s.mu.Lock()
	before, quiet := s.since(p)
	s.mu.Unlock()
	return func(o probes.Observation) {
		if !quiet || !o.Succeeded() && !ShowsNothing(o) || o.Received.Size > longestSight {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if after, still := s.since(p); after == before && still {
			s.keep(p.Numbered(0).Key(), sight{o, after, time.Now()})
		}
	}
}

// keep remembers an answer, and forgets the oldest. The lock is held.
func (s *sights) keep(key string, seen sight) {
	if s.answers == nil {
		s.answers = map[string]sight{}
	}
	if _, known := s.answers[key]; known {
		s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
	} else if len(s.order) == mostSights {
		delete(s.answers, s.order[0])
		s.order = s.order[1:]
	}
	s.answers[key], s.order = seen, append(s.order, key)
}

// known returns the answer to a read, if what it names cannot have changed since then.
func (s *sights) known(p probes.Probe) (o probes.Observation, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen, ok := s.answers[p.Numbered(0).Key()]
	now, quiet := s.since(p)
	return seen.answer, ok && quiet && now == seen.effects && time.Since(seen.at) < shortly
}

// saw returns what a read of one object by its identifier shows. An answer to a check is good enough, except when
// the run ends: others may have done something meanwhile.
func (g *Gate) saw(ctx context.Context, conn string, view probes.Operation, k Kind, key []probes.Value) probes.Observation {
	if g.atEnd() || k.Listed() {
		return g.see(ctx, conn, view, k, key)
	}
	if o, known := g.sights.known(g.viewing(conn, view, k, key)); known {
		return o
	}
	return g.see(ctx, conn, view, k, key)
}

func (g *Gate) atEnd() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ending
}
