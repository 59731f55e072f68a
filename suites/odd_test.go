package suites

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/mutation"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// terse is what an adapter earns that documents no more than it must.
const terse = "AQL-10.2-01 AQL-4.7.5-08 INT-4.1.1-05 INT-8.2-01 OPS-6.3-05"

// prefixed is what the adapter of one German tool earns in all its variations.
const prefixed = "INT-5.3-01 MCP-NAME-02"

// oddities are conforming adapters that look like few others, with the warnings
// that each has honestly earned; the adapters say why.
var oddities = []struct {
	command string // program and flags
	warned  string
}{
	{"prefixed-single", prefixed + " OPS-4.4.1-11"},
	{"prefixed-single -odd empty,scalar,words,silent", prefixed},
	// It answers a token that it does not know with a new one.
	{"prefixed-single -odd flagged,gated,pretty,failed,deprecated", prefixed + " OPS-4.4.1-11 CMP-TOKEN-02 CMP-TOKEN-03"},
	{"prefixed-single -odd strict,mirror,failed", prefixed + " OPS-4.4.1-11"},
	{"mixed-families -delay 2ms", terse},
	{"mixed-families -delay 1ms -odd toplevel,uuid,nested,either", terse + " INT-8.1.1-04"},
	{"mixed-families -delay 1ms -odd busy", terse + " AQL-9.3-01"}, // which advertises no max_concurrent_requests
	{"mixed-families -delay 1ms -odd visits", terse},
	{"mixed-families -delay 1ms -odd twins", terse},
	{"mixed-families -delay 1ms -odd pages", terse},
	{"read-only-one-tool -hanzi", ""},
	{"read-only-one-tool -introspect-only", ""},
}

// No false alarm: who conforms passes, however unusual.
func TestOddAdaptersPass(t *testing.T) {
	if sampled() {
		t.Skip("builds programs")
	}
	folder := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", folder, "../fixtures/odd-adapters/...")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", build, err, said)
	}
	for i, odd := range oddities {
		if !portion.OneOf(i, 2) {
			continue
		}
		t.Run(odd.command, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(odd.command)
			args[0] = filepath.Join(folder, args[0])
			r := judgedCommand(t, args)
			var warned []string
			for _, f := range r.Findings {
				switch f.Verdict {
				case reports.Fail:
					t.Errorf("a conforming adapter fails %s", f.Requirement)
				case reports.Warn:
					warned = append(warned, f.Requirement)
				}
			}
			slices.Sort(warned)
			want := strings.Fields(odd.warned)
			slices.Sort(want)
			if warned = slices.Compact(warned); !slices.Equal(want, warned) {
				t.Errorf("warned of %v, want %v", warned, want)
			}
			if t.Failed() {
				t.Log(r.trace())
			}
		})
	}
}

// What is optional and was not used needs no announcement.
func TestUnusedFeaturesNeedNoFlag(t *testing.T) {
	if sampled() {
		t.Skip("builds programs")
	}
	program := filepath.Join(t.TempDir(), "odd")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../fixtures/odd-adapters/read-only-one-tool").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	r := judgedCommand(t, []string{program, "-introspect-only"})
	for _, f := range r.Findings {
		if f.Requirement == "AX-R4-05" && f.Verdict != reports.NotApplicable {
			t.Errorf("AX-R4-05: %s, want %s; got %s", f.Verdict, reports.NotApplicable, f.Got)
		}
	}
}

// A slow adapter that works one by one is not silent, though the last of many
// requests waits longer than the timeout.
func TestQueueIsNoSilence(t *testing.T) {
	if sampled() {
		t.Skip("builds programs")
	}
	program := filepath.Join(t.TempDir(), "odd")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../fixtures/odd-adapters/prefixed-single").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	e := probes.NewEngine(wire.NewRecorder(), 300*time.Millisecond, 8)
	defer e.Close()
	if err := e.Open(t.Context(), "main", wire.Target{Command: []string{program, "-delay", "50ms"}}); err != nil {
		t.Fatal(err)
	}
	a := probes.Discover(t.Context(), e, "main")
	var tasks []probes.Task
	for i := range 24 {
		tasks = append(tasks, probes.Task{Do: func(ctx context.Context) {
			if o := e.Ask(ctx, a.Listing().Numbered(i+1)); !o.Succeeded() {
				t.Errorf("request %d got %s", i, o.Brief())
			}
		}})
	}
	e.Run(t.Context(), tasks)
}

// judgedCommand runs the checker against a program, as the command does it.
func judgedCommand(t *testing.T, command []string) run {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), 5*time.Second, 16)
	defer e.Close()
	if err := e.Open(ctx, "main", wire.Target{Command: command}); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true}})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "--cmd "+filepath.Base(command[0]))
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = fullEffort
	p.Ask(ctx, e)
	record := e.Record()
	return run{Attempt: mutation.Attempt{Plan: p, Adapters: p.Adapters, Findings: p.Judge(record), Record: record}}
}
