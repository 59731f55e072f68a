package mcp

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The connections of the comparison: two over the revision of the run, since what differs there
// depends on the connection alone, and one over the other age, which is asked between them and after them:
// a place may be full for a moment.
const (
	ranOver    = " over the revision of the run"
	other      = " over the other revision"
	ranAgain   = " over the revision of the run, again"
	otherAgain = " over the other revision, again"
)

// Section mcp/Overview.
var answersDoNotDependOnRevision = check.Check{
	Requirement: "MCP-LIFE-04",
	Rule:        "An adapter that serves MCP revisions with and without a handshake answers the same request alike over both.",
	Why:         "The client chooses the revision and its user does not know it; an operation that is refused over one of them alone is a failure that nobody can explain.",
	On:          model.WholeAdapter,
	Lane:        probes.Exclusive, // nothing else of the run shall change what is compared
	Drive: func(s model.Subject, ask model.AskFunc) {
		conns := map[string]string{ranOver: s.Conn + "/2", other: s.Conn + "/rev=" + check.StatelessRevision, ranAgain: s.Conn + "/3"}
		settled := ask(check.Handshake(s).As("revision of the run"))
		if check.Discovered(settled) {
			conns[other] = probes.InSession(s.Conn)
		}
		if start := ask(probes.Request(conns[other], "initialize", nil).As("the other revision")); !bothAges(settled, start) {
			return
		}
		conns[otherAgain] = conns[other]
		for _, age := range []string{ranOver, other, ranAgain, otherAgain} {
			here := func(p probes.Probe) probes.Observation { return ask(p.Over(conns[age])) }
			for _, p := range ageless(s) {
				here(p.Anew(p.Step + age))
			}
			for _, g := range ownChanges(s.Adapter) {
				if made, ok := g.CreateObject(here, created+age); ok {
					here(g.CallOn(made).Anew(g.Step(changed + age)))
				}
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		settled, start := got.Step("revision of the run"), got.Step("the other revision")
		if !settled.Result().Is(probes.Object) || start.Lost() {
			return ruling.NotProven("a handshake over each revision", start)
		}
		if !bothAges(settled, start) {
			return ruling.NotApplicable("does not hold: the adapter serves revisions with and without a handshake")
		}
		compared, full := false, ruling.Ruling{}
		for _, step := range comparedSteps(s) {
			before, o := got.Step(step+ranOver), got.Step(step+other)
			if !got.Has(step+ranOver) || !got.Has(step+other) || !got.Has(step+ranAgain) || !got.Has(step+otherAgain) {
				continue // nothing was made that could be changed
			}
			if before.Lost() || o.Lost() || o.Deferred() || !alike(before, got.Step(step+ranAgain)) || !alike(o, got.Step(step+otherAgain)) {
				continue
			}
			if conflicting(before) != conflicting(o) {
				full = ruling.NotProven(step+" over both revisions on what is alike", o).By(before, o)
				continue
			}
			compared = true
			if !alike(before, o) {
				return ruling.Departs(step+": "+before.Brief()+", as over the other revision", o).By(before, o)
			}
		}
		if !compared {
			return ruling.NotProven("answers over both revisions", start)
		}
		if full.Verdict != "" {
			return full
		}
		return ruling.Conforms()
	},
	Fix: "handle calls alike, whichever revision of MCP they come with",
}

// conflicting reports whether a request met what is there: a place that is full, or a value that is taken. That
// depends on what was made before, which the connections share.
func conflicting(o probes.Observation) bool { return strings.HasPrefix(o.Code(), "CONFLICT_") }

func bothAges(settled, other probes.Observation) bool {
	return other.Result().Is(probes.Object) && check.Discovered(settled) != check.Discovered(other)
}

// maxReads bounds the operations that are read over the other age.
const maxReads = 20

// ageless are requests that change nothing: lookups, one call of each READ operation, and one of
// each kind that is refused.
func ageless(s model.Subject) []probes.Probe {
	lookup := check.SimpleLookup(s)
	all := []probes.Probe{lookup.As(lookedUp), lookup.With("aqlx_unknown_"+s.Nonce, 1).As("an unknown parameter")}
	if len(s.AQL) > 0 {
		all = append(all, check.UnknownOperation(s.Adapter, s.AQL[0]).As("an unknown operation"))
	}
	if o, wrong, ok := check.MisroutedRead(s.Adapter); ok {
		all = append(all, s.KnownGood[o].Probe.To(wrong).As("a wrong endpoint"))
	}
	reads := answeredReads(s.Adapter)
	for _, r := range reads[:min(len(reads), maxReads)] {
		all = append(all, r.As(r.Operation()))
	}
	for _, r := range s.ProvenReads() {
		i := slices.IndexFunc(r.Op.Parameters, func(p probes.Parameter) bool { return p.Required })
		if i >= 0 {
			return append(all, r.ValidCall().Without(r.Op.Parameters[i].Name).As("a missing parameter"))
		}
	}
	return all
}

// answeredReads is one call of each READ operation that was answered, those with success first: what is
// refused over the revision of the run may succeed over the other.
func answeredReads(f *model.Adapter) (all []probes.Probe) {
	var refused []probes.Probe
	for _, o := range f.Operations {
		switch b := f.KnownGood[o.Name]; {
		case o.Category != "READ" || o.Name == "introspect":
		case b.State == model.Proven:
			all = append(all, b.Probe)
		case b.Probe.Tool != "" && !b.Reply.Lost() && !b.Reply.Deferred():
			refused = append(refused, b.Probe)
		}
	}
	return append(all, refused...)
}

// The steps of which more than their name is needed.
const (
	lookedUp = "a lookup of one operation"
	created  = "creation of an own object"
	changed  = "change of an own object"
)

// ownChanges are an UPDATE and a DELETE that can be called on an object of the run.
func ownChanges(f *model.Adapter) (all []check.Confirmable) {
	for _, category := range []string{"UPDATE", "DELETE"} {
		for _, o := range f.Operations {
			if _, why := f.TestObject(o.Name); o.Category != category || why != nil {
				continue
			}
			if g, why := check.NewConfirmable(f, o.Name); why == nil && g.HasOwnObject {
				all = append(all, g)
				break
			}
		}
	}
	return all
}

func comparedSteps(s model.Subject) (all []string) {
	for _, p := range ageless(s) {
		all = append(all, p.Step)
	}
	for _, g := range ownChanges(s.Adapter) {
		all = append(all, g.Step(created), g.Step(changed))
	}
	return all
}

// alike compares what depends on no object and no session: the outcome and the code; of what an
// operation is documented to be, the members as well.
func alike(a, b probes.Observation) bool {
	same := a.Outcome == b.Outcome && a.Code() == b.Code() && a.Succeeded() == b.Succeeded()
	return same && (a.Probe.Step != lookedUp+ranOver || a.Data().Equal(b.Data()))
}
