// Package model is what is believed of one adapter: what it said of itself, requests that
// are known to be good, and objects of the run. Checks read it and ask it for requests.
package model

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/ruling"
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

// An Options is what the operator and the author tell before an adapter is looked
// at.
type Options struct {
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

// An Incident is a request that was measured, with what it changed of objects of others.
type Incident = gate.Incident

// NotCallable rules that want was not shown because the gate keeps the operation back, or
// else because of what otherwise says.
func (s Subject) NotCallable(want, otherwise string) ruling.Ruling {
	ok, why := s.Callable(s.Op)
	if ok {
		why = otherwise
	}
	return ruling.NotProven(want, gate.Reason(why)).Mend(gate.Unlock(why))
}

// An Adapter is one endpoint mode of the adapter under judgement: what it says about
// itself, and for each operation the request that was proven to work.
type Adapter struct {
	*probes.Adapter
	Nonce     string      // 8 characters that mark what this run made
	May       Permissions //
	Gen       *generate.Generator
	Baselines map[string]KnownGood // by operation
	Absent    map[string]probes.Value
	Other     *Adapter // the same adapter in its other endpoint mode; nil when there is none
	Label     string   // put before subjects when there are two faces: "single: "
	Goal      int      // level the operator asks for; 0 when none
	Hints     fixtures.Hints
	Today     time.Time // in UTC

	Gate      *gate.Gate
	Rules     *gate.Rules
	keys      map[string]provenKey // by the operation that makes an object
	Rest      func(time.Duration)
	Pool      []Leaf
	Specimens testObjects   // own objects that updates are tried on
	Arena     []*ObjectKind // kinds of object that generated input plays with
	Formats   sync.Map      // what declaredAs found, by the first format asked for
}

// A KnownGood is the request of an operation that every negative check starts
// from, with the answer it got.
type KnownGood struct {
	Probe probes.Probe       // required parameters only
	Reply probes.Observation //
	State GoodState          //
	Why   string             // why there is none
	Lacks string             // the operation, where values of its parameters would help
}

// A GoodState says what a baseline is good for.
type GoodState string

// The states of a baseline.
const (
	Proven  GoodState = "proven"  // the request succeeds
	Missing GoodState = "absent"  // the request is valid and names a resource proven absent
	None    GoodState = "none"    // no valid request is known
	Barred  GoodState = "barred"  // the operation may not be called
	Blocked GoodState = "blocked" // credentials, limits or the backend stand before it
)

// Promising reports whether the name of an operation promises an effect.
func Promising(name string) bool { return vocab.NameEffect(name) > vocab.Reads }

// Verb returns the word of an operation name that says what is done: the first, or the
// last where the first is no verb and the last is one.
func Verb(operation string) string {
	verb, _ := parted(operation)
	return verb
}

// Noun returns what an operation name acts on, in the singular and in snake case.
func Noun(operation string) string {
	_, noun := parted(operation)
	return Singular(noun)
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

func Singular(noun string) string {
	i := strings.LastIndex(noun, "_") + 1
	return noun[:i] + vocab.Singular(noun[i:])
}

// Reserved are the protocol operations that have checks of their own.
var Reserved = gate.Reserved

// Speaks reports whether any tool answered in the manner of MCP-AQL; a server of
// which none does is no adapter at all.
func (f *Adapter) Speaks() bool { return f.Introspect != "" || f.Envelope }

// Callable reports whether a control may call the operation, and if not, why, with the
// flag that permits it.
func (f *Adapter) Callable(o probes.Operation) (bool, string) {
	if f.Rules == nil {
		return gate.NewRules(f.Adapter, f.May, f.Hints).Callable(o)
	}
	return f.Rules.Callable(o)
}

// NewAdapter asks one face what it is and finds a baseline for each operation.
func NewAdapter(ctx context.Context, ask probes.Asker, name string, set Options) *Adapter {
	door := gate.New(ask, name, set.Nonce, set.May, set.Hints, set.Ledger)
	if e, live := ask.(*probes.Engine); live {
		e.Guard(name, door)
	}
	f := &Adapter{
		Gate: door, keys: map[string]provenKey{},
		Adapter: probes.Discover(ctx, ask, name), Nonce: set.Nonce, May: set.May, Goal: set.Goal, Hints: set.Hints,
		Baselines: map[string]KnownGood{}, Absent: map[string]probes.Value{}, Today: set.Today.UTC(), Rest: set.Rest,
	}
	if set.Today.IsZero() {
		f.Today = time.Now().UTC()
	}
	if f.Rest == nil {
		f.Rest = time.Sleep
	}
	if set.Learned != nil {
		set.Learned(f.Adapter)
	}
	if most := set.Hints.Permissions.MaxWrites; most > 0 && f.May.Limit == nil {
		f.May.Limit = NewWriteLimit(most, "max_writes in the hints file")
		door.LimitBy(f.May.Limit)
	}
	f.Rules = door.Learn(f.Adapter)
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: set.Nonce, Harvest: f.harvest, Hints: f.Samples, Match: searching()}
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
func (f *Adapter) Misfit(p probes.Parameter, v probes.Value) string {
	return generate.Misfit(f.Adapter, p, v)
}

// ResolvesTopLevel reports whether the adapter reads parameters next to
// operation: both kinds of query have to follow the top level, because an
// adapter that ignores it may default to one of them. Section 4.2.
func (f *Adapter) ResolvesTopLevel(ask func(probes.Probe) probes.Observation) bool {
	operations := ask(probes.Call(f.Conn, f.Introspect, "introspect", nil).Top("query", "operations"))
	types := ask(probes.Call(f.Conn, f.Introspect, "introspect", nil).Top("query", "types"))
	return operations.Data().At("operations").Is(probes.Array) && types.Data().At("types").Is(probes.Array)
}

// Introspected is the sha256, in hexadecimal, of what the adapter says of itself: its
// protocol, operations and types, however the answers were laid out.
func (f *Adapter) Introspected() string {
	h := sha256.New()
	fmt.Fprintln(h, f.Protocol.Canonical(nil))
	for _, o := range f.Operations {
		fmt.Fprintln(h, o.Summary.Canonical(nil), o.Details.Canonical(nil))
	}
	for _, t := range f.Types {
		fmt.Fprintln(h, t.Summary.Canonical(nil), t.Details.Canonical(nil))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Of returns the frames of all connections of a face in the order they came.
func (f *Adapter) Of(byConn map[string][]probes.Frame) []probes.Frame {
	var all []probes.Frame
	for conn, frames := range byConn {
		if f.Owns(conn) {
			all = append(all, frames...)
		}
	}
	slices.SortFunc(all, func(x, y probes.Frame) int { return x.Seq - y.Seq })
	return all
}

// Asked reports whether the observation is of a tools/call to one of the face's
// AQL tools.
func (f *Adapter) Asked(o probes.Observation) bool {
	return o.Probe.Method == "" && f.Owns(o.Probe.Conn) && slices.Contains(f.AQL, o.Probe.Tool)
}

// Owns reports whether a connection is the face's own or an extra one of it.
func (f *Adapter) Owns(conn string) bool {
	face, _, _ := strings.Cut(conn, "/")
	return face == f.Conn
}

// Volatile names members that legitimately differ between equal requests.
func Volatile(name string) bool {
	switch name {
	case "request_id", "requestId", "duration_ms", "timestamp", "_meta", "generated_at", "server_time":
		return true
	}
	return false
}
