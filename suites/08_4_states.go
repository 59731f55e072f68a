package suites

import (
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Section 8.4. A client that is told nothing but "ok" waits for something it cannot
// name.
var _ = executionCheck("AQL-8.4-01", eachHintedExecutor, "answer with execution_id and status, and offer an operation that tells them later",
	func(e executor, got []probes.Observation) Ruling {
		told := e.chapter(got, longLife)
		if len(told) == 0 || !told[0].o.Succeeded() {
			return NotProven("an execution that takes long", "none").Mend("lifecycle" + inHints + "params that make " + e.Name + " take long")
		}
		for _, v := range told {
			if v.status != "" {
				return Conforms().By(v.o, told[0].o)
			}
		}
		return Violates("the state of the execution in an answer", told[0].o.Data())
	})

// reported are the events that tell a state; why rules where none does.
func (e executor) reported(got []probes.Observation) (told []event, why Ruling) {
	for _, v := range e.whole(got) {
		if v.o.Succeeded() && v.state.At("status").Is(probes.String) {
			told = append(told, v)
		}
	}
	if len(told) == 0 {
		return nil, NotApplicable("does not hold: the operation reports an execution state").By(got[0])
	}
	return told, Ruling{}
}

// reportCheck registers a check that looks at every reported state.
func reportCheck(id, fix string, judge func(e executor, v event) Ruling) bool {
	return executionCheck(id, eachExecutor, fix, func(e executor, got []probes.Observation) Ruling {
		told, why := e.reported(got)
		if len(told) == 0 {
			return why
		}
		var rs []Ruling
		for _, v := range told {
			r := judge(e, v)
			if len(r.evidence) == 0 {
				r = r.By(v.o)
			}
			rs = append(rs, r)
		}
		return Worst(rs...)
	})
}

// Section 8.4.1. Programs compare these words letter by letter.
var _ = executionCheck("AQL-8.4.1-01", eachExecutor, "spell the states pending, running, completed, failed, cancelled",
	func(e executor, got []probes.Observation) Ruling {
		told, why := e.reported(got)
		var words []probes.Value
		for _, v := range told {
			words = append(words, v.state.At("status"))
		}
		words = append(words, e.lifecycle().At("states").Items()...)
		if len(words) == 0 {
			return why
		}
		for i, w := range words {
			if core, spelled := coreState(w.Text()); core != "" && !spelled {
				r := Violates("the state "+core, w)
				if i < len(told) {
					r = r.By(told[i].o)
				}
				return r
			}
		}
		return Conforms().By(got[0])
	})

// Section 8.4.3. Whose state it is and which one it is: nothing less can be followed.
var _ = executionCheck("AQL-8.4.3-01", eachExecutor, "answer with execution_id and status, both of them strings",
	func(e executor, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, v := range e.whole(got) {
			id, status := v.state.At("execution_id"), v.state.At("status")
			asked := v.verb == "start" || v.verb == "status"
			switch {
			case !v.o.Succeeded() || v.state.Is(probes.Absent), !asked && (id.Is(probes.Absent) || status.Is(probes.Absent)):
			case !id.Is(probes.String):
				rs = append(rs, Violates("a string execution_id", id).By(v.o))
			case !status.Is(probes.String):
				rs = append(rs, Violates("a string status", status).By(v.o))
			default:
				rs = append(rs, Conforms().By(v.o))
			}
		}
		if len(rs) == 0 {
			return NotApplicable("does not hold: the operation reports an execution state").By(got[0])
		}
		return Worst(rs...)
	})

// Section 8.4.3. An identifier that two executions share cancels the wrong one.
var _ = executionCheck("AQL-8.4.3-02", eachHintedExecutor, "give each execution an identifier of its own",
	func(e executor, got []probes.Observation) Ruling {
		ids := map[string]int{}
		var last probes.Observation
		for _, chapter := range []int{plainLife, stoppedLife, thirdLife} {
			told := e.chapter(got, chapter)
			if len(told) == 0 || executionIn(told[0].state).Is(probes.Absent) {
				return NotProven("an identifier in the answer to each start", got[0])
			}
			id := executionIn(told[0].state)
			if before, known := ids[id.Canonical(nil)]; known {
				if earlier := e.chapter(got, before); final(earlier[len(earlier)-1].status) {
					return Violates("an identifier of its own for each execution", id).By(told[0].o, earlier[0].o)
				}
				return NotProven("executions of which one is over before the next starts", id).By(told[0].o)
			}
			ids[id.Canonical(nil)], last = chapter, told[0].o
		}
		return Conforms().By(last, got[0])
	})

// documentsState reports whether introspection names a word anywhere: in the values of a
// type or the words of a description.
func documentsState(f *Face, word string) bool {
	words := func(text string) string { return " " + strings.Join(vocab.Words(text), " ") + " " }
	holds := func(v probes.Value) bool {
		return slices.ContainsFunc(v.Scalars(), func(text string) bool { return strings.Contains(words(text), words(word)) })
	}
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return holds(o.Summary) || holds(o.Details) }) ||
		slices.ContainsFunc(f.Types, func(t probes.Type) bool { return holds(t.Summary) || holds(t.Details) })
}

// Section 8.4.3. A word that is looked up and not found leaves a client where it was.
var _ = reportCheck("AQL-8.4.3-03", "list every state in lifecycle.states", func(e executor, v event) Ruling {
	word := v.state.At("status").Text()
	core, _ := coreState(word)
	states := e.lifecycle().At("states")
	switch {
	case core != "":
		return Conforms()
	case slices.ContainsFunc(states.Items(), func(s probes.Value) bool { return s.Text() == word }):
		return Conforms()
	case !documentsState(e.Face, word):
		return NotProven("a state that is documented", word).Because("AQL-8.4.4-02")
	case !e.lifecycle().Is(probes.Object):
		return NotProven("lifecycle of "+e.Name, "none").Because("AQL-8.4.5-01")
	case !states.Is(probes.Array):
		return NotProven("an array lifecycle.states", states).Because("AQL-8.4.5-02")
	}
	return Violates("a core state, or one of lifecycle.states", word)
})

// Section 8.4.4. States of one's own are allowed; nobody can guess what they mean.
var _ = reportCheck("AQL-8.4.4-02", "list the state in lifecycle.states, and say in a description what it means", func(e executor, v event) Ruling {
	word := v.state.At("status").Text()
	switch core, _ := coreState(word); {
	case core != "" || !v.state.Has("execution_id") && !e.Op.Details.Has("lifecycle"):
		return NotApplicable("does not hold: a state of the adapter's own was seen")
	case documentsState(e.Face, word):
		return Conforms()
	}
	return Violates("a state that introspection knows", word)
})

// clockSkew is by how much an end may lie before the start of what took no time.
const clockSkew = time.Second

// Section 8.4.3. The fields may be left out; those that are there say what they are
// there to say.
var _ = reportCheck("AQL-8.4.3-04", "give dates as ISO 8601, finished_at only at the end, progress and error as objects", func(_ executor, v event) Ruling {
	started, finished := v.state.At("started_at"), v.state.At("finished_at")
	from, begun := time.Parse(time.RFC3339, started.Text())
	to, ended := time.Parse(time.RFC3339, finished.Text())
	state, _ := coreState(v.status)
	failure := v.state.At("error")
	kept := func(x probes.Value) bool { return !x.Is(probes.Absent) && !x.Is(probes.Null) }
	switch {
	case kept(started) && !started.Is(probes.String):
		return Violates("a date and time started_at", started)
	case kept(finished) && !finished.Is(probes.String):
		return Violates("a date and time finished_at", finished)
	case kept(finished) && (state == "pending" || state == "running"):
		return Violates("finished_at only in a final state", "one of an execution that is "+v.status)
	case kept(started) && kept(finished) && begun == nil && ended == nil && to.Before(from.Add(-clockSkew)):
		return Violates("finished_at not before started_at", finished)
	case kept(v.state.At("progress")) && !v.state.At("progress").Is(probes.Object):
		return Violates("an object progress", v.state.At("progress"))
	case state == "failed" && kept(failure) && (failure.At("code").Text() == "" || failure.At("message").Text() == ""):
		return Violates("an error with code and message", failure)
	}
	return Conforms()
})

// Section 8.4.3. Progress that says nothing is taken for a standstill.
var _ = reportCheck("AQL-8.4.3-05", "give percentage, current with total, or message", func(_ executor, v event) Ruling {
	const want = "percentage from 0 to 100, numbers current and total, or a text message"
	p := v.state.At("progress")
	if !p.Is(probes.Object) {
		return NotApplicable("does not hold: a state answer carries progress")
	}
	percentage, current, total, message := p.At("percentage"), p.At("current"), p.At("total"), p.At("message")
	share, number := percentage.Float()
	switch {
	case percentage.Is(probes.Absent) && current.Is(probes.Absent) && total.Is(probes.Absent) && message.Is(probes.Absent):
		return Violates(want, p)
	case !percentage.Is(probes.Absent) && (!number || share < 0 || share > 100):
		return Violates(want, p)
	case current.Is(probes.Number) != total.Is(probes.Number):
		return Violates(want, p)
	case !message.Is(probes.Absent) && !message.Is(probes.String):
		return Violates(want, p)
	}
	return Conforms()
})
