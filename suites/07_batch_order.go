package suites

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// The takes of the scripts on batches.
const (
	batchTake   = 81 * specimenStage // repetitions of questions, and the row of updates
	sequelTake  = 82 * specimenStage // what is made and listed
	foreignTake = 83 * specimenStage // what is made through another endpoint
)

// Five repetitions of four updates: entries that run at once end with the last one
// by luck in one of a thousand runs.
const (
	orderRounds  = 5
	orderUpdates = 4
)

// A row of updates is one object that a batch changes several times; the last change
// has to stand.
func (f *Face) updatesInRow() (specimen, probes.Parameter, bool) {
	for _, s := range eachSpecimen(f) {
		if sp, why := f.specimen(s.Name); s.settled == nil && why == nil {
			if text, ok := sp.text(); ok {
				sp.base = 1 // after the pair
				return sp, text, true
			}
		}
	}
	return specimen{}, probes.Parameter{}, false
}

// worded is the text of one update of a round.
func (sp specimen) worded(round, i int) string {
	return fmt.Sprintf("%s-%d-%d", sp.stamp(batchTake), round, i)
}

func (sp specimen) updateInRow(ask Asking, text probes.Parameter) {
	if !sp.begin(ask, batchTake, map[string]any{text.Name: sp.stamp(batchTake)}) {
		return
	}
	for round := range orderRounds {
		var row []probes.Probe
		for i := range orderUpdates {
			row = append(row, sp.on(0).With("input", map[string]any{text.Name: sp.worded(round, i)}))
		}
		take := batchTake + 20*(round+1)
		ask(sp.batchOf(sp.Op.Tool, row...).Anew(take))
		sp.lookFor(ask, take+1, func(v probes.Value) bool { return v.At(text.Name).Text() == sp.worded(round, orderUpdates-1) })
	}
}

// rowRuling rules on the row of updates.
func rowRuling(sp specimen, text probes.Parameter, got []probes.Observation) Ruling {
	for round := range orderRounds {
		take := batchTake + 20*(round+1)
		batch, asked := at(got, take)
		look, seen := lastLook(sp, got, take+1, take+20)
		last := sp.worded(round, orderUpdates-1)
		done := asked && !slices.ContainsFunc(resultsOf(batch).Items(), func(item probes.Value) bool { return fails(item.At("result")) })
		shown := sp.shown(look).At(text.Name).Text()
		switch {
		case !asked || !seen || !resultsOf(batch).Is(probes.Array) || !done:
			return NotProven("a batch of updates that succeed, and a look after it", got[len(got)-1]).Mend(resourceHint)
		case shown == last:
		case strings.HasPrefix(shown, strings.TrimSuffix(last, strconv.Itoa(orderUpdates-1))):
			return Violates(fmt.Sprintf("%s as the last of the updates sets it", text.Name), "as an earlier one sets it").By(look, batch)
		default:
			return NotProven("an update of the batch that shows", clip(shown)).By(look, batch).Because("AQL-4.5.1-01")
		}
	}
	return Conforms().By(got[len(got)-1])
}

// A sequel is a tool that takes both the making of an object and the listing of it.
func (f *Face) sequel() (maker Subject, tool string, ok bool) {
	for _, s := range eachMarked(f) {
		if s.settled != nil {
			continue
		}
		if f.Unified != "" {
			return s, f.Unified, true
		}
		if s.views("")[0].Tool == s.Op.Tool {
			return s, s.Op.Tool, true
		}
	}
	return Subject{}, "", false
}

// makeAndList makes an object and lists it: alone, then in batches in both orders.
func makeAndList(maker Subject, tool string, ask Asking) {
	list := func(take int) probes.Probe { return maker.views(maker.mark(take))[0].To(tool) }
	ask(maker.anew(sequelTake).To(tool))
	ask(list(sequelTake).Anew(sequelTake))
	for round := range orderRounds {
		after, before := sequelTake+20*round+1, sequelTake+20*round+2
		ask(maker.batchOf(tool, maker.anew(after), list(after)).Anew(after))
		ask(maker.batchOf(tool, list(before), maker.anew(before)).Anew(before))
	}
}

// partial reports whether a listing says that there is more, or where it does not say
// looks so: a full page shows no object that is listed last.
func partial(answer probes.Value) bool {
	if more := answer.HasMore(); more.Is(probes.Boolean) {
		return more.True()
	}
	n := answer.At("data").LongestList()
	return n >= 20 && n%10 == 0
}

// sequelRuling rules on what was made and listed.
func sequelRuling(maker Subject, pair probes.Observation, got []probes.Observation) Ruling {
	alone, listed := at(got, sequelTake)
	if !listed || !lists(alone.Data(), maker.mark(sequelTake)) {
		return NotProven("an object of ours listed at once", "none").By(alone)
	}
	holds := func(o probes.Observation, position, take int) bool {
		return lists(answerIn(pair, o, position).At("data"), maker.mark(take))
	}
	for round := range orderRounds {
		after, before := sequelTake+20*round+1, sequelTake+20*round+2
		first, _ := at(got, after)
		second, _ := at(got, before)
		done := func(o probes.Observation) bool {
			return succeeds(answerIn(pair, o, 0)) && succeeds(answerIn(pair, o, 1))
		}
		switch {
		case !done(first) || !done(second):
			return NotProven("batches of a creation and a listing that succeed", first).By(second)
		case !holds(first, 1, after) && partial(answerIn(pair, first, 1)):
			return NotProven("a listing that shows everything", "one page of it").By(first, alone)
		case !holds(first, 1, after):
			return Violates("what an entry makes in the listing after it", "none").By(first, alone)
		case holds(second, 0, before):
			return Violates("nothing of a later entry in the listing before it", "what it made").By(second, alone)
		}
	}
	return Conforms().By(got[len(got)-1])
}

// Section 9.3, with the operations document, section 7.3. Who writes a list of
// steps means them one after the other.
var _ = register(batched(Check{
	Requirement: "OPS-7.3-01",
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		if sp, text, ok := s.updatesInRow(); ok {
			sp.updateInRow(ask, text)
		}
		if maker, tool, ok := s.sequel(); ok {
			makeAndList(maker, tool, ask)
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		if sp, text, ok := s.updatesInRow(); ok {
			rs = append(rs, rowRuling(sp, text, takesBetween(got, batchTake, sequelTake)))
		}
		if maker, _, ok := s.sequel(); ok {
			rs = append(rs, sequelRuling(maker, got[0], takesBetween(got, sequelTake, foreignTake)))
		}
		return strongest(rs, noSign(s))
	},
	Fix: "work off the entries of a batch one by one, in the order given",
}))

// takesBetween returns the observations of the takes from one to before another.
func takesBetween(got []probes.Observation, from, to int) []probes.Observation {
	return slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Take < from || o.Probe.Take >= to })
}

// strongest returns the worst ruling of several ways to show one thing, of which one
// that conforms is enough.
func strongest(rs []Ruling, none Ruling) Ruling {
	proven := slices.DeleteFunc(slices.Clone(rs), func(r Ruling) bool { return r.verdict == none.verdict })
	if len(proven) > 0 {
		return Worst(proven...)
	}
	return Worst(append(rs, none)...)
}

// noSign rules where nothing can be made whose fate shows an order.
func noSign(s Subject) Ruling {
	for _, m := range append(eachMarked(s.Face), eachSpecimen(s.Face)...) {
		if m.settled != nil {
			return *m.settled
		}
	}
	return NotProven("an operation whose effects show the order of entries", "none").Mend(resourceHint)
}
