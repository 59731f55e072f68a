package mcp

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// auditSteps are the looks at the audit trail: before, and after the calls of each of two sessions.
var auditSteps = []string{"audit trail before", "audit trail after session 1", "audit trail after session 2"}

// Section 2.3.5. The key of the identifier is free, in any language. A word that two entries of one
// session have in common and those of the other session have not tells them apart as well.
var auditEntriesCarrySessionIdentifier = check.Check{
	Requirement: "AQL-2.3.5-05",
	Rule:        "Audit log entries carry a session identifier.",
	Why:         "Without one nobody can tell from the trail which client did what.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if _, given := s.Hint(check.AuditCommand); !given {
			ask(s.Listing())
			return
		}
		trail := ask(probes.Command(s.Conn, check.AuditCommand, nil).Anew(auditSteps[0]))
		for i, session := range []string{"audit-1", "audit-2"} {
			conn := probes.InSession(s.Conn + "/" + session)
			if !check.HasSessions(ask(probes.Request(conn, "initialize", nil).As("handshake of " + session))) {
				return
			}
			for j, p := range []probes.Probe{check.UnknownOperation(s.Adapter, s.Introspect), s.Listing(), check.UnknownOperation(s.Adapter, s.Introspect)} {
				ask(p.Over(conn).Anew(probes.Nth("calls of "+session, j)))
			}
			trail = check.ReadAudit(s.Conn, ask, trail, auditSteps[i+1])
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if _, given := s.Hint(check.AuditCommand); !given {
			return check.AuditMissing().By(got[0])
		}
		if !check.HasSessions(got.Step("handshake of audit-1")) {
			return check.NoSessions
		}
		trails := []probes.Observation{got.Step(auditSteps[0]), check.AuditRead(got, auditSteps[1]), check.AuditRead(got, auditSteps[2])}
		one, other := check.NewAuditEntries(trails[0], trails[1]), check.NewAuditEntries(trails[1], trails[2])
		entries := append(one[:len(one):len(one)], other...)
		named := slices.ContainsFunc(entries, check.NamesSession)
		switch {
		case len(entries) == 0:
			return ruling.NotProven("an entry in the audit trail for a refused call", "no new entry").By(trails...)
		case named || ownWords(one, other) && ownWords(other, one):
			return ruling.Conforms().By(trails...)
		}
		return ruling.Violates("a session identifier in the entries of the audit trail", ruling.Clip(entries[0])).By(trails...)
	},
	Fix: "write the session identifier into each entry of the audit trail",
}

// ownWords reports whether several entries have a word in common that no entry of the others has.
// A word of digits and signs alone may be a time or a number.
func ownWords(entries, others []string) bool {
	if len(entries) < 2 {
		return false
	}
	words := func(e string) []string {
		return strings.FieldsFunc(e, func(r rune) bool { return strings.ContainsRune(" \t\",=:;{}[]()", r) })
	}
	return slices.ContainsFunc(words(entries[0]), func(w string) bool {
		shared := !slices.ContainsFunc(entries, func(e string) bool { return !slices.Contains(words(e), w) })
		elsewhere := slices.ContainsFunc(others, func(e string) bool { return slices.Contains(words(e), w) })
		return shared && !elsewhere && strings.ContainsFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 })
	})
}
