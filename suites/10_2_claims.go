package suites

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// stated is the level that introspection states; 0 when it states none, or none
// that is defined.
func stated(f *Face) int {
	return slices.Index([]string{"", "level-1", "level-2"}, f.Protocol.At("conformance").Text())
}

// Section 10.2. "Conforms" without a level can mean anything.
var _ = register(Check{
	Requirement: "AQL-10.2-01",
	On:          introspecting,
	Ask:         listing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		protocol := got[0].Data().At("_protocol")
		claim, attested := s.Hint("attest.claim")
		switch {
		case protocol.At("conformance").Is(probes.String):
			return Conforms().Noting("stated: " + clip(protocol.At("conformance").Text()))
		case protocol.Has("conformance"):
			return NotProven("a level in words", protocol.At("conformance")).Because("INT-4.1.1-04")
		case attested && strings.Contains(claim, "level-"):
			return Conforms().Noting("attested: " + clip(claim))
		case attested && (claim == "no" || claim == "none"):
			return NotApplicable("the author claims no conformance")
		case attested:
			return Violates("a claim that states its level", "a claim without a level: "+claim)
		case protocol.Is(probes.Object):
			return Violates("_protocol.conformance", protocol)
		}
		return unhinted("attest.claim", "what is claimed, level-1 or level-2, or no")
	},
	Fix: "state the level in _protocol.conformance",
})

// capabilities are those the introspection document defines (4.1.1).
var capabilities = strings.Fields(`batch field_selection pagination aggregations computed_fields relationship_queries warnings confirmation
	dangerous_operations`)

// extensions returns what an answer shows beyond the specification: members of the
// envelope, and capabilities that it announces.
func extensions(o probes.Observation) (members, announced []string) {
	for _, name := range o.Envelope().Names() {
		if !envelopeMembers[name] {
			members = append(members, name)
		}
	}
	return members, beyond(capabilities, o.Data().At("_protocol", "capabilities"))
}

// Section 10.2. What nobody documents, nobody can rely on, and somebody will.
var _ = register(Check{
	Requirement: "AQL-10.2-03",
	Watch: func(f *Face, o probes.Observation) Ruling {
		rs := []Ruling{elsewhere}
		members, announced := extensions(o)
		for _, name := range append(members, announced...) {
			said, attested := f.Hint("attest.extensions")
			switch {
			case documentsExtension(f, name), attested && said != "no":
				rs = append(rs, Conforms().By(o))
			case attested:
				rs = append(rs, Violates("documentation of the extension "+name, "none").By(o))
			default:
				rs = append(rs, unhinted("attest.extensions", "where "+name+" is documented, or no").By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "document the extension, best in introspection",
})

// documentsExtension reports whether a text or member of introspection other than
// the announcement itself names it.
func documentsExtension(f *Face, name string) bool {
	quoted, word := []byte(`"`+name+`"`), wholeWord(name)
	says := func(v probes.Value) bool {
		return bytes.Contains(v.Raw(), quoted) || slices.ContainsFunc(v.Scalars(), word.MatchString)
	}
	for _, o := range f.Operations {
		if says(o.Summary) || says(o.Details) {
			return true
		}
	}
	return slices.ContainsFunc(f.Types, func(t probes.Type) bool { return says(t.Summary) || says(t.Details) })
}

// Introspection document, section 4.1.1. A level is stated to be believed. What
// the whole run established is compared by Claimed; by itself the check knows the
// author's word that there is but one endpoint mode.
var _ = register(Check{
	Requirement: "INT-4.1.1-10",
	On:          given(func(f *Face) bool { return f.Protocol.Has("conformance") }, introspecting),
	Ask:         listing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		modes, told := s.Hint("modes")
		single := strings.Contains(modes, "single") || strings.Contains(modes, "all")
		both := single && (strings.Contains(modes, "semantic") || strings.Contains(modes, "all"))
		switch {
		case stated(s.Face) < 1:
			return NotProven("a defined level", s.Protocol.At("conformance")).Because("INT-4.1.1-04")
		case stated(s.Face) == 2 && told && !both:
			return Violates("both endpoint modes, as level-2 demands", "the mode "+modes+" alone").By(got[0])
		}
		return NotProven("the stated level established by this run", "the verdicts of the other requirements").By(got[0])
	},
	Fix: "state the level that the adapter reaches",
})

// Claimed compares the level that each face states with what the findings of the
// whole run established, in place of what INT-4.1.1-10 could not know alone. The
// standing of a level is level's to say: 1 or 2 by number.
func (p *Plan) Claimed(found []reports.Finding, standing func(level int) reports.Standing) []reports.Finding {
	for i, f := range found {
		if f.Requirement != "INT-4.1.1-10" || f.Verdict != reports.NotProven || f.RootCause != "" {
			continue
		}
		at := slices.IndexFunc(p.Cases, func(c *Case) bool {
			return c.Check.Requirement == f.Requirement && c.Subject.Face.Label+c.Subject.Name == f.Subject
		})
		if at < 0 {
			continue
		}
		c := p.Cases[at]
		n := stated(c.Subject.Face)
		if c.Subject.settled != nil || n < 1 {
			continue
		}
		r := claimRuling(n, standing(n), found)
		r.evidence = c.got()
		found[i] = p.finding(c.Check, c.Subject, r)
		if found[i].Again != "" {
			found[i].Again, found[i].Replay, found[i].Raw = "aql-conform "+p.again, "", ""
		}
	}
	return found
}

// claimRuling rules on a stated level by its standing; a failure is a consequence
// of the requirement that failed.
func claimRuling(n int, standing reports.Standing, found []reports.Finding) Ruling {
	switch standing {
	case reports.Conformant:
		return Conforms()
	case reports.Nonconformant:
		i := slices.IndexFunc(found, func(f reports.Finding) bool {
			row, known := Lookup(f.Requirement)
			return known && f.Verdict == reports.Fail && row.LevelNumber() > 0 && row.LevelNumber() <= n
		})
		r := Violates("the stated level reached", string(standing))
		if i >= 0 {
			r = r.Because(found[i].Requirement)
		}
		return r
	}
	return NotProven("the stated level established by this run", string(standing))
}
