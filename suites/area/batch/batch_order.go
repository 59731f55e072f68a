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

// Five repetitions of four updates: entries that run at once end with the last one
// by luck in one of a thousand runs.
const (
	orderRounds  = 5
	orderUpdates = 4
)

// worded is the text of one update of a round.
func worded(sp model.TestObject, round, i int) string {
	return fmt.Sprintf("%s-%d-%d", sp.ScriptMark("row of updates"), round, i)
}

func updateInRow(sp model.TestObject, ask model.AskFunc, text probes.Parameter) {
	if !check.CreateWithFields(sp, ask, "row of updates", map[string]any{text.Name: sp.ScriptMark("row of updates")}) {
		return
	}
	for round := range orderRounds {
		var row []probes.Probe
		for i := range orderUpdates {
			row = append(row, sp.RequestFor(sp.Op, sp.IDs).With("input", map[string]any{text.Name: worded(sp, round, i)}))
		}
		step := probes.Nth("row of updates: batch", round)
		ask(batchOf(sp.Subject.Adapter, sp.Op.Tool, row...).Anew(step))
		sp.ReadUntil(ask, step+": read", func(v probes.Value) bool { return v.At(text.Name).Text() == worded(sp, round, orderUpdates-1) })
	}
}

// rowRuling rules on the row of updates.
func rowRuling(sp model.TestObject, text probes.Parameter, got probes.Answers) ruling.Ruling {
	for round := range orderRounds {
		step := probes.Nth("row of updates: batch", round)
		batch, asked := got.Find(step)
		look, seen := check.LastRead(sp, got, step+": read")
		last := worded(sp, round, orderUpdates-1)
		done := asked && !slices.ContainsFunc(check.BatchResults(batch).Items(), func(item probes.Value) bool { return fails(item.At("result")) })
		shown := sp.ObjectIn(look).At(text.Name).Text()
		switch {
		case !asked || !seen || !check.BatchResults(batch).Is(probes.Array) || !done:
			return ruling.NotProven("a batch of updates that succeed, and a look after it", got.Last()).Mend(model.TestObjectHint)
		case shown == last:
		case strings.HasPrefix(shown, strings.TrimSuffix(last, strconv.Itoa(orderUpdates-1))):
			return ruling.Violates(fmt.Sprintf("%s as the last of the updates sets it", text.Name), "as an earlier one sets it").By(look, batch)
		default:
			return ruling.NotProven("an update of the batch that shows", ruling.Clip(shown)).By(look, batch).Because("AQL-4.5.1-01")
		}
	}
	return ruling.Conforms().By(got.Last())
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

// madeAlone is the step of the creation outside of a batch.
const madeAlone = "creation and listing: created"

// sequelBatches names the two batches of a round: the listing comes after the creation
// in one and before it in the other.
func sequelBatches(round int) (after, before string) {
	step := probes.Nth("creation and listing: round", round)
	return step + ": listing after the creation", step + ": listing before the creation"
}

// makeAndList makes an object and lists it: alone, then in batches in both orders.
func makeAndList(maker model.Subject, tool string, ask model.AskFunc) {
	list := func(step string) probes.Probe { return maker.Views(maker.Mark(step))[0].To(tool) }
	ask(maker.FreshCall(madeAlone).To(tool).As(madeAlone))
	ask(list(madeAlone).Anew("creation and listing: listed"))
	for round := range orderRounds {
		after, before := sequelBatches(round)
		ask(batchOf(maker.Adapter, tool, maker.FreshCall(after), list(after)).Anew(after))
		ask(batchOf(maker.Adapter, tool, list(before), maker.FreshCall(before)).Anew(before))
	}
}

// named reports whether an answer holds a text or number of one of the objects.
func named(answer probes.Value, objects []probes.Value) bool {
	said := answer.Scalars()
	return slices.ContainsFunc(objects, func(object probes.Value) bool {
		return slices.ContainsFunc(object.Scalars(), func(v string) bool { return v != "true" && v != "false" && slices.Contains(said, v) })
	})
}

// sequelRuling rules on what was made and listed.
func sequelRuling(maker model.Subject, pair probes.Observation, got probes.Answers) ruling.Ruling {
	alone, listed := got.Find("creation and listing: listed")
	if !listed || !check.ListsMark(alone.Data(), maker.Mark(madeAlone)) {
		return ruling.NotProven("an object of ours listed at once", "none").By(alone)
	}
	// An object that its creation does not name is looked for in listings first. That it is listed
	// afterwards does not say that it was listed at once.
	if created := got.Step(madeAlone); !named(created.Data(), model.ItemsWith(alone.Data(), maker.Mark(madeAlone))) {
		return ruling.NotProven("a creation that names what it made", created).By(alone)
	}
	holds := func(o probes.Observation, position int) bool {
		return check.ListsMark(answerIn(pair, o, position).At("data"), maker.Mark(o.Probe.Step))
	}
	for round := range orderRounds {
		after, before := sequelBatches(round)
		first, second := got.Step(after), got.Step(before)
		done := func(o probes.Observation) bool {
			return succeeds(answerIn(pair, o, 0)) && succeeds(answerIn(pair, o, 1))
		}
		switch {
		case !done(first) || !done(second):
			return ruling.NotProven("batches of a creation and a listing that succeed", first).By(second)
		case !holds(first, 1) && check.IsPartialListing(answerIn(pair, first, 1)):
			return ruling.NotProven("a listing that shows everything", "one page of it").By(first, alone)
		case !holds(first, 1):
			return ruling.Violates("what an entry makes in the listing after it", "none").By(first, alone)
		case holds(second, 0):
			return ruling.Violates("nothing of a later entry in the listing before it", "what it made").By(second, alone)
		}
	}
	return ruling.Conforms().By(got.Last())
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
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		if sp, text, ok := check.RepeatedUpdateObject(s.Adapter); ok {
			rs = append(rs, rowRuling(sp, text, got.Under("row of updates")))
		}
		if maker, _, ok := sequel(s.Adapter); ok {
			rs = append(rs, sequelRuling(maker, got[0], got.Under("creation and listing")))
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
