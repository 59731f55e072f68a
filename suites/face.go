package suites

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Permissions say what may be done to the adapter beyond reading it.
type Permissions = gate.Permissions

// Permitted are permissions in the form in which they are written down.
type Permitted = gate.Permitted

// A Leftover is an object of the run that could not be removed.
type Leftover = gate.Leftover

// A Ledger keeps what a run made where it outlives the run.
type Ledger = gate.Ledger

// A LedgerEntry is one object in a ledger.
type LedgerEntry = gate.Entry

// A WriteLimit bounds how many requests of a run write.
type WriteLimit = gate.WriteLimit

// NewWriteLimit returns a limit of that many requests that write. by names what set it.
func NewWriteLimit(most int, by string) *WriteLimit { return gate.NewWriteLimit(most, by) }

// A Setting is what the operator and the author tell before an adapter is looked
// at.
type Setting struct {
	Nonce string         // 8 characters that mark what this run makes
	May   Permissions    //
	Goal  int            // level the operator asks for; 0 when none
	Hints fixtures.Hints // what the author tells
	Today time.Time      // the moment around which dates are asked about; zero means now

	Ledger Ledger // keeps what is made; nil where nobody does

	// Learned is told what the adapter says of itself, before anything is asked that the
	// hints had a word in; nil means that nobody wants to know.
	Learned func(*probes.Adapter)

	// Rest lets a moment pass; nil means that it does. Who judges a transcript waits
	// for nothing.
	Rest func(time.Duration)
}

// A Face is one endpoint mode of the adapter under judgement: what it says about
// itself, and for each operation the request that was proven to work.
type Face struct {
	*probes.Adapter
	Nonce     string      // 8 characters that mark what this run made
	May       Permissions //
	Gen       *generate.Generator
	Baselines map[string]Baseline // by operation
	Absent    map[string]probes.Value
	Other     *Face  // the same adapter in its other endpoint mode; nil when there is none
	Label     string // put before subjects when there are two faces: "single: "
	Goal      int    // level the operator asks for; 0 when none
	Hints     fixtures.Hints
	Today     time.Time // in UTC

	gate      *gate.Gate
	rules     *gate.Rules
	keys      map[string]provenKey // by the operation that makes an object
	rest      func(time.Duration)
	pool      []leaf
	specimens specimens // own objects that updates are tried on
	arena     []*stage  // kinds of object that generated input plays with
	formats   sync.Map  // what declaredAs found, by the first format asked for
}

// A Baseline is the request of an operation that every negative check starts
// from, with the answer it got.
type Baseline struct {
	Probe probes.Probe       // required parameters only
	Reply probes.Observation //
	State BaselineState      //
	Why   string             // why there is none
	Lacks string             // the operation, where values of its parameters would help
}

// A BaselineState says what a baseline is good for.
type BaselineState string

// The states of a baseline.
const (
	Proven  BaselineState = "proven"  // the request succeeds
	Missing BaselineState = "absent"  // the request is valid and names a resource proven absent
	None    BaselineState = "none"    // no valid request is known
	Barred  BaselineState = "barred"  // the operation may not be called
	Blocked BaselineState = "blocked" // credentials, limits or the backend stand before it
)

// promising reports whether the name of an operation promises an effect.
func promising(name string) bool { return vocab.NameEffect(name) > vocab.Reads }

// Verb returns the word of an operation name that says what is done: the first, or the
// last where the first is no verb and the last is one.
func Verb(operation string) string {
	verb, _ := parted(operation)
	return verb
}

// Noun returns what an operation name acts on, in the singular and in snake case.
func Noun(operation string) string {
	_, noun := parted(operation)
	return singular(noun)
}

// parted splits the name of an operation into its verb and the rest.
func parted(operation string) (verb, noun string) {
	words := vocab.Words(operation)
	switch n := len(words); {
	case n == 0:
		return operation, ""
	case n > 1 && vocab.EffectOf(words[0]) == vocab.None && vocab.EffectOf(words[n-1]) != vocab.None:
		return words[n-1], strings.Join(words[:n-1], "_")
	}
	return words[0], strings.Join(words[1:], "_")
}

func singular(noun string) string {
	i := strings.LastIndex(noun, "_") + 1
	return noun[:i] + vocab.Singular(noun[i:])
}

// reserved are the protocol operations that have checks of their own.
var reserved = gate.Reserved

// Speaks reports whether any tool answered in the manner of MCP-AQL; a server of
// which none does is no adapter at all.
func (f *Face) Speaks() bool { return f.Introspect != "" || f.Envelope }

// Callable reports whether a control may call the operation, and if not, why, with the
// flag that permits it.
func (f *Face) Callable(o probes.Operation) (bool, string) {
	if f.rules == nil {
		return gate.NewRules(f.Adapter, f.May, f.Hints).Callable(o)
	}
	return f.rules.Callable(o)
}

// NewFace asks one face what it is and finds a baseline for each operation.
func NewFace(ctx context.Context, ask probes.Asker, name string, set Setting) *Face {
	door := gate.New(ask, name, set.Nonce, set.May, set.Hints, set.Ledger)
	if e, live := ask.(*probes.Engine); live {
		e.Guard(name, door)
	}
	f := &Face{
		gate: door, keys: map[string]provenKey{},
		Adapter: probes.Discover(ctx, ask, name), Nonce: set.Nonce, May: set.May, Goal: set.Goal, Hints: set.Hints,
		Baselines: map[string]Baseline{}, Absent: map[string]probes.Value{}, Today: set.Today.UTC(), rest: set.Rest,
	}
	if set.Today.IsZero() {
		f.Today = time.Now().UTC()
	}
	if f.rest == nil {
		f.rest = time.Sleep
	}
	if set.Learned != nil {
		set.Learned(f.Adapter)
	}
	if most := set.Hints.Permissions.MaxWrites; most > 0 && f.May.Limit == nil {
		f.May.Limit = NewWriteLimit(most, "max_writes in the hints file")
		door.LimitBy(f.May.Limit)
	}
	f.rules = door.Learn(f.Adapter)
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: set.Nonce, Harvest: f.harvest, Hints: f.samples, Match: searching()}
	f.findBaselines(ctx, ask)
	return f
}

// searching returns a search of texts for patterns of any dialect, in bounded time.
// It compiles each pattern once: generated input tries thousands of texts.
func searching() generate.Match {
	var mu sync.Mutex
	known := map[string]*schemas.Pattern{}
	return func(pattern, text string) (ok, understood bool) {
		mu.Lock()
		p, seen := known[pattern]
		if !seen {
			p, _ = schemas.CompilePattern(pattern) // nil when no dialect reads it
			known[pattern] = p
		}
		mu.Unlock()
		if p == nil {
			return false, false
		}
		ok, err := p.Match(text)
		return ok, err == nil
	}
}

// Misfit says in a few words why the value does not fit the parameter's record,
// or "" when it does as far as the record is understood.
func (f *Face) Misfit(p probes.Parameter, v probes.Value) string {
	return generate.Misfit(f.Adapter, p, v)
}

// ResolvesTopLevel reports whether the adapter reads parameters next to
// operation: both kinds of query have to follow the top level, because an
// adapter that ignores it may default to one of them. Section 4.2.
func (f *Face) ResolvesTopLevel(ask func(probes.Probe) probes.Observation) bool {
	operations := ask(probes.Call(f.Conn, f.Introspect, "introspect", nil).Top("query", "operations"))
	types := ask(probes.Call(f.Conn, f.Introspect, "introspect", nil).Top("query", "types"))
	return operations.Data().At("operations").Is(probes.Array) && types.Data().At("types").Is(probes.Array)
}
