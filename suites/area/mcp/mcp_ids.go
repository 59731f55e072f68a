package mcp

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// legalIDs are ids that JSON-RPC and MCP allow: text, or a whole number that a double holds.
// No session sees one of them twice.
var legalIDs = []struct{ name, id string }{
	{"zero", `0`},
	{"empty text", `""`},
	{"a negative number", `-70003`},
	{"a number of more than 32 bits", `9007199254740991`},
	{"text beyond ASCII", `"aqlx-é東🚲"`},
	{"a number as text", `"70005"`},
}

// The steps of the script, before the name of an id.
const (
	withID  = "legal id: "
	plainID = "legal id, control: "
	idAgain = "legal id, again: "
)

// Section mcp/Protocol Messages.
var everyLegalIDIsAnswered = check.Check{
	Requirement: "MCP-RPC-01",
	Why:         "Most clients count their requests from 0; a server that takes 0 or empty text for no id never answers their first request.",
	On:          check.MainModeOnly,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		b := check.NewIsolatedSession(s, "ids", ask)
		send := func(b *check.IsolatedSession, id, step string) probes.Observation {
			return ask(request(b, id, "tools/list", "").Anew(step))
		}
		for _, one := range legalIDs {
			if o := send(b, one.id, withID+one.name); o.Result().Is(probes.Object) {
				continue
			}
			other := check.NewIsolatedSession(s, "ids of "+one.name, ask)
			send(other, `"aqlx-control"`, plainID+one.name)
			send(other, one.id, idAgain+one.name)
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{}
		for _, one := range legalIDs {
			first, control, again := got.Step(withID+one.name), got.Step(plainID+one.name), got.Step(idAgain+one.name)
			want := "a tool list under the id " + one.id
			switch {
			case first.Result().Is(probes.Object), again.Result().Is(probes.Object):
				rs = append(rs, ruling.Conforms().By(first)) // that the id is the same, each reply of the run has to show
			case !control.Result().Is(probes.Object), first.Deferred(), again.Deferred():
				rs = append(rs, ruling.NotProven("a tool list under an id of plain text", control))
			default:
				rs = append(rs, ruling.Violates(want, again).By(first, control))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer under every id that is text or a whole number; only a message without a member id is a notification",
}
