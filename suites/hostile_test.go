package suites

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// built compiles a program of this module into a folder of the test.
func built(t *testing.T, folder string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return program
}

// levelOf judges a program on stdio and returns the report. Unlike the command it
// judges on when nothing speaks MCP-AQL, and has a level to show for it or none.
func levelOf(t *testing.T, argv []string, may model.Permissions, patience time.Duration) *reports.Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), patience, 8)
	defer e.Close()
	if err := e.Open(ctx, "main", wire.Target{Command: argv, StartTimeout: 5 * time.Second, Grace: 200 * time.Millisecond}); err != nil {
		return reports.Conclude(reports.Run{Level: 1, Conclusion: err.Error()}, catalogue.Rows(), nil)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: may})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "--cmd ./hostile")
	if err != nil {
		t.Fatal(err)
	}
	p.Ask(ctx, e)
	if ctx.Err() != nil {
		t.Error("the run took longer than a minute")
	}
	return reports.Conclude(reports.Run{Level: 1}, catalogue.Rows(), p.Judge(e.Record()))
}

// An adapter that is right up to one point and no further achieves no level,
// however it goes wrong, and the run ends.
func TestHostileAdaptersAreNeverConformant(t *testing.T) {
	if sampled() {
		t.Skip("starts programs")
	}
	hostile, reference := built(t, "../fixtures/hostile"), built(t, "../reference-adapter")
	writes := model.Permissions{Create: true, Update: true, Delete: true}
	for i, c := range []struct {
		flags string
		may   model.Permissions
		level int
	}{
		{"", writes, 1},              // the control: nothing spoilt
		{"", model.Permissions{}, 0}, // nothing is written
		{"-denied", writes, 0},
		{"-die 50", writes, 0},
		{"-die 400", writes, 0},
		{"-hang 50", writes, 0},
		{"-hang 400", writes, 0},
		{"-late 50", writes, 0},
		{"-null", writes, 0},
		{"-echo", writes, 0},
		{"-prose", writes, 0},
		{"-empty", writes, 0},
		{"-flip 1", writes, 0},
		{"-flip 2", model.Permissions{}, 0},
	} {
		if i > 0 && !portion.OneOf(i, 4) {
			continue
		}
		name := strings.ReplaceAll(strings.TrimPrefix(c.flags, "-"), " ", " at ")
		if !c.may.Create {
			name += " read-only"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began, patience := time.Now(), 300*time.Millisecond
			if c.level > 0 {
				patience = 5 * time.Second // what has to pass must not depend on a free machine
			}
			r := levelOf(t, append(append([]string{hostile}, strings.Fields(c.flags)...), reference), c.may, patience)
			l := r.Levels[0]
			t.Logf("level 1 %s, MUSTs %+v, exit code %d, %v", l.Standing, l.Must, r.ExitCode, time.Since(began).Round(time.Millisecond))
			if r.ConformanceLevel != c.level {
				t.Errorf("level %d achieved, want %d", r.ConformanceLevel, c.level)
			}
			if (r.ExitCode == 0) != (c.level > 0) {
				t.Errorf("exit code %d", r.ExitCode)
			}
		})
	}
}
