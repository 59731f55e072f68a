package main

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/cli"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// A change counts when it has come to rest, and once.
func TestChangesAreTakenWhenTheyRest(t *testing.T) {
	state := func(n int64) map[string]session.Stamp { return map[string]session.Stamp{"main.go": {Size: n}} }
	for name, c := range map[string]struct {
		looks []int64 // the first is from before
		after int     // how many looks the change takes; 0 when there is none
	}{
		"nothing changes":             {[]int64{1, 1, 1, 1}, 0},
		"one write":                   {[]int64{1, 1, 2, 2, 2}, 3},
		"a write in steps":            {[]int64{1, 2, 3, 4, 4}, 4},
		"a change that is taken back": {[]int64{1, 2, 1, 1, 1}, 0},
	} {
		ticks := make(chan time.Time, len(c.looks))
		ctx, cancel := context.WithCancel(t.Context())
		looked := 0
		w := &session.Watcher{Ticks: ticks, Seen: state(c.looks[0]), Look: func() map[string]session.Stamp {
			looked++
			if looked == len(c.looks)-1 {
				cancel()
			} else {
				ticks <- time.Time{}
			}
			return state(c.looks[looked])
		}}
		ticks <- time.Time{}
		if got := w.Await(ctx); got != (c.after > 0) || got && looked != c.after {
			t.Errorf("%s: change %t after %d looks, want %d", name, got, looked, c.after)
		}
		cancel()
	}
}

func TestStampsAreOfWhatAPersonEdits(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"main.go", "lib/a.go", ".git/HEAD", "node_modules/m/index.js", "report.json", ".main.go.swp"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := session.Stamps([]string{root}, []string{filepath.Join(root, "report.json")})
	if _, ok := got[filepath.Join(root, "lib/a.go")]; !ok || len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// What failed is judged first, then all; what fails now is what the next round begins
// with.
func TestRoundsBeginWithWhatFailed(t *testing.T) {
	portion.InTurn(t)
	broken, err := stand.New(stand.Config{Mode: "all", Fault: "AQL-4.6-01.unknown-params-dropped"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(broken.Handler())
	defer server.Close()
	var out, errs bytes.Buffer
	c := console.Console{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	var flags cli.Commands
	if _, err := flags.Parse([]string{"watch", "--url", server.URL + "/mcp", "--no-hints", "--phases", "none"}, c); err != nil {
		t.Fatal(err)
	}
	failed, err := flags.Watch.Round(t.Context(), nil, c, []string{"AQL-6.2-03", "AQL-4.6-01"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(failed, []string{"AQL-4.6-01"}) {
		t.Errorf("failed: %v", failed)
	}
	first, second, both := strings.Cut(out.String(), "FAILED  1 requirement")
	if !both || strings.Count(out.String(), "\nNOT CONFORMANT  to ") != 2 || !strings.Contains(first, "1 of 200 MUSTs proven") || strings.Contains(first, "counts  ") || !strings.Contains(second, "counts  ") {
		t.Errorf("no quiet run of what failed before the whole one:\n%s", out.String())
	}
}
