package limits

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// limiting is a check that sends large requests on a connection of its own, after
// everything else.
func limiting(row string, ask func(b *check.IsolatedSession), judge func(s model.Subject, got probes.Answers) ruling.Ruling, fix string) check.Check {
	return check.Check{
		Requirement: row,
		On:          check.MainModeOnly,
		Lane:        probes.Disposable,
		Handles:     check.Unanswered,
		Drive: func(s model.Subject, asking model.AskFunc) {
			if b := check.NewIsolatedSession(s, "limits", asking); consent(b) && b.FirstAnswer.Succeeded() {
				ask(b)
			}
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			first := got.Step("first call in limits")
			switch {
			case !first.Succeeded():
				return ruling.NotProven("a connection of its own for large requests", first)
			case len(got) == 2 && first.Status != 0 && !s.May.Writes():
				return noConsent()
			}
			return judge(s, got)
		},
		Fix: fix,
	}
}

// The trials of sizes. Each asks what lies beyond a limit, first a little and then,
// if that is taken, beyond everything a limit may be configured to.
func sizes(b *check.IsolatedSession) {
	steps, passed := requestLimit.beyond(b.Adapter), 0
	for _, n := range steps {
		if n > largest || !b.SendRisky(fmt.Sprint("request ", n), padded(b.Subject, n)).Observation.Succeeded() {
			break
		}
		passed++
	}
	n := steps[0]
	if _, advertised := requestLimit.of(b.Adapter); !advertised && passed == len(steps) {
		n = steps[passed-1] // up to there the limit may be configured
	}
	switch {
	case !separate(b.Adapter):
		b.SendRisky(fmt.Sprint("name ", n), lookupLong(b.Subject, n))
		return
	case passed == len(steps):
		read(b, n)
	}
	n = stringLimit.beyond(b.Adapter)[0]
	b.SendRisky(fmt.Sprint("string ", n), lookupLong(b.Subject, n))
}

// read sends a request that is too large through a parameter that takes objects,
// where no string may be as long as that.
func read(b *check.IsolatedSession, n int) {
	for _, v := range check.CarrierParameters(b.Adapter) {
		if v.Kind == "object" && b.Accepts(v.With([]any{0, 0})) {
			b.SendRisky(fmt.Sprint("name ", n), sunk(v.With(check.Placeholder), padding(n)))
			return
		}
	}
}

// separate reports whether a string can be too long in a request that is not too
// large.
func separate(f *model.Adapter) bool {
	s, given := stringLimit.of(f)
	r, _ := requestLimit.of(f)
	if r == 0 {
		r = requestLimit.standard
	}
	return given && s <= r-r/20
}

func arrays(b *check.IsolatedSession) {
	steps := elementLimit.beyond(b.Adapter)
	for _, v := range check.CarrierParameters(b.Adapter) {
		if v.Kind == "array" && b.Accepts(many(v, 2)) || v.Kind == "object" && b.Accepts(v.With([]any{0, 0})) {
			for _, n := range steps {
				if !b.SendRisky(fmt.Sprint("array in ", v.Name, " ", n), many(v, n)).Observation.Succeeded() {
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
	b.SendRisky(fmt.Sprint("array as metadata ", steps[0]), check.SimpleLookup(b.Subject).Top("_aqlx_pad", zeros))
}

// many is the vehicle with an array of n elements.
func many(v check.CarrierParameter, n int) probes.Probe {
	items := make([]any, n)
	for i := range items {
		items[i] = v.Item
	}
	if v.Kind == "object" {
		return v.With(items)
	}
	return v.Probe.With(v.Name, items)
}

func depths(b *check.IsolatedSession) {
	steps := depthLimit.beyond(b.Adapter)
	for _, sh := range nestings {
		b.SendRisky(fmt.Sprint("metadata of ", sh.name, " ", steps[0]), deep(b.Subject, sh, steps[0]))
	}
	for _, v := range check.CarrierParameters(b.Adapter) {
		if v.Kind != "object" || !b.Accepts(v.With(map[string]any{"a": 0})) {
			continue
		}
		for _, sh := range nestings {
			for _, n := range steps {
				if !b.SendRisky(fmt.Sprint("nested in ", v.Name, " of ", sh.name, " ", n), deepIn(v, sh, n)).Observation.Succeeded() {
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
func taken(l limit, s model.Subject, got probes.Answers, name func(n int) string) ruling.Ruling {
	steps := l.beyond(s.Adapter)
	first := check.RiskyRequestNamed(got, name(steps[0]))
	last := check.RiskyRequestNamed(got, name(steps[len(steps)-1]))
	_, advertised := l.of(s.Adapter)
	switch {
	case first.Observation.Outcome == "":
		return ruling.NotProven("a parameter that takes what is too large", "none")
	case tooLarge(first.Observation):
		return ruling.Conforms().By(first.Observation)
	case first.Observation.Succeeded() && len(steps) == 2 && tooLarge(last.Observation) && advertised:
		return ruling.NotProven(tooLargeCode, first.Observation).Because("AQL-4.7.5-12")
	case first.Observation.Succeeded() && len(steps) == 2 && !last.Observation.Succeeded():
		return oversized(last)
	}
	return oversized(first)
}

// oversized rules on one request beyond a limit, sent through a parameter.
func oversized(t check.RiskyRequest) ruling.Ruling {
	switch o := t.Observation; {
	case o.Outcome == "":
		return ruling.NotProven("a request that large", "not sent")
	case !t.WasSent(), o.Lost():
		return ruling.NotProven("an answer", o).Because("AQL-4.7.5-13")
	case tooLarge(o):
		return ruling.Conforms().By(o)
	case o.Succeeded():
		return ruling.Violates(tooLargeCode, o)
	case o.RefusedBelow() && !o.Deferred():
		return ruling.Departs(tooLargeCode, o).Noting("refused by a layer below MCP-AQL")
	default:
		return ruling.NotProven(tooLargeCode, o)
	}
}

// overlooked turns the success of a request whose excess stands in metadata into
// something milder: metadata may be dropped unseen.
func overlooked(t check.RiskyRequest, milder func(string, any) ruling.Ruling) ruling.Ruling {
	if t.Observation.Succeeded() {
		return milder(tooLargeCode, t.Observation).Noting("the excess stands in metadata, which may be dropped unseen")
	}
	return oversized(t)
}

// Section 4.7.5.
var oversizedRequestIsRefused = bounding(requestLimit, "AQL-4.7.5-01", withControl(sizes), func(s model.Subject, got probes.Answers) ruling.Ruling {
	byMetadata := taken(requestLimit, s, got, func(n int) string { return fmt.Sprint("request ", n) })
	if o := check.RiskyRequestNamed(got, fmt.Sprint("request ", requestLimit.beyond(s.Adapter)[0])).Observation; byMetadata.Verdict == reports.Fail {
		byMetadata = ruling.Departs(tooLargeCode, o).Noting("the excess stands in metadata, which may be dropped unseen")
	}
	if r, ok := misnamed(s, requestLimit, "size", got, check.RiskyRequestNamed(got, fmt.Sprint("request ", requestLimit.beyond(s.Adapter)[0])).Observation); ok {
		return r
	}
	name := check.RiskyRequest{}
	for _, n := range requestLimit.beyond(s.Adapter) {
		if t := check.RiskyRequestNamed(got, fmt.Sprint("name ", n)); t.Observation.Outcome != "" {
			name = t
		}
	}
	if name.Observation.Outcome == "" || byMetadata.Root == "AQL-4.7.5-12" {
		return byMetadata
	}
	return ruling.Worst(byMetadata, oversized(name))
}, "count the bytes of a request before parsing it; answer VALIDATION_PAYLOAD_TOO_LARGE under its id (explain says how)").WithRule(
	"A request larger than the request limit is refused with VALIDATION_PAYLOAD_TOO_LARGE.",
	"Without a limit one request can take the memory of all.")

// Section 4.7.5.
var oversizedStringIsRefused = func() check.Check {
	c := bounding(stringLimit, "AQL-4.7.5-03", withControl(sizes), func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.RiskyRequestNamed(got, fmt.Sprint("string ", stringLimit.beyond(s.Adapter)[0]))
		if r, ok := misnamed(s, stringLimit, "string", got, t.Observation); ok && !boundsName(s) {
			return r
		}
		return oversized(t)
	}, "measure every string while reading the request")
	c.On = model.Given(separate, check.MainModeOnly)
	return c
}().WithRule(
	"A single string longer than the string limit is refused with VALIDATION_PAYLOAD_TOO_LARGE.",
	"A string is copied more often than the request it came in.")

// Section 4.7.5.
var oversizedArrayIsRefused = bounding(elementLimit, "AQL-4.7.5-04", withControl(arrays), func(s model.Subject, got probes.Answers) ruling.Ruling {
	metadata := check.RiskyRequestNamed(got, fmt.Sprint("array as metadata ", elementLimit.beyond(s.Adapter)[0]))
	if r, ok := misnamed(s, elementLimit, "array", got, metadata.Observation); ok {
		return r
	}
	for _, v := range check.CarrierParameters(s.Adapter) {
		in := func(n int) string { return fmt.Sprint("array in ", v.Name, " ", n) }
		if t := check.RiskyRequestNamed(got, in(elementLimit.beyond(s.Adapter)[0])); t.Observation.Outcome != "" {
			return taken(elementLimit, s, got, in)
		}
	}
	return overlooked(metadata, ruling.NotProven)
}, "count the elements of every array while reading the request").WithRule(
	"An array with more elements than the limit is refused with VALIDATION_PAYLOAD_TOO_LARGE.",
	"A small request can hold an array that is expensive to handle.")

// Section 4.7.5.
var tooDeepNestingIsRefused = bounding(depthLimit, "AQL-4.7.5-05", func(b *check.IsolatedSession) {
	below(b)
	depths(b)
	if consent(b) {
		b.SendRisky("metadata of arrays 5000", deep(b.Subject, nestings[1], 5000))
	}
}, func(s model.Subject, got probes.Answers) ruling.Ruling {
	rs := []ruling.Ruling{}
	first := depthLimit.beyond(s.Adapter)[0]
	if r, ok := misnamed(s, depthLimit, "depth", got, check.RiskyRequestNamed(got, fmt.Sprint("metadata of objects ", first)).Observation); ok {
		return r
	}
	refused := 0
	for _, sh := range nestings {
		if tooLarge(check.RiskyRequestNamed(got, fmt.Sprint("metadata of ", sh.name, " ", first)).Observation) {
			refused++
		}
		r := overlooked(check.RiskyRequestNamed(got, fmt.Sprint("metadata of ", sh.name, " ", first)), ruling.NotProven)
		for _, v := range check.CarrierParameters(s.Adapter) {
			in := func(n int) string { return fmt.Sprint("nested in ", v.Name, " of ", sh.name, " ", n) }
			if t := check.RiskyRequestNamed(got, in(first)); t.Observation.Outcome != "" {
				r = taken(depthLimit, s, got, in)
			}
		}
		rs = append(rs, r)
	}
	violated := slices.ContainsFunc(rs, func(r ruling.Ruling) bool { return r.Verdict == reports.Fail })
	if violated && refused > 0 {
		return ruling.NotProven("one depth for all shapes", "some refused and some not").Because("AQL-4.7.5-10")
	}
	before := check.RiskyRequestNamed(got, fmt.Sprint("metadata of arrays ", first))
	if t := check.RiskyRequestNamed(got, "metadata of arrays 5000"); t.WasSent() && t.Survived().Verdict == reports.Fail && before.Survived().Verdict != reports.Fail {
		rs = append(rs, ruling.Violates("an answer to a request of 5000 levels", t.Observation))
	}
	return ruling.Worst(rs...)
}, "count levels while reading the request, before any recursive decoder sees it").WithRule(
	"A request nested deeper than the limit is refused with VALIDATION_PAYLOAD_TOO_LARGE.",
	"A request of a few hundred bytes can exhaust the stack of whoever walks it.")

// Section 4.7.5.
var sessionSurvivesOversizedInput = limiting("AQL-4.7.5-13", func(b *check.IsolatedSession) {
	sizes(b)
	arrays(b)
	depths(b)
}, func(_ model.Subject, got probes.Answers) ruling.Ruling {
	rs := []ruling.Ruling{}
	for _, t := range check.RiskyRequests(got) {
		if t.WasSent() {
			rs = append(rs, t.Survived())
		}
	}
	return ruling.Worst(rs...)
}, "answer what is too large and read on; let no line length end the read loop").WithRule(
	"Oversized input does not take the session down.",
	"One client's excess must not cost the others their session.")
