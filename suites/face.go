package suites

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/schemas"
)

// Permissions say what may be done to the adapter beyond reading it.
type Permissions struct {
	Create, Update, Delete, Execute bool

	// ReadOnly bars every request that names an operation of another category than
	// READ, also those that an adapter has to refuse: a wrong one might not.
	ReadOnly bool
	Limit    *WriteLimit // nil: none, or what the hints say; faces of one run share it

	// DryRun bars the same, but leaves the plan as the other permissions make it.
	DryRun bool
}

// Permitted are permissions in the form in which they are written down.
type Permitted struct {
	Create    bool   `json:"create,omitempty"`
	Update    bool   `json:"update,omitempty"`
	Delete    bool   `json:"delete,omitempty"`
	Execute   bool   `json:"execute,omitempty"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
	MaxWrites int    `json:"maxWrites,omitempty"`
	LimitedBy string `json:"limitedBy,omitempty"`
}

// Permitted returns the permissions to write down.
func (p Permissions) Permitted() Permitted {
	w := Permitted{Create: p.Create, Update: p.Update, Delete: p.Delete, Execute: p.Execute, ReadOnly: p.ReadOnly}
	if p.Limit != nil {
		w.MaxWrites, w.LimitedBy = p.Limit.most, p.Limit.by
	}
	return w
}

// Permissions returns the permissions that were written down.
func (w Permitted) Permissions() Permissions {
	p := Permissions{Create: w.Create, Update: w.Update, Delete: w.Delete, Execute: w.Execute, ReadOnly: w.ReadOnly}
	if w.LimitedBy != "" {
		p.Limit = NewWriteLimit(w.MaxWrites, w.LimitedBy)
	}
	return p
}

// Writes reports whether objects of our own may be made and removed again.
func (p Permissions) Writes() bool { return p.Create && p.Delete }

// A Setting is what the operator and the author tell before an adapter is looked
// at.
type Setting struct {
	Nonce string         // 8 characters that mark what this run makes
	May   Permissions    //
	Goal  int            // level the operator asks for; 0 when none
	Hints fixtures.Hints // what the author tells
	Today time.Time      // the moment around which dates are asked about; zero means now

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

// actionVerbs are first words of operation names that promise an effect; a READ
// operation so named is not called without permission.
var actionVerbs = strings.Fields(`open set start stop send setup clear activate deactivate enable disable create add insert register upload
	update edit patch rename move merge delete remove purge drop unregister reset destroy wipe truncate execute run trigger invoke cancel abort
	resume pause restart retry apply install uninstall publish submit approve reject confirm verify write push post put save sync import
	book buy pay order launch kill terminate close lock unlock revoke grant rotate`)

// dangerousWords mark names that are never called without permission, whatever
// their category says.
var dangerousWords = strings.Fields(`purge drop truncate reset destroy wipe force bypass override clear`)

// Verb returns the first word of an operation name.
func Verb(operation string) string {
	verb, _, _ := strings.Cut(operation, "_")
	return verb
}

// Noun returns what an operation name acts on, in the singular.
func Noun(operation string) string {
	_, noun, _ := strings.Cut(operation, "_")
	return singular(noun)
}

func singular(noun string) string {
	switch {
	case strings.HasSuffix(noun, "ies"):
		return strings.TrimSuffix(noun, "ies") + "y"
	case strings.HasSuffix(noun, "sses"), strings.HasSuffix(noun, "xes"):
		return strings.TrimSuffix(noun, "es")
	case strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss"):
		return strings.TrimSuffix(noun, "s")
	}
	return noun
}

// reserved are the protocol operations that have checks of their own.
var reserved = strings.Fields("execute_agent record_execution_step complete_execution abort_execution confirm_operation verify_challenge")

// Speaks reports whether any tool answered in the manner of MCP-AQL; a server of
// which none does is no adapter at all.
func (f *Face) Speaks() bool { return f.Introspect != "" || f.Envelope }

// Callable reports whether a control may call the operation, and if not, which
// permission or quality it lacks.
func (f *Face) Callable(o probes.Operation) (bool, string) {
	switch {
	case slices.Contains(reserved, o.Name):
		return false, "a reserved protocol operation"
	case f.denies(o.Name):
		return false, "denied in the hints file"
	case f.allows(o.Name):
		return true, ""
	case dangerous(o) && !f.May.Execute:
		return false, "its name or mark says it is dangerous"
	case promisesEffect(o) && !f.May.Execute:
		return false, "a READ operation whose name promises an effect"
	case o.Category == "READ":
		return true, ""
	case o.Category == "CREATE" && f.keeps(o):
		return false, "its removal is denied in the hints file"
	case o.Category == "CREATE":
		return f.May.Writes(), "permission to create"
	case o.Category == "UPDATE":
		return f.May.Update, "permission to update"
	case o.Category == "DELETE":
		return f.May.Delete, "permission to delete"
	case o.Category == "EXECUTE":
		return f.May.Execute, "permission to execute"
	}
	return false, "a semantic category"
}

// dangerous reports whether an operation is called dangerous by its mark or name.
func dangerous(o probes.Operation) bool {
	words := strings.Split(o.Name, "_")
	return o.Details.At("dangerous").True() || slices.ContainsFunc(dangerousWords, func(w string) bool { return slices.Contains(words, w) }) ||
		slices.Contains(words, "all") && o.Category == "DELETE"
}

// promisesEffect reports whether an operation is listed as READ under a name that
// says otherwise.
func promisesEffect(o probes.Operation) bool {
	return o.Category == "READ" && slices.Contains(actionVerbs, Verb(o.Name))
}

// NewFace asks one face what it is and finds a baseline for each operation.
func NewFace(ctx context.Context, ask probes.Asker, name string, set Setting) *Face {
	f := &Face{
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
	}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: set.Nonce, Harvest: f.harvest, Hints: f.samples, Match: searching()}
	f.findBaselines(ctx, gated{ask, f})
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
