package confirmation

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Operations document, section 7.2.
var haltedResultsNameTheirOperation = gatedBatchCheck("OPS-7.2-03", halting, "put the operation of each entry next to its result",
	func(b gatedBatch, whole probes.Observation, _ probes.Answers) ruling.Ruling {
		for i, r := range whole.Envelope().At("results").Items() {
			if at := r.At("index"); at.Whole() { // another requirement says which entries have a result
				if n, _ := at.Float(); n >= 0 {
					i = int(n)
				}
			}
			sent, _ := sentEntry(whole, i)["operation"].(string)
			switch told := r.At("operation"); {
			case told.Is(probes.Absent):
				return ruling.Departs("the operation "+sent+" next to its result", "none")
			case told.Text() != sent:
				return ruling.Violates("the operation "+sent+" next to its result", told)
			}
		}
		return ruling.Conforms()
	}).WithReason("The partial results of a batch that halted are read like those of any other.")

// Confirmation tokens.
var tokenInBatchRedeemsOnlyItsEntry = gatedBatchCheck("CMP-TOKEN-02", halting, "look at the token of each entry by itself",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		for i := range 3 {
			o, asked := got.Find(b.Step(probes.Nth(goOn, i)))
			switch {
			case !asked || !resultAt(o, 0).At("success").True() || sentEntry(o, 2) == nil:
			case resultAt(o, 2).At("success").True():
				return ruling.Violates("an entry that waits for its own token", "one carried out beside an entry with another").By(o, whole)
			default:
				return ruling.Conforms().By(o)
			}
		}
		return ruling.NotProven("a batch that goes on with a token, and another call that waits", "none")
	}).WithReason("In a batch, too, a person has agreed to one call and to no other.")
