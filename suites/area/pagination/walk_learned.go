package pagination

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachPagedByTrial is every READ that documents no standard style and has parameters that may page.
func eachPagedByTrial(f *model.Adapter) []model.Subject {
	return model.Only(model.EachProven, func(s model.Subject) bool {
		standard := slices.ContainsFunc([]check.PagingStyle{check.CursorStyle, check.OffsetStyle, check.PageStyle}, func(st check.PagingStyle) bool { return check.OffersPaging(s, st) })
		return !standard && check.MayPage(s)
	})(f)
}

// Operations document, section 4.4.3.
var learnedWalkVisitsEveryItemOnce = check.Check{
	Requirement: "OPS-4.4.3-08",
	Handles:     check.Movement,
	Why:         "A client reads in introspection how to page. Under another name a page that loses an item does the same harm.",
	On:          eachPagedByTrial,
	Lane:        probes.Walking,
	Drive: func(s model.Subject, ask model.AskFunc) {
		stock(s, ask, s.LargestPage())
		if learned, why := check.LearnPager(s, ask); why == nil {
			p := pager{learned}
			p.walksFull(s, ask, s.ValidCall(), "learned walk", p.walks(s, ask, s.ValidCall(), "learned walk"))
			p.arranged(s, ask, "learned ordered walk", "learned narrowed walk")
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		learned, why := check.LearnPager(s, check.Recorded(got))
		if why != nil {
			return *why
		}
		p := pager{learned}
		return ruling.Worst(p.judge(got, "learned walk"), p.judgeArranged(got, "learned ordered walk", "learned narrowed walk"), p.judgeEnd(got, "learned walk", "learned narrowed walk"), p.judgeFull(got, "learned walk"))
	},
	Fix: "let each page begin where the one before ended, by the parameters that introspection documents",
}
