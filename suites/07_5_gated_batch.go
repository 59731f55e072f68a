package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A gated batch is a batch in which one entry waits for a confirmation, between two
// that do not. All its checks look at one script.
type gatedBatch struct {
	guarded
	free  guarded // an operation of the same tool that waits for nothing
	frees bool    // there is one
}

// The stages and steps of the script.
const (
	gatedStage = 20 * specimenStage

	madeBefore  = gatedStage + 0 // objects of the free operation, and one of the gated one
	madeAfter   = gatedStage + 1
	madeAlone   = gatedStage + 2
	madeGated   = gatedStage + 3
	gatedSingly = gatedStage + 5
	freeBatch   = gatedStage + 6
	wholeBatch  = gatedStage + 7
	lookBefore  = gatedStage + 8
	lookAfter   = gatedStage + 9
	lookGated   = gatedStage + 10
	lastGated   = gatedStage + 11
	twiceGated  = gatedStage + 12
	withKey     = gatedStage + 13 // and one more for each key
	goOn        = gatedStage + 20 // and one more for each name of the parameter
	lookAlone   = gatedStage + 30
	seenAfter   = gatedStage + 31
)

// modeKeys are members by which a request might ask for another way to deal with
// entries that wait.
var modeKeys = []string{"mode", "on_confirmation"}

// gatedBatches is the operation on which batches are tried: the first that waits for
// a confirmation and can be tried on an object of ours.
func gatedBatches(f *Face) []Subject {
	if !f.Protocol.At("capabilities", "batch").True() || !confirms(f) {
		return nil
	}
	for _, g := range guardsToTry(f) {
		if says, _ := saysGuarded(g.Op); says || g.Name == f.Hints.Confirm.Operation || takesToken(g.Op) {
			return []Subject{g.Subject}
		}
	}
	s := Subject{Face: f, Name: "adapter"}
	return []Subject{s.settle(NotProven("an operation that waits for a confirmation, and an object to try it on", "none"))}
}

func batchOn(s Subject) gatedBatch {
	b := gatedBatch{guarded: guardOf(s)}
	guards := guardedNames(s.Face)
	for _, o := range s.Operations {
		if o.Tool != b.Op.Tool || slices.Contains(guards, o.Name) || o.Category != "DELETE" && o.Category != "UPDATE" {
			continue
		}
		if free, why := s.guard(o.Name); why == nil && free.own && free.viewer.Name != "" && o.Category == "DELETE" {
			b.free, b.frees = free, true
			return b
		}
	}
	return b
}

// entries is the batch of some calls.
func (b gatedBatch) entries(calls ...probes.Probe) probes.Probe {
	list := make([]any, len(calls))
	for i, p := range calls {
		list[i] = p.Args
	}
	return probes.Probe{Conn: b.Conn, Tool: b.Op.Tool, Args: map[string]any{"operations": list}}
}

// A trio is the calls around the gated one, and one to try alone: on objects of our
// own where there is such an operation, else listings.
type trio struct {
	before, after, alone probes.Probe
	made                 [3]probes.Observation
}

func (b gatedBatch) trio(ask Asking) (t trio, ok bool) {
	if !b.frees {
		return trio{before: b.Listing(), after: b.TypesListing(), alone: b.Listing()}, b.Op.Tool == b.Introspect
	}
	for i, step := range []int{madeBefore, madeAfter, madeAlone} {
		if t.made[i], ok = b.free.object(ask, step); !ok {
			return t, false
		}
	}
	t.before, t.after, t.alone = b.free.on(t.made[0]), b.free.on(t.made[1]), b.free.on(t.made[2])
	return t, true
}

// drive plays the script.
func (b gatedBatch) drive(ask Asking) {
	name, ok := b.control(ask)
	if !ok {
		return
	}
	made, ok := b.object(ask, madeGated)
	t, free := b.trio(ask)
	if !ok || !free {
		return
	}
	look := func(i, take int) {
		if b.frees {
			b.free.looks(ask, t.made[i], take)
		}
	}
	gated := b.on(made)
	ask(gated.Anew(b.first + gatedSingly))
	ask(b.entries(t.alone).Anew(b.first + freeBatch))
	look(2, lookAlone)
	look(1, seenAfter)
	whole := ask(b.entries(t.before, gated, t.after).Anew(b.first + wholeBatch))
	look(0, lookBefore)
	look(1, lookAfter)
	b.looks(ask, made, lookGated)
	ask(b.entries(gated).Anew(b.first + lastGated))
	ask(b.entries(gated, gated).Anew(b.first + twiceGated))
	for i, key := range modeKeys {
		ask(b.entries(gated, gated).Top(key, "skip").Anew(b.first + withKey + i))
	}
	for i, parameter := range append([]string{name}, b.otherNames(name)...) {
		token := tokenOfEntry(gatedEntry(whole))
		if token.Is(probes.Absent) {
			return
		}
		o := ask(b.entries(gated.With(parameter, token.Go()), t.after).Anew(b.first + goOn + i))
		if resultAt(o, 0).At("success").True() {
			return
		}
	}
}

// otherNames are further names under which a token may be sent.
func (b gatedBatch) otherNames(name string) []string {
	return slices.DeleteFunc([]string{"confirmation_token", "_confirmation"}, func(other string) bool { return other == name })
}

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

// gatedEntry is the answer to the entry that waits: the second one of the script.
func gatedEntry(o probes.Observation) probes.Value { return resultAt(o, 1) }

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
	case e.Has("halted_at"):
		return halting
	case marked, e.At("summary").Has("pending_confirmation"):
		return skipping
	}
	return ""
}

// mayWait is what the rows of section 7.5 rest on: the operation waits alone, and a
// batch without it works.
func (b gatedBatch) mayWait(got []probes.Observation) (why Ruling, ok bool) {
	if why, ok := b.controlled(got); !ok {
		return why, false
	}
	single, asked := at(got, b.first+gatedSingly)
	plain, _ := at(got, b.first+freeBatch)
	switch {
	case !asked:
		return NotProven("an operation in the tool of "+b.Name+" that waits for nothing, and objects to try it on", "none"), false
	case single.Code() != "CONFIRMATION_REQUIRED":
		return NotProven("error CONFIRMATION_REQUIRED for "+b.Name, single), false
	case !resultAt(plain, 0).At("success").True():
		return NotProven("a batch that works without the entry that waits", plain), false
	}
	return Ruling{}, true
}

// gatedBatchCheck registers a check of section 7.5. mode names the way it speaks of;
// "" for either.
func gatedBatchCheck(id, mode, fix string, judge func(b gatedBatch, whole probes.Observation, got []probes.Observation) Ruling) bool {
	return register(Check{
		Requirement: id,
		On:          gatedBatches,
		Lane:        probes.Serial,
		Drive:       func(s Subject, ask Asking) { batchOn(s).drive(ask) },
		Judge: func(s Subject, got []probes.Observation) Ruling {
			b := batchOn(s)
			if why, ok := b.mayWait(got); !ok {
				return why
			}
			whole, _ := at(got, b.first+wholeBatch)
			switch is := modeOf(whole); {
			case limited(whole):
				return NotProven("an answer to the batch", whole)
			case id != "OPS-7.5.2-01" && gatedEntry(whole).At("success").True():
				return NotProven("an entry that waits", "one that was carried out").By(whole).Because("OPS-7.5.2-01")
			case mode != "" && is == "":
				return NotProven("a batch that halts or skips", whole).Because("OPS-7.5.2-01")
			case mode != "" && is != mode:
				return NotApplicable("does not hold: in " + mode + " mode").By(whole)
			}
			r := judge(b, whole, got)
			if len(r.evidence) == 0 {
				r = r.By(whole)
			}
			return r
		},
		Fix: fix,
	})
}

// namesRequest reports whether an entry of halted_at or pending_operations names a request.
func namesRequest(entry probes.Value, index float64, operation string) bool {
	i, ok := entry.At("index").Float()
	return ok && i == index && entry.At("operation").Text() == operation
}

// sameParams reports whether an entry repeats the params of a request.
func sameParams(entry probes.Value, sent any) bool {
	return entry.At("params").Canonical(nil) == probes.ValueOf(sent).Canonical(nil)
}

// sentEntry is an entry of the batch that a probe has sent.
func sentEntry(o probes.Observation, i int) map[string]any {
	list, _ := o.Probe.Args["operations"].([]any)
	if i >= len(list) {
		return nil
	}
	entry, _ := list[i].(map[string]any)
	return entry
}
