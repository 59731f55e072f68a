package query

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// promised is the adapter as a whole, where its flag of that name is true.
func promised(flag string) func(*model.Adapter) []model.Subject {
	return model.Given(func(f *model.Adapter) bool { return f.Protocol.At("capabilities", flag).True() }, model.IntrospectSubject)
}

// best returns the proof where one of the operations gave it, else what is wrong with
// those that could be exercised; the others say nothing.
func best(rs ...ruling.Ruling) ruling.Ruling {
	return firstOf(rs, ruling.Conforms(), ruling.Departs("", ""), ruling.Violates("", ""))
}

// anyway returns the proof where one of the ways to ask gave it, and what is wrong
// only where every one of them failed: one that is unproven might have been the one.
func anyway(rs ...ruling.Ruling) ruling.Ruling {
	return firstOf(rs, ruling.Conforms(), ruling.Departs("", ""), ruling.NotProven("", ""))
}

// firstOf returns the first ruling of the first sort that there is, else any.
func firstOf(rs []ruling.Ruling, sorts ...ruling.Ruling) ruling.Ruling {
	for _, wanted := range sorts {
		if i := slices.IndexFunc(rs, func(r ruling.Ruling) bool { return r.Verdict == wanted.Verdict }); i >= 0 {
			return rs[i]
		}
	}
	return ruling.Worst(rs...)
}

// pagers are the operations that could show paging by cursor.
func pagers(f *model.Adapter) []model.Subject { return check.EachPaged(check.CursorStyle)(f) }

// Introspection document, section 4.1.1.
var announcedCursorPagingWorks = check.Check{
	Requirement: "INT-4.1.1-15",
	Rule:        "An adapter that announces pagination pages at least one collection by cursor.",
	Why:         "A client that reads the flag asks for pages and takes what it gets for one of them.",
	On:          promised("pagination"),
	Drive: func(s model.Subject, ask model.AskFunc) {
		all := pagers(s.Adapter)
		for _, t := range model.Only(model.EachProven, check.MayPage)(s.Adapter) {
			if len(all) == 0 && t.Ruling == nil {
				check.LearnPager(t, ask)
			}
		}
		for i, t := range all {
			if t.Ruling != nil {
				continue
			}
			ask(t.ValidCall().As(cursorPaging(i, "whole listing")))
			first := ask(check.FirstPage(t, check.CursorStyle).As(cursorPaging(i, "first page")))
			if cursor := check.PositionOf(first).Cursor.Text(); cursor != "" {
				ask(check.FirstPage(t, check.CursorStyle).With("after", cursor).As(cursorPaging(i, "second page")))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		all := pagers(s.Adapter)
		pages := func(t model.Subject) bool {
			if named := len(check.CursorParameters(t)) > 0 || check.PagesByOffset(t); named || !check.MayPage(t) {
				return named
			}
			_, why := check.LearnPager(t, check.Recorded(of(t, got)))
			return why == nil || why.Verdict == ruling.NotProven("", "").Verdict // it may page
		}
		introspect, _ := s.Operation("introspect") // a long list of operations may come in pages, introspection 8.3
		otherwise := slices.ContainsFunc(model.EachDomain(s.Adapter), pages) || pages(model.Subject{Adapter: s.Adapter, Name: "introspect", Op: introspect})
		unread := slices.ContainsFunc(model.EachDomain(s.Adapter), func(t model.Subject) bool { return !t.Op.Details.Is(probes.Object) })
		switch {
		case len(all) == 0 && unread:
			return ruling.NotProven("details of every operation", "some without").Because("AQL-7.3-02")
		case len(all) == 0 && s.Unended:
			return ruling.NotProven("a listing that was read to its end", s.Listings[len(s.Listings)-1].Data()).Because("INT-8.3-04")
		case len(all) == 0 && otherwise:
			return ruling.NotProven("an operation that documents first and after", "other ways of paging")
		case len(all) == 0:
			return ruling.Violates("an operation that documents first and after", "none that pages").By(got...)
		}
		var rs []ruling.Ruling
		for i, t := range all {
			rs = append(rs, turned(t, got, i))
		}
		return best(rs...)
	},
	Fix: "page a collection by first and after, or drop the flag",
}

// cursorPaging names the steps of one of the pagers.
func cursorPaging(index int, step string) string {
	return probes.Nth("cursor paging: operation", index) + ": " + step
}

// of returns the observations that are about an operation.
func of(s model.Subject, got probes.Answers) probes.Answers {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Operation() != s.Op.Name })
}

// turned rules on the whole listing of the pager with the index, its first page and the
// page after that.
func turned(s model.Subject, got probes.Answers, index int) ruling.Ruling {
	if s.Ruling != nil {
		return *s.Ruling
	}
	whole, first := got.Step(cursorPaging(index, "whole listing")), got.Step(cursorPaging(index, "first page"))
	second, hasSecond := got.Find(cursorPaging(index, "second page"))
	all, why := check.SeveralItems(whole)
	if why != nil {
		return *why
	}
	n, ok := check.SmallestPage(s, check.CursorStyle.Size)
	items, _, _ := check.Collection(first.Data())
	switch {
	case !ok || n >= len(all):
		return ruling.NotProven("more items than the least page holds", len(all)).By(whole)
	case first.Deferred(), !first.Succeeded() && !first.Refused():
		return ruling.NotProven("an answer to a first page", first)
	case first.Refused():
		return ruling.Violates("a first page of "+s.Name, first).By(whole)
	case !hasSecond && len(items) >= len(all):
		return ruling.Violates("an effect of first on "+s.Name, "all items and no cursor").By(first, whole)
	case !hasSecond:
		return ruling.NotProven("a cursor after the first page", first.Data()).Because("OPS-4.4.3-05").By(first)
	}
	_, _, told := check.ItemKeys(all)
	next, _, _ := check.Collection(second.Data())
	switch {
	case second.Deferred(), !second.Succeeded() && !second.Refused():
		return ruling.NotProven("an answer to a second page", second)
	case second.Refused():
		return ruling.Violates("a page after the first", second).By(first)
	case !told:
		return ruling.NotProven("items that can be told apart", "equal ones").By(whole)
	case probes.ValueOf(goValues(items)).Equal(probes.ValueOf(goValues(next))):
		return ruling.Violates("another page after the first", "the same again").By(second, first)
	case !first.Data().At("pageInfo").Is(probes.Object):
		return ruling.NotProven("pageInfo beside the items", first.Data()).Because("OPS-4.4.3-02").By(first)
	}
	return ruling.Conforms().By(second, first)
}
