package suites

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// rarely is of how many calls one meets trouble.
const rarely = 43

// inTrouble serves an adapter over HTTP behind a proxy that answers one call in so many by itself.
func inTrouble(t *testing.T, answer func(w http.ResponseWriter, id []byte)) func(*adapter.Adapter) wire.Target {
	var calls atomic.Int32
	return func(a *adapter.Adapter) wire.Target {
		serve := a.Handler()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if bytes.Contains(body, []byte(`"tools/call"`)) && calls.Add(1)%rarely == 0 {
				answer(w, []byte(asJSON(fromJSON(string(body))["id"])))
				return
			}
			serve.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		return wire.Target{URL: server.URL + "/mcp", StartTimeout: 5 * time.Second, Grace: time.Second}
	}
}

// What stands before an adapter may fail for a moment. The adapter is not accused of it, the
// report says that it was flaky, and nothing is claimed.
func TestPassingTroubleIsFlaky(t *testing.T) {
	long(t)
	for name, answer := range map[string]func(w http.ResponseWriter, id []byte){
		"status 500": func(w http.ResponseWriter, _ []byte) { w.WriteHeader(http.StatusInternalServerError) },
		"status 503": func(w http.ResponseWriter, _ []byte) { w.WriteHeader(http.StatusServiceUnavailable) },
		"JSON-RPC error -32000": func(w http.ResponseWriter, id []byte) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(id) + `,"error":{"code":-32000,"message":"The upstream is away"}}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judgedAs(t, adapter.Config{Mode: "all"}, inTrouble(t, answer), plan.Selection{Checks: All()}, hintsFor(t, adapter.Fault{}))
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
