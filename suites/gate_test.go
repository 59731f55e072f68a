package suites

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/mutation"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A tap keeps all that arrived at an adapter, byte for byte.
type tap struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (t *tap) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all.Write(b)
}

// writes counts the operations of the reference adapter that were named in what
// arrived and are listed under another category than READ.
func (t *tap) writes() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return writing.FindAllString(t.all.String(), -1)
}

var writing = regexp.MustCompile(`"operation":\s*"(create|update|delete|execute|cancel)_\w+"`)

// tapped serves a reference adapter over a pipe or over HTTP behind a tap.
func tapped(t *testing.T, transport string, a *adapter.Adapter, arrived *tap) wire.Target {
	if transport == "http" {
		serve := a.Handler()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = io.NopCloser(io.TeeReader(r.Body, arrived))
			serve.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		return wire.Target{URL: server.URL + "/mcp", StartTimeout: 5 * time.Second, Grace: time.Second}
	}
	return wire.Target{
		Pipe: func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
			fromUs, toAdapter := io.Pipe()
			fromAdapter, toUs := io.Pipe()
			go func() {
				toUs.CloseWithError(a.Serve(ctx, io.TeeReader(fromUs, arrived), toUs))
				fromUs.Close()
			}()
			return toAdapter, fromAdapter, nil
		},
		StartTimeout: 5 * time.Second, Grace: time.Second,
	}
}

// permitted runs the checker, generated input included, with the permissions given.
func permitted(t *testing.T, transport string, may model.Permissions) (run, *tap) {
	t.Helper()
	return permittedTo(t, transport, may, generated.Effort{Seed: 41, Phases: generated.Phases(), Examples: 2, Time: time.Minute})
}

func permittedTo(t *testing.T, transport string, may model.Permissions, effort generated.Effort) (run, *tap) {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), 5*time.Second, 8)
	defer e.Close()
	arrived := &tap{}
	if err := e.Open(ctx, "main", tapped(t, transport, a, arrived)); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: may})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "")
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = effort
	p.Ask(ctx, e)
	record := e.Record()
	return run{a, mutation.Attempt{Plan: p, Adapters: p.Adapters, Findings: p.Judge(record), Record: record}}, arrived
}

// What reads only must not write by mistake either: no request that names a
// writing operation arrives, not even one that the adapter would have refused.
func TestReadOnlySendsNoWrite(t *testing.T) {
	portion.Long(t)
	for _, transport := range []string{"stdio", "http"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			r, arrived := permitted(t, transport, model.Permissions{ReadOnly: true})
			if got := arrived.writes(); len(got) > 0 {
				t.Errorf("%d writes arrived: %.300v", len(got), got)
			}
			if left := r.adapter.Objects(); !slices.Equal(left, seeded) {
				t.Errorf("the store holds %v, want %v", left, seeded)
			}
			if len(r.adapter.Calls()) < 500 {
				t.Errorf("only %d calls arrived", len(r.adapter.Calls()))
			}
			if got := r.Accused(); len(got) > 0 {
				t.Errorf("accused of %v\n%s", got, r.trace())
			}
			r.namesPermission(t, "create_note", "permission to create")
			r.namesPermission(t, "delete_note", "permission to delete")
		})
	}
}

// Nor is a script that writes sent again where only reading is allowed.
func TestReadOnlyPlaysNoWrite(t *testing.T) {
	portion.InTurn(t)
	script := &model.Script{Conn: "main", Steps: []model.Step{{Operation: "create_folder", Params: map[string]any{"name": "a{mark}"}, MadeBy: model.NoObject}}}
	for _, may := range []model.Permissions{{ReadOnly: true}, {Create: true, Delete: true}} {
		_, arrived := permittedTo(t, "stdio", may, generated.Effort{Seed: 41, Script: script, Time: time.Minute})
		if got := arrived.writes(); (len(got) > 0) == may.ReadOnly {
			t.Errorf("%+v: %d writes arrived", may, len(got))
		}
	}
}

// namesPermission wants a finding about the operation to be NOT-PROVEN for want of
// the permission, and none that passes on what was never asked.
func (r run) namesPermission(t *testing.T, operation, permission string) {
	t.Helper()
	if !slices.ContainsFunc(r.Findings, func(f reports.Finding) bool {
		return f.Subject == operation && f.Verdict == reports.NotProven && strings.Contains(f.Got, permission)
	}) {
		t.Errorf("no finding on %s says that %q is missing", operation, permission)
	}
	for _, f := range r.Findings {
		if f.Verdict == reports.Pass && slices.ContainsFunc(f.Evidence, func(x reports.Exchange) bool { return len(x.Sent) == 0 && x.Outcome == "unasked" }) {
			t.Errorf("%s passes on %s with a question that was never asked", f.Requirement, f.Subject)
		}
	}
}

// No more writes arrive than were granted, but for the removal of what they made.
func TestWriteLimit(t *testing.T) {
	portion.InTurn(t)
	for _, most := range []int{1, 20} {
		r, arrived := permitted(t, "stdio", model.Permissions{Create: true, Update: true, Delete: true, Limit: model.NewWriteLimit(most, "--max-writes")})
		removals := 0
		for o := range r.Record.All() {
			if o.Probe.Number < 0 && strings.HasPrefix(o.Probe.Operation(), "delete_") && o.Outcome != probes.Unasked {
				removals++
			}
		}
		if got := len(arrived.writes()) - removals; got != most {
			t.Errorf("%d writes arrived beside %d removals, want %d", got, removals, most)
		}
		if left := r.adapter.Objects(); !slices.Equal(left, seeded) || removals == 0 {
			t.Errorf("the store holds %v after %d removals, want %v", left, removals, seeded)
		}
		if got := r.Accused(); len(got) > 0 {
			t.Errorf("accused of %v\n%s", got, r.trace())
		}
		if !slices.ContainsFunc(r.Findings, func(f reports.Finding) bool {
			return f.Verdict == reports.NotProven && strings.Contains(f.Got, "the limit of --max-writes")
		}) {
			t.Error("no finding says that the limit was reached")
		}
	}
}
