package mcp

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// cacheTake is the take of the listings around a change, and staleTime the time that
// an adapter has to see it.
const (
	cacheTake = 84 * model.TakesPerScript
	staleTime = 30 * time.Second
)

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
		from := func(session string, take int) probes.Probe {
			return s.Listing().Over(s.Conn + "/" + session).Anew(cacheTake + take)
		}
		ask(from("cached-1", 0))
		was := ask(from("cached-1", 1))
		ask(probes.Command(s.Conn, "reconfigure_cmd", nil))
		if is := ask(from("cached-2", 2)); sameOperations(was, is) {
			ask(probes.Pause(s.Conn, staleTime, cacheTake))
			ask(from("cached-3", 3))
		}
	},
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		if got[0].Status == 0 {
			return ruling.NotApplicable("a reconnect starts a new process")
		}
		if _, given := s.Hint("reconfigure_cmd"); !given {
			return model.HintMissing("reconfigure_cmd", "a command that changes the operation set of the running server").By(got[0])
		}
		once, was, last := got[1], got[2], got[len(got)-1]
		switch {
		case !sameOperations(once, was):
			return ruling.NotProven("the same listing twice before the change", "two that differ").By(once, was)
		case !last.Data().At("operations").Is(probes.Array):
			return ruling.NotProven("a listing after the change", last)
		case !sameOperations(was, last):
			return ruling.Conforms().By(last, was)
		}
		return ruling.Violates("the changed operations in a new session", "those of before the change, "+staleTime.String()+" after it").By(last, was)
	},
	Fix: "let cached introspection results end with the session, or with a change of the operations",
}

// sameOperations reports whether two listings list the same operations.
func sameOperations(x, y probes.Observation) bool {
	one, other := x.Data().At("operations"), y.Data().At("operations")
	return one.Is(probes.Array) && other.Is(probes.Array) && check.ListingDifference(x, y) == "" && len(one.Items()) == len(other.Items())
}
