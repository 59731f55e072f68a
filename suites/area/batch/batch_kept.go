package batch

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An adapter may undo the whole batch where one entry fails, and answer the others as done.

const keptEntry = "entry beside one that fails"

// The texts that the script sets: by a batch without a failing entry, and by one with it.
const (
	setAlone  = "-alone"
	setBeside = "-beside"
)

// eachKept is the UPDATE operation whose effect in a batch can be seen.
func eachKept(f *model.Adapter) []model.Subject {
	sp, _, ok := check.RepeatedUpdateObject(f)
	if !ok || !check.OffersBatch(f) {
		return nil
	}
	return model.Only(check.EachTestObject, func(s model.Subject) bool { return s.Name == sp.Op.Name })(f)
}

// Operations document, section 7.3.
var entryIsKeptBesideOneThatFails = check.Check{
	Requirement: "OPS-7.3-02",
	Why:         "A client that reads that an entry succeeded does not send it again.",
	On:          eachKept,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		sp, text, _ := check.RepeatedUpdateObject(s.Adapter)
		sp.Base = 0
		if !check.CreateWithFields(sp, ask, keptEntry, map[string]any{text.Name: sp.ScriptMark(keptEntry)}) {
			return
		}
		update := func(value string) probes.Probe {
			return sp.RequestFor(sp.Op, sp.IDs).With("input", map[string]any{text.Name: sp.ScriptMark(keptEntry) + value})
		}
		send := func(value string, entries ...probes.Probe) bool {
			o := ask(batchOf(s.Adapter, sp.Op.Tool, entries...).Anew(keptEntry + ": " + value))
			sp.ReadUntil(ask, keptEntry+": "+value+": read", func(v probes.Value) bool { return v.At(text.Name).Text() == sp.ScriptMark(keptEntry)+value })
			return check.BatchResults(o).Is(probes.Array)
		}
		if send(setAlone, update(setAlone)) {
			send(setBeside, update(setBeside), update("-refused").With(check.UnknownName(s), 1))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sp, text, _ := check.RepeatedUpdateObject(s.Adapter)
		sp.Base = 0
		shown := func(value string) (probes.Observation, bool) {
			o, _ := check.LastRead(sp, got, keptEntry+": "+value+": read")
			said := sp.ObjectIn(o).At(text.Name).Text()
			return o, said == sp.ScriptMark(keptEntry)+value
		}
		control, set := shown(setAlone)
		look, kept := shown(setBeside)
		batch, asked := got.Find(keptEntry + ": " + setBeside)
		result := func(i int) probes.Value {
			if items := check.BatchResults(batch).Items(); i < len(items) {
				return items[i].At("result")
			}
			return probes.Value{}
		}
		said := sp.ObjectIn(look).At(text.Name).Text()
		switch {
		case !asked || !set:
			return ruling.NotProven("an update in a batch that is seen to take effect", got.Last()).Mend(model.TestObjectHint)
		case !succeeds(result(0)) || !fails(result(1)):
			return ruling.NotProven("a batch of an update that succeeds and one that fails", batch)
		case kept:
			return ruling.Conforms().By(look, batch, control)
		case said == sp.ScriptMark(keptEntry)+setAlone:
			return ruling.Violates(text.Name+" as the entry that succeeds sets it", "as it was before the batch").By(look, batch, control)
		}
		return ruling.NotProven("a look at "+text.Name+" after the batch", ruling.Clip(said)).By(look, batch)
	},
	Fix: "keep what an entry did where another one fails",
}
