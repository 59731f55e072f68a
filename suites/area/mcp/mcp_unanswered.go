package mcp

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// unanswered are messages without an id, by step. No server knows the method of the second. The third is a
// notification by JSON-RPC, and may be taken for a request that lacks its id.
var unanswered = []struct{ step, frame string }{
	{"notification", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"aqlx-none","reason":"never sent"}}`},
	{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/aqlx_unknown"}`},
	{withoutID, `{"jsonrpc":"2.0","method":"tools/list"}`},
}

const withoutID = "request without an id"

// Section mcp/List Changed Notifications.
var notificationsReceiveNoReply = check.Check{
	Requirement: "MCP-RPC-08",
	Rule:        "A notification receives no reply.",
	Why:         "A notification has no answer. A client would take one for the answer to another request.",
	On:          check.MainModeOnly,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		b := check.NewIsolatedSession(s, "ids", ask)
		for _, m := range unanswered {
			b.SendRisky(m.step, followed(b, m.frame))
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{noReply(check.RiskyRequestNamed(got, unanswered[0].step))}
		for _, m := range unanswered[1:] {
			t := check.RiskyRequestNamed(got, m.step)
			switch o := t.Observation; {
			case !t.WasSent(), o.Status >= 400: // HTTP lets a server refuse what it cannot accept
			case m.step == withoutID && o.Outcome == probes.RPCError && !answersBehind(o): // JSON-RPC lets it refuse a request that is none
			default:
				if r := noReply(t); r.Verdict == reports.Fail {
					rs = append(rs, r)
				}
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer only what has an id",
}

// noReply rules on what came after a message without an id.
func noReply(t check.RiskyRequest) ruling.Ruling {
	const want = "no answer to a notification"
	switch o := t.Observation; {
	case !t.WasSent(), o.Outcome == probes.Gone, o.Outcome == probes.Garbled:
		return ruling.NotProven("a session that takes a notification", o)
	case o.Outcome == probes.HTTPReject && o.Status < 300, answersBehind(o):
		return ruling.Conforms().By(o)
	case o.Status >= 400:
		return ruling.Departs(want, o)
	case o.Outcome == probes.Silent:
		return ruling.NotProven("an answer to the request behind the notification", o)
	}
	return ruling.Violates(want, "an answer to the "+t.Observation.Probe.Step).By(t.Observation)
}
