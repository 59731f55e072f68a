package limits

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// worth bounds what is sent to find where a limit lies exactly.
const worth = 4 << 20

// below are requests a tenth below the advertised limits.
func below(b *check.IsolatedSession) {
	for _, t := range trials(b.Adapter) {
		b.Ask(t.of(b.Subject, t.low).Over(b.IsolatedConn).Anew(belowLimit + t.name))
	}
	if n, ok := depthLimit.of(b.Adapter); ok && n > 8 {
		b.Ask(deep(b.Subject, nestings[0], n-4).Over(b.IsolatedConn).Anew(belowLimit + "depth"))
	}
}

// exactly are requests that just reach the advertised limits, and such that just exceed them.
func exactly(b *check.IsolatedSession) {
	for _, t := range trials(b.Adapter) {
		if !t.counted {
			continue
		}
		b.Ask(t.of(b.Subject, t.most).Over(b.IsolatedConn).Anew(atLimit + t.name))
		b.Ask(t.of(b.Subject, t.more).Over(b.IsolatedConn).Anew(overLimit + t.name))
	}
}

// The steps of these requests, before the name of the trial.
const (
	belowLimit = "below the advertised limits: "
	atLimit    = "at the advertised limits: "
	overLimit  = "just beyond the advertised limits: "
)

// A trial is how an advertised limit is approached: well below it, just reached and just
// exceeded. Elements and the letters of a string can be counted. What belongs to the size of a
// request is disputed, so that is left some room.
type trial struct {
	name            string
	limit           limit
	low, most, more int
	counted         bool // most and more are no matter of other limits
	of              func(s model.Subject, n int) probes.Probe
}

// trials are those of the limits that an adapter advertises and that can be reached alone.
func trials(f *model.Adapter) []trial {
	var all []trial
	s, given := stringLimit.of(f)
	r, advertised := requestLimit.of(f)
	if given && s <= worth && (!advertised || s <= r) {
		t := trial{name: "string", limit: stringLimit, low: s * 9 / 10, most: s, more: s + 1, of: lookupLong}
		t.counted = separate(f) // else a request that long is too large
		all = append(all, t)
	}
	if advertised && r <= worth && separate(f) {
		all = append(all, trial{"size", requestLimit, r * 9 / 10, r - r/50, r + r/50, true, padded})
	}
	size := cmp.Or(r, requestLimit.standard)
	if n, ok := elementLimit.of(f); ok {
		all = append(all, trial{"array", elementLimit, n * 9 / 10, n, n + 1, 2*n < size*9/10, zeros})
	}
	return all
}

// zeros is an easy lookup with metadata of n elements.
func zeros(s model.Subject, n int) probes.Probe {
	return check.SimpleLookup(s).Top("_aqlx_pad", make([]int, n))
}

// exact rules on where an advertised limit lies. What is refused beyond it by far has to be
// refused as soon as it is exceeded, and not before.
func exact(t trial, got probes.Answers, beyond probes.Observation) []ruling.Ruling {
	low, at, over := got.Step(belowLimit+t.name), got.Step(atLimit+t.name), got.Step(overLimit+t.name)
	taken := func(o probes.Observation) bool {
		return !o.Lost() && o.Code() == low.Code() && o.Outcome == low.Outcome
	}
	want := fmt.Sprintf("a refusal beyond the advertised %s of %d", t.limit.member, t.most)
	switch {
	case tooLarge(low):
		return []ruling.Ruling{ruling.Departs("a request below the advertised limits taken", low)}
	case tooLarge(at):
		return []ruling.Ruling{ruling.Departs(fmt.Sprintf("what just reaches the advertised %s taken", t.limit.member), at).By(low)}
	case tooLarge(beyond) && taken(at) && taken(over) && t.limit.member == requestLimit.member:
		return []ruling.Ruling{ruling.Departs(want, "one only beyond more").By(over, beyond)}
	case tooLarge(beyond) && taken(at) && taken(over):
		return []ruling.Ruling{ruling.Violates(want, "one only beyond more").By(over, beyond)}
	}
	return nil
}

// misnamed rules on an excess that is refused with another code than the limit demands: the same
// request is answered otherwise below the advertised limit. ok is false if that is not so.
func misnamed(s model.Subject, l limit, name string, got probes.Answers, beyond probes.Observation) (r ruling.Ruling, ok bool) {
	low, asked := got.Find(belowLimit + name)
	_, advertised := l.of(s.Adapter)
	switch {
	case !asked || !advertised || low.Lost() || !beyond.Refused() || beyond.Deferred() || beyond.Transient() != "" || tooLarge(low) || tooLarge(beyond):
		return r, false
	case beyond.Code() == "" || beyond.Code() == low.Code() || low.RefusedBelow() || beyond.RefusedBelow() || low.Deferred():
		return r, false
	}
	return ruling.Violates(tooLargeCode, beyond).By(low).Noting("below the advertised " + l.member + " it is answered otherwise"), true
}

// withControl asks below the advertised limits first.
func withControl(ask func(b *check.IsolatedSession)) func(b *check.IsolatedSession) {
	return func(b *check.IsolatedSession) {
		below(b)
		ask(b)
	}
}

// boundsName reports whether the name of a lookup has a documented length of its own.
func boundsName(s model.Subject) bool {
	o, _ := s.Operation("introspect")
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Name == "name" && p.Raw.Has("maxLength") })
}
