package suites

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// rarely is of how many calls one meets trouble.
const rarely = 43

// behind serves an adapter over HTTP behind a proxy that answers some calls of tools by itself.
func behind(t *testing.T, answers func(w http.ResponseWriter, call map[string]any) bool) func(*adapter.Adapter) wire.Target {
	return func(a *adapter.Adapter) wire.Target {
		serve := a.Handler()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if call := fromJSON(string(body)); call["method"] != "tools/call" || !answers(w, call) {
				serve.ServeHTTP(w, r)
			}
		}))
		t.Cleanup(server.Close)
		return wire.Target{URL: server.URL + "/mcp", StartTimeout: 5 * time.Second, Grace: time.Second}
	}
}

// rpcError answers a call with an error of JSON-RPC.
func rpcError(w http.ResponseWriter, call map[string]any, code int) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(asJSON(map[string]any{"jsonrpc": "2.0", "id": call["id"], "error": map[string]any{"code": code, "message": "Not taken"}})))
}

// Appendix D has the schema of a tool demand operation. An SDK then refuses a call without it, and
// the adapter is not blamed for either.
func TestSchemaThatDemandsOperationIsNoTrap(t *testing.T) {
	strict := func(w http.ResponseWriter, call map[string]any) bool {
		arguments, _ := objectAt(call, "params", "arguments")
		if arguments["operation"] != nil {
			return false
		}
		rpcError(w, call, -32602)
		return true
	}
	r := judgedAs(t, stand.Config{Mode: "all"}, behind(t, strict), plan.Selection{Checks: All(), Run: strings.Fields("AQL-4.1-01 AQL-4.1-02 AQL-D-01")}, hintsFor(t, seam.Fault{}))
	passed := map[string]bool{}
	for _, f := range r.Findings {
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
		}
		passed[f.Requirement] = passed[f.Requirement] || f.Verdict == reports.Pass
	}
	for _, id := range []string{"AQL-4.1-01", "AQL-D-01"} {
		if !passed[id] {
			t.Errorf("%s does not pass", id)
		}
	}
}

// What stands before an adapter may fail for a moment. The adapter is not accused of it, the
// report says that it was flaky, and nothing is claimed.
func TestPassingTroubleIsFlaky(t *testing.T) {
	portion.Long(t)
	troubles := map[string]func(w http.ResponseWriter, call map[string]any){
		"status 500":            func(w http.ResponseWriter, _ map[string]any) { w.WriteHeader(http.StatusInternalServerError) },
		"status 503":            func(w http.ResponseWriter, _ map[string]any) { w.WriteHeader(http.StatusServiceUnavailable) },
		"JSON-RPC error -32000": func(w http.ResponseWriter, call map[string]any) { rpcError(w, call, -32000) },
	}
	for i, name := range slices.Sorted(maps.Keys(troubles)) {
		if !portion.OneOf(i, 3) {
			continue
		}
		answer := troubles[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			rare := func(w http.ResponseWriter, call map[string]any) bool {
				if calls.Add(1)%rarely != 0 {
					return false
				}
				answer(w, call)
				return true
			}
			r := judgedAs(t, stand.Config{Mode: "all"}, behind(t, rare), plan.Selection{Checks: All()}, hintsFor(t, seam.Fault{}))
			for _, f := range r.Findings {
				if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
					t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
				}
			}
			if n, _ := plan.Flaky(r.Record); n == 0 {
				t.Error("nothing is said to be flaky")
			}
		})
	}
}
