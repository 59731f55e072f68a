package concurrency

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// inFlight is how many of so many requests may be in flight at once by what the
// adapter says of itself. Section 9.3.3.
func inFlight(f *model.Adapter, wanted int) int {
	if most, ok := f.Protocol.At("max_concurrent_requests").Float(); ok && most >= 1 {
		return min(wanted, int(most))
	}
	return wanted
}

// plainQuestions are reads whose answers differ from each other, so that an answer to
// another question is known as such.
func plainQuestions(f *model.Adapter) []probes.Probe {
	ps := []probes.Probe{f.Listing(), f.TypesListing()}
	for _, o := range f.Operations[:min(len(f.Operations), 4)] {
		ps = append(ps, f.Lookup("operations", o.Name))
	}
	return append(ps, twoObjects(f)...)
}

// twoObjects are READs of two objects by one operation: what its calls share, they show in each other's answers.
func twoObjects(f *model.Adapter) []probes.Probe {
	for _, t := range f.ProvenReads() {
		call := t.ValidCall()
		shown, _ := check.SelectableRecord(f, t.KnownGoodRequest().Reply)
		for name, known := range call.Params() {
			if other := besides(f, shown, probes.ValueOf(known)); len(call.Params()) == 1 && !other.Is(probes.Absent) {
				return []probes.Probe{call, call.With(name, other.Go())}
			}
		}
	}
	return nil
}

// besides is what a row of a listing has for a member that has the known value in the object shown.
func besides(f *model.Adapter, shown, known probes.Value) probes.Value {
	for _, t := range f.ProvenListings() {
		for _, row := range model.RowsIn(t.KnownGoodRequest().Reply.Data()) {
			for _, m := range shown.Members() {
				if v := row.At(m.Name); m.Value.Equal(known) && v.Is(known.Kind()) && !v.Equal(known) {
					return v
				}
			}
		}
	}
	return probes.Value{}
}

// crowdTime is how long an adapter that works one by one may take for a crowd.
const crowdTime = 4 * time.Second

// crowdSize is how many requests make a crowd: 50, unless the adapter takes fewer, or
// so long for each that the last would seem to be lost.
func crowdSize(f *model.Adapter, calm []probes.Observation) int {
	var took time.Duration
	for _, o := range calm {
		took += o.Elapsed / time.Duration(len(calm))
	}
	return inFlight(f, max(5, min(50, int(crowdTime/max(took, time.Microsecond)))))
}

// crowdOf are many requests, in turn of the plain questions. The answer to each is
// kept as it comes, also where it asks for patience.
func crowdOf(f *model.Adapter, round, size int) []probes.Probe {
	questions := plainQuestions(f)
	ps := make([]probes.Probe, size)
	for i := range ps {
		ps[i] = questions[i%len(questions)].Anew(probes.Nth(probes.Nth("crowd: round", round)+": question", i))
		ps[i].AtOnce = true
	}
	return ps
}

// crowding asks the plain questions one by one, twice, and then many of them at once;
// a second time where the answers were not all as expected.
func crowding(s model.Subject, ask model.AskFunc, together check.AskConcurrently) {
	var calm [2][]probes.Observation
	for i, p := range plainQuestions(s.Adapter) {
		calm[0] = append(calm[0], ask(p.As(probes.Nth("crowd: question alone", i))))
	}
	for i, p := range plainQuestions(s.Adapter) {
		calm[1] = append(calm[1], ask(p.Anew(probes.Nth("crowd: question alone again", i))))
	}
	size := crowdSize(s.Adapter, calm[1])
	if r := crowdRuling(s.Adapter, calm, together(crowdOf(s.Adapter, 0, size))); r.Verdict != ruling.Conforms().Verdict {
		together(crowdOf(s.Adapter, 1, size))
	}
	ask(s.Listing().Anew("crowd: listing after the rounds"))
	ask(probes.Heard(s.Conn, "crowd: messages heard"))
}

// crowdRuling compares answers from a crowd with those from calm times.
func crowdRuling(f *model.Adapter, calm [2][]probes.Observation, answers []probes.Observation) ruling.Ruling {
	var rs []ruling.Ruling
	for i, o := range answers {
		alone, again := calm[0][i%len(calm[0])], calm[1][i%len(calm[0])]
		busy := check.RateLimited(o) || o.Status == 503 || busyWords(o.Code())
		switch {
		case o.Probe.Operation() != "introspect" && !o.Lost():
			for _, other := range calm[0] {
				if isOther(f, alone, other, o) {
					rs = append(rs, ruling.Violates("the object that the request gets alone", "that of another request").By(o, alone, other))
				}
			}
		case !alone.Succeeded() || !again.Succeeded():
			rs = append(rs, ruling.NotProven("an answer to the same request alone", alone).By(again))
		case !o.Lost() && o.MayPass() != "" && transients(answers) <= max(1, len(answers)/rareOf): // bad luck strikes calm requests as well
			rs = append(rs, ruling.NotProven("the answer that the request gets alone", o).By(alone))
		case busy:
			rs = append(rs, ruling.Departs("an answer to each of several requests in flight", o).By(alone))
		case o.Outcome == probes.Unasked:
			rs = append(rs, ruling.NotProven("a request that is sent", o.Exit).By(o))
		case o.Lost():
			rs = append(rs, ruling.Violates("one answer to each of several requests in flight", o).By(alone))
		case !o.Succeeded():
			rs = append(rs, ruling.Violates("the answer that the request gets alone", o).By(alone))
		case !check.AgreesWhereStable(alone.Data(), again.Data(), o.Data()):
			rs = append(rs, ruling.Violates("the data that the request gets alone", "other data").By(o, alone))
		}
	}
	return ruling.Worst(append(rs, ruling.Conforms().By(answers[len(answers)-1]))...)
}

// isOther reports whether an answer shows the identifier that another request of the operation asked for: in a member that shows
// to either of them, alone, its own. The rest of an object may change meanwhile, and what is behind a READ may refuse many at once.
func isOther(f *model.Adapter, alone, other, o probes.Observation) bool {
	own, _ := check.SelectableRecord(f, alone)
	others, _ := check.SelectableRecord(f, other)
	shown, _ := check.SelectableRecord(f, o)
	for name, asked := range alone.Probe.Params() {
		key, otherKey := probes.ValueOf(asked), model.ValueIn(other.Probe, name)
		if o.Succeeded() && other.Probe.Operation() == o.Probe.Operation() && !otherKey.Equal(key) && slices.ContainsFunc(own.Members(), func(m probes.Member) bool {
			return m.Value.Equal(key) && others.At(m.Name).Equal(otherKey) && shown.At(m.Name).Equal(otherKey)
		}) {
			return true
		}
	}
	return false
}

// rareOf is of how many answers one may be a transient error by bad luck.
const rareOf = 16

// transients counts the errors that speak of the adapter's state and not of the request.
func transients(answers []probes.Observation) (n int) {
	for _, o := range answers {
		if !o.Lost() && o.MayPass() != "" {
			n++
		}
	}
	return n
}

// busyWords reports whether an error code says that there is too much to do.
func busyWords(code string) bool {
	return slices.ContainsFunc([]string{"BUSY", "OVERLOAD", "UNAVAILABLE", "CONCURREN", "TOO_MANY"}, func(word string) bool { return strings.Contains(code, word) })
}

// readCrowd splits what crowding asked.
func readCrowd(got probes.Answers) (calm [2][]probes.Observation, rounds [][]probes.Observation) {
	calm[0], calm[1] = got.Under("crowd: question alone"), got.Under("crowd: question alone again")
	for i := range 2 {
		if round := got.Under(probes.Nth("crowd: round", i)); len(round) > 0 {
			rounds = append(rounds, round)
		}
	}
	return calm, rounds
}

// Section 9.3.
var pipelinedRequestsAreAnsweredCorrectly = check.Check{
	Requirement: "AQL-9.3-01",
	Rule:        "Several requests in flight at once are each answered correctly.",
	Why:         "MCP lets a client send without waiting; answers are told apart by their ids, and each has to be the one to its request. What comes of bad luck does not come twice.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered | check.RateLimits,
	Race:        crowding,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		calm, rounds := readCrowd(got)
		if r := answeredTwice(got, rounds); r.Verdict != ruling.Conforms().Verdict {
			return r
		}
		if slices.ContainsFunc(slices.Concat(calm[0], calm[1]), probes.Observation.Lost) {
			return ruling.NotProven("an answer to each request alone", "none to some").By(calm[0]...).Because("AQL-3.2-03")
		}
		first, last := crowdRuling(s.Adapter, calm, rounds[0]), crowdRuling(s.Adapter, calm, rounds[len(rounds)-1])
		if ruling.Rank(last) > ruling.Rank(first) && last.Verdict == ruling.Conforms().Verdict {
			return ruling.NotProven("the same in a second round", "all answered as expected").By(first.Evidence...)
		}
		if last.Verdict == ruling.Conforms().Verdict && !overlapping(rounds[len(rounds)-1]) {
			return apartInTime(rounds[len(rounds)-1])
		}
		return last
	},
	Fix: "keep the state of a request in the request; share nothing between handlers that is not guarded",
}

// answeredTwice rules on answers to the crowd that came a second time.
func answeredTwice(got probes.Answers, rounds [][]probes.Observation) ruling.Ruling {
	asked := map[string]probes.Observation{}
	for _, o := range slices.Concat(rounds...) {
		sent, _ := probes.ParseValue(o.SentData())
		asked[sent.At("id").Canonical(nil)] = o
	}
	for _, stray := range got.Step("crowd: messages heard").Strays() {
		if o, ours := asked[stray.At("id").Canonical(nil)]; ours && stray.Has("id") {
			return ruling.Violates("one answer to each request", "two with the id "+stray.At("id").String()).By(o)
		}
	}
	return ruling.Conforms()
}

// Section 9.3.
var answerOrderIsFreeBetweenRequests = check.Check{
	Requirement: "AQL-9.3-02",
	Rule:        "No order is promised between independent concurrent requests outside batches.",
	Why:         "A server that works in parallel answers in the order in which it finishes; a client that needs an order waits for each answer.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered | check.RateLimits,
	Race:        crowding,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		_, rounds := readCrowd(got)
		word := "in flight were answered in the order of the requests"
		switch {
		case !overlapping(rounds[0]):
			word = "went out one by one"
		case !inOrderOfSending(rounds[0]):
			word = "in flight were answered in another order than the requests"
		}
		return ruling.Conforms().Noting(fmt.Sprintf("%d requests %s", len(rounds[0]), word)).By(rounds[0][0])
	},
}

// overlapping reports whether some of the answered requests were in flight at once. An
// adapter that takes one at a time, or an operator who spaces them, keeps them apart.
func overlapping(answers []probes.Observation) bool {
	sent := slices.DeleteFunc(slices.Clone(answers), func(o probes.Observation) bool { return o.Lost() })
	slices.SortFunc(sent, func(x, y probes.Observation) int { return x.Sent.Seq - y.Sent.Seq })
	for i := range max(0, len(sent)-1) {
		if sent[i].Received.Seq > sent[i+1].Sent.Seq {
			return true
		}
	}
	return false
}

// apartInTime rules on requests that were meant to be in flight at once and were not.
func apartInTime(answers []probes.Observation) ruling.Ruling {
	return ruling.NotProven("requests in flight at once", "one by one").By(answers[:min(len(answers), 2)]...)
}

// inOrderOfSending reports whether answers came in the order in which their requests
// went out.
func inOrderOfSending(answers []probes.Observation) bool {
	sent := slices.Clone(answers)
	slices.SortFunc(sent, func(x, y probes.Observation) int { return x.Sent.Seq - y.Sent.Seq })
	return slices.IsSortedFunc(sent, func(x, y probes.Observation) int { return x.Received.Seq - y.Received.Seq })
}
