package suites

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// limiting is a check that sends large requests on a connection of its own, after
// everything else.
func limiting(row string, ask func(b *bench), judge func(s Subject, got []probes.Observation) Ruling, fix string) Check {
	return Check{
		Requirement: row,
		On:          onMain,
		Lane:        probes.Disposable,
		Losses:      true,
		Drive: func(s Subject, asking Asking) {
			if b := s.bench("limits", asking); b.consent() && b.first.Succeeded() {
				ask(b)
			}
		},
		Judge: func(s Subject, got []probes.Observation) Ruling {
			switch {
			case !got[1].Succeeded():
				return NotProven("a connection of its own for large requests", got[1])
			case len(got) == 2 && got[1].Status != 0 && !s.May.Writes():
				return noConsent()
			}
			return judge(s, got)
		},
		Fix: fix,
	}
}

// The trials of sizes. Each asks what lies beyond a limit, first a little and then,
// if that is taken, beyond everything a limit may be configured to.
func (b *bench) sizes() {
	steps, passed := requestLimit.beyond(b.Face), 0
	for _, n := range steps {
		if n > largest || !b.try(fmt.Sprint("request ", n), padded(b.Subject, n)).o.Succeeded() {
			break
		}
		passed++
	}
	n := steps[0]
	if _, advertised := requestLimit.of(b.Face); !advertised && passed == len(steps) {
		n = steps[passed-1] // up to there the limit may be configured
	}
	switch {
	case !separate(b.Face):
		b.try(fmt.Sprint("name ", n), lookupLong(b.Subject, n))
		return
	case passed == len(steps):
		b.read(n)
	}
	n = stringLimit.beyond(b.Face)[0]
	b.try(fmt.Sprint("string ", n), lookupLong(b.Subject, n))
}

// read sends a request that is too large through a parameter that takes objects,
// where no string may be as long as that.
func (b *bench) read(n int) {
	for _, v := range vehicles(b.Face) {
		if v.kind == "object" && b.takes(v.with([]any{0, 0})) {
			b.try(fmt.Sprint("name ", n), sunk(v.with(spot), padding(n)))
			return
		}
	}
}

// separate reports whether a string can be too long in a request that is not too
// large.
func separate(f *Face) bool {
	s, given := stringLimit.of(f)
	r, _ := requestLimit.of(f)
	if r == 0 {
		r = requestLimit.standard
	}
	return given && s <= r-r/20
}

func (b *bench) arrays() {
	steps := elementLimit.beyond(b.Face)
	for _, v := range vehicles(b.Face) {
		if v.kind == "array" && b.takes(v.many(2)) || v.kind == "object" && b.takes(v.with([]any{0, 0})) {
			for _, n := range steps {
				if !b.try(fmt.Sprint("array in ", v.name, " ", n), v.many(n)).o.Succeeded() {
					break
				}
			}
			break
		}
	}
	zeros := make([]any, steps[0])
	for i := range zeros {
		zeros[i] = 0
	}
	b.try(fmt.Sprint("array as metadata ", steps[0]), b.easyLookup().Top("_aqlx_pad", zeros))
}

// many is the vehicle with an array of n elements.
func (v vehicle) many(n int) probes.Probe {
	items := make([]any, n)
	for i := range items {
		items[i] = v.item
	}
	if v.kind == "object" {
		return v.with(items)
	}
	return v.probe.With(v.name, items)
}

func (b *bench) depths() {
	steps := depthLimit.beyond(b.Face)
	for _, sh := range nestings {
		b.try(fmt.Sprint("metadata of ", sh.name, " ", steps[0]), deep(b.Subject, sh, steps[0]))
	}
	for _, v := range vehicles(b.Face) {
		if v.kind != "object" || !b.takes(v.with(map[string]any{"a": 0})) {
			continue
		}
		for _, sh := range nestings {
			for _, n := range steps {
				if !b.try(fmt.Sprint(v.name, " of ", sh.name, " ", n), deepIn(v, sh, n)).o.Succeeded() {
					break
				}
			}
		}
		break
	}
}

// taken rules on the trials of one limit through a parameter that is read. Names
// are the steps of limit.beyond: what passes the first and not the second is
// another limit than the one advertised, which AQL-4.7.5-12 rules on.
func taken(l limit, s Subject, got []probes.Observation, name func(n int) string) Ruling {
	steps := l.beyond(s.Face)
	first := tried(got, name(steps[0]))
	last := tried(got, name(steps[len(steps)-1]))
	_, advertised := l.of(s.Face)
	switch {
	case first.o.Outcome == "":
		return NotProven("a parameter that takes what is too large", "none")
	case tooLarge(first.o):
		return Conforms().By(first.o)
	case first.o.Succeeded() && len(steps) == 2 && tooLarge(last.o) && advertised:
		return NotProven(tooLargeCode, first.o).Because("AQL-4.7.5-12")
	case first.o.Succeeded() && len(steps) == 2 && !last.o.Succeeded():
		return oversized(last)
	}
	return oversized(first)
}

// oversized rules on one request beyond a limit, sent through a parameter.
func oversized(t trial) Ruling {
	switch o := t.o; {
	case o.Outcome == "":
		return NotProven("a request that large", "not sent")
	case !t.asked(), o.Lost():
		return NotProven("an answer", o).Because("AQL-4.7.5-13")
	case tooLarge(o):
		return Conforms().By(o)
	case o.Succeeded():
		return Violates(tooLargeCode, o)
	case o.RefusedBelow() && !o.Deferred():
		return Departs(tooLargeCode, o).Noting("refused by a layer below MCP-AQL")
	default:
		return NotProven(tooLargeCode, o)
	}
}

// overlooked turns the success of a request whose excess stands in metadata into
// something milder: metadata may be dropped unseen.
func overlooked(t trial, milder func(string, any) Ruling) Ruling {
	if t.o.Succeeded() {
		return milder(tooLargeCode, t.o).Noting("the excess stands in metadata, which may be dropped unseen")
	}
	return oversized(t)
}

// Section 4.7.5. Without a limit one request can take the memory of all.
var _ = register(limiting("AQL-4.7.5-01", (*bench).sizes, func(s Subject, got []probes.Observation) Ruling {
	byMetadata := taken(requestLimit, s, got, func(n int) string { return fmt.Sprint("request ", n) })
	if o := tried(got, fmt.Sprint("request ", requestLimit.beyond(s.Face)[0])).o; byMetadata.verdict == reports.Fail {
		byMetadata = Departs(tooLargeCode, o).Noting("the excess stands in metadata, which may be dropped unseen")
	}
	name := trial{}
	for _, n := range requestLimit.beyond(s.Face) {
		if t := tried(got, fmt.Sprint("name ", n)); t.o.Outcome != "" {
			name = t
		}
	}
	if name.o.Outcome == "" || byMetadata.root == "AQL-4.7.5-12" {
		return byMetadata
	}
	return Worst(byMetadata, oversized(name))
}, "count the bytes of a request before parsing it, and refuse what exceeds the limit with VALIDATION_PAYLOAD_TOO_LARGE"))

// Section 4.7.5. A string is copied more often than the request it came in.
var _ = register(func() Check {
	c := limiting("AQL-4.7.5-03", (*bench).sizes, func(s Subject, got []probes.Observation) Ruling {
		return oversized(tried(got, fmt.Sprint("string ", stringLimit.beyond(s.Face)[0])))
	}, "measure every string while reading the request")
	c.On = given(separate, onMain)
	return c
}())

// Section 4.7.5. A small request can hold an array that is expensive to handle.
var _ = register(limiting("AQL-4.7.5-04", (*bench).arrays, func(s Subject, got []probes.Observation) Ruling {
	metadata := tried(got, fmt.Sprint("array as metadata ", elementLimit.beyond(s.Face)[0]))
	for _, v := range vehicles(s.Face) {
		in := func(n int) string { return fmt.Sprint("array in ", v.name, " ", n) }
		if t := tried(got, in(elementLimit.beyond(s.Face)[0])); t.o.Outcome != "" {
			return taken(elementLimit, s, got, in)
		}
	}
	return overlooked(metadata, NotProven)
}, "count the elements of every array while reading the request"))

// Section 4.7.5. A request of a few hundred bytes can exhaust the stack of whoever
// walks it.
var _ = register(limiting("AQL-4.7.5-05", func(b *bench) {
	b.depths()
	if b.consent() {
		b.try("metadata of arrays 5000", deep(b.Subject, nestings[1], 5000))
	}
}, func(s Subject, got []probes.Observation) Ruling {
	rs := []Ruling{}
	first := depthLimit.beyond(s.Face)[0]
	refused := 0
	for _, sh := range nestings {
		if tooLarge(tried(got, fmt.Sprint("metadata of ", sh.name, " ", first)).o) {
			refused++
		}
		r := overlooked(tried(got, fmt.Sprint("metadata of ", sh.name, " ", first)), NotProven)
		for _, v := range vehicles(s.Face) {
			in := func(n int) string { return fmt.Sprint(v.name, " of ", sh.name, " ", n) }
			if t := tried(got, in(first)); t.o.Outcome != "" {
				r = taken(depthLimit, s, got, in)
			}
		}
		rs = append(rs, r)
	}
	violated := slices.ContainsFunc(rs, func(r Ruling) bool { return r.verdict == reports.Fail })
	if violated && refused > 0 {
		return NotProven("one depth for all shapes", "some refused and some not").Because("AQL-4.7.5-10")
	}
	before := tried(got, fmt.Sprint("metadata of arrays ", first))
	if t := tried(got, "metadata of arrays 5000"); t.asked() && t.survived().verdict == reports.Fail && before.survived().verdict != reports.Fail {
		rs = append(rs, Violates("an answer to a request of 5000 levels", t.o))
	}
	return Worst(rs...)
}, "count levels while reading the request, before any recursive decoder sees it"))

// Section 4.7.5. One client's excess must not cost the others their session.
var _ = register(limiting("AQL-4.7.5-13", func(b *bench) {
	b.sizes()
	b.arrays()
	b.depths()
}, func(_ Subject, got []probes.Observation) Ruling {
	rs := []Ruling{}
	for _, t := range trials(got) {
		if t.asked() {
			rs = append(rs, t.survived())
		}
	}
	return Worst(rs...)
}, "answer what is too large and read on; let no line length end the read loop"))
