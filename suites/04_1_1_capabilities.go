package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// promised is the adapter as a whole, where its flag of that name is true.
func promised(flag string) func(*Face) []Subject {
	return given(func(f *Face) bool { return f.Protocol.At("capabilities", flag).True() }, introspecting)
}

// best returns the proof where one of the operations gave it, else what is wrong with
// those that could be exercised; the others say nothing.
func best(rs ...Ruling) Ruling {
	return firstOf(rs, Conforms(), Departs("", ""), Violates("", ""))
}

// anyway returns the proof where one of the ways to ask gave it, and what is wrong
// only where every one of them failed: one that is unproven might have been the one.
func anyway(rs ...Ruling) Ruling {
	return firstOf(rs, Conforms(), Departs("", ""), NotProven("", ""))
}

// firstOf returns the first ruling of the first sort that there is, else any.
func firstOf(rs []Ruling, sorts ...Ruling) Ruling {
	for _, wanted := range sorts {
		if i := slices.IndexFunc(rs, func(r Ruling) bool { return r.verdict == wanted.verdict }); i >= 0 {
			return rs[i]
		}
	}
	return Worst(rs...)
}

// pagers are the operations that could show paging by cursor.
func pagers(f *Face) []Subject { return paged(cursorStyle)(f) }

// Introspection document, section 4.1.1. A client that reads the flag asks for pages
// and takes what it gets for one of them.
var _ = register(Check{
	Requirement: "INT-4.1.1-15",
	On:          promised("pagination"),
	Drive: func(s Subject, ask Asking) {
		for _, t := range pagers(s.Face) {
			if t.settled != nil {
				continue
			}
			ask(t.ValidCall())
			if cursor := positionOf(ask(t.opening(cursorStyle))).cursor.Text(); cursor != "" {
				ask(t.opening(cursorStyle).With("after", cursor))
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		all := pagers(s.Face)
		otherwise := slices.ContainsFunc(eachDomain(s.Face), func(t Subject) bool { return len(cursors(t)) > 0 || skips(t) })
		unread := slices.ContainsFunc(eachDomain(s.Face), func(t Subject) bool { return !t.Op.Details.Is(probes.Object) })
		switch {
		case len(all) == 0 && unread:
			return NotProven("details of every operation", "some without").Because("AQL-7.3-02")
		case len(all) == 0 && otherwise:
			return NotProven("an operation that documents first and after", "other ways of paging")
		case len(all) == 0:
			return Violates("an operation that documents first and after", "none that pages").By(got...)
		}
		var rs []Ruling
		for _, t := range all {
			rs = append(rs, turned(t, of(t, got)))
		}
		return best(rs...)
	},
	Fix: "page a collection by first and after, or drop the flag",
})

// of returns the observations that are about an operation.
func of(s Subject, got []probes.Observation) []probes.Observation {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Operation() != s.Op.Name })
}

// turned rules on the whole listing, its first page and the page after that.
func turned(s Subject, got []probes.Observation) Ruling {
	if s.settled != nil {
		return *s.settled
	}
	all, why := several(got[0])
	if why != nil {
		return *why
	}
	n, ok := s.smallest(cursorStyle.size)
	first := got[1]
	items, _, _ := collection(first.Data())
	switch {
	case !ok || n >= len(all):
		return NotProven("more items than the least page holds", len(all)).By(got[0])
	case first.Deferred(), !first.Succeeded() && !first.Refused():
		return NotProven("an answer to a first page", first)
	case first.Refused():
		return Violates("a first page of "+s.Name, first).By(got[0])
	case len(got) < 3 && len(items) >= len(all):
		return Violates("an effect of first on "+s.Name, "all items and no cursor").By(first, got[0])
	case len(got) < 3:
		return NotProven("a cursor after the first page", first.Data()).Because("OPS-4.4.3-05").By(first)
	}
	second := got[2]
	_, _, told := apart(all)
	next, _, _ := collection(second.Data())
	switch {
	case second.Deferred(), !second.Succeeded() && !second.Refused():
		return NotProven("an answer to a second page", second)
	case second.Refused():
		return Violates("a page after the first", second).By(first)
	case !told:
		return NotProven("items that can be told apart", "equal ones").By(got[0])
	case probes.ValueOf(goValues(items)).Equal(probes.ValueOf(goValues(next))):
		return Violates("another page after the first", "the same again").By(second, first)
	case !first.Data().At("pageInfo").Is(probes.Object):
		return NotProven("pageInfo beside the items", first.Data()).Because("OPS-4.4.3-02").By(first)
	}
	return Conforms().By(second, first)
}
