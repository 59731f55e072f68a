package confirmation

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A gated batch is a batch in which one entry waits for a confirmation, between two
// that do not. All its checks look at one script.
type gatedBatch struct {
	check.Confirmable
	free  check.Confirmable // an operation of the same tool that waits for nothing
	frees bool              // there is one
	owed  bool              // it is the gated one itself, and its calls carry their tokens
}

// The steps of the script. Those on the objects of the free operation are steps of that operation.
const (
	madeBefore  = "gated batch: object before"
	madeAfter   = "gated batch: object after"
	madeAlone   = "gated batch: lone object"
	madeGated   = "gated batch: gated object"
	gatedSingly = "gated batch: gated call alone"
	freeBatch   = "gated batch: batch without the gated call"
	wholeBatch  = "gated batch: whole batch"
	lookBefore  = "gated batch: read of the object before"
	lookAfter   = "gated batch: read of the object after"
	lookGated   = "gated batch: read of the gated object"
	lastGated   = "gated batch: batch of the gated call"
	manyLeft    = "gated batch: batch with two calls behind the gated one"
	madeOther   = "gated batch: other gated object"
	twiceGated  = "gated batch: batch of two gated calls"
	withKey     = "gated batch: batch with a mode" // one for each key
	goOn        = "gated batch: continued batch"   // one for each name of the parameter
	lookAlone   = "gated batch: read of the lone object"
	seenAfter   = "gated batch: earlier read of the object after"
	askedAnew   = "gated batch: batch for a fresh token" // one for each name of the parameter
	tokenOf     = "gated batch: call for the token of the "
)

// modeKeys are members by which a request might ask for another way to deal with
// entries that wait.
var modeKeys = []string{"mode", "on_confirmation"}

// gatedBatches is the operation on which batches are tried: the first that waits for
// a confirmation and can be tried on an object of ours.
func gatedBatches(f *model.Adapter) []model.Subject {
	if !f.Protocol.At("capabilities", "batch").True() || !check.UsesConfirmation(f) {
		return nil
	}
	for _, g := range guardsToTry(f) {
		if says, _ := check.DocumentsConfirmation(g.Op); says || g.Name == f.Hints.Confirm.Operation || check.HasTokenParameter(g.Op) {
			return []model.Subject{g.Subject}
		}
	}
	s := model.Subject{Adapter: f, Name: "adapter"}
	return []model.Subject{s.WithRuling(ruling.NotProven("an operation that waits for a confirmation, and an object to try it on", "none"))}
}

func batchOn(s model.Subject) gatedBatch {
	b := gatedBatch{Confirmable: check.ConfirmableOf(s)}
	guards := check.ConfirmableNames(s.Adapter)
	for _, o := range s.Operations {
		if o.Tool != b.Op.Tool || slices.Contains(guards, o.Name) || o.Category != "DELETE" && o.Category != "UPDATE" {
			continue
		}
		if free, why := check.NewConfirmable(s.Adapter, o.Name); why == nil && free.HasOwnObject && free.Viewer.Name != "" && o.Category == "DELETE" {
			b.free, b.frees = free, true
			return b
		}
	}
	if b.HasOwnObject && b.Viewer.Name != "" && b.Op.Category == "DELETE" && b.Op.Tool != b.Introspect {
		b.free, b.frees, b.owed = b.Confirmable, true, true
	}
	return b
}

// entries is the batch of some calls.
func (b gatedBatch) entries(calls ...probes.Probe) probes.Probe {
	list := make([]any, len(calls))
	for i, p := range calls {
		list[i] = p.Args()
	}
	return probes.CallWith(b.Conn, b.Op.Tool, map[string]any{"operations": list})
}

// A batchFixture is the calls around the gated one, and one to try alone: on objects of our
// own where there is such an operation, else listings.
type batchFixture struct {
	before, after, alone probes.Probe
	made                 [3]probes.Observation
}

func (b gatedBatch) batchFixture(name string, ask model.AskFunc) (t batchFixture, ok bool) {
	if !b.frees {
		return batchFixture{before: b.Listing(), after: b.TypesListing(), alone: b.Listing()}, b.Op.Tool == b.Introspect
	}
	for i, step := range []string{madeBefore, madeAfter, madeAlone} {
		if t.made[i], ok = b.free.CreateObject(ask, step); !ok {
			return t, false
		}
	}
	calls := [3]probes.Probe{b.free.CallOn(t.made[0]), b.free.CallOn(t.made[1]), b.free.CallOn(t.made[2])}
	for i, step := range []string{"object before", "object after", "lone object"} {
		if b.owed {
			token := ask(calls[i].Anew(b.Step(tokenOf + step))).ConfirmationToken()
			if token.Is(probes.Absent) {
				return t, false
			}
			calls[i] = calls[i].With(name, token.Go())
		}
	}
	t.before, t.after, t.alone = calls[0], calls[1], calls[2]
	return t, true
}

// drive plays the script.
func (b gatedBatch) drive(ask model.AskFunc) {
	name, ok := b.RunControl(ask)
	if !ok {
		return
	}
	made, ok := b.CreateObject(ask, madeGated)
	t, free := b.batchFixture(name, ask)
	if !ok || !free {
		return
	}
	look := func(i int, step string) {
		if b.frees {
			b.free.ReadObject(ask, t.made[i], step)
		}
	}
	gated := b.CallOn(made)
	ask(gated.Anew(b.Step(gatedSingly)))
	ask(b.entries(t.alone).Anew(b.Step(freeBatch)))
	look(2, lookAlone)
	look(1, seenAfter)
	ask(b.entries(t.before, gated, t.after).Anew(b.Step(wholeBatch)))
	look(0, lookBefore)
	look(1, lookAfter)
	b.ReadObject(ask, made, lookGated)
	ask(b.entries(gated).Anew(b.Step(lastGated)))
	ask(b.entries(gated, t.after, gated).Anew(b.Step(manyLeft)))
	ask(b.entries(gated, gated).Anew(b.Step(twiceGated)))
	for i, key := range modeKeys {
		ask(b.entries(gated, gated).Top(key, "skip").Anew(b.Step(probes.Nth(withKey, i))))
	}
	rest := []probes.Probe{t.after}
	if other, ok := b.CreateObject(ask, madeOther); ok { // it waits for a token of its own
		rest = append(rest, b.CallOn(other))
	}
	for i, parameter := range append([]string{name}, b.otherNames(name)...) {
		// Each halt may void the token of the one before.
		token := tokenOfEntry(waitingAt(ask(b.entries(gated).Anew(b.Step(probes.Nth(askedAnew, i)))), 0))
		if token.Is(probes.Absent) {
			return
		}
		o := ask(b.entries(append([]probes.Probe{gated.With(parameter, token.Go())}, rest...)...).Anew(b.Step(probes.Nth(goOn, i))))
		if resultAt(o, 0).At("success").True() {
			return
		}
	}
}

// otherNames are further names under which a token may be sent.
func (b gatedBatch) otherNames(name string) []string {
	return slices.DeleteFunc([]string{"confirmation_token", "_confirmation"}, func(other string) bool { return other == name })
}
