package stand

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// setting is one way to expose the adapter; tools maps what a request needs to
// the tool that takes it.
type setting struct {
	mode, profile string
	tools         map[string]string
}

var crude = map[string]string{"INTRO": "mcp_aql_read", "READ": "mcp_aql_read", "CREATE": "mcp_aql_create",
	"UPDATE": "mcp_aql_update", "DELETE": "mcp_aql_delete", "EXECUTE": "mcp_aql_execute"}

var alternative = map[string]string{"INTRO": "mcp_aql_discover", "READ": "mcp_aql_query", "CREATE": "mcp_aql_manage",
	"UPDATE": "mcp_aql_manage", "DELETE": "mcp_aql_manage", "EXECUTE": "mcp_aql_operate"}

func single() map[string]string {
	tools := map[string]string{}
	for need := range crude {
		tools[need] = "mcp_aql"
	}
	return tools
}

var settings = []setting{
	{"semantic", "crude", crude},
	{"semantic", "alternative", alternative},
	{"single", "crude", single()},
	{"all", "crude", crude},
	{"all", "alternative", single()},
}

// messages turns a script into JSON-RPC lines. "FRAME text" is sent as it is,
// "NEED arguments" and "tool arguments" become tools/call, and any other line is
// "method params".
func (s setting) messages(script []string) string {
	var out strings.Builder
	line := func(method string, params any) {
		fmt.Fprintf(&out, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", out.Len()+1, method, params)
	}
	line("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	out.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	for _, step := range script {
		need, rest, _ := strings.Cut(step, " ")
		if tool, ok := s.tools[need]; ok {
			line("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, rest))
		} else if need == "FRAME" {
			out.WriteString(rest + "\n")
		} else if strings.HasPrefix(need, "mcp_aql") {
			line("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, need, rest))
		} else {
			line(need, rest)
		}
	}
	return out.String()
}

// talk runs one stdio session and returns the answers, one per line.
func talk(t *testing.T, a *adapter.Adapter, messages string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	if err := a.Serve(ctx, strings.NewReader(messages), &out); errors.Is(err, adapter.ErrFatal) {
		out.WriteString("ended\n")
	} else if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// post runs the same messages through one HTTP session.
func post(t *testing.T, a *adapter.Adapter, messages string) []string {
	t.Helper()
	handler, session := a.Handler(), ""
	var out []string
	for line := range strings.Lines(messages) {
		request := httptest.NewRequest("POST", "http://localhost/mcp", strings.NewReader(line))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			request.Header.Set("Mcp-Session-Id", session)
			request.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		}
		reply := httptest.NewRecorder()
		if aborted(handler, reply, request) {
			return append(out, "ended")
		}
		if id := reply.Header().Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		if body := strings.TrimSpace(reply.Body.String()); body != "" {
			out = append(out, body)
		}
	}
	end := httptest.NewRequest("DELETE", "http://localhost/mcp", nil)
	end.Header.Set("Mcp-Session-Id", session)
	handler.ServeHTTP(httptest.NewRecorder(), end)
	return out
}

// aborted reports whether the handler broke the connection.
func aborted(handler http.Handler, w http.ResponseWriter, r *http.Request) (broken bool) {
	defer func() { broken = recover() == http.ErrAbortHandler }()
	handler.ServeHTTP(w, r)
	return false
}

// envelopeOf reads the envelope of a tools/call answer, and fails unless text and
// structured content agree.
func envelopeOf(t *testing.T, line string) map[string]any {
	t.Helper()
	var answer struct {
		Result struct {
			Content []struct{ Text string }
			Struct  json.RawMessage `json:"structuredContent"`
			IsError bool            `json:"isError"`
		}
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil || len(answer.Result.Content) != 1 {
		t.Fatalf("no tool result: %s", line)
	}
	var e map[string]any
	if err := json.Unmarshal([]byte(answer.Result.Content[0].Text), &e); err != nil {
		t.Fatalf("no envelope: %s", line)
	}
	if string(answer.Result.Struct) != answer.Result.Content[0].Text {
		t.Errorf("text and structured content differ: %s", line)
	}
	if answer.Result.IsError == (e["success"] == true) {
		t.Errorf("isError contradicts success: %s", line)
	}
	return e
}
