package concurrency

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// concurrencyCategories are the four that section 9.3.1 defines.
var concurrencyCategories = strings.Fields("serialized read-concurrent fully-concurrent resource-locked")

// declared is the concurrency category that the adapter states; empty when none.
func declared(f *model.Adapter) string { return f.Protocol.At("concurrency").Text() }

// declares reports whether the adapter states one of some categories.
func declares(categories ...string) func(*model.Adapter) bool {
	return func(f *model.Adapter) bool { return slices.Contains(categories, declared(f)) }
}

// namesConcurrency matches prose that says what happens to requests that come at once.
// Notes are serialized as JSON, and folders searched in parallel, by adapters that say
// nothing of requests.
var namesConcurrency = regexp.MustCompile(`(?i)\bone (request|call|operation|write|update) at a time\b|` +
	requestsSaid + `[^.;]{0,60}\b` + atOnceSaid + `\b|\b` + atOnceSaid + `[^.;]{0,60}` + requestsSaid + `|` +
	requestsSaid + `[^.;]{0,40} (are|is|be|get|run|handled|processed|executed) (\w+ )?seriali[sz]ed\b|\bseriali[sz]es? (\w+ ){0,2}` + requestsSaid)

const (
	requestsSaid = `\b(requests?|calls?|operations?|writes?|updates?)\b`
	atOnceSaid   = `(concurren(t|cy|tly)|one at a time|one by one|in order of arrival|in arrival order|in parallel)`
)

// Section 9.3.1.
var concurrencyBehaviourIsDocumented = check.Check{
	Requirement: "AQL-9.3.1-01",
	Rule:        "The concurrency behaviour of the adapter is documented.",
	Why:         "A client that sends requests at the same time needs to know how they are ordered. Introspection may state it but need not, so its absence there proves nothing.",
	On:          model.IntrospectSubject,
	Ask:         func(s model.Subject) []probes.Probe { return append(model.Listing(s), s.Pages...) },
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		word, attested := s.Hint("attest.concurrency")
		texts := []string{}
		for _, t := range s.Tools {
			texts = append(texts, t.Raw.At("description").Text())
		}
		for _, o := range s.Operations {
			texts = append(texts, o.Details.At("description").Text(), o.Summary.At("description").Text())
		}
		switch {
		case declared(s.Adapter) != "":
			return ruling.Conforms().Noting("stated: " + ruling.Clip(declared(s.Adapter))).By(got[0])
		case attested && word == "no":
			return ruling.Violates("a documented concurrency behaviour", "none, says the author").By(got[0])
		case slices.ContainsFunc(texts, namesConcurrency.MatchString):
			return ruling.Conforms().Noting("stated in a description").By(got[0])
		case !attested:
			return ruling.NotProven("a documented concurrency behaviour", "no _protocol.concurrency, and no word of it in a description").By(got[0]).
				Mend("declare _protocol.concurrency, or " + model.AddHint("attest.concurrency", "where the concurrency behaviour is documented"))
		}
		return ruling.Conforms().Noting("attested: " + ruling.Clip(word)).By(got[0])
	},
	Fix: "document how requests that come at once are handled, best as _protocol.concurrency",
}

// Section 9.3.1.
var declaredConcurrencyIsDefinedCategory = check.Check{
	Requirement: "AQL-9.3.1-02",
	Rule:        "A declared concurrency value is one of the four defined categories.",
	Why:         "A client cannot rely on a value that the specification does not define.",
	On:          check.ProtocolWith("concurrency"),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		switch v := s.Protocol.At("concurrency"); {
		case !v.Is(probes.String):
			return ruling.NotProven("a word", v).Because("AQL-9.3.3-01")
		case !slices.Contains(concurrencyCategories, v.Text()):
			return ruling.Violates("one of "+strings.Join(concurrencyCategories, ", "), v)
		}
		return ruling.Conforms()
	},
	Fix: "declare serialized, read-concurrent, fully-concurrent or resource-locked",
}

// How many requests show an order, and how many updates of one field.
const (
	orderReads  = 30
	orderWrites = 10
)

// alternating are slow and fast reads in turn: who works them off at once answers the
// fast ones first.
func alternating(s model.Subject) []probes.Probe {
	ps := make([]probes.Probe, inFlight(s.Adapter, orderReads))
	for i := range ps {
		ps[i] = s.Listing()
		if i%2 == 1 {
			ps[i] = s.Lookup("operations", "introspect")
		}
		ps[i] = ps[i].Anew(probes.Nth("arrival order: question", i))
	}
	return ps
}

// lastSent returns the answer whose request went out last.
func lastSent(answers []probes.Observation) probes.Observation {
	return slices.MaxFunc(answers, func(x, y probes.Observation) int { return x.Sent.Seq - y.Sent.Seq })
}

// Section 9.3.1.
var serializedAdaptersKeepArrivalOrder = check.Check{
	Requirement: "AQL-9.3.1-03",
	Rule:        "A serialized adapter handles requests one after the other in arrival order.",
	Why:         "An adapter that promises the order of arrival lets a client send an update and the read after it without waiting in between. Answers may be written later than the work is done, so their order alone is a sign and no proof.",
	On:          model.Given(declares("serialized"), model.IntrospectSubject),
	Lane:        probes.Serial,
	Race: func(s model.Subject, ask model.AskFunc, together check.AskConcurrently) {
		if ask(s.Listing()).Status != 0 {
			return
		}
		together(alternating(s))
		sp, text, ok := writable(s.Adapter, 1+inFlight(s.Adapter, orderReads))
		if !ok || !check.CreateWithFields(sp, ask, "arrival order", map[string]any{text.Name: sp.ScriptMark("arrival order")}) {
			return
		}
		var row []probes.Probe
		for i := range inFlight(s.Adapter, orderWrites) {
			row = append(row, sp.Apply(probes.Nth("arrival order: update", i)).With("input", map[string]any{text.Name: ordinal(sp, "arrival order", i)}))
		}
		last := probes.ValueOf(lastSent(together(row)).Probe.Params()).At("input", text.Name).Text()
		sp.ReadUntil(ask, "arrival order: read after the updates", func(v probes.Value) bool { return v.At(text.Name).Text() == last })
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if got[0].Status != 0 {
			return ruling.NotApplicable("over HTTP there is no order of arrival")
		}
		reads := got.Under("arrival order: question")
		rs := []ruling.Ruling{}
		if !inOrderOfSending(reads) {
			rs = append(rs, ruling.Departs("answers in the order of the requests", "another order").By(reads[0], reads[len(reads)-1]))
		}
		return ruling.Worst(append(rs, lastWrites(s, got))...)
	},
	Fix: "work requests off one by one in the order in which they arrive, or declare what is true: read-concurrent, fully-concurrent or resource-locked",
}

// writable is a specimen with a text field, its script beginning at a step.
func writable(f *model.Adapter, base int) (model.TestObject, probes.Parameter, bool) {
	sp, text, ok := check.RepeatedUpdateObject(f)
	sp.Base = base
	return sp, text, ok
}

// ordinal is the text of one of several updates of a script.
func ordinal(sp model.TestObject, script string, i int) string {
	return fmt.Sprintf("%s-%d", sp.ScriptMark(script), i)
}

// lastWrites rules on the value that several updates in flight have left.
func lastWrites(s model.Subject, got probes.Answers) ruling.Ruling {
	writes := got.Under("arrival order: update")
	sp, text, ok := writable(s.Adapter, 0)
	if !ok {
		return check.NoObservableEffect(s)
	}
	look, seen := check.LastRead(sp, got, "arrival order: read after the updates")
	switch {
	case len(writes) == 0 || !seen:
		return ruling.NotProven("an object of our own shown by a READ", got.Last()).Mend(model.TestObjectHint)
	case slices.ContainsFunc(writes, func(o probes.Observation) bool { return !o.Succeeded() }):
		return ruling.NotProven("several updates in flight that succeed", "some that do not").By(writes...)
	}
	last := lastSent(writes)
	want := model.ValueIn(last.Probe, "input").At(text.Name).Text()
	switch shown := sp.ObjectIn(look).At(text.Name).Text(); {
	case shown == want && !overlapping(writes):
		return apartInTime(writes)
	case shown == want:
		return ruling.Conforms().By(look, last)
	case strings.HasPrefix(shown, sp.ScriptMark("arrival order")+"-"):
		return ruling.Violates(text.Name+" as the update that arrived last sets it", "as an earlier one sets it").By(look, last)
	default:
		return ruling.NotProven("an update that shows", ruling.Clip(shown)).By(look, last).Because("AQL-4.5.1-01")
	}
}
