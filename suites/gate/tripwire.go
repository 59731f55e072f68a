package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An adapter can do harm by a defect of its own: a removal takes a neighbour with it, an
// update reaches every row. So the first request of each operation that writes is
// measured: what is listed is compared with what was listed before.

// A tripwire says which operations were measured, and whether one did harm.
type tripwire struct {
	clean    map[string]bool            // operations whose effect was seen to stay with our object
	fields   map[string]map[string]bool // what measured updates set, by operation
	sets     map[string]int             // measurements of requests that did no harm, by operation
	choices  map[string]int             // measurements because of a new flag or value of an enumeration, by operation
	made     map[string]int             // creations since the first one that did no harm, by operation
	tries    map[string]int             // measurements of requests that succeeded in nothing, by what they were about
	unclear  map[string]int             // weights of measurements in which others changed objects as well, by operation
	measured int                        // measurements so far
	of       origins                    // of the rows that were listed
	banned   []string                   // operations that did harm in the run whose ledger was taken over
	suspect  string                     // the operation after which an object of others had changed
	retries  int                        // requests of it since then around which others changed objects as well
	first    *object                    // the object of ours that it was about
	refusals int                        // requests of it since then that changed nothing of others and tell nothing: refused, or about the same object
	again    bool                       // it was seen a second time, or could not be
	seen     map[string]listed          // the last look at each listing, by connection and name, while nothing is written after it
	once     bool                       // a harmful operation is not tried again; so when the objects of another run are removed
}

func newTripwire() tripwire {
	return tripwire{clean: map[string]bool{}, fields: map[string]map[string]bool{}, sets: map[string]int{}, choices: map[string]int{}, made: map[string]int{}, tries: map[string]int{}, unclear: map[string]int{}, of: newOrigins()}
}

// maxTries is how often a request on an object of ours is measured for an operation that
// refuses it; one about what does not exist is measured once, and one that is as documented twice as
// often, because it may succeed next time, and negative checks use up the rest.
const maxTries = 3

// maxUnclear bounds the requests of an operation around which objects of others changed, where others
// change objects as well. One counts twice where a changed object was there from the beginning, and four times
// where it was not seen to change by itself either.
const maxUnclear = 4 * maxTries

// maxRefusals bounds the refused requests of a suspect. What is refused says nothing about
// the defect, so they are more than the tries that do.
const maxRefusals = 20

// A measurement is the comparison around one request.
type measurement struct {
	n      int
	op     probes.Operation
	aim    string
	fields []string // that an update sets
	fits   bool     // the parameters are as documented, as far as their kinds show
	object *object  // of ours that it changes or removes; nil for none
	later  bool     // the operation did no harm before, so that the listings of its kind alone are compared
	chosen bool     // it is measured because of a value, so that of other listings the first page is compared
	before [2][]listed
}

// listed is what one listing showed.
type listed struct {
	op probes.Operation
	listing
}

// Numbers of the requests of measurements: below the first one a hundred for each
// measurement, one for each look.
const (
	measureNumber = -1_000_000_000
	lookAfter     = 2
	lookAgain     = 3   // for what is no longer listed
	lookQuiet     = 4   // the first of those between which nothing is written, after a change
	looksAtOthers = 4   // those that show whether others change the same objects
	looksMost     = 44  // many: others may write seldom, and what they do has to be seen once
	measureSpan   = 100 // numbers of one measurement
)

// watch takes the turn of a request that writes, alone where its effect is measured, and
// looks at what is there before. release has to be called when the request is answered.
func (g *Gate) watch(ctx context.Context, r *request) (release func(), why string) {
	i := slices.IndexFunc(r.calls, func(c *asked) bool {
		return c.writes() && !slices.Contains(Reserved, c.op.Name) && c.op.Category != "EXECUTE"
	})
	if i < 0 {
		return func() {}, ""
	}
	c := r.calls[i]
	measures, later, chosen := g.measures(c)
	if !measures {
		g.writing.RLock()
		if why := g.stopped(c.op); why != "" {
			g.writing.RUnlock()
			return nil, why
		}
		return g.writing.RUnlock, ""
	}
	g.writing.Lock()
	if why := g.stopped(c.op); why != "" {
		g.writing.Unlock()
		return nil, why
	}
	g.mu.Lock()
	g.wire.measured++
	m := &measurement{n: g.wire.measured, op: c.op, aim: c.aim(), fields: g.sets(g.rules, c), fits: c.fits(), object: c.object, later: later, chosen: chosen}
	seen := g.wire.seen
	g.mu.Unlock()
	m.before[0] = g.lists(ctx, r.probe.Conn, m, 0, seen)
	m.before[1] = g.lists(ctx, r.probe.Conn, m, 1, nil)
	r.measured = m
	return g.writing.Unlock, ""
}

// measures reports whether the effect of a call on others is still to be seen, whether the operation did no harm before (later), and whether
// a value is the reason (chosen). A full store may drop its oldest object for a new one. So of the later creations the second, the fourth,
// the eighth and so on are measured too.
func (g *Gate) measures(c *asked) (measures, later, chosen bool) {
	rules := g.known()
	if rules.Lifted(c.op) && c.op.Category != "CREATE" && c.object == nil {
		return false, false, false // the operator permits it to act on others
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.op.Category == "CREATE" && g.wire.clean[c.op.Name] && c.fits() {
		g.wire.made[c.op.Name]++
		n := g.wire.made[c.op.Name]
		return n > 1 && n&(n-1) == 0 || g.wire.suspect == c.op.Name, true, false
	}
	most := maxTries
	switch {
	case c.aim() != c.op.Name:
		most = 1
	case c.fits():
		most = 2 * maxTries
	}
	field, value := g.unseen(rules, c)
	if field = field && g.wire.tries[c.aim()] < most; field || !value {
		return field, false, false
	}
	g.wire.choices[c.op.Name]++
	return true, false, true
}

// maxLists bounds how many listings are compared beside those of the kind itself.
const maxLists = 6

// lists looks at what is there: the listings of the kind first. What was seen of a listing before, with no write
// since then, is not asked for again.
func (g *Gate) lists(ctx context.Context, conn string, m *measurement, phase int, seen map[string]listed) []listed {
	rules := g.known()
	ops := rules.lists(m.op)
	own := len(ops)
	for _, o := range rules.bareReads() {
		if len(ops) == own+maxLists || m.later {
			break
		}
		if !slices.ContainsFunc(ops, func(x probes.Operation) bool { return x.Name == o.Name }) {
			ops = append(ops, o)
		}
	}
	all := make([]listed, len(ops))
	probes.SideBySide(len(ops), probes.AtOnce(g.asker), func(i int) { // nothing is written meanwhile
		o, brief := ops[i], m.chosen && i >= own
		if l, known := seen[conn+" "+o.Name]; known && !brief {
			all[i] = l
			return
		}
		view := probes.Call(conn, o.Tool, o.Name, map[string]any{})
		ask := func(p probes.Probe) probes.Observation {
			return g.asker.Ask(ctx, p.Numbered(measureNumber-measureSpan*m.n-phase))
		}
		if all[i].op = o; brief {
			all[i].add(o, ask(view))
		} else {
			all[i].listing = walk(view, o, ask)
		}
	})
	return all
}

// forgetLists forgets what the listings showed where a request may change it.
func (g *Gate) forgetLists(r *request) {
	if slices.ContainsFunc(r.calls, func(c *asked) bool { return c.writes() || !c.listed }) {
		g.mu.Lock()
		g.wire.seen = nil
		g.mu.Unlock()
	}
}

// compare looks at what is there after a request that is measured, and stops all writing
// where an object of others has changed.
func (g *Gate) compare(ctx context.Context, r *request, o probes.Observation) {
	m := r.measured
	if m == nil || o.Outcome == probes.Unasked || ctx.Err() != nil {
		return
	}
	after := g.lists(ctx, r.probe.Conn, m, lookAfter, nil)
	gone := func(l probes.Operation, row probes.Value) bool { return g.vanished(ctx, r.probe.Conn, m, l, row) }
	rows := harm(g.known(), g.nonce, r.probe, g.wire.of, m.before, after, gone)
	unclear := len(rows) > 0 && restless(g.known(), g.nonce, g.wire.of, m.before[:], len(rows))
	quiet := [][]listed{after}
	alone := func() bool { return g.known().alone(g.nonce, g.wire.of, rows, m.before[:], quiet) != "" }
	for phase := lookQuiet; len(rows) > 0 && phase < looksMost && ctx.Err() == nil; phase++ {
		if unclear && (phase >= lookQuiet+looksAtOthers || !alone()) {
			break
		}
		rest(ctx)
		quiet = append(quiet, g.lists(ctx, r.probe.Conn, m, phase, nil))
		unclear = unclear || restless(g.known(), g.nonce, g.wire.of, quiet[len(quiet)-2:], len(rows))
	}
	weight := 1
	if unclear && alone() {
		weight = 4
	} else if slices.ContainsFunc(rows, func(h harmed) bool { return !g.wire.of.late[h.row] }) {
		weight = 2
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wire.seen = map[string]listed{}
	for i, l := range quiet[len(quiet)-1] {
		if !m.chosen || i < len(g.rules.lists(m.op)) { // a first page is not the listing
			g.wire.seen[r.probe.Conn+" "+l.op.Name] = l
		}
	}
	switch {
	case unclear && g.wire.suspect == m.op.Name:
		g.wire.retries++
		g.wire.again = g.wire.retries == maxTries
	case unclear:
		g.wire.unclear[m.op.Name] += weight
	case len(rows) == 0 && g.wire.suspect == m.op.Name:
		if m.fits { // the request of a negative check is refused, and there are many of those
			g.wire.refusals++
		}
		other := m.object == nil || m.object != g.wire.first // the same change of the same object may show nothing new
		g.wire.again = o.Succeeded() && other || g.wire.refusals == maxRefusals
	case len(rows) == 0 && o.Succeeded():
		g.wire.pass(m)
	case len(rows) == 0:
		g.wire.tries[m.aim]++
	case g.wire.suspect == "":
		g.wire.suspect, g.wire.first, g.wire.again = m.op.Name, m.object, g.wire.once
		g.ledger.Suspect(m.op.Name)
		g.closed = fmt.Sprintf("writing stopped: after %s an object that is not ours had changed (%s)", m.op.Name, clip(rows[0].what))
	default:
		g.wire.again = true
	}
}

// pass notes that a request did no harm. One about what does not exist says nothing of
// the fields that it sets.
func (w *tripwire) pass(m *measurement) {
	w.clean[m.aim] = true
	if m.aim != m.op.Name {
		return
	}
	w.sets[m.op.Name]++
	if w.fields[m.op.Name] == nil {
		w.fields[m.op.Name] = map[string]bool{}
	}
	for _, name := range m.fields {
		w.fields[m.op.Name][name] = true
	}
}

// stopped says why an operation is not called any more, because one did harm. That one is
// tried once more, on another object of ours, so that chance can be told from a defect.
func (g *Gate) stopped(o probes.Operation) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case slices.Contains(g.wire.banned, o.Name) && !g.rules.Lifted(o):
		return refusal(o.Name+" did harm in the run that left this", permitting(strings.ToLower(o.Category), o.Name))
	case g.wire.unclear[o.Name] >= maxUnclear && !g.wire.clean[o.Name] && !g.rules.Lifted(o):
		return fmt.Sprintf("objects that are not ours changed around requests of %s, and change by themselves as well", o.Name)
	case g.closed == "":
		return ""
	case g.wire.suspect == "" || g.wire.again:
	case o.Name == g.wire.suspect:
		return ""
	case o.Category == "CREATE" && g.rules != nil:
		// The second try needs an object. A creation that was not measured before is measured now.
		if s, ok := g.rules.Operation(g.wire.suspect); ok && g.rules.related(o, s) {
			return ""
		}
	case g.ending && g.wire.clean[o.Name]:
		return "" // what it does was seen, and what the run made has to go
	}
	return g.closed
}
