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
	askedAnew   = gatedStage + 40 // and one more for each name of the parameter
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
		list[i] = p.Args()
	}
	return probes.CallWith(b.Conn, b.Op.Tool, map[string]any{"operations": list})
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
	ask(b.entries(t.before, gated, t.after).Anew(b.first + wholeBatch))
	look(0, lookBefore)
	look(1, lookAfter)
	b.looks(ask, made, lookGated)
	ask(b.entries(gated).Anew(b.first + lastGated))
	ask(b.entries(gated, gated).Anew(b.first + twiceGated))
	for i, key := range modeKeys {
		ask(b.entries(gated, gated).Top(key, "skip").Anew(b.first + withKey + i))
	}
	for i, parameter := range append([]string{name}, b.otherNames(name)...) {
		// Each halt may void the token of the one before.
		token := tokenOfEntry(resultAt(ask(b.entries(gated).Anew(b.first+askedAnew+i)), 0))
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
