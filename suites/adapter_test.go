package suites

import (
	"context"
	"crypto/rand"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	"mvdan.cc/sh/v3/shell"
)

// TestAdapter judges the adapter that AQL_CONFORM_CMD starts or AQL_CONFORM_URL
// reaches, as Ginkgo specs, the way the command does it. What it did not start it
// only reads.
func TestAdapter(t *testing.T) {
	target, may := named(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), 10*time.Second, 16)
	defer e.Close()
	if err := e.Open(ctx, "main", target); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: strings.ToLower(rand.Text())[:8], May: may})
	if !f.SpeaksAQL() {
		t.Fatalf("not an MCP-AQL adapter: none of its %d tools answers introspect", len(f.Tools))
	}
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "--cmd …")
	if err != nil {
		t.Fatal(err)
	}
	findings := p.RunSpecs(ctx, e, nil)()
	if len(findings) == 0 {
		t.Fatal("nothing was judged")
	}
	r := reports.Conclude(reports.Run{Level: 1, SpecVersion: catalogue.SpecVersion}, catalogue.Rows(), findings)
	for _, found := range r.Findings {
		if found.Verdict == reports.Fail {
			t.Errorf("%s %s: want %s, got %s", found.Requirement, found.Subject, found.Want, found.Got)
		}
	}
	if r.ExitCode != 0 && !t.Failed() {
		t.Errorf("level 1 is not established: exit code %d", r.ExitCode)
	}
}

// named returns the target the environment names.
func named(t *testing.T) (wire.Target, model.Permissions) {
	t.Helper()
	if url := os.Getenv("AQL_CONFORM_URL"); url != "" {
		return wire.Target{URL: url}, model.Permissions{}
	}
	line := os.Getenv("AQL_CONFORM_CMD")
	if line == "" {
		t.Skip("AQL_CONFORM_CMD and AQL_CONFORM_URL are not set")
	}
	argv, err := shell.Fields(line, func(name string) string {
		if name == "IFS" {
			return ""
		}
		return os.Getenv(name)
	})
	if err != nil || len(argv) == 0 {
		t.Fatalf("AQL_CONFORM_CMD %q: %v", line, err)
	}
	return wire.Target{Command: argv}, model.Permissions{Create: true, Update: true, Delete: true}
}
