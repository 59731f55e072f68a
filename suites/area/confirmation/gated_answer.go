package confirmation

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// resultAt is the answer to one entry of a batch, where the batch gives one.
func resultAt(o probes.Observation, index float64) probes.Value {
	for _, r := range o.Envelope().At("results").Items() {
		if i, _ := r.At("index").Float(); i == index && r.Has("index") {
			return r.At("result")
		}
	}
	if at := o.Envelope().At("halted_at"); at.Has("result") {
		if i, _ := at.At("index").Float(); i == index {
			return at.At("result")
		}
	}
	return probes.Value{}
}

// gatedEntry is the answer to the entry that waits: the second one of the script, whatever
// index halted_at gives it.
func gatedEntry(o probes.Observation) probes.Value { return waitingAt(o, 1) }

func waitingAt(o probes.Observation, index float64) probes.Value {
	if r := resultAt(o, index); r.Is(probes.Object) {
		return r
	}
	return o.Envelope().At("halted_at", "result")
}

// tokenOfEntry is the token in the answer to an entry, in either place.
func tokenOfEntry(result probes.Value) probes.Value {
	for _, v := range []probes.Value{result.At("error", "details", "confirmation_token"), result.At("confirmation", "token")} {
		if v.Is(probes.String) {
			return v
		}
	}
	return probes.Value{}
}

// awaitsConsent reports whether the answer to an entry is that it waits.
func awaitsConsent(result probes.Value) bool {
	return result.At("error", "code").Text() == "CONFIRMATION_REQUIRED"
}

// The ways to deal with an entry that waits. Operations document, section 7.5.4.
const (
	halting  = "halting"
	skipping = "skipping"
)

// modeOf tells the way from the form of the answer; "" where it shows neither.
func modeOf(o probes.Observation) string {
	e := o.Envelope()
	marked := slices.ContainsFunc(e.At("results").Items(), func(r probes.Value) bool { return r.At("status").Text() == "pending_confirmation" })
	switch {
	case check.HasValue(e.At("halted_at")): // null says that nothing halted it
		return halting
	case marked, e.At("summary").Has("pending_confirmation"):
		return skipping
	}
	return ""
}

// mayWait is what the rows of section 7.5 rest on: the operation waits alone, and a
// batch without it works.
func (b gatedBatch) mayWait(got probes.Answers) (why ruling.Ruling, ok bool) {
	if why, ok := b.JudgeControl(got); !ok {
		return why, false
	}
	single, asked := got.Find(b.Step(gatedSingly))
	plain, whole := got.Step(b.Step(freeBatch)), got.Step(b.Step(wholeBatch))
	switch {
	case !asked:
		return ruling.NotProven("an operation in the tool of "+b.Name+" that waits for nothing, and objects to try it on", "none"), false
	case single.Code() != "CONFIRMATION_REQUIRED":
		return ruling.NotProven("error CONFIRMATION_REQUIRED for "+b.Name, single), false
	case !resultAt(plain, 0).At("success").True():
		return ruling.NotProven("a batch that works without the entry that waits", plain), false
	case b.owed && !resultAt(whole, 0).At("success").True(): // a new token may void the one before
		return ruling.NotProven("tokens of several calls that are good at a time", whole), false
	}
	return ruling.Ruling{}, true
}

// gatedBatchCheck registers a check of section 7.5. mode names the way it speaks of;
// "" for either.
func gatedBatchCheck(id, mode, fix string, judge func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          gatedBatches,
		Lane:        probes.Serial,
		Drive:       func(s model.Subject, ask model.AskFunc) { batchOn(s).drive(ask) },
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			b := batchOn(s)
			if why, ok := b.mayWait(got); !ok {
				return why
			}
			whole := got.Step(b.Step(wholeBatch))
			switch is := modeOf(whole); {
			case check.RateLimited(whole):
				return ruling.NotProven("an answer to the batch", whole)
			case id != "OPS-7.5.2-01" && gatedEntry(whole).At("success").True():
				return ruling.NotProven("an entry that waits", "one that was carried out").By(whole).Because("OPS-7.5.2-01")
			case mode != "" && is == "":
				return ruling.NotProven("a batch that halts or skips", whole).Because("OPS-7.5.2-01")
			case mode != "" && is != mode:
				return ruling.NotApplicable("does not hold: in " + mode + " mode").By(whole)
			}
			r := judge(b, whole, got)
			if len(r.Evidence) == 0 {
				r = r.By(whole)
			}
			return r
		},
		Fix: fix,
	}
}

// namesRequest reports whether an entry of halted_at or pending_operations names a request.
func namesRequest(entry probes.Value, index float64, operation string) bool {
	i, ok := entry.At("index").Float()
	return ok && i == index && entry.At("operation").Text() == operation
}

// sameParams reports whether an entry repeats the params of a request.
func sameParams(entry probes.Value, sent any) bool {
	return entry.At("params").Equal(probes.ValueOf(sent))
}

// sentEntry is an entry of the batch that a probe has sent.
func sentEntry(o probes.Observation, i int) map[string]any {
	list, _ := o.Probe.Args()["operations"].([]any)
	if i >= len(list) {
		return nil
	}
	entry, _ := list[i].(map[string]any)
	return entry
}
