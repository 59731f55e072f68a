// Package gate says what may be sent to an adapter. Every request passes one function,
// may, and nothing is written that is not proven to be ours: an object that was absent
// before the run made it, and that a read by its identifier shows with the mark of the
// run in the field in which it was sent. The package knows operations, answers and the
// objects of the run. It does not know what is judged and writes no files.
package gate

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// A Gate stands between the checks and one face of an adapter. The zero Gate is not
// usable; New makes one.
type Gate struct {
	asker  probes.Asker
	conn   string // the face
	nonce  string // 8 characters that stand in everything the run makes
	hints  fixtures.Hints
	ledger Ledger

	claims  sync.Mutex   // held while an object is proven
	writing sync.RWMutex // held alone while the effect of a request on others is measured

	mu       sync.Mutex
	allowed  Permissions
	rules    *Rules                 // nil until the adapter has said what it is
	tools    map[string]probes.Tool // as listed, before rules are known
	made     holdings               // what the run made and has not removed
	places   map[string]*object     // the same by identity, where it is known
	sees     map[string]bool        // by the operation that makes a kind: its read tells what is not there
	mute     map[string]bool        // operations that make what nobody can find again
	merges   map[string]bool        // operations of which a creation went into another object of ours
	apart    map[string]twins       // by the same operations: what tells two objects of ours from each other
	provable map[string]bool        // operations of which one object was proven to be ours
	marked   map[string]bool        // operations that have been sent a creation
	removals map[string]*removals   // results of removing objects of the run, by operation
	surveys  map[string]*survey     // what was there before, by the operation that makes a kind
	looks    int                    // number of its own requests
	vain     int                    // of those that were sent again, the last ones whose error did not pass
	wire     tripwire
	sights   sights
	shownAt  map[string]bool            // what the listings of the last sweep showed, by identity
	rolls    map[string]*roll           // the same, by the operation that makes a kind
	shows    map[string]map[string]bool // by the operation that makes a kind: fields with our texts, and whether a read has shown them
	last     bool                       // the last round of removing what was made
	idled    map[string]bool            // requests that could change nothing and met an error which may pass
	unlisted map[string]bool            // by the operation that makes a kind: no listing showed a new one in time
	allShown map[string]bool            // by the operation that makes a kind: a listing was seen to its end
	unknown  map[string]bool            // the same: a listing showed a row that is not known to be ours, and was not there before
	released map[string]*releases       // by the operation that removes: what frees the objects that are held
	turnings map[string]turning         // by the operation that lists: the way to the next page
	receipts map[string]receipt         // by the operation that makes a kind: where its answer has the identifier
	rowTexts map[listedText]bool        // that rows of listings had
	closed   string                     // why nothing more is written; empty while writing goes on
	ending   bool                       // the run removes what it made
	later    bool                       // and looks whether it is gone when some of it is removed
}

// New returns the gate of one face. Until Learn is called it lets through what finds
// out what an adapter is, and no more.
func New(asker probes.Asker, conn, nonce string, allowed Permissions, hints fixtures.Hints, ledger Ledger) *Gate {
	if ledger == nil {
		ledger = noLedger{}
	}
	return &Gate{
		asker: asker, conn: conn, nonce: nonce, allowed: allowed, hints: hints, ledger: ledger, tools: map[string]probes.Tool{},
		places: map[string]*object{}, idled: map[string]bool{}, marked: map[string]bool{}, mute: map[string]bool{}, merges: map[string]bool{}, apart: map[string]twins{}, provable: map[string]bool{}, removals: map[string]*removals{}, sees: map[string]bool{}, surveys: map[string]*survey{}, unlisted: map[string]bool{}, rowTexts: map[listedText]bool{}, turnings: map[string]turning{}, released: map[string]*releases{}, receipts: map[string]receipt{}, shows: map[string]map[string]bool{}, wire: newTripwire(),
	}
}

// Learn tells the gate what introspection said, and returns the rules that follow.
func (g *Gate) Learn(a *probes.Adapter) *Rules {
	rules := NewRules(a, g.allowed, g.hints)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules = rules
	return rules
}

// LimitBy bounds the calls that write where nothing else does.
func (g *Gate) LimitBy(l *WriteLimit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.allowed.Limit == nil {
		g.allowed.Limit = l
	}
}

// Closed says why nothing more is written; "" while writing goes on.
func (g *Gate) Closed() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// A request is a probe with the calls that are in it.
type request struct {
	probe    probes.Probe
	calls    []*asked
	measured *measurement // nil: nobody looks at the effect on others
}

// An asked is a call with the operation that an adapter may take it for.
type asked struct {
	call
	op     probes.Operation
	near   bool // the name is spelled nearly as the operation's
	listed bool
	object *object        // that it makes, changes or removes; nil when that is none of ours
	parent *probes.Member // of a creation: the parameter that names an object of ours in which the new one lies
}

func (c *asked) writes() bool {
	return c.listed && c.op.Category != "READ" && c.op.Name != "introspect"
}

// Enter asks whether a probe may be sent. leave has to be told what became of it.
func (g *Gate) Enter(ctx context.Context, p probes.Probe) (leave func(probes.Observation) (identity string), why string) {
	r := g.read(p)
	if ok, why := g.may(ctx, r); !ok {
		return nil, why
	}
	g.ready(ctx, r)
	release, why := g.watch(ctx, r)
	if why != "" {
		return nil, why
	}
	g.forgetLists(r)
	for _, c := range r.calls {
		switch {
		case c.writes() && c.op.Category == "CREATE":
			if c.object, why = g.begin(c, p.Conn); why != "" {
				release()
				return nil, why
			}
		case c.writes() && c.op.Category == "UPDATE" && c.object != nil:
			g.changing(c)
		}
	}
	noted := g.sights.entered(r, g.known())
	return func(o probes.Observation) (identity string) {
		func() {
			defer release()
			noted(o)
			identity = g.leave(ctx, r, o)
			if o.MayPass() != "" && g.idle(r) {
				g.mu.Lock()
				defer g.mu.Unlock()
				g.idled[p.Key()] = true
			}
		}()
		g.tried(ctx, r, o)
		return identity
	}, ""
}

// Again reports whether a probe may be sent once more after an error that may pass. What executes
// is not, nor a batch that writes, nor a write without an answer: the first request may have done it.
// What could change nothing does not count as a write.
func (g *Gate) Again(first probes.Observation) (may, writes bool) {
	may = true
	g.mu.Lock()
	idle := g.idled[first.Probe.Key()]
	g.mu.Unlock()
	for _, c := range g.read(first.Probe).calls {
		if c.writes() {
			writes = !idle
			may = may && c.entry < 0 && !first.Unanswered() && slices.Contains([]string{"CREATE", "UPDATE", "DELETE"}, c.op.Category)
		}
	}
	return may, writes
}

// read finds the calls in a probe and the operations that they may mean.
func (g *Gate) read(p probes.Probe) *request {
	r := &request{probe: p}
	if p.Method != "" && p.Method != "tools/call" && p.Frame == nil {
		return r
	}
	rules := g.known()
	for _, c := range callsIn(p) {
		a := &asked{call: c}
		if rules != nil && !g.invented(c.name) {
			a.op, a.near, a.listed = rules.meant(c.name)
		}
		r.calls = append(r.calls, a)
	}
	return r
}

func (g *Gate) known() *Rules {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rules
}

// look asks a question of the gate's own. It is sent each time; saw takes what another request has shown.
func (g *Gate) look(ctx context.Context, p probes.Probe) probes.Observation {
	ask := func() probes.Observation {
		g.mu.Lock()
		g.looks++
		number := firstNumber - g.looks
		g.mu.Unlock()
		return g.asker.Ask(ctx, p.Numbered(number))
	}
	o := ask()
	g.mu.Lock()
	again := o.Refused() && o.MayPass() != "" && g.vain < mostVain
	g.mu.Unlock()
	if !again {
		return o
	}
	o = ask() // an object of the run may be known, or removed, by this request alone
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.vain++; o.MayPass() == "" {
		g.vain = 0
	}
	return o
}

// mostVain is how many questions are asked again where the error does not pass.
const mostVain = 3

// firstNumber is above the numbers of the requests of the gate. The checks have none below
// zero, so no earlier answer is taken for a new one.
const firstNumber = -1000

// leave takes notice of what became of a request. It returns the identity of a new object that
// the answer does not tell.
func (g *Gate) leave(ctx context.Context, r *request, o probes.Observation) (identity string) {
	if o.Probe.Method == "tools/list" {
		g.listed(o)
	}
	if o.Outcome == probes.Gone {
		g.doubt(r.probe.Conn)
	}
	g.forgetLists(r)
	for _, c := range r.calls {
		if !c.writes() || c.object == nil {
			continue
		}
		data, succeeded, refused := c.answer(o)
		refused = refused && conclusive(o) || o.Outcome == probes.Unasked && o.Sent.Seq == 0
		switch c.op.Category {
		case "CREATE":
			identity = g.settle(ctx, c, data, succeeded, refused)
		case "UPDATE":
			if succeeded {
				g.updated(c.object)
			}
		case "DELETE":
			g.learnRemoval(c, o, g.unmade(ctx, c, succeeded))
		}
	}
	g.compare(ctx, r, o)
	return identity
}

// conclusive reports whether a refusal says that nothing was done: an adapter that has a
// fault may have it behind the work.
func conclusive(o probes.Observation) bool {
	code := o.Code()
	return o.RefusedBelow() || slices.ContainsFunc(strings.Fields("VALIDATION_ NOT_FOUND CONFLICT PERMISSION_ AUTH RATE_LIMIT_ CONFIRMATION_ TOKEN_"), func(prefix string) bool { return strings.HasPrefix(code, prefix) })
}

// answer returns what became of one call: an entry of a batch has a result of its own.
func (c *asked) answer(o probes.Observation) (data probes.Value, succeeded, refused bool) {
	if c.entry < 0 {
		return o.Data(), o.Succeeded(), o.Refused() && !o.Deferred() || o.RefusedBelow()
	}
	results := o.Envelope().At("results")
	if !results.Is(probes.Array) {
		results = o.Data().At("results")
	}
	for i, item := range results.Items() {
		at, numbered := item.At("index").Float()
		if numbered && int(at) == c.entry || !numbered && i == c.entry {
			result := item.At("result")
			return result.At("data"), result.At("success").True(), result.At("success").False()
		}
	}
	return probes.Value{}, false, o.Refused() && !results.Is(probes.Array) || o.RefusedBelow()
}

// listed remembers the tools that an adapter lists.
func (g *Gate) listed(o probes.Observation) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range o.Result().At("tools").Items() {
		g.tools[t.At("name").Text()] = probes.Tool{Name: t.At("name").Text(), Raw: t}
	}
}
