package pagination

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An arrangement is a request that arranges a listing otherwise than the plain one, and the name of its walk.
type arrangement struct {
	script string
	call   probes.Probe
}

// reversed is the name of a walk through what another one walks through, in the reverse order.
func reversed(script string) string { return script + ", reversed" }

// tied is the name of a walk in an order in which items are equal, beside the one in the first order.
func tied(script string) string { return script + ", tied" }

// mostReversals is how many requests are tried to find one that reverses an order.
const mostReversals = 6

// An arranger looks for requests that arrange a listing otherwise.
type arranger struct {
	s                 model.Subject
	ask               func(call probes.Probe, step string) probes.Observation // for as much as one page can hold
	ordered, narrowed string                                                  // the names of the walks
	plain, inOrder    probes.Observation
	order, part       check.Order     // the first one of each, if any
	tied              check.Order     // the order in which most neighbours are equal
	narrows           map[string]bool // parameters that list a part, if only of one item
}

// arrangements finds a request that orders a listing otherwise, and one that lists a part of it. It also finds one that
// reverses the order, and one that lists the part so.
func arrangements(s model.Subject, ask model.AskFunc, whole func(probes.Probe) probes.Probe, texts []string, ordered, narrowed string) (all []arrangement) {
	a := arranger{s: s, ordered: ordered, narrowed: narrowed, narrows: map[string]bool{}, ask: func(call probes.Probe, step string) probes.Observation { return ask(whole(call).Anew(step)) }}
	a.plain = a.ask(s.ValidCall(), ordered+": as it is")
	asked, listed, filters, share := 0, 0, map[string]bool{}, 0.0
	for _, by := range check.OrdersOf(s) {
		if filters[by.By] || asked == check.MostOrders || a.order.By != "" && listed > 2 && (share >= enoughTies || asked >= enoughOrders) {
			continue
		}
		o := a.ask(by.Call, probes.Nth(ordered+": order", asked))
		asked++
		items, _, _ := check.Collection(o.Data())
		switch {
		case check.OrdersOtherwise(a.plain, o) && (a.order.By == "" || ties(o) > share):
			if a.order.By == "" {
				a.order, a.inOrder = by, o
			} else {
				a.tied = by
			}
			share = ties(o)
		case tiesAsIs(by, a.plain, o) > share:
			a.tied, share = by, tiesAsIs(by, a.plain, o)
		case check.Narrows(a.plain, o):
			a.narrows[by.By] = true
			if filters[by.By] = len(items) > 2; len(items) > max(1, listed) && listed < 3 { // two items fit into one page
				a.part, listed = by, len(items)
			}
		}
	}
	if a.order.By != "" {
		all = append(all, arrangement{ordered, a.order.Call})
	}
	if a.tied.By != "" {
		all = append(all, arrangement{tied(ordered), a.tied.Call})
	}
	if listed > 0 {
		all = append(all, arrangement{narrowed, a.part.Call})
	}
	if call, ok := a.byText(texts); ok {
		all = append(all, arrangement{byText(narrowed), call})
	}
	if a.order.By == "" {
		return all
	}
	return append(all, a.reversals()...)
}

// enoughOrders is how many requests are tried to find an order in which this share of the items is equal to the next one, once
// there is any order.
const (
	enoughOrders = 8
	enoughTies   = 0.4
)

// mostTexts is how many parameters are tried to list a part by a text.
const mostTexts = 3

// textFilters are the optional parameters of a listing that take any text, but for those of the pages.
func textFilters(s model.Subject, paging ...string) (names []string) {
	for _, p := range s.Op.Parameters {
		free := p.Type == "string" && !p.Raw.Has("format") && len(s.EnumOf(p)) == 0 && s.Misfit(p, probes.ValueOf(s.Gen.Marker(""))) == ""
		if free && !p.Required && !slices.Contains(paging, p.Name) && len(names) < mostTexts {
			names = append(names, p.Name)
		}
	}
	return names
}

// byText is the name of a walk through the part that a text lists.
func byText(script string) string { return script + ", by a text" }

// byText finds a request that lists a part of several items by a text: by a word that they share, or by the mark of the run.
func (a arranger) byText(names []string) (call probes.Probe, ok bool) {
	asked := 0
	for _, text := range append(a.words(), a.s.Gen.Marker("")) {
		for _, name := range names {
			if asked++; asked > mostTexts*2 {
				return call, false
			}
			call = a.s.ValidCall().With(name, text)
			o := a.ask(call, probes.Nth(byText(a.narrowed)+": text", asked-1))
			if items, _, _ := check.Collection(o.Data()); check.Narrows(a.plain, o) && len(items) > 2 {
				return call, true
			}
		}
	}
	return call, false
}

// words are the first words that three listed items have or more, and one behind the second of them has not: a filter that is
// forgotten behind the first page shows.
func (a arranger) words() (words []string) {
	items, _, _ := check.Collection(a.plain.Data())
	in := map[string][]int{}
	var all []string
	for i, item := range items {
		for _, m := range item.Members() {
			for _, word := range strings.Fields(m.Value.Text()) {
				at := in[word]
				if len(at) == 0 {
					all = append(all, word)
				}
				if len(at) == 0 || at[len(at)-1] != i {
					in[word] = append(at, i)
				}
			}
		}
	}
	for _, word := range all {
		at := in[word]
		letters := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && utf8.RuneCountInString(word) > 2
		if letters && len(at) > 2 && len(items)-at[1]-1 > len(at)-2 && len(words) < 2 {
			words = append(words, word)
		}
	}
	return words
}

// reversals finds the requests that reverse most of the order, and most of the plain listing. The second one lists the part.
func (a arranger) reversals() (all []arrangement) {
	asked := 0
	var ofOrder, ofPlain reversal
	for _, by := range check.OrdersOf(a.s) {
		if a.narrows[by.By] || asked == mostReversals || probes.ValueOf(by.Call.Params()).Equal(probes.ValueOf(a.order.Call.Params())) {
			continue
		}
		call := by.Call
		if param, _, within := strings.Cut(by.By, "."); by.By != a.order.By && !within { // the direction has a parameter of its own
			call = a.order.Call.With(param, by.Call.Params()[param])
		}
		o := a.ask(call, probes.Nth(reversed(a.ordered)+": order", asked))
		asked++
		ofOrder, ofPlain = ofOrder.or(call, check.Reversed(a.inOrder, o)), ofPlain.or(call, check.Reversed(a.plain, o))
	}
	if ofOrder.share == 0 {
		ofOrder = ofPlain
	}
	if ofPlain.share == 0 {
		ofPlain = ofOrder
	}
	if ofOrder.share == 0 {
		return nil
	}
	all = append(all, arrangement{reversed(a.ordered), ofOrder.call})
	if param, _, _ := strings.Cut(a.part.By, "."); a.part.By != "" && ofPlain.call.Params()[param] == nil {
		both := ofPlain.call.With(param, a.part.Call.Params()[param])
		if check.Narrows(a.plain, a.ask(both, reversed(a.narrowed)+": as it is")) { // else INT-8.1.2-07 rules on the filter
			all = append(all, arrangement{reversed(a.narrowed), both})
		}
	}
	return all
}

// A reversal is a request that reverses a share of the pairs of a listing; the share is 0 where it is not most of them.
type reversal struct {
	call  probes.Probe
	share float64
}

func (t reversal) or(call probes.Probe, share float64) reversal {
	if share > max(t.share, 0.5) {
		return reversal{call, share}
	}
	return t
}

// arranged walks through a listing in another order and through a part of it, where documented values
// arrange it so.
func (p pager) arranged(s model.Subject, ask model.AskFunc, ordered, narrowed string) {
	texts := textFilters(s, p.From)
	if len(check.OrdersOf(s)) == 0 && len(texts) == 0 {
		return
	}
	for _, a := range arrangements(s, ask, func(call probes.Probe) probes.Probe { return p.whole(s, call) }, texts, ordered, narrowed) {
		p.walks(s, ask, a.call, a.script)
	}
}

// judgeArranged rules on both walks.
func (p pager) judgeArranged(got probes.Answers, ordered, narrowed string) ruling.Ruling {
	parts := ruling.Conforms()
	for _, part := range []string{narrowed, byText(narrowed)} {
		if len(got.Under(part+": walk 1")) > 0 {
			parts = ruling.Worst(parts, p.judge(got, part))
		}
	}
	return ruling.Worst(parts, p.judgeInOrder(got, ordered), p.judgeInOrder(got, tied(ordered)), p.judgeInOrder(got, reversed(ordered)), p.judgeInOrder(got, reversed(narrowed)))
}

// judgeInOrder rules on such a walk: the pages have the order of the listing, too.
func (p pager) judgeInOrder(got probes.Answers, script string) ruling.Ruling {
	if len(got.Under(script+": walk 1")) == 0 {
		return ruling.Conforms()
	}
	if r := p.judge(got, script); r.Verdict != ruling.Conforms().Verdict {
		return r
	}
	listed, walk := walkOf(got, script+": listing 1"), walkOf(got, script+": walk 1")
	of, _, _ := check.ItemKeys(listed.items)
	inOrder := func(w pageWalk) bool {
		return slices.EqualFunc(w.items[:min(len(w.items), len(listed.items))], listed.items, func(a, b probes.Value) bool { return of(a) == of(b) })
	}
	again := walkOf(got, script+": walk 2")
	if inOrder(walk) || inOrder(again) || !inOrder(walkOf(got, script+": listing 2")) || !inOrder(walkOf(got, script+": listing 3")) {
		return ruling.Conforms().By(walk.pages...)
	}
	return ruling.Departs("pages in the order of the whole listing", "another order").By(again.pages...).By(listed.last())
}

// cursorTexts are the text filters of a listing with cursors.
func cursorTexts(s model.Subject) []string { return textFilters(s, check.CursorStyle.From, "before") }

// Operations document, section 4.4.3.
var orderedWalkVisitsEveryItemOnce = check.Check{
	Requirement: "OPS-4.4.3-08",
	Handles:     check.Movement,
	Why:         "A cursor that names a place in one order leads astray in another one.",
	On: model.Only(check.EachPaged(check.CursorStyle), func(s model.Subject) bool {
		return s.Ruling == nil && (len(check.OrdersOf(s)) > 0 || len(cursorTexts(s)) > 0)
	}),
	Lane: probes.Walking,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for _, a := range arrangements(s, ask, func(p probes.Probe) probes.Probe { return greatestOf(s, p) }, cursorTexts(s), "ordered walk", "narrowed walk") {
			askWalk(s, ask, a.call, a.script)
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, script := range []string{"ordered walk", "narrowed walk", byText("narrowed walk"), tied("ordered walk"), reversed("ordered walk"), reversed("narrowed walk")} {
			if len(got.Under(script+": walk 1")) > 0 {
				rs = append(rs, judgeWalk(got, script))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no documented value is seen to arrange the listing otherwise")
		}
		return ruling.Worst(rs...)
	},
	Fix: "let a cursor name the item behind which the next page begins, in the order that was asked for",
}
