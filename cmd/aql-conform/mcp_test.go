package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aql-conform/aql-conform/fixtures/portion"
)

// served starts the checker as an MCP server and returns a session with it. What the server says of
// progress goes to the function.
func served(t *testing.T, progress func(*mcp.ProgressNotificationParams), flags ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(built(t, "../aql-conform"), append([]string{"mcp"}, flags...)...)
	cmd.Dir, cmd.Stderr = t.TempDir(), io.Discard
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
		progress(req.Params)
	}})
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// ownAdapter is a copy of the reference adapter, so that its processes are told from all others.
func ownAdapter(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("refadapter")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "adapter"+filepath.Ext(program))
	raw, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, raw, 0o755); err != nil {
		t.Fatal(err)
	}
	return copied
}

// callTool calls a tool and returns its text, and its exit code or -1.
func callTool(t *testing.T, s *mcp.ClientSession, tool string, arguments map[string]any) (string, int) {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken(fmt.Sprint(time.Now().UnixNano()))
	result, err := s.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	code := -1
	if out, ok := result.StructuredContent.(map[string]any); ok {
		code = int(out["exitCode"].(float64))
	}
	return result.Content[0].(*mcp.TextContent).Text, code
}

func TestMCPTools(t *testing.T) {
	portion.InTurn(t)
	var mu sync.Mutex
	told, last := 0, map[any]float64{} // by the call
	adapter := ownAdapter(t)
	s := served(t, func(p *mcp.ProgressNotificationParams) {
		mu.Lock()
		defer mu.Unlock()
		if before, again := last[p.ProgressToken]; again && p.Progress <= before || p.Message == "" {
			t.Errorf("progress %v %q after %v", p.Progress, p.Message, before)
		}
		last[p.ProgressToken] = p.Progress
		told++
	})
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "check doctor explain replay requirements" {
		t.Errorf("tools %s", got)
	}
	target := map[string]any{"command": adapter + " --mode all"}
	for _, step := range []struct {
		tool      string
		arguments map[string]any
		want      string
		code      int
	}{
		{"doctor", target, "no problem found", 0},
		{"explain", map[string]any{"id": "AQL-4.6-01"}, "unknown parameter", 0},
		{"requirements", map[string]any{"area": "parameters"}, "AQL-4.6-01", 0},
		{"requirements", map[string]any{"area": "nowhere"}, "--area", 3},
		{"explain", map[string]any{"id": "--help"}, "want the id of a requirement", -1},
		{"check", map[string]any{}, "give command or url", -1},
		{"check", map[string]any{"command": adapter, "run": []string{"@/etc/passwd"}}, "not a file", -1},
		{"check", map[string]any{"command": adapter, "run": []string{"AQL-0-0?"}, "allow": []string{"delete"}}, "allow", -1},
		{"check", map[string]any{"command": "true; touch x"}, "position", 3},
		{"replay", map[string]any{"command": adapter, "replay": "--allow=delete"}, "v1:", -1},
		{"check", map[string]any{"command": adapter + " --mode all --fault AQL-4.6-01", "run": []string{"AQL-4.6-01"}, "seed": 7}, "### FAIL AQL-4.6-01", 1},
	} {
		text, code := callTool(t, s, step.tool, step.arguments)
		if code != step.code || !strings.Contains(text, step.want) {
			t.Errorf("%s %v: exit code %d, want %d with %q, in\n%s", step.tool, step.arguments, code, step.code, step.want, text)
		}
	}
	broken := map[string]any{"command": adapter + " --mode all --fault AQL-4.6-01", "run": []string{"AQL-4.6-01"}}
	text, _ := callTool(t, s, "check", broken)
	delete(broken, "run")
	broken["replay"] = regexp.MustCompile(`v1:[\w-]+`).FindString(text)
	if text, code := callTool(t, s, "replay", broken); code != 1 || !strings.Contains(text, "### FAIL AQL-4.6-01") {
		t.Errorf("replay: exit code %d:\n%s", code, text)
	}
	mu.Lock()
	told = 0
	mu.Unlock()
	began := time.Now()
	if text, code := callTool(t, s, "check", target); code != 0 || !strings.HasPrefix(text, "# CONFORMANT ") {
		t.Errorf("exit code %d:\n%s", code, text)
	}
	mu.Lock()
	defer mu.Unlock()
	if told < 1 {
		t.Errorf("no progress in %v", time.Since(began))
	}
	if left := remaining("", adapter); len(left) > 0 {
		t.Errorf("left running: %q", left)
	}
}

// What a client cancels or leaves ends, and so does the adapter; the server answers on.
func TestMCPCancellation(t *testing.T) {
	portion.InTurn(t)
	adapter := ownAdapter(t)
	begun := make(chan bool, 100)
	s := served(t, func(*mcp.ProgressNotificationParams) { begun <- true })
	params := &mcp.CallToolParams{Name: "check", Arguments: map[string]any{"command": adapter + " --mode all"}}
	params.SetProgressToken(1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if result, err := s.CallTool(ctx, params); err == nil {
		t.Errorf("the check ran to its end: %v", result.Content)
	}
	if left := remaining("", adapter); len(left) > 0 {
		t.Errorf("the cancelled run goes on: %q", left)
	}
	if text, code := callTool(t, s, "explain", map[string]any{"id": "AQL-4.6-01"}); code != 0 {
		t.Errorf("after it: %s", text)
	}

	go s.CallTool(t.Context(), params)
	for len(begun) > 0 {
		<-begun
	}
	<-begun
	began := time.Now()
	if err := s.Close(); err != nil { // it waits, then it kills
		t.Errorf("the server did not end by itself: %v after %v", err, time.Since(began))
	}
	if left := remaining("", adapter); len(left) > 0 {
		t.Errorf("the run goes on without its client: %q", left)
	}
}

// The operator's adapter is the only one where the operator has named one, and a grant needs one.
func TestMCPTarget(t *testing.T) {
	portion.InTurn(t)
	s := served(t, func(*mcp.ProgressNotificationParams) {}, "--read-only", "--cmd", ownAdapter(t)+" --mode all")
	if text, _ := callTool(t, s, "doctor", map[string]any{"command": "other"}); !strings.Contains(text, "leave command, url and cwd out") {
		t.Errorf("another adapter: %s", text)
	}
	if text, code := callTool(t, s, "check", map[string]any{"run": []string{"AQL-4.6-0?"}}); code == 3 || !strings.Contains(text, "- exit code: ") {
		t.Errorf("exit code %d: %s", code, text)
	}
	for _, flags := range []string{"--allow delete", "-e KEY=secret", "--header Key:secret", "--also-cmd x"} {
		var errs strings.Builder
		args := append([]string{"mcp"}, strings.Fields(flags)...)
		if code := run(t.Context(), args, strings.NewReader(""), io.Discard, &errs); code != 3 || !strings.Contains(errs.String(), "need an adapter on the command line") {
			t.Errorf("%s: exit code %d, %s", flags, code, fmt.Sprint(&errs))
		}
	}
}
