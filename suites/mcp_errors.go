package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Section mcp/Protocol Errors. A client that mistypes a tool name has to learn
// that from the protocol: no tool is there to tell it.
var _ = register(Check{
	Requirement: "MCP-ERROR-01",
	On:          introspecting,
	Lane:        probes.Exclusive,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{noSuchTool(s)} },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		switch o := got[0]; {
		case o.Outcome == probes.RPCError:
			return Conforms()
		case o.Deferred():
			return NotProven("an answer to a call of an unknown tool", o)
		}
		return Departs("a JSON-RPC error", got[0])
	},
	Fix: "answer calls of unknown tools with -32602",
})

// Section mcp/Tool Execution Errors. MCP and MCP-AQL ask for opposite flags on a
// failure; a client can live with either, not with both by turns.
var _ = register(Check{
	Requirement: "MCP-ERROR-03",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing().With("aqlx_"+s.Nonce, "1"), s.Query(map[string]any{}), s.Query(map[string]any{"query": 5})}
		for _, tool := range s.AQL {
			ps = append(ps, unknownOperation(s.Face, tool), unknownOperation(s.Face, tool).Anew(180))
		}
		for _, t := range eachProven(s.Face) {
			if t.settled == nil && t.Op.Category == "READ" {
				ps = append(ps, t.anew(1).With(unknownName(t), 1))
			}
		}
		return ps
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		first, failures := map[string]probes.Observation{}, 0
		for _, o := range got {
			if !o.Refused() || o.Code() == "" {
				continue
			}
			failures++
			other, seen := first[o.Code()]
			if !seen {
				first[o.Code()] = o
				continue
			}
			if now, then := o.Result().At("isError").True(), other.Result().At("isError").True(); now != then {
				return Departs("isError alike for all failures with the code "+o.Code(), fmt.Sprintf("%t here, %t there", now, then)).By(o, other)
			}
		}
		if failures < 2 {
			return NotProven("two failures to compare", fmt.Sprint(failures))
		}
		return Conforms()
	},
	Fix: "set isError by one rule: for every failure, for none, or by code",
})

// Section mcp/Tool Execution Errors. A model repairs what it is told about, and
// newer clients show it only what stands in a result.
var _ = register(Check{
	Requirement: "MCP-ERROR-04",
	On:          eachAQLTool,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		bare := probes.Call(s.Conn, s.Name, "", nil).Drop("operation")
		return []probes.Probe{startUp(s), bare, s.Listing().To(s.Name).Top("operation", 1)}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		const want = "an answer with text that allows a correction"
		rs := []Ruling{}
		for _, o := range got[1:] {
			switch newer := revisionOf(got[0]) >= "2025-11-25"; {
			case o.Deferred():
				rs = append(rs, NotProven(want, o))
			case o.Refused():
				rs = append(rs, Conforms().By(o))
			case o.Outcome == probes.RPCError && newer:
				rs = append(rs, Departs("a tool result that reports the bad arguments, as MCP asks since 2025-11-25", o))
			case rpcCode(o) == "-32602" && strings.TrimSpace(o.RPCError().At("message").Text()) != "":
				rs = append(rs, Conforms().By(o))
			case o.Outcome == probes.ToolText && o.Result().At("isError").True() && readable(o.Result().At("content")):
				rs = append(rs, Conforms().By(o))
			case o.Succeeded():
				rs = append(rs, NotProven("a refusal", o).Because("AQL-4.1-01"))
			default:
				rs = append(rs, Departs(want, o))
			}
		}
		return Worst(rs...)
	},
	Fix: "answer bad arguments with a failure envelope that says what is wrong",
})

// Section mcp/Tool Execution Errors. A flag says that something failed, and
// nothing else.
var _ = register(Check{
	Requirement: "MCP-ERROR-05",
	Watch: toolResults(func(o probes.Observation, result probes.Value) Ruling {
		switch {
		case !result.At("isError").True(), !result.At("content").Is(probes.Array):
			return elsewhere
		case !readable(result.At("content")) && o.Probe.Operation() == "":
			return NotProven("a text about the failure", "none").Because("MCP-ERROR-04").By(o)
		case !readable(result.At("content")):
			if items := result.At("content").Items(); len(items) > 0 {
				if fault, _ := contentFault(items[0]); fault != "" {
					return NotProven("a text about the failure", fault).Because("MCP-RESULT-02").By(o)
				}
			}
			return Departs("a text about the failure", "none").By(o)
		}
		return Conforms()
	}),
	Fix: "put the failure into a text item",
})

// Section mcp/Error Handling. arguments is optional in MCP and an object; a server
// that trusts in it falls over the first client that leaves it out.
var _ = register(Check{
	Requirement: "MCP-ERROR-06",
	On:          onMain,
	Lane:        probes.Disposable,
	Losses:      true,
	Drive: func(s Subject, ask Asking) {
		b := s.bench("arguments", ask)
		for _, form := range argumentForms {
			params := `{"name":` + string(probes.ValueOf(s.Introspect).Raw()) + form.json + `}`
			b.try(form.what, probes.Probe{Method: "tools/call", Within: b.patience()}.WithRaw([]byte(params)))
		}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		rs := []Ruling{}
		for _, form := range argumentForms {
			t := tried(got, form.what)
			want := "an error for a call " + form.what
			switch alive := t.survived(); {
			case !t.asked(), t.o.Deferred():
				rs = append(rs, NotProven(want, t.o))
			case t.o.Succeeded(), t.o.Outcome == probes.ToolText && !t.o.RefusedBelow(), t.o.Outcome == probes.Silent:
				rs = append(rs, Violates(want, t.o).By(t.next))
			default:
				alive.want = want + ", and " + alive.want
				rs = append(rs, alive)
			}
		}
		return Worst(rs...)
	},
	Fix: "treat missing arguments as an empty object and refuse everything that is no object",
})

var argumentForms = []struct{ what, json string }{
	{"without arguments", ""}, {"with an array as arguments", `,"arguments":[]`}, {"with null as arguments", `,"arguments":null`},
}

// Section mcp/Server Requirements. Whoever can send a request can claim anything
// in it: rules hold where they are enforced.
var _ = register(Check{
	Requirement: "MCP-SEC-01",
	On:          introspecting,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		if p, ok := forbidden(s); ok {
			ask(p)
			ask(p.Top("_meta", map[string]any{"role": "admin", "user": "admin", "permissions": []any{"*"}}))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if _, ok := forbidden(s); !ok {
			return unhinted("credentials", "a call that the supplied identity must not make")
		}
		rs := []Ruling{}
		for _, o := range got {
			rs = append(rs, refusedStructured(o))
		}
		return Worst(rs...)
	},
	Fix: "decide by the authenticated identity of the connection, not by what a request says of itself",
})

func refusedStructured(o probes.Observation) Ruling {
	switch {
	case o.Succeeded():
		return Violates("a refusal of what the credential must not use", o)
	case o.Refused():
		return Conforms().By(o)
	}
	return Departs("a refusal in an envelope", o)
}

// forbidden is the call that the author says the credential must not make.
func forbidden(s Subject) (probes.Probe, bool) {
	word, _ := s.Hint("credentials")
	return s.hinted(word)
}

// Section mcp/Server Requirements. A loop in one client is a flood to all others.
var _ = register(Check{
	Requirement: "MCP-SEC-02",
	On:          introspecting,
	Lane:        probes.Disposable,
	Losses:      true,
	Drive: func(s Subject, ask Asking) {
		for i := range s.ceiling() {
			if o := ask(s.easyLookup().Anew(10_000_000 + i)); o.Lost() || limited(o) {
				return
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		switch {
		case s.ceiling() == 0:
			return unhinted("load_ceiling", "how many calls may be sent in a row to look for a rate limit")
		case slices.ContainsFunc(got, limited):
			return Conforms().By(got[len(got)-1])
		case got[len(got)-1].Lost():
			return NotProven("an answer to each call", got[len(got)-1])
		}
		return Departs("a limit on the rate of calls", fmt.Sprintf("none within %d calls", len(got))).By(got[len(got)-1])
	},
	Fix: "limit the rate of calls; answer RATE_LIMIT_EXCEEDED with details.retry_after_seconds",
})

// ceiling is the number of calls in a row that the author allows.
func (s Subject) ceiling() int {
	word, _ := s.Hint("load_ceiling")
	n := 0
	_, _ = fmt.Sscan(word, &n)
	return min(max(n, 0), 10_000)
}
