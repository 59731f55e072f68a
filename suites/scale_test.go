package suites

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A crowd is an adapter of one tool and many READ operations: a list and a get for
// each of n/2 kinds of thing. It does as little as an adapter can, so that a run
// against it measures the checker.
type crowd struct{ n int }

type object = map[string]any

func (c crowd) target() wire.Target {
	return wire.Target{
		Pipe: func(context.Context) (io.WriteCloser, io.Reader, error) {
			fromUs, toAdapter := io.Pipe()
			fromAdapter, toUs := io.Pipe()
			go c.serve(fromUs, toUs)
			return toAdapter, fromAdapter, nil
		},
		StartTimeout: 5 * time.Second, Grace: time.Second,
	}
}

func (c crowd) serve(in *io.PipeReader, out *io.PipeWriter) {
	defer out.Close()
	lines := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Arguments json.RawMessage }
		}
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		reply, _ := json.Marshal(object{"jsonrpc": "2.0", "id": m.ID, "result": c.result(m.Method, m.Params.Arguments)})
		if _, err := out.Write(append(reply, '\n')); err != nil {
			return
		}
	}
}

func (c crowd) result(method string, arguments json.RawMessage) any {
	switch method {
	case "initialize":
		return object{"protocolVersion": "2025-11-25", "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "crowd", "version": "1"}}
	case "tools/list":
		schema := object{"type": "object", "properties": object{"operation": object{"type": "string"}, "params": object{"type": "object"}}, "required": []string{"operation"}}
		return object{"tools": []any{object{"name": "mcp_aql_read", "description": "Reads many things; begin with introspect.", "inputSchema": schema, "annotations": object{"readOnlyHint": true}}}}
	}
	text, _ := json.Marshal(c.answer(arguments))
	return object{"content": []any{object{"type": "text", "text": string(text)}}}
}

func failure(code, message string) object {
	return object{"success": false, "error": object{"code": code, "message": message}}
}

func (c crowd) answer(arguments json.RawMessage) object {
	var call struct {
		Operation string
		Params    map[string]any
	}
	if json.Unmarshal(arguments, &call) != nil {
		return failure("VALIDATION_INVALID_TYPE", "The request has a member of the wrong type.")
	}
	if call.Operation == "introspect" {
		return c.introspect(call.Params)
	}
	verb, thing, _ := strings.Cut(call.Operation, "_")
	var kind int
	if n, _ := fmt.Sscanf(thing, "thing%d", &kind); n != 1 || kind >= c.n/2 || thing != fmt.Sprintf("thing%d", kind) {
		return failure("NOT_FOUND_OPERATION", "Unknown operation '"+call.Operation+"'; call introspect.")
	}
	id := thing + "_id"
	for name := range call.Params {
		if verb != "get" || name != id {
			return object{"success": false, "error": object{"code": "VALIDATION_UNKNOWN_PARAM", "message": "Unknown parameter '" + name + "'; see valid_params.",
				"details": object{"operation": call.Operation, "unknown_params": []string{name}, "valid_params": []string{}}}}
		}
	}
	switch value, given := call.Params[id]; {
	case verb == "list":
		return object{"success": true, "data": object{"items": []any{object{id: "one", "title": thing}}}}
	case !given:
		return failure("VALIDATION_MISSING_PARAM", "Missing required parameter '"+id+"'. Expected: string.")
	case value == "one":
		return object{"success": true, "data": object{id: "one", "title": thing}}
	default:
		return failure("NOT_FOUND_RESOURCE", fmt.Sprintf("There is no %s '%v'.", thing, value))
	}
}

func (c crowd) introspect(params map[string]any) object {
	name, single := params["name"].(string)
	if params["query"] != "operations" {
		return object{"success": true, "data": object{"types": []any{}}}
	}
	var all []any
	for i := range c.n {
		thing := fmt.Sprintf("thing%d", i/2)
		o := object{"name": []string{"list_", "get_"}[i%2] + thing, "semantic_category": "READ", "endpoint": "read", "description": "Reads the things of one kind."}
		if o["name"] == name {
			o["mcpTool"], o["permissions"] = "mcp_aql_read", object{"readOnly": true, "destructive": false}
			o["parameters"], o["returns"] = []any{}, object{"name": "object", "kind": "object"}
			if i%2 == 1 {
				o["parameters"] = []any{object{"name": thing + "_id", "type": "string", "required": true}}
			}
			return object{"success": true, "data": object{"operation": o}}
		}
		all = append(all, o)
	}
	if single {
		return object{"success": true, "data": object{"operation": nil}}
	}
	return object{"success": true, "data": object{"_protocol": object{"version": "1.0.0-draft", "mode": "semantic"}, "operations": all}}
}

// A survey is a whole run against a crowd.
type survey struct {
	plan     *plan.Plan
	record   probes.Record
	verdicts int
}

// surveyed judges a crowd of n operations from connect to verdict.
func surveyed(b *testing.B, n int) survey {
	e := probes.NewEngine(wire.NewRecorder(), 2*time.Second, 16)
	defer e.Close()
	if err := e.Open(b.Context(), "main", crowd{n}.target()); err != nil {
		b.Fatal(err)
	}
	f := model.NewAdapter(b.Context(), e, "main", model.Options{Nonce: "k3f9x2ab"})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "")
	if err != nil {
		b.Fatal(err)
	}
	p.Ask(b.Context(), e)
	s := survey{plan: p, record: e.Record()}
	if s.verdicts = len(p.Judge(s.record)); s.verdicts < n {
		b.Fatal("fewer findings than operations")
	}
	return s
}

// runsBeside is how many runs against 100 operations stand beside the measured one.
const runsBeside = 10

// BenchmarkOperations measures a whole run against an adapter without latency: what
// grows faster than the adapter shows as a ratio above one, of the time for each
// operation to that of a run against 100, measured beside it.
func BenchmarkOperations(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var s survey
			for b.Loop() {
				s = surveyed(b, n)
			}
			each := b.Elapsed().Seconds() / float64(b.N*n)
			start := time.Now()
			for range runsBeside {
				surveyed(b, 100)
			}
			b.ReportMetric(each/(time.Since(start).Seconds()/(runsBeside*100)), "of-100")
			b.ReportMetric(float64(s.verdicts*b.N)/b.Elapsed().Seconds(), "verdicts/s")
			b.ReportMetric(float64(len(s.record.Observations))/float64(n), "requests/operation")
			b.ReportMetric(peak(), "peak-MiB")
		})
	}
}

// BenchmarkJudge measures verdicts from a recorded run alone.
func BenchmarkJudge(b *testing.B) {
	s := surveyed(b, 300)
	for b.Loop() {
		s.plan.Judge(s.record)
	}
	b.ReportMetric(float64(len(s.record.Observations)*b.N)/b.Elapsed().Seconds(), "probes/s")
}

// peak is the most memory that the process has had from the system so far, in MiB.
func peak() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys-m.HeapReleased) / (1 << 20)
}
