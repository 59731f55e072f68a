package suites

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// interrupted runs the checker, generated input included, and interrupts it when
// the k-th request goes out; 0 lets it go on. It returns how many were sent before
// the cleanup.
func interrupted(t *testing.T, a *adapter.Adapter, target wire.Target, k int) (*plan.Plan, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), 5*time.Second, 8)
	defer e.Close()
	var once sync.Once
	e.OnAsked(func(n int) {
		if n == k {
			once.Do(cancel)
		}
	})
	if err := e.Open(ctx, "main", target); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true}})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "")
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = generated.Effort{Seed: 41, Phases: generated.Phases(), Examples: 2, Time: time.Minute}
	p.Ask(ctx, e)
	return p, e.Record().Asked
}

// A run leaves nothing behind, whenever it is interrupted. A test run interrupts it at every
// ninth of the points, both transports among them.
func TestInterruptedRunsLeaveNothing(t *testing.T) {
	const points = 25
	fresh := func(t *testing.T) *adapter.Adapter {
		a, err := stand.New(stand.Config{Mode: "all"})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	whole := fresh(t)
	_, total := interrupted(t, whole, inProcess(whole), 0)
	if left := whole.Objects(); !slices.Equal(left, seeded) {
		t.Errorf("without interrupt the store holds %v, want %v", left, seeded)
	}
	var made atomic.Int64
	tried := 0
	t.Run("at", func(t *testing.T) {
		for i := range points {
			if !portion.OneOf(i, 12) {
				continue
			}
			tried++
			k := 1 + i*(total-1)/points
			t.Run(fmt.Sprint(k), func(t *testing.T) {
				t.Parallel()
				a := fresh(t)
				target := inProcess(a)
				if i%2 == 1 {
					target = overHTTP(t)(a)
				}
				p, asked := interrupted(t, a, target, k)
				if left := a.Objects(); !slices.Equal(left, seeded) || len(p.Leftovers) > 0 {
					t.Errorf("the store holds %v and %v is told, want %v and nothing", left, p.Leftovers, seeded)
				}
				if asked < k || k < total/2 && asked > total*9/10 {
					t.Errorf("%d of %d requests were sent", asked, total)
				}
				if slices.ContainsFunc(a.Calls(), func(c adapter.ToolCall) bool { return strings.HasPrefix(c.Operation, "create_") }) {
					made.Add(1)
				}
			})
		}
	})
	if n := int(made.Load()); n < tried/2 {
		t.Errorf("only %d of %d runs had made something when they were interrupted", n, tried)
	}
	t.Logf("%d requests in all, %d of %d interrupted runs had made something", total, made.Load(), tried)
}

// A meddler stands before the reference adapter. It may answer a call of an
// operation itself, keep the answer back, or let it pass with other params.
type meddler func(operation string, params map[string]any) (answer string, lost bool)

// before serves the adapter over HTTP behind a meddler.
func (m meddler) before(t *testing.T, a *adapter.Adapter) wire.Target {
	serve := a.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var call struct {
			JSONRPC string `json:"jsonrpc"`
			ID      any    `json:"id"`
			Method  string `json:"method"`
			Params  struct {
				Name      string         `json:"name"`
				Arguments map[string]any `json:"arguments"`
				Meta      map[string]any `json:"_meta,omitempty"`
			} `json:"params"`
		}
		if json.Unmarshal(body, &call) == nil && call.Method == "tools/call" && call.ID != nil {
			operation, _ := call.Params.Arguments["operation"].(string)
			params, _ := call.Params.Arguments["params"].(map[string]any)
			before := len(params)
			answer, lost := m(operation, params)
			if answer != "" {
				w.Header().Set("Content-Type", "application/json")
				text, _ := json.Marshal(answer)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%q,"result":{"content":[{"type":"text","text":%s}],"structuredContent":%s}}`, call.ID, text, answer)
				return
			}
			if len(params) != before {
				body, _ = json.Marshal(call)
			}
			if lost {
				keep := httptest.NewRecorder()
				r.Body = io.NopCloser(bytes.NewReader(body))
				serve.ServeHTTP(keep, r)
				<-r.Context().Done()
				return
			}
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		serve.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return wire.Target{URL: server.URL + "/mcp", StartTimeout: 5 * time.Second, Grace: time.Second}
}

// sweptRun runs the checker with writing checks against a meddled adapter.
func sweptRun(t *testing.T, m meddler, timeout time.Duration, may model.Permissions) (*adapter.Adapter, *plan.Plan) {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	return a, runOn(t, a, m, timeout, may)
}

func runOn(t *testing.T, a *adapter.Adapter, m meddler, timeout time.Duration, may model.Permissions) *plan.Plan {
	t.Helper()
	e := probes.NewEngine(wire.NewRecorder(), timeout, 8)
	defer e.Close()
	if err := e.Open(t.Context(), "main", m.before(t, a)); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(t.Context(), e, "main", model.Options{Nonce: "k3f9x2ab", May: may})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All(), Run: []string{"update"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	p.Ask(t.Context(), e)
	return p
}

// An open gate lets everything through: tests put into an adapter what belongs to others.
type open struct{}

func (open) Enter(context.Context, probes.Probe) (func(probes.Observation) string, string) {
	return func(probes.Observation) string { return "" }, ""
}

func (open) Again(probes.Observation) (may, writes bool) { return true, false }

// crowded is a reference adapter with so many notes of others that ours are not on
// the first page of any listing.
func crowded(t *testing.T) *adapter.Adapter {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	e := probes.NewEngine(wire.NewRecorder(), 5*time.Second, 8)
	defer e.Close()
	if err := e.Open(t.Context(), "main", inProcess(a)); err != nil {
		t.Fatal(err)
	}
	e.Guard("main", open{})
	for i := range 150 {
		foreign := map[string]any{"title": fmt.Sprint("of somebody else ", i), "folder_id": "folder_1"}
		if o := e.Ask(t.Context(), probes.Call("main", "mcp_aql_create", "create_note", foreign)); !o.Succeeded() {
			t.Fatal(o.Brief(), o.Message())
		}
	}
	return a
}

func gatedRemoval(name string) meddler {
	return func(operation string, params map[string]any) (string, bool) {
		if !strings.HasPrefix(operation, "delete_") || params["note_id"] == nil && params["folder_id"] == nil {
			return "", false
		}
		token := fmt.Sprintf("conf_%v%v", params["note_id"], params["folder_id"])
		switch {
		case params[name] == token:
			delete(params, name)
			return "", false
		case params["_confirmation"] != nil || params["confirmation_token"] != nil:
			return `{"success":false,"error":{"code":"VALIDATION_UNKNOWN_PARAM","message":"Unknown parameter."}}`, false
		}
		return `{"success":false,"error":{"code":"CONFIRMATION_REQUIRED","message":"Really?","details":{"confirmation_token":"` + token + `","expires_at":"2099-01-01T00:00:00Z"}}}`, false
	}
}

// A removal that asks for consent is given it, under either name of the token.
func TestCleanUpConfirms(t *testing.T) {
	may := model.Permissions{Create: true, Update: true, Delete: true}
	for _, name := range []string{"_confirmation", "confirmation_token"} {
		a, p := sweptRun(t, gatedRemoval(name), 5*time.Second, may)
		if left := a.Objects(); !slices.Equal(left, seeded) || len(p.Leftovers) > 0 {
			t.Errorf("%s: the store holds %v and %v is told, want %v and nothing", name, left, p.Leftovers, seeded)
		}
	}
	a, p := sweptRun(t, gatedRemoval("a password that nobody knows"), 5*time.Second, may)
	ours := len(a.Objects()) - len(seeded)
	if ours == 0 || len(p.Leftovers) < ours || !strings.HasPrefix(p.Leftovers[0].Call, "mcp_aql_delete ") {
		t.Errorf("%d objects are left, told is %v", ours, p.Leftovers)
	}
}

// What was made by a request whose answer was lost is found by its mark, on
// whichever page of a listing.
func TestSweepFindsLostObjects(t *testing.T) {
	var mu sync.Mutex
	kept := 0
	lose := func(operation string, params map[string]any) (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		switch operation {
		case "search_notes":
			return `{"success":false,"error":{"code":"PERMISSION_DENIED","message":"Searching is for others."}}`, false
		case "create_note":
		default:
			return "", false
		}
		kept++
		return "", kept == 3 || kept == 4
	}
	a := crowded(t)
	before := a.Objects()
	p := runOn(t, a, lose, time.Second, model.Permissions{Create: true, Update: true, Delete: true})
	if left := a.Objects(); kept < 4 || !slices.Equal(left, before) || len(p.Leftovers) > 0 {
		t.Errorf("after %d creations the store holds %v and %v is told, want %v and nothing", kept, left, p.Leftovers, before)
	}
}
