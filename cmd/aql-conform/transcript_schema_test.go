package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// transcriptSchema compiles the published schema by itself, with format asserted.
func transcriptSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, "../../schemas/transcript-v2.schema.json")))
	if err != nil {
		t.Fatal(err)
	}
	const id = "https://github.com/aql-conform/aql-conform/raw/main/schemas/transcript-v2.schema.json"
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// linesOf returns the lines of a transcript, packed or not.
func linesOf(t *testing.T, path string) []string {
	t.Helper()
	raw := []byte(read(t, path))
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if raw, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
}

// serveUntil serves a reference adapter and ends the context at the n-th request; never
// where n is 0.
func serveUntil(t *testing.T, fault string, n int64) (url string, ctx context.Context) {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all", Fault: fault})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	handler := a.Handler()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == n {
			cancel()
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { cancel(); server.CloseClientConnections(); server.Close() })
	return server.URL + "/mcp", ctx
}

// Whatever a run writes down is in the published form: of a healthy adapter, one that
// sends bytes that are no text, one that says what nobody asked for, several runs, a run
// that was interrupted and one with nobody at the other end.
func TestTranscriptsFitTheirSchema(t *testing.T) {
	portion.Long(t)
	schema, folder := transcriptSchema(t), t.TempDir()
	seen := map[string]int{}
	coded := false
	for name, run := range map[string]struct {
		fault string
		until int64
		code  int
		flags []string
	}{
		"healthy.ndjson.gz":     {code: 5, flags: []string{"--cmd", "refadapter --mode all", "--max-writes", "500", "--phases", "examples", "--run", "AQL-4.*", "--run", "MCP-*"}},
		"several.ndjson":        {code: 5, flags: []string{"--repeat", "2", "--run", "AQL-4.6-01", "--subject", "get_note"}},
		"bytes.ndjson":          {fault: "AQL-4.7.1-03.bad-continuation-accepted", code: 1, flags: []string{"--run", "AQL-4.7.1-*"}},
		"interrupted.ndjson.gz": {until: 150, code: 130},
	} {
		url, ctx := serveUntil(t, run.fault, run.until)
		path := filepath.Join(folder, name)
		var out bytes.Buffer
		args := append([]string{"--seed", "7", "--no-hints", "--transcript", path}, run.flags...)
		if run.flags == nil || run.flags[0] != "--cmd" {
			args = append(args, "--url", url)
		}
		if code := obeyedIn(ctx, &out, args...); code != run.code {
			t.Errorf("%s: the run ended with %d, want %d: %.600s", name, code, run.code, out.String())
		}
		for _, l := range linesOf(t, path) {
			doc := fitting(t, schema, l)
			seen[doc.(map[string]any)["entry"].(map[string]any)["kind"].(string)]++
			coded = coded || strings.Contains(l, `{"base64":`)
		}
	}
	for _, kind := range []string{"head", "plan", "hello", "answer", "rest", "event", "again", "foot"} {
		if seen[kind] == 0 {
			t.Errorf("no line of kind %s was tried", kind)
		}
	}
	if !coded {
		t.Error("no bytes that are no text were tried")
	}
}

// fitting is a line of a transcript, which has to fit the schema.
func fitting(t *testing.T, schema *jsonschema.Schema, line string) any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err == nil {
		err = schema.Validate(doc)
	}
	if err != nil {
		t.Fatalf("%v\n%.600s", err, line)
	}
	return doc
}

func obeyedIn(ctx context.Context, out io.Writer, args ...string) int {
	return run(ctx, args, strings.NewReader(""), out, out)
}

// A line of another kind, with a member too many, one too few or a word that nobody
// knows is no line of a transcript.
func TestTranscriptSchemaRefuses(t *testing.T) {
	schema := transcriptSchema(t)
	path := filepath.Join(t.TempDir(), "run.ndjson")
	if code, said := obeyed("--cmd", "refadapter --mode all", "--seed", "7", "--no-hints", "--run", "AQL-4.6-01", "--transcript", path); code != 5 {
		t.Fatalf("the run ended with %d: %s", code, said)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	first := map[string]string{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		for _, kind := range []string{"head", "plan", "hello", "answer", "event", "foot"} {
			if l := lines.Text(); strings.Contains(l, `"entry":{"kind":"`+kind+`"`) {
				first[kind] = l
			}
		}
	}
	for name, edit := range map[string]struct{ kind, pattern, with string }{
		"unknown kind":        {"answer", `"kind":"answer"`, `"kind":"gossip"`},
		"two contents":        {"answer", `"kind":"answer"`, `"kind":"answer","again":{"run":2}`},
		"content of another":  {"answer", `"kind":"answer"`, `"kind":"hello"`},
		"no content":          {"plan", `,"plan":.*`, `}}`},
		"no link":             {"plan", `"link":"[^"]*",`, ``},
		"a link that is none": {"plan", `"link":".`, `"link":"g`},
		"a member too many":   {"answer", `"conn":`, `"verdict":"PASS","conn":`},
		"an unknown class":    {"answer", `"class":"answered"`, `"class":"fine"`},
		"an unknown way":      {"answer", `"dir":"sent"`, `"dir":"up"`},
		"a time that is text": {"answer", `"at":\d+`, `"at":"now"`},
		"another version":     {"head", `"transcriptVersion":2`, `"transcriptVersion":1`},
		"no seed":             {"head", `"seed":\d+`, `"sed":1`},
		"a level of its own":  {"foot", `"level":1`, `"level":0`},
		"an unknown code":     {"foot", `"exitCode":5`, `"exitCode":3`},
		"a claim beside":      {"foot", `"planned":`, `"certified":true,"planned":`},
		"an event that went":  {"event", `"dir":"event"`, `"dir":"sent"`},
		"a run before both":   {"answer", `"kind":"answer","answer":.*`, `"kind":"again","again":{"run":1}}}`},
	} {
		line := first[edit.kind]
		changed := swap(edit.pattern, edit.with)(line)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(changed))
		if err != nil || changed == line {
			t.Errorf("%s: the edit is none: %v", name, err)
		} else if schema.Validate(doc) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
