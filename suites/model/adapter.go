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

// Permissions is the set of effects that a run may have on the adapter.
type Permissions = gate.Permissions

// Permitted is the serialized form of Permissions.
type Permitted = gate.Permitted

// A Leftover is an object of the run that could not be removed.
type Leftover = gate.Leftover

// A Ledger stores the objects that a run created, so that a later run can remove them.
type Ledger = gate.Ledger

// A LedgerEntry is one object in a ledger.
type LedgerEntry = gate.Entry

// A WriteLimit bounds the number of writing requests in a run.
type WriteLimit = gate.WriteLimit

// NewWriteLimit returns a limit of most writing requests. by names the setting that imposes it.
func NewWriteLimit(most int, by string) *WriteLimit { return gate.NewWriteLimit(most, by) }

// Options are the settings of the operator and the author for one adapter.
type Options struct {
	Nonce       string // 8 characters that mark the objects of this run
	May         Permissions
	TargetLevel int // level that the operator asks for; 0 for none
	Hints       fixtures.Hints
	Today       time.Time // reference time for date parameters; zero means now
	Ledger      Ledger    // may be nil

	// OnDiscovered receives the discovered adapter before any request that depends on the hints;
	// may be nil.
	OnDiscovered func(*probes.Adapter)

	// Sleep waits; nil means time.Sleep. A transcript is judged without waiting.
	Sleep func(time.Duration)
}

// An Incident is a measured request together with the foreign objects that it changed.
type Incident = gate.Incident

// NotCallable returns a not-proven ruling on want. The reason is that the gate blocks the
// operation; if the operation is callable, the reason is otherwise.
func (s Subject) NotCallable(want, otherwise string) ruling.Ruling {
	ok, why := s.Callable(s.Op)
	if ok {
		why = otherwise
	}
	return ruling.NotProven(want, gate.Reason(why)).Mend(gate.Unlock(why))
}

// An Adapter is one endpoint mode of the adapter under test: its introspection data, and the
// known-good request of each operation.
type Adapter struct {
	*probes.Adapter
	Nonce       string // 8 characters that mark the objects of this run
	May         Permissions
	Gen         *generate.Generator
	KnownGood   map[string]KnownGood // by operation
	fuller      map[string]KnownGood // by operation: requests of READ operations that list more than those
	Absent      map[string]probes.Value
	Other       *Adapter // the other endpoint mode of the same adapter; nil if there is none
	Label       string   // prefix of subject names if there are two endpoint modes: "single: "
	TargetLevel int      // level that the operator asks for; 0 for none
	Hints       fixtures.Hints
	Today       time.Time // UTC

	Gate        *gate.Gate
	Rules       *gate.Rules
	provenKeys  map[string]provenKey // by CREATE operation
	Sleep       func(time.Duration)
	Scalars     []Scalar
	checked     map[string]generate.CheckedForm // by the letters of the names of parameters: their values end with a check digit
	scalarsFor  map[string][]int                // indexes of Scalars, by the letters of the names of parameters
	TestObjects testObjectCache                 // objects of the run that checks may change
	ObjectKinds []*ObjectKind                   // kinds of object that generated input uses
	fits        map[string]bool                 // creations with fields for scripts that were not refused
	named       map[string][]probes.Value       // by CREATE operation.field: the keys of two objects of the run that a list of keys takes
	flat        map[string]bool                 // by CREATE operation.field: an object that a trial showed to take texts alone
	unfit       map[string]bool                 // by CREATE operation.field: refused with the value of scripts, or names an object
	bodyTexts   map[string][]string             // by CREATE operation: optional texts of a body without documented fields
	distinct    map[string]bool                 // by CREATE operation: unmarked objects that are told apart by their identifiers
	parents     map[string]bool                 // by CREATE operation.parameter: it names another object
	holders     map[string]holder               // by CREATE operation: what was found by trial to hold its objects
	waits       map[string]map[string]bool      // by CREATE operation that is tried again after all others: parameters that named nothing
	refers      map[string][]holder             // by CREATE operation: the parameters that name an object of the run
	oneEach     map[string]bool                 // by CREATE operation: one parent takes no second object
	ready       []preparation                   // the changes that made objects of the run fit for what names them
	caps        map[string]float64              // by parameter: the greatest value that refusals leave
	sole        map[string]bool                 // by CREATE operation.parameter: no two objects have the value
	needsMark   map[string]bool                 // CREATE operations that the gate refuses without a text of the run: a map or a short text has it
	overwrites  overwrites
	days        map[string]soleDay // by parameter: a valid day or time of those that no two objects share
	TooLarge    []TooLarge         // what is not judged, because of its size
	Unsearched  string             // why the search for valid requests ended early; "" if it did not
	Cut         string             // why the adapter was not asked to the end what it is; "" if it was
	explored    bool               // all known-good requests were found
	tried       bool               // the parameters of creations and changes were tried
	remembered  sync.Map           // results that checks have computed, by name
}

// Remember returns the result of a computation that depends on the adapter alone. It is computed
// once for each name.
func (f *Adapter) Remember(name string, compute func() any) any {
	if known, ok := f.remembered.Load(name); ok {
		return known
	}
	result, _ := f.remembered.LoadOrStore(name, compute())
	return result
}

// KnownGood is a request of an operation that is known to be valid, with its answer. Negative
// checks change one thing in it.
type KnownGood struct {
	Probe        probes.Probe // required parameters only
	Reply        probes.Observation
	State        KnownGoodState
	Why          string // reason if there is no such request
	NeedsSamples string // operation whose sample values in the hints file would help
	Existing     bool   // a creation that answered an object which was there before
}

// A KnownGoodState says how far the request of an operation is known to be valid.
type KnownGoodState string

const (
	Proven       KnownGoodState = "proven"  // the request succeeds
	ProvenAbsent KnownGoodState = "absent"  // the request is valid and names a resource that was proven absent
	NoneKnown    KnownGoodState = "none"    // no valid request is known
	NotPermitted KnownGoodState = "barred"  // the operation may not be called
	Blocked      KnownGoodState = "blocked" // credentials, limits or the backend prevent an answer
)

// NameImpliesEffect reports whether the name of an operation implies that it writes.
func NameImpliesEffect(name string) bool { return vocab.NameEffect(name) > vocab.Reads }

// Reserved are the protocol operations. They have checks of their own.
var Reserved = gate.Reserved

// SpeaksAQL reports whether any tool answered in the form of MCP-AQL. A server without such a tool
// is not an adapter.
func (f *Adapter) SpeaksAQL() bool { return f.Introspect != "" || f.Envelope }

// Callable reports whether a control may call the operation. If not, the second result is the
// reason, with the flag that permits the call.
func (f *Adapter) Callable(o probes.Operation) (bool, string) {
	if f.Rules == nil {
		return gate.NewRules(f.Adapter, f.May, f.Hints).Callable(o)
	}
	return f.Rules.Callable(o)
}

// NewAdapter discovers one endpoint mode and finds a known-good request for each operation.
func NewAdapter(ctx context.Context, ask probes.Asker, name string, opts Options) *Adapter {
	g := gate.New(ask, name, opts.Nonce, opts.May, opts.Hints, opts.Ledger)
	e, live := ask.(*probes.Engine)
	if live {
		e.Guard(name, g)
	}
	f := &Adapter{
		fits: map[string]bool{}, named: map[string][]probes.Value{}, flat: map[string]bool{}, unfit: map[string]bool{}, parents: map[string]bool{}, sole: map[string]bool{}, needsMark: map[string]bool{}, days: map[string]soleDay{}, caps: map[string]float64{}, holders: map[string]holder{}, refers: map[string][]holder{}, waits: map[string]map[string]bool{}, oneEach: map[string]bool{}, distinct: map[string]bool{}, bodyTexts: map[string][]string{},
		Gate: g, provenKeys: map[string]provenKey{}, scalarsFor: map[string][]int{}, checked: map[string]generate.CheckedForm{},
		Adapter: probes.Discover(ctx, ask, name), Nonce: opts.Nonce, May: opts.May, TargetLevel: opts.TargetLevel, Hints: opts.Hints,
		KnownGood: map[string]KnownGood{}, fuller: map[string]KnownGood{}, Absent: map[string]probes.Value{}, Today: opts.Today.UTC(), Sleep: opts.Sleep,
	}
	if opts.Today.IsZero() {
		f.Today = time.Now().UTC()
	}
	if f.Sleep == nil {
		f.Sleep = time.Sleep
	}
	if live {
		f.Cut = e.Spent()
	}
	f.dropTooLarge()
	if opts.OnDiscovered != nil {
		opts.OnDiscovered(f.Adapter)
	}
	if most := opts.Hints.Permissions.MaxWrites; most > 0 && f.May.Limit == nil {
		f.May.Limit = NewWriteLimit(most, "max_writes in the hints file")
		g.LimitBy(f.May.Limit)
	}
	f.Rules = g.Learn(f.Adapter)
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: opts.Nonce, Harvest: f.earlierValues, Hints: f.Samples, Match: newPatternMatcher()}
	if live {
		e.Reserve()
	}
	f.findKnownGood(ctx, ask)
	f.explored = true
	f.fitFields(ctx, ask)
	f.tried = true
	if live {
		f.Unsearched = e.Release()
	}
	return f
}

// newPatternMatcher returns a function that matches patterns of any dialect in bounded time. It
// compiles each pattern once, because generated input tries thousands of texts.
func newPatternMatcher() generate.Match {
	var mu sync.Mutex
	known := map[string]*schemas.Pattern{}
	return func(pattern, text string) (ok, understood bool) {
		mu.Lock()
		p, seen := known[pattern]
		if !seen {
			p, _ = schemas.CompilePattern(pattern) // nil if no dialect can parse it
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

// Misfit says briefly why the value does not fit the parameter's record. It returns "" if the value
// fits, as far as the record is understood.
func (f *Adapter) Misfit(p probes.Parameter, v probes.Value) string {
	return generate.Misfit(f.Adapter, p, v)
}

// ResolvesTopLevel reports whether the adapter reads parameters next to operation. Both queries
// have to follow the top-level value, because an adapter that ignores it may default to one of
// them. Section 4.2.
func (f *Adapter) ResolvesTopLevel(ask func(probes.Probe) probes.Observation) bool {
	operations := ask(probes.Call(f.Conn, f.Introspect, "introspect", nil).Top("query", "operations").As("top-level operations"))
	types := ask(probes.Call(f.Conn, f.Introspect, "introspect", nil).Top("query", "types").As("top-level types"))
	return operations.Data().At("operations").Is(probes.Array) && types.Data().At("types").Is(probes.Array)
}

// IntrospectionHash is the hexadecimal SHA-256 of the protocol, operations and types that the
// adapter describes. It does not depend on the layout of the answers.
func (f *Adapter) IntrospectionHash() string {
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

// OwnFrames returns the frames of all connections of this endpoint mode, in order of arrival.
func (f *Adapter) OwnFrames(byConn map[string][]probes.Frame) []probes.Frame {
	var all []probes.Frame
	for conn, frames := range byConn {
		if f.OwnsConnection(conn) {
			all = append(all, frames...)
		}
	}
	slices.SortFunc(all, func(x, y probes.Frame) int { return x.Seq - y.Seq })
	return all
}

// IsAQLCall reports whether the observation is a tools/call to one of the AQL tools of this
// endpoint mode.
func (f *Adapter) IsAQLCall(o probes.Observation) bool {
	return o.Probe.Method == "" && f.OwnsConnection(o.Probe.Conn) && slices.Contains(f.AQL, o.Probe.Tool)
}

// OwnsConnection reports whether the connection is the main one of this endpoint mode or an extra
// one.
func (f *Adapter) OwnsConnection(conn string) bool {
	name, _, _ := strings.Cut(conn, "/")
	return name == f.Conn
}

// Volatile reports whether members of this name may differ between equal requests.
func Volatile(name string) bool {
	switch name {
	case "request_id", "requestId", "duration_ms", "timestamp", "_meta", "generated_at", "server_time":
		return true
	}
	return false
}
