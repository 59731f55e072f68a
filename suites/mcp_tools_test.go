package suites

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A script answers probes with literal results, by method and cursor; an answer
// that begins with "error" stands for a JSON-RPC error with that code.
type script map[string]string

func (s script) Ask(_ context.Context, p probes.Probe) probes.Observation {
	sent := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, p.Method, orEmpty(p.Raw()))
	params, _ := probes.ParseValue(p.Raw())
	key := p.Method
	if cursor := params.At("cursor"); cursor.Is(probes.String) {
		key += " " + cursor.Text()
	} else if params.Has("_meta") {
		key += " _meta"
	}
	if _, label, extra := strings.Cut(p.Conn, "/"); extra && s[key+" on "+label] != "" {
		key += " on " + label
	}
	if again := fmt.Sprintf("%s take %d", key, p.Number); s[again] != "" {
		key = again
	}
	answer, known := s[key]
	reply := wire.Reply{Class: wire.Answered, Sent: wire.Frame{Seq: 1, Dir: wire.Sent, Data: []byte(sent)}}
	switch code, refused := strings.CutPrefix(answer, "error "); {
	case !known && p.Method == "tools/list" && params.Has("_meta"):
		return s.Ask(context.Background(), probes.Request(p.Conn, p.Method, map[string]any{}))
	case !known:
		reply.Received.Data = []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}`)
	case refused:
		reply.Received.Data = []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"refused"}}`)
	default:
		reply.Received.Data = []byte(`{"jsonrpc":"2.0","id":1,"result":` + answer + `}`)
	}
	return probes.Classify(p, reply)
}

func orEmpty(raw []byte) string {
	if raw == nil {
		return "{}"
	}
	return string(raw)
}

// verdicts runs the checks of one requirement against a scripted server and
// returns the worst verdict.
func verdicts(t *testing.T, id string, s script) (reports.Verdict, []reports.Finding) {
	t.Helper()
	if s["initialize"] == "" {
		s["initialize"] = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`
	}
	f := model.NewAdapter(t.Context(), s, "main", model.Options{Nonce: "k3f9x2ab"})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All(), Run: []string{id}}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Cases {
		c.Ask(t.Context(), s)
	}
	var rs []ruling.Ruling
	var found []reports.Finding
	for _, finding := range p.Judge(probes.Record{}) {
		if finding.Verdict != reports.Skipped {
			rs, found = append(rs, ruling.Ruling{Verdict: finding.Verdict}), append(found, finding)
		}
	}
	return ruling.Worst(rs...).Verdict, found
}

// tool is one entry of tools/list with members added or replaced.
func tool(members string) string {
	return `{"name":"help","description":"explains the notes","inputSchema":{"type":"object"}` + members + `}`
}

func tools(entries ...string) string { return `{"tools":[` + strings.Join(entries, ",") + `]}` }

func page(next string, entries ...string) string {
	return `{"tools":[` + strings.Join(entries, ",") + `],"nextCursor":` + next + `}`
}

func TestToolRows(t *testing.T) {
	named := func(name string) string { return strings.Replace(tool(""), "help", name, 1) }
	schema := func(s string) string { return `{"name":"help","inputSchema":` + s + `}` }
	for _, c := range []struct {
		id   string
		why  string
		list string
		want reports.Verdict
	}{
		{"MCP-TOOL-01", "a title is no name", tools(`{"title":"Help","inputSchema":{"type":"object"}}`), reports.Fail},
		{"MCP-TOOL-01", "null is no name", tools(`{"name":null}`), reports.Fail},
		{"MCP-TOOL-02", "letter case alone", tools(named("help"), named("Help")), reports.Warn},
		{"MCP-TOOL-02", "the same entry twice on one page", tools(named("help"), named("help")), reports.Fail},
		{"MCP-NAME-01", "slash and dot are in the union", tools(named("admin/tools.list")), reports.Pass},
		{"MCP-NAME-01", "129 characters", tools(named(strings.Repeat("a", 129))), reports.Warn},
		{"MCP-NAME-02", "an unportable name is not blamed twice", tools(named("no te")), reports.NotProven},
		{"MCP-TOOL-03", "null filler", tools(tool(`,"title":null`)), reports.Warn},
		{"MCP-TOOL-03", "empty", tools(tool(`,"title":""`)), reports.Warn},
		{"MCP-TOOL-05", "prefixes of other companies", tools(tool(`,"_meta":{"com.example/a_b.c":1,"openai/outputTemplate":"x","ui":{}}`)), reports.Pass},
		{"MCP-TOOL-05", "leading underscore", tools(tool(`,"_meta":{"_fastmcp":{}}`)), reports.Warn},
		{"MCP-TOOL-05", "reserved second label", tools(tool(`,"_meta":{"dev.mcp/x":1}`)), reports.Warn},
		{"MCP-TOOL-05", "mcp as third label is free since 2025-11-25", tools(tool(`,"_meta":{"com.example.mcp/x":1}`)), reports.Pass},
		{"MCP-SCHEMA-02", "a list of types", tools(schema(`{"type":["object"]}`)), reports.Fail},
		{"MCP-SCHEMA-02", "charged to SCHEMA-01", tools(schema(`null`)), reports.NotProven},
		{"MCP-SCHEMA-03", "an array root in an older era", tools(tool(`,"outputSchema":{"type":"array"}`)), reports.Warn},
		{"MCP-SCHEMA-03", "none", tools(tool("")), reports.NotProven}, // no introspection in this script
		{"MCP-SCHEMA-04", "unknown keywords and formats", tools(schema(`{"type":"object","x-y":1,"properties":{"a":{"type":"string","format":"nope"}}}`)), reports.Pass},
		{"MCP-SCHEMA-04", "draft-07 undeclared", tools(schema(`{"type":"object","properties":{"a":{"items":[{"type":"string"}]}}}`)), reports.Warn},
		{"MCP-SCHEMA-04", "draft-07 declared", tools(schema(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":[{}]}}}`)), reports.Pass},
		{"MCP-SCHEMA-04", "foreign dialect", tools(schema(`{"$schema":"https://example.com/dialect","type":"object"}`)), reports.Warn},
		{"MCP-SCHEMA-04", "dangling is not invalid", tools(schema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}}`)), reports.NotProven},
		{"MCP-SCHEMA-05", "network", tools(schema(`{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}`)), reports.Warn},
		{"MCP-SCHEMA-05", "bundled", tools(schema(`{"type":"object","properties":{"a":{"$ref":"https://e.com/a"}},"$defs":{"a":{"$id":"https://e.com/a","type":"string"}}}`)), reports.Pass},
		{"MCP-SCHEMA-05", "data named $ref", tools(schema(`{"type":"object","properties":{"$ref":{"default":{"$ref":"#/x"}}}}`)), reports.NotProven},
		{"MCP-SCHEMA-06", "defined beside", tools(schema(`{"type":"object","required":["a"],"allOf":[{"properties":{"a":{}}}]}`)), reports.Pass},
		{"MCP-SCHEMA-06", "behind a reference", tools(schema(`{"type":"object","required":["a"],"$ref":"#/$defs/A","$defs":{"A":{"properties":{"a":{}}}}}`)), reports.Pass},
		{"MCP-SCHEMA-06", "undefined beside anyOf", tools(schema(`{"type":"object","required":["a"],"anyOf":[{"required":["b"]}]}`)), reports.Warn},
		{"MCP-SCHEMA-06", "invalid is charged to SCHEMA-04", tools(schema(`{"type":"object","required":"a"}`)), reports.NotProven},
		{"MCP-ANNOT-01", "null hint", tools(tool(`,"annotations":{"readOnlyHint":null}`)), reports.Warn},
		{"MCP-ANNOT-01", "hints of later revisions", tools(tool(`,"annotations":{"readOnlyHint":true,"newHint":3}`)), reports.Pass},
		{"MCP-ANNOT-05", "default beside read-only", tools(tool(`,"annotations":{"readOnlyHint":true,"idempotentHint":true}`)), reports.Pass},
		{"MCP-LIST-02", "entries that are no objects", tools(tool(""), "null"), reports.Fail},
		{"MCP-LIST-02", "empty is legal", tools(), reports.Pass},
		{"AQL-2.1-01", "no tools", tools(), reports.Fail},
		{"AQL-2.1-01", "a tool that may not be tried", tools(tool("")), reports.NotProven},
		{"AQL-2.1-01", "a reader that knows no operation", tools(named("read_file")), reports.Fail},
		{"MCP-LIST-03", "null ends the list", page("null", tool("")), reports.NotApplicable},
		{"MCP-LIST-03", "a number", page("5", tool("")), reports.Fail},
		{"MCP-LIST-04", "not paged", tools(tool("")), reports.NotApplicable},
	} {
		t.Run(c.id+"/"+c.why, func(t *testing.T) {
			got, found := verdicts(t, c.id, script{"tools/list": c.list})
			if got != c.want {
				t.Errorf("got %s, want %s\n%+v", got, c.want, found)
			}
		})
	}
}

func TestPagedLists(t *testing.T) {
	a, b := strings.Replace(tool(""), "help", "a", 1), strings.Replace(tool(""), "help", "b", 1)
	for _, c := range []struct {
		id   string
		why  string
		s    script
		want reports.Verdict
	}{
		{"MCP-LIST-03", "an empty cursor is a cursor", script{"tools/list": page(`""`, a), "tools/list ": tools(b)}, reports.Pass},
		{"MCP-LIST-03", "a page fails", script{"tools/list": page(`"p"`, a), "tools/list p": "error -32603"}, reports.Fail},
		{"MCP-LIST-03", "the first page again", script{"tools/list": page(`"p"`, a), "tools/list p": page(`"p"`, a)}, reports.Fail},
		{"MCP-LIST-03", "a cycle over two pages", script{"tools/list": page(`"p"`, a), "tools/list p": page(`"q"`, b), "tools/list q": page(`"p"`, a)}, reports.Fail},
		{"MCP-LIST-03", "an overlap", script{"tools/list": page(`"p"`, a), "tools/list p": tools(a, b)}, reports.Warn},
		{"MCP-TOOL-02", "an overlap is no second tool", script{"tools/list": page(`"p"`, a), "tools/list p": tools(a, b)}, reports.Pass},
		{"MCP-LIST-04", "refused", script{"tools/list": page(`"p"`, a), "tools/list p": tools(b), "tools/list aqlx_cursor_k3f9x2ab": "error -32602"}, reports.Pass},
		{"MCP-LIST-04", "another code", script{"tools/list": page(`"p"`, a), "tools/list p": tools(b), "tools/list aqlx_cursor_k3f9x2ab": "error -32603"}, reports.Warn},
		{"MCP-LIST-05", "paged and equal", script{"tools/list": page(`"p"`, a), "tools/list p": tools(b)}, reports.Pass},
		{"MCP-LIST-05", "another order on another connection", script{"tools/list": tools(a, b), "tools/list on 2": tools(b, a)}, reports.Warn},
		{"MCP-LIST-05", "one lasting change that was announced", script{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"x","version":"1"}}`,
			"tools/list": tools(a, b), "tools/list take 0": tools(a)}, reports.NotProven},
		{"AQL-2.1-01", "none yet", script{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"x","version":"1"}}`,
			"tools/list": tools()}, reports.NotProven},
		{"MCP-LIST-01", "tools work and are not declared", script{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{}}`, "tools/list": tools(a)}, reports.Fail},
		{"MCP-LIST-01", "neither declared nor there", script{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{}}`, "tools/list": "error -32601"}, reports.NotProven},
		{"MCP-LIFE-01", "no serverInfo", script{"initialize": `{"protocolVersion":"2025-11-25","capabilities":{}}`}, reports.Warn},
		{"MCP-LIFE-01", "a version that is a number", script{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":1}}`}, reports.Fail},
		{"MCP-LIFE-01", "a revision to come", script{
			"initialize": `{"protocolVersion":"2031-01-01","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`}, reports.Warn},
		{"MCP-LIFE-02", "refused", script{"initialize on rev=1999-01-01": "error -32602"}, reports.Pass},
		{"MCP-LIFE-03", "an older era", script{"tools/list": tools(a)}, reports.NotApplicable},
		{"MCP-LIFE-03", "a legacy server that marks everything", script{"tools/list": `{"tools":[],"resultType":"complete"}`}, reports.NotApplicable},
		{"MCP-LIFE-03", "modern without discover", script{"tools/list": tools(a), "tools/list _meta": `{"tools":[],"resultType":"complete"}`}, reports.Fail},
		{"MCP-LIFE-03", "modern without ttlMs", script{"tools/list": tools(a),
			"tools/list _meta":      `{"tools":[],"resultType":"complete"}`,
			"server/discover _meta": `{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete","ttlMs":0,"cacheScope":"public"}`}, reports.Warn},
	} {
		t.Run(c.id+"/"+c.why, func(t *testing.T) {
			got, found := verdicts(t, c.id, c.s)
			if got != c.want {
				t.Errorf("got %s, want %s\n%+v", got, c.want, found)
			}
		})
	}
}
