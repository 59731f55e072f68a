package suites

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A manner is a way to answer in which an adapter conforms, and which the reference
// adapter does not have: it rewrites the envelope that answers an operation, alone or
// in a batch.
type manner func(operation string, params, envelope map[string]any)

// before serves the adapter over HTTP with that manner.
func (m manner) before(t testing.TB) func(*adapter.Adapter) wire.Target {
	return func(a *adapter.Adapter) wire.Target {
		serve := a.Handler()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			answer := httptest.NewRecorder()
			serve.ServeHTTP(answer, r)
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			said := m.rewritten(body, answer.Body.Bytes())
			w.Header().Set("Content-Length", strconv.Itoa(len(said)))
			w.WriteHeader(answer.Code)
			_, _ = w.Write(said)
		}))
		t.Cleanup(server.Close)
		return wire.Target{URL: server.URL + "/mcp", StartTimeout: 5 * time.Second, Grace: time.Second}
	}
}

// rewritten is the answer to a call of a tool in that manner; any other stays as it is.
func (m manner) rewritten(asked, said []byte) []byte {
	type request struct {
		Operation string         `json:"operation"`
		Params    map[string]any `json:"params"`
	}
	var call struct {
		Params struct {
			Arguments struct {
				request
				Operations []request `json:"operations"`
			} `json:"arguments"`
		} `json:"params"`
	}
	var message map[string]any
	numbers := json.NewDecoder(bytes.NewReader(said))
	numbers.UseNumber()
	if json.Unmarshal(asked, &call) != nil || numbers.Decode(&message) != nil {
		return said
	}
	result, _ := message["result"].(map[string]any)
	envelope, _ := result["structuredContent"].(map[string]any)
	if envelope == nil {
		return said
	}
	m(call.Params.Arguments.Operation, call.Params.Arguments.Params, envelope)
	results, _ := envelope["results"].([]any)
	for i, entry := range call.Params.Arguments.Operations[:min(len(results), len(call.Params.Arguments.Operations))] {
		if own, _ := results[i].(map[string]any)["result"].(map[string]any); own != nil {
			m(entry.Operation, entry.Params, own)
		}
	}
	text, _ := json.Marshal(envelope)
	result["content"] = []any{map[string]any{"type": "text", "text": string(text)}}
	all, _ := json.Marshal(message)
	return all
}

// withholding answers operations as for somebody without the right to them.
func withholding(operations ...string) manner {
	return func(operation string, _, envelope map[string]any) {
		if slices.Contains(operations, operation) {
			clear(envelope)
			envelope["success"] = false
			envelope["error"] = map[string]any{"code": "PERMISSION_DENIED", "message": operation + " is for others."}
		}
	}
}

// repeatingQueries answers a search with what was looked for, and with the best match
// of all notes, however little it matches.
func repeatingQueries(operation string, params, envelope map[string]any) {
	if data, ok := envelope["data"].(map[string]any); ok && operation == "search_notes" {
		data["looked_for"] = params["query"]
		data["best_match"] = map[string]any{"note_id": "note_1"}
	}
}

// tagsOnlyIn leaves the version tag in the answers of one operation alone.
func tagsOnlyIn(only string) manner {
	return func(operation string, _, envelope map[string]any) {
		data, _ := envelope["data"].(map[string]any)
		if operation == only || data == nil || operation == "introspect" {
			return
		}
		delete(data, "_etag")
		items, _ := data["items"].([]any)
		for _, item := range items {
			if note, ok := item.(map[string]any); ok {
				delete(note, "_etag")
			}
		}
	}
}

// hidingOurs leaves what this run made out of listings.
func hidingOurs(operation string, _, envelope map[string]any) {
	data, _ := envelope["data"].(map[string]any)
	if items, ok := data["items"].([]any); ok && operation == "list_notes" {
		data["items"] = slices.DeleteFunc(items, func(item any) bool {
			text, _ := json.Marshal(item)
			return strings.Contains(string(text), "k3f9x2ab")
		})
	}
}

func inTurn(manners ...manner) manner {
	return func(operation string, params, envelope map[string]any) {
		for _, m := range manners {
			m(operation, params, envelope)
		}
	}
}

// nothingPendingIsNull answers a batch that halts at its last entry with null for the list of what is left.
func nothingPendingIsNull(_ string, _, envelope map[string]any) {
	if left, ok := envelope["pending_operations"].([]any); ok && len(left) == 0 {
		envelope["pending_operations"] = nil
	}
}

// doneAndRefused answers an update that was carried out with a failure: no sign of where its identifier is looked for.
func doneAndRefused(operation string, _, envelope map[string]any) {
	if operation == "update_note" && envelope["success"] == true {
		delete(envelope, "data")
		envelope["success"], envelope["error"] = false, map[string]any{"code": "CONFLICT_LOCKED", "message": "The note is locked"}
	}
}

// Who answers in a way that the specification leaves free is not accused, and what
// cannot be told from such answers is not proven.
func TestOddAnswersAreJudgedFairly(t *testing.T) {
	for name, c := range map[string]struct {
		features string
		manner   manner
		run      string
		want     reports.Verdict // of every finding; empty where none is a FAIL or WARN
	}{
		"queries repeated":              {"", repeatingQueries, "AQL-4.6-07 OPS-5.1-02 AQL-6.2-04 AQL-6.2-06 OPS-7.3-01", ""},
		"tags seen in a listing":        {"usual,etag", inTurn(withholding("get_note", "search_notes"), tagsOnlyIn("list_notes")), "AQL-9.3.2-03 AQL-9.3.2-04 AQL-9.3.2-05 AQL-9.3.3-02", reports.NotProven}, // what cannot be read is not made,
		"no tag in a listing":           {"usual,etag", inTurn(withholding("get_note"), tagsOnlyIn("get_note")), "AQL-9.3.3-02", reports.NotProven},
		"updates done and refused":      {"", doneAndRefused, "AQL-4.5-03", reports.NotProven},
		"nothing pending is null":       {"all", nothingPendingIsNull, "OPS-7.5.2-05", reports.Pass},
		"a listing that never shows us": {"", inTurn(withholding("get_note", "search_notes"), hidingOurs), "OPS-4.4.1-10", reports.NotProven},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hints := hintsFor(t, seam.Fault{Features: c.features})
			r := judgedAs(t, stand.Config{Mode: "all", Features: c.features}, c.manner.before(t), plan.Selection{Checks: All(), Run: strings.Fields(c.run)}, hints)
			judged := 0
			for _, f := range r.Findings {
				if !slices.Contains(strings.Fields(c.run), f.Requirement) {
					continue
				}
				if f.Verdict == reports.Fail || f.Verdict == reports.Warn || c.want != "" && f.Verdict != c.want {
					t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
				}
				judged++
			}
			if judged == 0 {
				t.Error("nothing was judged")
			}
			if left := r.adapter.Objects(); !slices.Equal(left, seeded) {
				t.Errorf("the store holds %v, want %v", left, seeded)
			}
		})
	}
}
