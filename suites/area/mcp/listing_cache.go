package mcp

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// staleTime is the time that an adapter has to notice a change of its operations.
const staleTime = 30 * time.Second

// Section 2.3.3.
var introspectionCacheEndsWithSession = check.Check{
	Requirement: "AQL-2.3.3-03",
	Rule:        "Introspection results cached for one session are not served in a later one.",
	Why:         "A new session that is served the old listing plans with operations that are gone. Only the author can change the operations of a running server; an adapter whose operations never change cannot break the rule.",
	On:          model.IntrospectSubject,
	Lane:        probes.Disposable,
	Drive: func(s model.Subject, ask model.AskFunc) {
		first := ask(s.Listing())
		if _, given := s.Hint("reconfigure_cmd"); !given || first.Status == 0 {
			return
		}
		from := func(session, step string) probes.Probe {
			return s.Listing().Over(probes.InSession(s.Conn + "/" + session)).Anew(step)
		}
		ask(from("cached-1", "change of operations: listing before 1"))
		was := ask(from("cached-1", "change of operations: listing before 2"))
		ask(probes.Command(s.Conn, "reconfigure_cmd", nil))
		if is := ask(from("cached-2", "change of operations: listing after 1")); sameOperations(was, is) {
			ask(probes.Pause(s.Conn, staleTime, "change of operations: wait"))
			ask(from("cached-3", "change of operations: listing after 2"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if got[0].Status == 0 {
			return ruling.NotApplicable("a reconnect starts a new process")
		}
		if _, given := s.Hint("reconfigure_cmd"); !given {
			return model.HintMissing("reconfigure_cmd", "a command that changes the operation set of the running server").By(got[0])
		}
		once, was := got.Step("change of operations: listing before 1"), got.Step("change of operations: listing before 2")
		final := last(got.Under("change of operations: listing after"))
		switch {
		case !sameOperations(once, was):
			return ruling.NotProven("the same listing twice before the change", "two that differ").By(once, was)
		case !final.Data().At("operations").Is(probes.Array):
			return ruling.NotProven("a listing after the change", final)
		case !sameOperations(was, final):
			return ruling.Conforms().By(final, was)
		}
		return ruling.Violates("the changed operations in a new session", "those of before the change, "+staleTime.String()+" after it").By(final, was)
	},
	Fix: "let cached introspection results end with the session, or with a change of the operations",
}

// sameOperations reports whether two listings list the same operations.
func sameOperations(x, y probes.Observation) bool {
	one, other := x.Data().At("operations"), y.Data().At("operations")
	return one.Is(probes.Array) && other.Is(probes.Array) && check.ListingDifference(x, y) == "" && len(one.Items()) == len(other.Items())
}
