package schemas

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What Compile may find wrong with a schema that an adapter publishes, beside
// ErrBudget.
var (
	// ErrInvalid means that the schema is no JSON Schema in any dialect it may
	// be written in.
	ErrInvalid = errors.New("invalid schema")
	// ErrUnsupported means that the schema names a dialect, or uses a pattern,
	// that this package does not read. It is no fault of the schema.
	ErrUnsupported = errors.New("unsupported schema")
	// ErrRemote means that the schema refers to something outside itself. MCP
	// forbids to fetch such a thing, so nothing is known of it.
	ErrRemote = errors.New("reference to another document")
	// ErrDangling means that a reference within the schema leads nowhere.
	ErrDangling = errors.New("dangling reference")
)

// The steps bound nearly every check, and are the same on every machine. The times are for
// what costs much within one step, such as a long enum, and for a machine that is busy.
const (
	compileTime = 5 * time.Second
	checkTime   = 1500 * time.Millisecond // of work, not of waiting for another check
	maxSteps    = 200_000
)

// Published is a schema that an adapter published about itself, an inputSchema
// or an outputSchema, compiled. It is safe for concurrent use; checks of one
// schema run one after the other.
//
// "format" is an annotation in every dialect here: draft-07 lets a validator
// assert it and 2020-12 does not, and nobody shall fail for a default.
type Published struct {
	dialect Dialect
	schema  *jsonschema.Schema
	watch   *watch
	turn    chan struct{} // holds one token: the watch serves one check
}

// Compile reads a schema as raw JSON. "$schema" decides its dialect; without
// it, 2020-12 is tried first (the default of MCP since 2025-11-25), then
// draft-07 (what many SDKs still write).
//
// The error wraps ErrInvalid, ErrUnsupported, ErrBudget, ErrRemote or
// ErrDangling. Over budget is a schema of more than 1 MiB, 256 levels or 5 000
// subschemas, one whose references expand exponentially or run in a circle
// without descending into the instance, and one that takes longer than ctx or
// five seconds. Nothing is ever fetched, neither from disk nor from a network.
func Compile(ctx context.Context, raw []byte) (*Published, error) {
	ctx, cancel := context.WithTimeout(ctx, compileTime)
	defer cancel()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: compiling was not begun: %w", ErrBudget, context.Cause(ctx))
	}
	type outcome struct {
		published *Published
		err       error
	}
	// Whatever remains of an abandoned compilation is bounded by the budget of
	// its schema.
	done := make(chan outcome, 1)
	go func() {
		published, err := compileAny(raw)
		done <- outcome{published, err}
	}()
	select {
	case o := <-done:
		return o.published, o.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: compiling took too long: %w", ErrBudget, context.Cause(ctx))
	}
}

// Dialect tells which dialect the schema was read in; a nil Published, which is
// what Compile returns with ErrUnsupported, has the dialect "unsupported".
func (p *Published) Dialect() Dialect {
	if p == nil {
		return Unsupported
	}
	return p.dialect
}

// Check says where an instance departs from the schema. An error wrapping
// ErrBudget means that no verdict was reached within ctx, 200 000 steps, 1.5 seconds of work,
// or the limits of an instance (16 MiB, 512 levels, 100 000 values); one wrapping ErrUnsupported, that
// the verdict hangs on a pattern no engine here reads. Any other error says why
// the instance is not JSON.
func (p *Published) Check(ctx context.Context, instance []byte) ([]Departure, error) {
	doc, err := instanceLimits.parse(instance)
	if err != nil {
		return nil, err
	}
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, tooLong(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	type outcome struct {
		found []Departure
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { <-p.turn }()
		found, err := p.validate(ctx, doc)
		done <- outcome{found, err}
	}()
	select {
	case o := <-done:
		return o.found, o.err
	case <-ctx.Done():
		return nil, tooLong(ctx)
	}
}

// validate runs in its own goroutine and ends soon after ctx does: the watch
// throws it out of the validator.
func (p *Published) validate(ctx context.Context, doc any) (found []Departure, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case stop:
			found, err = nil, fault.reason
		default:
			found, err = nil, fmt.Errorf("%w: the validator broke on this instance: %v", ErrBudget, fault)
		}
	}()
	p.watch.ctx, p.watch.left = ctx, maxSteps
	return judge(p.schema, doc)
}

func tooLong(ctx context.Context) error {
	return fmt.Errorf("%w: checking took too long: %w", ErrBudget, context.Cause(ctx))
}

// A watch makes the validator stop in time. The validator knows no context, but
// it does call out: for every value it puts before a subschema, through a
// format planted there, and for every pattern it matches. A panic leaves it
// from there. What lies between two calls is bounded by the limits.
type watch struct {
	ctx  context.Context
	left int // steps
}

// stop is what a watch panics with.
type stop struct{ reason error }

func (w *watch) step() {
	if w.left--; w.left < 0 {
		panic(stop{fmt.Errorf("%w: checking took more than %d steps", ErrBudget, maxSteps)})
	}
	if w.ctx.Err() != nil {
		panic(stop{tooLong(w.ctx)})
	}
}

// watchedPattern is a pattern the validator may match. Without a Pattern it
// stands for one that no engine here reads.
type watchedPattern struct {
	*watch
	source  string
	pattern *Pattern
}

func (p *watchedPattern) String() string { return p.source }

// MatchString cannot return an error, and a match that did not finish is not a
// mismatch.
func (p *watchedPattern) MatchString(s string) bool {
	p.step()
	if p.pattern == nil {
		panic(stop{fmt.Errorf("%w: the pattern %s is of a dialect that is not read here", ErrUnsupported, quote(p.source))})
	}
	ok, err := p.pattern.Match(s)
	if err != nil {
		panic(stop{err})
	}
	return ok
}
