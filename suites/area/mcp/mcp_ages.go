package mcp

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// lastWithHandshake is the last MCP revision that begins with initialize.
const lastWithHandshake = "2025-11-25"

// Section mcp/Overview.
var answersDoNotDependOnRevision = check.Check{
	Requirement: "MCP-LIFE-04",
	Rule:        "An adapter that serves MCP revisions with and without a handshake answers the same request alike over both.",
	Why:         "The client chooses the revision and its user does not know it; an operation that is refused over one of them alone is a failure that nobody can explain.",
	On:          model.WholeAdapter,
	Drive: func(s model.Subject, ask model.AskFunc) {
		other := s.Conn + "/rev=" + check.StatelessRevision
		if check.Discovered(ask(check.Handshake(s).As("revision of the run"))) {
			other = s.Conn + "/rev=" + lastWithHandshake
		}
		ask(probes.Request(other, "initialize", nil).As("the other revision"))
		for _, p := range ageless(s) {
			ask(p.Over(s.Conn + "/2").As(p.Step))
			ask(p.Over(s.Conn + "/2").Anew(p.Step + ", again"))
			ask(p.Over(other).As(p.Step + overOther))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		settled, other := got.Step("revision of the run"), got.Step("the other revision")
		if !settled.Result().Is(probes.Object) || other.Lost() {
			return ruling.NotProven("a handshake over each revision", other)
		}
		if other.RefusedBelow() || check.Discovered(settled) == check.Discovered(other) {
			return ruling.NotApplicable("does not hold: the adapter serves revisions with and without a handshake")
		}
		compared := false
		for _, p := range ageless(s) {
			before, again, o := got.Step(p.Step), got.Step(p.Step+", again"), got.Step(p.Step+overOther)
			if before.Lost() || o.Lost() || !alike(before, again) {
				continue
			}
			compared = true
			if !alike(before, o) {
				return ruling.Departs(p.Step+": "+before.Brief()+", as over the other revision", o).By(before, o)
			}
		}
		if !compared {
			return ruling.NotProven("answers over both revisions", other)
		}
		return ruling.Conforms()
	},
	Fix: "handle calls alike, whichever revision of MCP they come with",
}

const overOther = ", over the other revision"

// ageless are requests whose answers depend on no object. The list of all operations may be
// shorter where there is no session.
func ageless(s model.Subject) []probes.Probe {
	lookup := check.SimpleLookup(s)
	all := []probes.Probe{lookup.As("a lookup of one operation"), lookup.With("aqlx_unknown_"+s.Nonce, 1).As("an unknown parameter")}
	if len(s.AQL) > 0 {
		all = append(all, check.UnknownOperation(s.Adapter, s.AQL[0]).As("an unknown operation"))
	}
	return all
}

// alike compares what does not depend on the time: the outcome, the code and, of a success, the
// members of its data.
func alike(a, b probes.Observation) bool {
	return a.Outcome == b.Outcome && a.Code() == b.Code() && a.Data().Equal(b.Data())
}
