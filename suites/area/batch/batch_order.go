package batch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The takes of the scripts on batches.
const (
	batchTake   = 81 * model.TakesPerScript // repetitions of questions, and the row of updates
	sequelTake  = 82 * model.TakesPerScript // what is made and listed
	foreignTake = 83 * model.TakesPerScript // what is made through another endpoint
)

// Five repetitions of four updates: entries that run at once end with the last one
// by luck in one of a thousand runs.
const (
	orderRounds  = 5
	orderUpdates = 4
)

// worded is the text of one update of a round.
func worded(sp model.TestObject, round, i int) string {
	return fmt.Sprintf("%s-%d-%d", sp.ScriptMark(batchTake), round, i)
}

func updateInRow(sp model.TestObject, ask model.AskFunc, text probes.Parameter) {
	if !check.CreateWithFields(sp, ask, batchTake, map[string]any{text.Name: sp.ScriptMark(batchTake)}) {
		return
	}
	for round := range orderRounds {
		var row []probes.Probe
		for i := range orderUpdates {
			row = append(row, sp.Apply(0).With("input", map[string]any{text.Name: worded(sp, round, i)}))
		}
		take := batchTake + 20*(round+1)
		ask(batchOf(sp.Subject.Adapter, sp.Op.Tool, row...).Anew(take))
		sp.ReadUntil(ask, take+1, func(v probes.Value) bool { return v.At(text.Name).Text() == worded(sp, round, orderUpdates-1) })
	}
}

// rowRuling rules on the row of updates.
func rowRuling(sp model.TestObject, text probes.Parameter, got []probes.Observation) ruling.Ruling {
	for round := range orderRounds {
		take := batchTake + 20*(round+1)
		batch, asked := check.AtTake(got, take)
		look, seen := check.LastRead(sp, got, take+1, take+20)
		last := worded(sp, round, orderUpdates-1)
		done := asked && !slices.ContainsFunc(check.BatchResults(batch).Items(), func(item probes.Value) bool { return fails(item.At("result")) })
		shown := sp.ObjectIn(look).At(text.Name).Text()
		switch {
		case !asked || !seen || !check.BatchResults(batch).Is(probes.Array) || !done:
			return ruling.NotProven("a batch of updates that succeed, and a look after it", got[len(got)-1]).Mend(model.TestObjectHint)
		case shown == last:
		case strings.HasPrefix(shown, strings.TrimSuffix(last, strconv.Itoa(orderUpdates-1))):
			return ruling.Violates(fmt.Sprintf("%s as the last of the updates sets it", text.Name), "as an earlier one sets it").By(look, batch)
		default:
			return ruling.NotProven("an update of the batch that shows", ruling.Clip(shown)).By(look, batch).Because("AQL-4.5.1-01")
		}
	}
	return ruling.Conforms().By(got[len(got)-1])
}

// A sequel is a tool that takes both the making of an object and the listing of it.
func sequel(f *model.Adapter) (maker model.Subject, tool string, ok bool) {
	for _, s := range model.EachMarked(f) {
		if s.Ruling != nil {
			continue
		}
		if f.Unified != "" {
			return s, f.Unified, true
		}
		if s.Views("")[0].Tool == s.Op.Tool {
			return s, s.Op.Tool, true
		}
	}
	return model.Subject{}, "", false
}

// makeAndList makes an object and lists it: alone, then in batches in both orders.
func makeAndList(maker model.Subject, tool string, ask model.AskFunc) {
	list := func(take int) probes.Probe { return maker.Views(maker.Mark(take))[0].To(tool) }
	ask(maker.Anew(sequelTake).To(tool))
	ask(list(sequelTake).Anew(sequelTake))
	for round := range orderRounds {
		after, before := sequelTake+20*round+1, sequelTake+20*round+2
		ask(batchOf(maker.Adapter, tool, maker.Anew(after), list(after)).Anew(after))
		ask(batchOf(maker.Adapter, tool, list(before), maker.Anew(before)).Anew(before))
	}
}

// sequelRuling rules on what was made and listed.
func sequelRuling(maker model.Subject, pair probes.Observation, got []probes.Observation) ruling.Ruling {
	alone, listed := check.AtTake(got, sequelTake)
	if !listed || !check.ListsMark(alone.Data(), maker.Mark(sequelTake)) {
		return ruling.NotProven("an object of ours listed at once", "none").By(alone)
	}
	holds := func(o probes.Observation, position, take int) bool {
		return check.ListsMark(answerIn(pair, o, position).At("data"), maker.Mark(take))
	}
	for round := range orderRounds {
		after, before := sequelTake+20*round+1, sequelTake+20*round+2
		first, _ := check.AtTake(got, after)
		second, _ := check.AtTake(got, before)
		done := func(o probes.Observation) bool {
			return succeeds(answerIn(pair, o, 0)) && succeeds(answerIn(pair, o, 1))
		}
		switch {
		case !done(first) || !done(second):
			return ruling.NotProven("batches of a creation and a listing that succeed", first).By(second)
		case !holds(first, 1, after) && check.IsPartialListing(answerIn(pair, first, 1)):
			return ruling.NotProven("a listing that shows everything", "one page of it").By(first, alone)
		case !holds(first, 1, after):
			return ruling.Violates("what an entry makes in the listing after it", "none").By(first, alone)
		case holds(second, 0, before):
			return ruling.Violates("nothing of a later entry in the listing before it", "what it made").By(second, alone)
		}
	}
	return ruling.Conforms().By(got[len(got)-1])
}

// Section 9.3, with the operations document, section 7.3.
var batchEntriesRunInOrder = batched(check.Check{
	Requirement: "OPS-7.3-01",
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if sp, text, ok := check.RepeatedUpdateObject(s.Adapter); ok {
			updateInRow(sp, ask, text)
		}
		if maker, tool, ok := sequel(s.Adapter); ok {
			makeAndList(maker, tool, ask)
		}
	},
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		var rs []ruling.Ruling
		if sp, text, ok := check.RepeatedUpdateObject(s.Adapter); ok {
			rs = append(rs, rowRuling(sp, text, check.TakesBetween(got, batchTake, sequelTake)))
		}
		if maker, _, ok := sequel(s.Adapter); ok {
			rs = append(rs, sequelRuling(maker, got[0], check.TakesBetween(got, sequelTake, foreignTake)))
		}
		return strongest(rs, check.NoObservableEffect(s))
	},
	Fix: "work off the entries of a batch one by one, in the order given",
}).WithRule(
	"Batch entries run in array order.",
	"Who writes a list of steps means them one after the other.")

// strongest returns the worst ruling of several ways to show one thing, of which one
// that conforms is enough.
func strongest(rs []ruling.Ruling, none ruling.Ruling) ruling.Ruling {
	proven := slices.DeleteFunc(slices.Clone(rs), func(r ruling.Ruling) bool { return r.Verdict == none.Verdict })
	if len(proven) > 0 {
		return ruling.Worst(proven...)
	}
	return ruling.Worst(append(rs, none)...)
}
