package mcp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section mcp/Protocol Errors. A server that tells its tools by a part of their names takes a near name for one of them.
var unknownToolEndsInProtocolError = check.Check{
	Requirement: "MCP-ERROR-01",
	Rule:        "Calling a tool that does not exist ends in a protocol error.",
	Why:         "A client that mistypes a tool name has to learn that from the protocol: no tool is there to tell it.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{noSuchTool(s, "aqlx_no_such_tool"), noSuchTool(s, s.Introspect+"_aqlx"), noSuchTool(s, "aqlx_"+s.Introspect)}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got {
			switch {
			case o.Outcome == probes.RPCError:
				rs = append(rs, ruling.Conforms().By(o))
			case o.Deferred():
				rs = append(rs, ruling.NotProven("an answer to a call of an unknown tool", o))
			default:
				rs = append(rs, ruling.Departs("a JSON-RPC error", o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer calls of unknown tools with -32602",
}

// Section mcp/Tool Execution Errors.
var failedResultsAreFlaggedConsistently = check.Check{
	Requirement: "MCP-ERROR-03",
	Rule:        "Failed operations mark the tool result consistently.",
	Why:         "MCP and MCP-AQL ask for opposite flags on a failure. A client can handle either one, but not a mixture.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing().With("aqlx_"+s.Nonce, "1"), s.Query(map[string]any{}), s.Query(map[string]any{"query": 5})}
		for i, tool := range s.AQL {
			ps = append(ps, check.UnknownOperation(s.Adapter, tool), check.UnknownOperation(s.Adapter, tool).Anew(probes.Nth("flags of failures: unknown operation again", i)))
		}
		for _, t := range s.ProvenReads() {
			ps = append(ps, t.ValidCall().With(check.UnknownName(t), 1))
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
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
				return ruling.Departs("isError alike for all failures with the code "+o.Code(), fmt.Sprintf("%t here, %t there", now, then)).By(o, other)
			}
		}
		if failures < 2 {
			return ruling.NotProven("two failures to compare", fmt.Sprint(failures))
		}
		return ruling.Conforms()
	},
	Fix: "set isError by one rule: for every failure, for none, or by code",
}

// Section mcp/Tool Execution Errors.
var badArgumentsGetCorrectableAnswer = check.Check{
	Requirement: "MCP-ERROR-04",
	Rule:        "Bad arguments are reported in a channel the negotiated revision knows, with text that allows correction.",
	Why:         "A model repairs what it is told about, and newer clients show it only what stands in a result.",
	On:          model.EachAQLTool,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		bare := probes.Call(s.Conn, s.Name, "", nil).Drop("operation")
		return []probes.Probe{check.Handshake(s), bare, s.Listing().To(s.Name).Top("operation", 1)}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		const want = "an answer with text that allows a correction"
		rs := []ruling.Ruling{}
		for _, o := range got.Rest() {
			switch newer := check.RevisionOf(got[0]) >= "2025-11-25"; {
			case o.Deferred():
				rs = append(rs, ruling.NotProven(want, o))
			case o.Refused():
				rs = append(rs, ruling.Conforms().By(o))
			case o.Outcome == probes.RPCError && newer:
				rs = append(rs, ruling.Departs("a tool result that reports the bad arguments, as MCP asks since 2025-11-25", o))
			case check.RPCCode(o) == "-32602" && strings.TrimSpace(o.RPCError().At("message").Text()) != "":
				rs = append(rs, ruling.Conforms().By(o))
			case o.Outcome == probes.ToolText && o.Result().At("isError").True() && readable(o.Result().At("content")):
				rs = append(rs, ruling.Conforms().By(o))
			case o.Succeeded():
				rs = append(rs, ruling.NotProven("a refusal", o).Because("AQL-4.1-01"))
			default:
				rs = append(rs, ruling.Departs(want, o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer bad arguments with a failure envelope that says what is wrong",
}

// Section mcp/Tool Execution Errors.
var errorResultsCarryReadableText = check.Check{
	Requirement: "MCP-ERROR-05",
	Rule:        "An error result carries readable text about the failure.",
	Why:         "A flag says that something failed, and nothing else.",
	Ambient: &check.Ambient{Watch: toolResults(func(o probes.Observation, result probes.Value) ruling.Ruling {
		switch {
		case !result.At("isError").True(), !result.At("content").Is(probes.Array):
			return check.Irrelevant
		case !readable(result.At("content")) && o.Probe.Operation() == "":
			return ruling.NotProven("a text about the failure", "none").Because("MCP-ERROR-04").By(o)
		case !readable(result.At("content")):
			if items := result.At("content").Items(); len(items) > 0 {
				if fault, _ := contentFault(items[0]); fault != "" {
					return ruling.NotProven("a text about the failure", fault).Because("MCP-RESULT-02").By(o)
				}
			}
			return ruling.Departs("a text about the failure", "none").By(o)
		}
		return ruling.Conforms()
	})},
	Fix: "put the failure into a text item",
}

// Section mcp/Error Handling.
var missingArgumentsAreHandled = check.Check{
	Requirement: "MCP-ERROR-06",
	Rule:        "Missing or non-object arguments are handled without breaking the connection.",
	Why:         "arguments is optional in MCP and an object; a server that trusts in it falls over the first client that leaves it out.",
	On:          check.MainModeOnly,
	Lane:        probes.Disposable,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		b := check.NewIsolatedSession(s, "arguments", ask)
		for _, form := range argumentForms(s) {
			params := `{"name":` + string(probes.ValueOf(form.tool).Raw()) + form.json + `}`
			b.SendRisky(form.what, probes.Probe{Method: "tools/call", Within: b.AnswerTimeout()}.WithRaw([]byte(params)))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{}
		for _, form := range argumentForms(s) {
			t := check.RiskyRequestNamed(got, form.what)
			want := "an error for a call " + form.what
			switch alive := t.Survived(); {
			case !t.WasSent(), t.Observation.Deferred():
				rs = append(rs, ruling.NotProven(want, t.Observation))
			case t.Observation.Succeeded(), t.Observation.Outcome == probes.ToolText && !t.Observation.RefusedBelow(), t.Observation.Outcome == probes.Silent:
				rs = append(rs, ruling.Violates(want, t.Observation).By(t.Next))
			default:
				alive.Want = want + ", and " + alive.Want
				rs = append(rs, alive)
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "treat missing arguments as an empty object and refuse everything that is no object",
}

// An argumentForm is a call of a tool with other arguments than an object.
type argumentForm struct{ what, tool, json string }

// argumentForms are calls of the introspection tool, and one of another tool: each may have a handler of its own.
func argumentForms(s model.Subject) []argumentForm {
	all := []argumentForm{
		{"without arguments", s.Introspect, ""}, {"with an array as arguments", s.Introspect, `,"arguments":[]`}, {"with null as arguments", s.Introspect, `,"arguments":null`},
		{"with a text as arguments", s.Introspect, `,"arguments":"aqlx"`},
	}
	if i := slices.IndexFunc(s.AQL, func(tool string) bool { return tool != s.Introspect }); i >= 0 {
		all = append(all, argumentForm{"of another tool without arguments", s.AQL[i], ""})
	}
	return all
}

// Section mcp/Server Requirements.
var accessRulesHoldOnServer = check.Check{
	Requirement: "MCP-SEC-01",
	Rule:        "Access rules are enforced on the server side.",
	Why:         "A request can claim anything, so the adapter must enforce the rule itself.",
	On:          model.IntrospectSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if p, ok := forbidden(s); ok {
			claims := map[string]any{"role": "admin", "user": "admin", "permissions": []any{"*"}}
			ask(p)
			ask(p.Top("_meta", claims))
			ask(p.WithRaw(probes.ValueOf(map[string]any{"name": p.Tool, "arguments": p.Args(), "_meta": claims}).Raw()))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if _, ok := forbidden(s); !ok {
			return model.HintMissing("credentials", "a call that the supplied identity must not make")
		}
		rs := []ruling.Ruling{}
		for _, o := range got {
			rs = append(rs, refusedStructured(o))
		}
		return ruling.Worst(rs...)
	},
	Fix: "decide by the authenticated identity of the connection, not by what a request says of itself",
}

// otherReason matches codes of a refusal that any identity gets.
var otherReason = regexp.MustCompile(`^(VALIDATION_|NOT_FOUND_|CONFLICT_|RATE_LIMIT_|INTERNAL_ERROR$)`)

func refusedStructured(o probes.Observation) ruling.Ruling {
	switch {
	case o.Succeeded():
		return ruling.Violates("a refusal of what the credential must not use", o)
	case otherReason.MatchString(o.Code()):
		return ruling.NotProven("a refusal for the credential", o)
	case o.Refused():
		return ruling.Conforms().By(o)
	}
	return ruling.Departs("a refusal in an envelope", o)
}

// forbidden is the call that the author says the credential must not make.
func forbidden(s model.Subject) (probes.Probe, bool) {
	word, _ := s.Hint("credentials")
	return s.HintedCall(word)
}

// Section mcp/Server Requirements.
var toolCallsAreRateLimited = check.Check{
	Requirement: "MCP-SEC-02",
	Rule:        "Tool calls are rate limited.",
	Why:         "A loop in one client is a flood to all others.",
	On:          model.IntrospectSubject,
	Lane:        probes.Disposable,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for i := range ceiling(s) {
			if o := ask(check.SimpleLookup(s).Anew(probes.Nth("rate of calls: call", i))); o.Lost() || check.RateLimited(o) {
				return
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		switch {
		case ceiling(s) == 0:
			return model.HintMissing("load_ceiling", "how many calls may be sent in a row to look for a rate limit")
		case slices.ContainsFunc(got, check.RateLimited):
			return ruling.Conforms().By(last(got))
		case last(got).Lost():
			return ruling.NotProven("an answer to each call", last(got))
		}
		return ruling.Departs("a limit on the rate of calls", fmt.Sprintf("none within %d calls", len(got))).By(last(got))
	},
	Fix: "limit the rate of calls; answer RATE_LIMIT_EXCEEDED with details.retry_after_seconds",
}

// ceiling is the number of calls in a row that the author allows.
func ceiling(s model.Subject) int {
	word, _ := s.Hint("load_ceiling")
	n := 0
	_, _ = fmt.Sscan(word, &n)
	return min(max(n, 0), 10_000)
}
