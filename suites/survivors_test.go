package suites

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	"go.uber.org/goleak"
)

// allowed are the goroutines that may outlive a run: those that were there before it,
// and the clock that regexp2 keeps for matches with a deadline and stops by itself.
func allowed() []goleak.Option {
	return []goleak.Option{
		goleak.IgnoreCurrent(),
		goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"),
	}
}

// An interrupter interrupts the run when a number of messages went to the adapter.
type interrupter struct {
	io.WriteCloser
	left      int
	interrupt func()
}

func (w *interrupter) Write(b []byte) (int, error) {
	if w.left--; w.left == 0 {
		w.interrupt()
	}
	return w.WriteCloser.Write(b)
}

// A run that is over has ended all it began, be it complete, interrupted, or met by
// an adapter that falls silent.
func TestNothingSurvivesARun(t *testing.T) {
	for name, c := range map[string]struct {
		fault string
		after int // messages until the interruption; 0 for none
	}{
		"complete":    {"", 0},
		"interrupted": {"", 150},
		"silent":      {"AQL-3.2-03.swallowed-handler-error", 0},
	} {
		t.Run(name, func(t *testing.T) {
			before := allowed()
			overRun(t, c.fault, c.after)
			if err := goleak.Find(before...); err != nil {
				t.Error(err)
			}
		})
	}
}

// overRun asks the reference adapter what some rows of every lane ask.
func overRun(t *testing.T, fault string, after int) {
	a, err := stand.New(stand.Config{Fault: fault})
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithTimeout(t.Context(), time.Minute)
	defer interrupt()
	target := inProcess(a)
	open := target.Pipe
	target.Pipe = func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
		w, r, err := open(ctx)
		return &interrupter{w, after, interrupt}, r, err
	}
	e := probes.NewEngine(wire.NewRecorder(), 200*time.Millisecond, 8)
	defer e.Close()
	if err := e.Open(ctx, "main", target); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true}})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All(), Run: []string{"request", "routing", "limits", "mcp", "update", "INT-8.1.3-01", "AQL-3.2-03"}}, "--cmd ./reference-adapter")
	if err != nil {
		t.Fatal(err)
	}
	p.Ask(ctx, e)
	if interrupted := ctx.Err() != nil; interrupted != (after > 0) {
		t.Fatalf("interrupted %v after %d messages", interrupted, len(e.Record().Observations))
	}
	if len(p.Judge(e.Record())) == 0 {
		t.Error("nothing was judged")
	}
}
