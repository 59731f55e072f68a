package limits

import (
	"fmt"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// small are requests below the lowest limits that the range permits.
func small(b *check.IsolatedSession) {
	b.Ask(padded(b.Subject, 50_000-500).Over(b.IsolatedConn).Anew("below the lowest limits: size"))
	b.Ask(lookupLong(b.Subject, 50_000).Over(b.IsolatedConn).Anew("below the lowest limits: string"))
	b.Ask(check.SimpleLookup(b.Subject).Top("_aqlx_pad", make([]int, 90)).Over(b.IsolatedConn).Anew("below the lowest limits: array"))
	b.Ask(deep(b.Subject, nestings[0], 5).Over(b.IsolatedConn).Anew("below the lowest limits: depth"))
}

// smallRefused returns a refusal of a small request as too large.
func smallRefused(got probes.Answers) (o probes.Observation, found bool) {
	for _, o := range got.Under("below the lowest limits") {
		if tooLarge(o) {
			return o, true
		}
	}
	return o, false
}

// Section 4.7.5.
var smallRequestsAreNeverTooLarge = limiting("AQL-4.7.5-11", small, func(_ model.Subject, got probes.Answers) ruling.Ruling {
	if o, found := smallRefused(got); found {
		return ruling.Violates("a request below the lowest limits taken as not too large", o)
	}
	rs := []ruling.Ruling{}
	for _, o := range got.Under("below the lowest limits") {
		if o.Lost() {
			rs = append(rs, ruling.NotProven("an answer", o).Because("AQL-4.7.5-13"))
		} else {
			rs = append(rs, ruling.Conforms().By(o))
		}
	}
	return ruling.Worst(rs...)
}, "raise the limit to the low end of its range").WithRule(
	"Requests below the lowest permitted limits are not refused as too large.",
	"A client may rely on the low end of the range anywhere.")

// Section 4.7.5.
var advertisedLimitsAreEnforcedOnes = func() check.Check {
	c := limiting("AQL-4.7.5-12", func(b *check.IsolatedSession) {
		small(b)
		sizes(b)
		arrays(b)
		depths(b)
		below(b)
		exactly(b)
	}, func(s model.Subject, got probes.Answers) ruling.Ruling {
		if o, found := smallRefused(got); found {
			return ruling.NotProven("a request below the advertised limits", o).Because("AQL-4.7.5-11")
		}
		rs := []ruling.Ruling{}
		if o := got.Step(belowLimit + "depth"); tooLarge(o) {
			rs = append(rs, ruling.Departs("a request below the advertised limits taken", o))
		}
		beyond := map[string]string{"string": "string ", "size": "request ", "array": "array as metadata "}
		for _, t := range trials(s.Adapter) {
			far := check.RiskyRequestNamed(got, fmt.Sprint(beyond[t.name], t.limit.beyond(s.Adapter)[0])).Observation
			rs = append(rs, exact(t, got, far)...)
		}
		rs = append(rs, enforced(requestLimit, s, got, "AQL-4.7.5-01", "request "), enforced(stringLimit, s, got, "AQL-4.7.5-03", "string "),
			enforced(elementLimit, s, got, "AQL-4.7.5-04", "array as metadata "), enforced(depthLimit, s, got, "AQL-4.7.5-05", "metadata of objects "))
		for _, v := range check.CarrierParameters(s.Adapter) {
			rs = append(rs, enforced(elementLimit, s, got, "AQL-4.7.5-04", "array in "+v.Name+" "), enforced(depthLimit, s, got, "AQL-4.7.5-05", "nested in "+v.Name+" of objects "))
		}
		return ruling.Worst(rs...)
	}, "enforce the limits that _protocol advertises")
	c.On = model.Given(publishes, check.MainModeOnly)
	return c
}().WithRule(
	"Advertised limits are the ones enforced.",
	"A client trusts what is advertised: it sends up to there, and no more.")

// enforced compares an advertised limit with what was refused. owner is the row
// that rules where nothing is refused at all.
func enforced(l limit, s model.Subject, got probes.Answers, owner, name string) ruling.Ruling {
	steps := l.beyond(s.Adapter)
	first, last := check.RiskyRequestNamed(got, fmt.Sprint(name, steps[0])), check.RiskyRequestNamed(got, fmt.Sprint(name, steps[len(steps)-1]))
	n, advertised := l.of(s.Adapter)
	want := fmt.Sprintf("a refusal beyond the advertised %s of %d", l.member, n)
	switch {
	case !advertised, first.Observation.Outcome == "":
		return ruling.NotApplicable("not advertised, or not to be reached by itself")
	case tooLarge(first.Observation):
		return ruling.Conforms().By(first.Observation)
	case first.Observation.Succeeded() && len(steps) == 2 && tooLarge(last.Observation):
		return ruling.Violates(want, "one only beyond more").By(first.Observation, last.Observation)
	}
	return ruling.NotProven(want, first.Observation).Because(owner)
}

// levels finds the depth at which a shape is refused first, by halves between a depth that has to be
// taken and one that was refused. Each depth is a step of its own.
func levels(b *check.IsolatedSession, shape string, low, high int, build func(n int) probes.Probe) {
	taken := func(n int) bool {
		return b.Ask(build(n).Over(b.IsolatedConn).Anew(levelStep(shape, n))).Succeeded()
	}
	if !taken(low) || taken(high) {
		return
	}
	for high-low > 1 {
		if mid := (low + high) / 2; taken(mid) {
			low = mid
		} else {
			high = mid
		}
	}
}

// levelStep is the step of a request of n levels. n is below 1 next to a very low limit.
func levelStep(shape string, n int) string {
	if n < 1 {
		return probes.Nth(shape+": without levels", -n)
	}
	return probes.Nth(shape+": levels", n-1)
}

// levelsOf is the n of levelStep.
func levelsOf(p probes.Probe, shape string) int {
	if p.Under(shape + ": without levels") {
		return -p.Index()
	}
	return p.Index() + 1
}

// shapeScript names the search for the depth limit of one nesting.
func shapeScript(i int) string { return probes.Nth("depth limit: shape", i) }

// leastTaken is the depth from which the search starts: a little below an advertised limit. One that
// is not advertised may lie anywhere in the range.
func leastTaken(f *model.Adapter, d int) int {
	if _, advertised := depthLimit.of(f); advertised {
		return d - 4
	}
	return depthLimit.floor - 4
}

// ruling depth: the limit that is enforced, advertised or found.
func depthEnforced(s model.Subject, got probes.Answers) (d int, v check.CarrierParameter, ok bool) {
	d, advertised := depthLimit.of(s.Adapter)
	if !advertised {
		d = depthLimit.standard
	}
	for _, n := range depthLimit.beyond(s.Adapter) {
		if tooLarge(check.RiskyRequestNamed(got, fmt.Sprint("metadata of objects ", n)).Observation) {
			return n - 4, check.CarrierParameter{}, true
		}
		for _, v := range check.CarrierParameters(s.Adapter) {
			if tooLarge(check.RiskyRequestNamed(got, fmt.Sprint("nested in ", v.Name, " of objects ", n)).Observation) {
				return n - 4, v, n-4 == d || !advertised
			}
		}
	}
	return d, check.CarrierParameter{}, false
}

// Section 4.7.5.
var nestingDepthCountsObjectsAndArrays = limiting("AQL-4.7.5-10", func(b *check.IsolatedSession) {
	var got probes.Answers
	watched := *b
	watched.Ask = func(p probes.Probe) probes.Observation {
		o := b.Ask(p)
		got = append(got, o)
		return o
	}
	depths(&watched)
	if d, v, ok := depthEnforced(b.Subject, got); ok {
		for i, sh := range nestings {
			levels(b, shapeScript(i), leastTaken(b.Adapter, d), d+4, func(n int) probes.Probe {
				if v.Name != "" {
					return deepIn(v, sh, n)
				}
				return deep(b.Subject, sh, n)
			})
		}
	}
}, func(s model.Subject, got probes.Answers) ruling.Ruling {
	d, _, ok := depthEnforced(s, got)
	if !ok {
		return ruling.NotProven("a depth that is refused", "none").Because("AQL-4.7.5-05")
	}
	least, most := d+9, 0
	var shown []probes.Observation
	for i := range nestings {
		last := leastTaken(s.Adapter, d) - 1 // the deepest that is accepted
		for _, o := range got.Under(shapeScript(i)) {
			n := levelsOf(o.Probe, shapeScript(i))
			switch {
			case o.Succeeded():
				last = max(last, n)
			case !tooLarge(o):
				return ruling.NotProven("an answer that speaks of depth or none", o)
			}
			shown = append(shown, o)
		}
		least, most = min(least, last), max(most, last)
	}
	want := fmt.Sprintf("all shapes taken to %d levels and no deeper, the arguments object being the first", d)
	switch _, advertised := depthLimit.of(s.Adapter); {
	case most-least > 1:
		return ruling.Violates(want, fmt.Sprintf("one shape taken to %d, another to %d", least, most)).By(shown...)
	case !advertised && most == least && most != depthLimit.standard:
		return ruling.NotProven("a documented limit to count the levels against", fmt.Sprintf("all shapes taken to %d", most)).By(shown...)
	case least < d-3 || most > d+3:
		return ruling.Violates(want, fmt.Sprintf("taken to %d", most)).By(shown...)
	case least == d && most == d:
		return ruling.Conforms().By(shown...)
	}
	return ruling.Departs(want, fmt.Sprintf("taken to %d", most)).Noting(countedFrom(most - d)).By(shown...)
}, "count objects and arrays alike, the arguments object as level 1").WithRule(
	"Depth counts nested objects and arrays alike, starting with 1 at the root object.",
	"An array is a level like an object, or the limit holds for half of all requests.")

// countedFrom names the root that a shifted limit suggests.
func countedFrom(shift int) string {
	switch shift {
	case -2:
		return "levels seem to be counted from the JSON-RPC message"
	case -1:
		return "levels seem to be counted from the params of tools/call, or from zero with another comparison"
	case 1:
		return "levels seem to be counted from below the arguments object"
	}
	return "the root from which levels are counted is not clear"
}

// Section 4.7.5.
var oversizedResponseIsRefused = check.Check{
	Requirement: "AQL-4.7.5-02",
	Rule:        "An operation whose answer would exceed the response limit is answered with VALIDATION_PAYLOAD_TOO_LARGE.",
	Why:         "If an answer is too large for a client, the error must tell it to request smaller parts.",
	Lane:        probes.Disposable,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if p, ok := bigResponse(s.Adapter); ok {
			ask(p)
		}
	},
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		most, advertised := responseLimit.of(f)
		if most += most / 20; !advertised {
			most = responseLimit.most
		}
		p, hinted := bigResponse(f)
		asked := hinted && o.Probe.Key() == p.Key()
		switch {
		case envelopeSize(o) > most:
			return ruling.Violates(tooLargeCode, fmt.Sprintf("an answer of %d bytes", envelopeSize(o))).By(o)
		case asked && tooLarge(o):
			return ruling.Conforms().By(o)
		case asked:
			return ruling.NotProven("an operation whose answer exceeds the limit", o)
		case !hinted && o.Probe.Operation() == "introspect" && o.Probe.Key() == f.Listing().Key():
			return model.HintMissing("big_response", "a call whose answer would exceed the response limit")
		}
		return check.Irrelevant
	}},
	Fix: "measure an answer before sending it; offer pages, or refuse with VALIDATION_PAYLOAD_TOO_LARGE",
}

// envelopeSize is the size of an envelope. Of a frame too large to be kept it is
// the least that it can be: two copies of the envelope, one of them escaped.
func envelopeSize(o probes.Observation) int {
	if o.Cut() {
		return o.Received.Size / 3
	}
	return len(o.Envelope().Raw())
}

// bigResponse is the call that the author names as answering beyond the limit. It is asked for with
// each reply.
func bigResponse(f *model.Adapter) (probes.Probe, bool) {
	type named struct {
		p  probes.Probe
		ok bool
	}
	n := f.Remember("big response", func() any {
		word, _ := f.Hint("big_response")
		p, ok := f.HintedCall(word)
		return named{p.Anew("big response"), ok}
	}).(named)
	return n.p, n.ok
}
