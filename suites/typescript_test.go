package suites

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
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
	diff "github.com/google/go-cmp/cmp"
)

const typescript = "../fixtures/typescript-adapter"

// predicted reads what the author of the TypeScript adapter expected a checker to
// find over a transport, as far as this version checks those rows.
func predicted(t *testing.T, transport string) []string {
	t.Helper()
	text, err := os.ReadFile(typescript + "/predicted.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Requirement, Verdict, Transport string }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range list {
		if row, ok := catalogue.Lookup(p.Requirement); ok && row.State() == catalogue.Checked && (p.Transport == "" || p.Transport == transport) {
			want = append(want, p.Verdict+" "+p.Requirement)
		}
	}
	slices.Sort(want)
	return want
}

// An adapter on another SDK, written from the specification alone with a few
// honest mistakes, is judged as its author predicted, over both transports.
func TestTypeScriptAdapterIsJudgedAsPredicted(t *testing.T) {
	portion.Long(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(typescript + "/node_modules"); err != nil {
		t.Skip("run npm ci in fixtures/typescript-adapter first")
	}
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		judgeTarget(t, wire.Target{Command: []string{node, "adapter.mjs"}, Dir: typescript})
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		judgeTarget(t, wire.Target{URL: listening(t, node)})
	})
}

func judgeTarget(t *testing.T, target wire.Target) {
	transport := map[bool]string{true: "stdio", false: "http"}[target.URL == ""]
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), 5*time.Second, 8)
	defer e.Close()
	if err := e.Open(ctx, "main", target); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true}})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "--cmd node")
	if err != nil {
		t.Fatal(err)
	}
	p.Ask(ctx, e)
	var got []string
	for _, f := range p.Judge(e.Record()) {
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			got = append(got, string(f.Verdict)+" "+f.Requirement)
		}
	}
	slices.Sort(got)
	if d := diff.Diff(predicted(t, transport), slices.Compact(got)); d != "" {
		t.Errorf("findings (-predicted +got):\n%s", d)
	}
}

// listening starts the adapter over HTTP and returns its address.
func listening(t *testing.T, node string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), node, "adapter.mjs", "--http", "127.0.0.1:0")
	cmd.Dir = typescript
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			return strings.TrimSpace(url)
		}
	}
	t.Fatal("the adapter never said where it listens")
	return ""
}
