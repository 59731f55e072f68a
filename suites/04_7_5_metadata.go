package suites

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// publishes reports whether limits stand in the protocol metadata.
func publishes(f *Face) bool { return f.Protocol.At("limits").Is(probes.Object) }

// Section 4.7.5. A client that knows the limits need not run into them.
var _ = register(Check{
	Requirement: "AQL-4.7.5-08",
	On:          introspecting,
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if word, _ := s.Hint("attest.limits"); word == "no" && !publishes(s.Face) {
			return NotProven("limits that are documented anywhere", "none").Because("AQL-4.7.5-07")
		}
		for _, l := range limits {
			v := s.Protocol.At("limits", l.member)
			if n, _ := v.Float(); !v.Whole() || n < 1 {
				return Departs("a positive whole number _protocol.limits."+l.member, v)
			}
		}
		return Conforms()
	},
	Fix: "expose the five limits as _protocol.limits in the operations listing",
})

// Section 4.7.5. A limit outside the range is none, or one that refuses what every
// adapter has to take.
var _ = register(Check{
	Requirement: "AQL-4.7.5-09",
	On:          given(publishes, introspecting),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		rs := []Ruling{Conforms()}
		for _, l := range limits {
			v := s.Protocol.At("limits", l.member)
			n, ok := v.Float()
			switch {
			case !ok: // AQL-4.7.5-08
			case n > float64(l.most):
				rs = append(rs, Violates(fmt.Sprintf("%s of at most %d", l.member, l.most), v))
			case n < float64(l.floor):
				rs = append(rs, Departs(fmt.Sprintf("%s of at least %d", l.member, l.least), v))
			}
		}
		return Worst(rs...)
	},
	Fix: "configure each limit inside the range of the table in section 4.7.5",
})

// says reports whether a text speaks of the limit as one.
func (l limit) says(text string) bool {
	text = strings.ToLower(text)
	bound := regexp.MustCompile(`\b(limit(s|ed)?|max(imum)?|at most|up to|no more than|no larger than)\b`)
	for _, w := range l.words {
		if strings.Contains(text, w) && bound.MatchString(text) && strings.ContainsAny(text, "0123456789") {
			return true
		}
	}
	return strings.Contains(text, l.member)
}

// Section 4.7.5. Limits that nobody was told of look like failures.
var _ = register(Check{
	Requirement: "AQL-4.7.5-07",
	On:          introspecting,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{s.Listing(), startUp(s)} },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		texts := []string{got[1].Result().At("instructions").Text(), s.Op.Details.At("description").Text(), s.Op.Summary.At("description").Text()}
		for _, t := range s.Tools {
			texts = append(texts, t.Raw.At("description").Text())
		}
		var missing []string
		for _, l := range limits {
			_, found := l.of(s.Face)
			for _, text := range texts {
				found = found || l.says(text)
			}
			if !found {
				missing = append(missing, l.member)
			}
		}
		word, given := s.Hint("attest.limits")
		switch {
		case len(missing) > 0 && len(missing) < len(limits) && !(given && word != "no"):
			return Departs("all five limits documented", "nothing about "+strings.Join(missing, ", "))
		}
		return attested(s.Face, "attest.limits", len(missing) == 0, "the documentation of the limits", "no word about limits")
	},
	Fix: "document the five limits, best in _protocol.limits",
})

// speaksOf returns the limits a text names.
func speaksOf(text string, loose bool) map[string]bool {
	text, named := strings.ToLower(text), map[string]bool{}
	for _, l := range limits {
		words := l.words
		if loose {
			words = append(append([]string{}, words...), l.loose...)
		}
		for _, w := range words {
			if strings.Contains(text, w) {
				named[l.member] = true
			}
		}
	}
	return named
}

// detailed joins the names and the texts of details; numbers name nothing.
func detailed(v probes.Value) string {
	var all []string
	walk(v, func(name string, v, _ probes.Value) { all = append(all, name, v.Text()) })
	for _, item := range v.Items() {
		all = append(all, item.Text())
	}
	return strings.Join(all, " ")
}

// whichLimit rules on what one refusal says of the limit that was exceeded.
func whichLimit(o probes.Observation, exceeded ...limit) Ruling {
	const want = "details that say which limit was exceeded"
	inDetails, inMessage := speaksOf(detailed(o.Details()), true), speaksOf(o.Message(), false)
	for _, l := range exceeded {
		if inDetails[l.member] {
			return Conforms().By(o)
		}
	}
	numbers := len(o.Details().Scalars()) > 0
	switch {
	case len(inDetails) > 0:
		return Departs(want, "details that name another").By(o)
	case len(inMessage) > 0:
		return Departs(want, "only the message says it").By(o)
	case numbers:
		return Departs(want, "details that hold numbers alone").By(o)
	}
	return Violates(want, "neither details nor message").By(o)
}

// Section 4.7.5. Whoever is refused has to know what to shorten.
var _ = register(limiting("AQL-4.7.5-06", func(b *bench) {
	b.sizes()
	b.arrays()
	b.depths()
}, func(s Subject, got []probes.Observation) Ruling {
	var rs []Ruling
	judge := func(name string, exceeded ...limit) {
		if o := tried(got, name).o; tooLarge(o) {
			rs = append(rs, whichLimit(o, exceeded...))
		}
	}
	for _, n := range requestLimit.beyond(s.Face) {
		judge(fmt.Sprint("request ", n), requestLimit)
		judge(fmt.Sprint("name ", n), requestLimit, stringLimit)
	}
	judge(fmt.Sprint("string ", stringLimit.beyond(s.Face)[0]), stringLimit)
	for _, n := range elementLimit.beyond(s.Face) {
		judge(fmt.Sprint("array as metadata ", n), elementLimit)
		for _, v := range vehicles(s.Face) {
			judge(fmt.Sprint("array in ", v.name, " ", n), elementLimit)
		}
	}
	for _, n := range depthLimit.beyond(s.Face) {
		for _, sh := range nestings {
			judge(fmt.Sprint("metadata of ", sh.name, " ", n), depthLimit)
		}
	}
	if len(rs) == 0 {
		return NotProven("a refusal with VALIDATION_PAYLOAD_TOO_LARGE", "none").Because("AQL-4.7.5-01")
	}
	return Worst(rs...)
}, "put the name of the limit into error.details, with its value and the actual one"))

// small are requests below the lowest limits that the range permits.
func (b *bench) small() []probes.Observation {
	return []probes.Observation{
		b.ask(padded(b.Subject, 50_000-500).Over(b.conn).Anew(401)),
		b.ask(lookupLong(b.Subject, 50_000).Over(b.conn).Anew(402)),
		b.ask(b.easyLookup().Top("_aqlx_pad", make([]int, 90)).Over(b.conn).Anew(403)),
		b.ask(deep(b.Subject, nestings[0], 5).Over(b.conn).Anew(404)),
	}
}

// smallRefused returns a refusal of a small request as too large.
func smallRefused(got []probes.Observation) (o probes.Observation, found bool) {
	for _, o := range got {
		if o.Probe.Take >= 401 && o.Probe.Take <= 404 && tooLarge(o) {
			return o, true
		}
	}
	return o, false
}

// Section 4.7.5. A client may rely on the low end of the range anywhere.
var _ = register(limiting("AQL-4.7.5-11", func(b *bench) { b.small() }, func(_ Subject, got []probes.Observation) Ruling {
	if o, found := smallRefused(got); found {
		return Violates("a request below the lowest limits taken as not too large", o)
	}
	rs := []Ruling{}
	for _, o := range got[2:] {
		if o.Lost() {
			rs = append(rs, NotProven("an answer", o).Because("AQL-4.7.5-13"))
		} else {
			rs = append(rs, Conforms().By(o))
		}
	}
	return Worst(rs...)
}, "raise the limit to the low end of its range"))

// below are requests a tenth below the advertised limits.
func (b *bench) below() {
	s, given := stringLimit.of(b.Face)
	r, advertised := requestLimit.of(b.Face)
	const worth = 4 << 20
	if given && s <= worth && (!advertised || s <= r) {
		b.ask(lookupLong(b.Subject, s*9/10).Over(b.conn).Anew(411))
	}
	if advertised && r <= worth && separate(b.Face) {
		b.ask(padded(b.Subject, r*9/10).Over(b.conn).Anew(412))
	}
	if n, ok := elementLimit.of(b.Face); ok {
		b.ask(b.easyLookup().Top("_aqlx_pad", make([]int, n*9/10)).Over(b.conn).Anew(413))
	}
	if n, ok := depthLimit.of(b.Face); ok && n > 8 {
		b.ask(deep(b.Subject, nestings[0], n-4).Over(b.conn).Anew(414))
	}
}

// Section 4.7.5. A client trusts what is advertised: it sends up to there, and no
// more.
var _ = register(func() Check {
	c := limiting("AQL-4.7.5-12", func(b *bench) {
		b.small()
		b.sizes()
		b.arrays()
		b.depths()
		b.below()
	}, func(s Subject, got []probes.Observation) Ruling {
		if o, found := smallRefused(got); found {
			return NotProven("a request below the advertised limits", o).Because("AQL-4.7.5-11")
		}
		rs := []Ruling{}
		for _, o := range got {
			if o.Probe.Take >= 411 && o.Probe.Take <= 414 && tooLarge(o) {
				rs = append(rs, Departs("a request below the advertised limits taken", o))
			}
		}
		rs = append(rs, enforced(requestLimit, s, got, "AQL-4.7.5-01", "request "), enforced(stringLimit, s, got, "AQL-4.7.5-03", "string "),
			enforced(elementLimit, s, got, "AQL-4.7.5-04", "array as metadata "), enforced(depthLimit, s, got, "AQL-4.7.5-05", "metadata of objects "))
		for _, v := range vehicles(s.Face) {
			rs = append(rs, enforced(elementLimit, s, got, "AQL-4.7.5-04", "array in "+v.name+" "), enforced(depthLimit, s, got, "AQL-4.7.5-05", v.name+" of objects "))
		}
		return Worst(rs...)
	}, "enforce the limits that _protocol advertises")
	c.On = given(publishes, onMain)
	return c
}())

// enforced compares an advertised limit with what was refused. owner is the row
// that rules where nothing is refused at all.
func enforced(l limit, s Subject, got []probes.Observation, owner, name string) Ruling {
	steps := l.beyond(s.Face)
	first, last := tried(got, fmt.Sprint(name, steps[0])), tried(got, fmt.Sprint(name, steps[len(steps)-1]))
	n, advertised := l.of(s.Face)
	want := fmt.Sprintf("a refusal beyond the advertised %s of %d", l.member, n)
	switch {
	case !advertised, first.o.Outcome == "":
		return NotApplicable("not advertised, or not to be reached by itself")
	case tooLarge(first.o):
		return Conforms().By(first.o)
	case first.o.Succeeded() && len(steps) == 2 && tooLarge(last.o):
		return Violates(want, "one only beyond more").By(first.o, last.o)
	}
	return NotProven(want, first.o).Because(owner)
}

// levels finds the depth at which a shape is refused first, by halves between four
// levels below and four above the limit. Each depth is a take of its own.
func (b *bench) levels(i, d int, build func(n int) probes.Probe) {
	taken := func(n int) bool {
		return b.ask(build(n).Over(b.conn).Anew(levelTake(i, n))).Succeeded()
	}
	low, high := d-4, d+4
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

func levelTake(shape, n int) int { return 500 + 100*shape + n }

// ruling depth: the limit that is enforced, advertised or found.
func depthEnforced(s Subject, got []probes.Observation) (d int, v vehicle, ok bool) {
	d, advertised := depthLimit.of(s.Face)
	if !advertised {
		d = depthLimit.standard
	}
	for _, n := range depthLimit.beyond(s.Face) {
		if tooLarge(tried(got, fmt.Sprint("metadata of objects ", n)).o) {
			return n - 4, vehicle{}, true
		}
		for _, v := range vehicles(s.Face) {
			if tooLarge(tried(got, fmt.Sprint(v.name, " of objects ", n)).o) {
				return n - 4, v, n-4 == d || !advertised
			}
		}
	}
	return d, vehicle{}, false
}

// Section 4.7.5. An array is a level like an object, or the limit holds for half of
// all requests.
var _ = register(limiting("AQL-4.7.5-10", func(b *bench) {
	var got []probes.Observation
	watched := *b
	watched.ask = func(p probes.Probe) probes.Observation {
		o := b.ask(p)
		got = append(got, o)
		return o
	}
	watched.depths()
	if d, v, ok := depthEnforced(b.Subject, got); ok {
		for i, sh := range nestings {
			b.levels(i, d, func(n int) probes.Probe {
				if v.name != "" {
					return deepIn(v, sh, n)
				}
				return deep(b.Subject, sh, n)
			})
		}
	}
}, func(s Subject, got []probes.Observation) Ruling {
	d, _, ok := depthEnforced(s, got)
	if !ok {
		return NotProven("a depth that is refused", "none").Because("AQL-4.7.5-05")
	}
	least, most := d+9, d-9
	var shown []probes.Observation
	for i := range nestings {
		last := d - 5 // the deepest that is taken
		for _, o := range got {
			n := o.Probe.Take - levelTake(i, 0)
			if n < d-4 || n > d+4 {
				continue
			}
			switch {
			case o.Succeeded():
				last = max(last, n)
			case !tooLarge(o):
				return NotProven("an answer that speaks of depth or none", o)
			}
			shown = append(shown, o)
		}
		least, most = min(least, last), max(most, last)
	}
	want := fmt.Sprintf("all shapes taken to %d levels and no deeper, the arguments object being the first", d)
	switch {
	case most-least > 1:
		return Violates(want, fmt.Sprintf("one shape taken to %d, another to %d", least, most)).By(shown...)
	case least < d-3 || most > d+3:
		return Violates(want, fmt.Sprintf("taken to %d", most)).By(shown...)
	case least == d && most == d:
		return Conforms().By(shown...)
	}
	return Departs(want, fmt.Sprintf("taken to %d", most)).Noting(countedFrom(most - d)).By(shown...)
}, "count objects and arrays alike, the arguments object as level 1"))

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

// Section 4.7.5. What a client cannot take in one piece it has to be told to ask
// for in parts.
var _ = register(Check{
	Requirement: "AQL-4.7.5-02",
	Lane:        probes.Disposable,
	Losses:      true,
	Drive: func(s Subject, ask Asking) {
		if p, ok := bigResponse(s.Face); ok {
			ask(p)
		}
	},
	Watch: func(f *Face, o probes.Observation) Ruling {
		most, advertised := responseLimit.of(f)
		if most += most / 20; !advertised {
			most = responseLimit.most
		}
		p, hinted := bigResponse(f)
		asked := hinted && o.Probe.Key() == p.Key()
		switch {
		case envelopeSize(o) > most:
			return Violates(tooLargeCode, fmt.Sprintf("an answer of %d bytes", envelopeSize(o))).By(o)
		case asked && tooLarge(o):
			return Conforms().By(o)
		case asked:
			return NotProven("an operation whose answer exceeds the limit", o)
		case !hinted && o.Probe.Key() == f.Listing().Key():
			return unhinted("big_response", "a call whose answer would exceed the response limit")
		}
		return elsewhere
	},
	Fix: "measure an answer before sending it; offer pages, or refuse with VALIDATION_PAYLOAD_TOO_LARGE",
})

// envelopeSize is the size of an envelope. Of a frame too large to be kept it is
// the least that it can be: two copies of the envelope, one of them escaped.
func envelopeSize(o probes.Observation) int {
	if o.Outcome == probes.Garbled && o.Received.Size > len(o.ReceivedData()) {
		return o.Received.Size / 3
	}
	return len(o.Envelope().Raw())
}

// bigResponse is the call that the author names as answering beyond the limit.
func bigResponse(f *Face) (probes.Probe, bool) {
	word, _ := f.Hint("big_response")
	p, ok := f.hinted(word)
	return p.Anew(170), ok
}
