package lifecycle

import (
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Section 8.4.
var longRunningOperationsReportExecutionState = executionCheck("AQL-8.4-01", eachHintedExecutor, "answer with execution_id and status, and offer an operation that tells them later",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		told := chapterOf(e, got, longLife)
		if len(told) == 0 || !told[0].o.Succeeded() {
			return ruling.NotProven("an execution that takes long", "none").Mend(model.AddHint("lifecycle", "params that make "+e.Name+" take long"))
		}
		for _, v := range told {
			if v.status != "" {
				return ruling.Conforms().By(v.o, told[0].o)
			}
		}
		return ruling.Violates("the state of the execution in an answer", told[0].o.Data())
	}).WithRule(
	"EXECUTE operations that run for long follow the standard lifecycle.",
	`A client that is told nothing but "ok" waits for something it cannot name.`)

// reported are the events that tell a state; why rules where none does.
func reported(e check.Executor, got probes.Answers) (told []event, why ruling.Ruling) {
	for _, v := range whole(e, got) {
		if v.o.Succeeded() && v.state.At("status").Is(probes.String) {
			told = append(told, v)
		}
	}
	if len(told) == 0 {
		return nil, ruling.NotApplicable("does not hold: the operation reports an execution state").By(got[0])
	}
	return told, ruling.Ruling{}
}

// reportCheck registers a check that looks at every reported state.
func reportCheck(id, fix string, judge func(e check.Executor, v event) ruling.Ruling) check.Check {
	return executionCheck(id, eachExecutor, fix, func(e check.Executor, got probes.Answers) ruling.Ruling {
		told, why := reported(e, got)
		if len(told) == 0 {
			return why
		}
		var rs []ruling.Ruling
		for _, v := range told {
			r := judge(e, v)
			if len(r.Evidence) == 0 {
				r = r.By(v.o)
			}
			rs = append(rs, r)
		}
		return ruling.Worst(rs...)
	})
}

// Section 8.4.1.
var coreStatesAreSpelledAsDefined = executionCheck("AQL-8.4.1-01", eachExecutor, "spell the states pending, running, completed, failed, cancelled",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		told, why := reported(e, got)
		var words []probes.Value
		for _, v := range told {
			words = append(words, v.state.At("status"))
		}
		words = append(words, lifecycle(e).At("states").Items()...)
		if len(words) == 0 {
			return why
		}
		for i, w := range words {
			if core, spelled := check.CoreState(w.Text()); core != "" && !spelled && !ownState(e, core, w.Text()) {
				r := ruling.Violates("the state "+core, w)
				if i < len(told) {
					r = r.By(told[i].o)
				}
				return r
			}
		}
		return ruling.Conforms().By(got[0])
	}).WithRule(
	"Core states are spelled pending, running, completed, failed, cancelled.",
	"Programs compare these words letter by letter.")

// ownState reports whether lifecycle.states has a word beside the core state that it may be taken for. Then the word
// is a state of the adapter's own, which section 8.4.4 permits.
func ownState(e check.Executor, core, word string) bool {
	states := lifecycle(e).At("states").Items()
	return check.Contains(states, probes.ValueOf(core)) && check.Contains(states, probes.ValueOf(word))
}

// Section 8.4.3.
var stateAnswersCarryIdAndStatus = executionCheck("AQL-8.4.3-01", eachExecutor, "answer with execution_id and status, both of them strings",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, v := range whole(e, got) {
			id, status := v.state.At("execution_id"), v.state.At("status")
			asked := v.verb == "start" || v.verb == "status"
			switch {
			case !v.o.Succeeded() || v.state.Is(probes.Absent), !asked && !tellsState(v):
			case !id.Is(probes.String):
				rs = append(rs, ruling.Violates("a string execution_id", id).By(v.o))
			case !status.Is(probes.String):
				rs = append(rs, ruling.Violates("a string status", status).By(v.o))
			default:
				rs = append(rs, ruling.Conforms().By(v.o))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("does not hold: the operation reports an execution state").By(got[0])
		}
		return ruling.Worst(rs...)
	}).WithRule(
	"Answers that report execution state include execution_id and status, both strings.",
	"Whose state it is and which one it is: nothing less can be followed.")

// tellsState reports whether the answer to a transition reports the state of the execution. It may just as well say that
// the transition was accepted.
func tellsState(v event) bool {
	core, _ := check.CoreState(v.state.At("status").Text())
	return v.state.Has("status") && v.state.Has("execution_id") || core != "" && (v.o.Data().Has("status") || !check.ExecutionIn(v.state).Is(probes.Absent))
}

// Section 8.4.3.
var executionIdsAreUnique = executionCheck("AQL-8.4.3-02", eachHintedExecutor, "give each execution an identifier of its own",
	func(e check.Executor, got probes.Answers) ruling.Ruling {
		ids := map[string]string{}
		var last probes.Observation
		for _, chapter := range []string{plainLife, stoppedLife, thirdLife} {
			told := chapterOf(e, got, chapter)
			if len(told) == 0 || check.ExecutionIn(told[0].state).Is(probes.Absent) {
				return ruling.NotProven("an identifier in the answer to each start", got[0])
			}
			id := check.ExecutionIn(told[0].state)
			if before, known := ids[id.Canonical(nil)]; known {
				if earlier := chapterOf(e, got, before); check.IsFinal(earlier[len(earlier)-1].status) {
					return ruling.Violates("an identifier of its own for each execution", id).By(told[0].o, earlier[0].o)
				}
				return ruling.NotProven("executions of which one is over before the next starts", id).By(told[0].o)
			}
			ids[id.Canonical(nil)], last = chapter, told[0].o
		}
		return ruling.Conforms().By(last, got[0])
	}).WithRule(
	"execution_id is unique for each execution.",
	"An identifier that two executions share cancels the wrong one.")

// DocumentsState reports whether introspection names a word anywhere: in the values of a
// type or the words of a description.
func DocumentsState(f *model.Adapter, word string) bool {
	words := func(text string) string { return " " + strings.Join(vocab.Words(text), " ") + " " }
	holds := func(v probes.Value) bool {
		return slices.ContainsFunc(v.Scalars(), func(text string) bool { return strings.Contains(words(text), words(word)) })
	}
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return holds(o.Summary) || holds(o.Details) }) ||
		slices.ContainsFunc(f.Types, func(t probes.Type) bool { return holds(t.Summary) || holds(t.Details) })
}

// Section 8.4.3.
var statusValuesAreKnown = reportCheck("AQL-8.4.3-03", "list every state in lifecycle.states", func(e check.Executor, v event) ruling.Ruling {
	word := v.state.At("status").Text()
	core, _ := check.CoreState(word)
	states := lifecycle(e).At("states")
	switch {
	case core != "":
		return ruling.Conforms()
	case slices.ContainsFunc(states.Items(), func(s probes.Value) bool { return s.Text() == word }):
		return ruling.Conforms()
	case !DocumentsState(e.Adapter, word):
		return ruling.NotProven("a state that is documented", word).Because("AQL-8.4.4-02")
	case !lifecycle(e).Is(probes.Object):
		return ruling.NotProven("lifecycle of "+e.Name, "none").Because("AQL-8.4.5-01")
	case !states.Is(probes.Array):
		return ruling.NotProven("an array lifecycle.states", states).Because("AQL-8.4.5-02")
	}
	return ruling.Violates("a core state, or one of lifecycle.states", word)
}).WithRule(
	"status is one of the core states or a documented custom state.",
	"A word that is looked up and not found leaves a client where it was.")

// Section 8.4.4.
var customStatesAreDocumented = reportCheck("AQL-8.4.4-02", "list the state in lifecycle.states, and say in a description what it means", func(e check.Executor, v event) ruling.Ruling {
	word := v.state.At("status").Text()
	switch core, _ := check.CoreState(word); {
	case core != "" || !v.state.Has("execution_id") && !e.Op.Details.Has("lifecycle"):
		return ruling.NotApplicable("does not hold: a state of the adapter's own was seen")
	case DocumentsState(e.Adapter, word):
		return ruling.Conforms()
	}
	return ruling.Violates("a state that introspection knows", word)
}).WithRule(
	"Each custom state that occurs is documented through introspection.",
	"States of one's own are allowed; nobody can guess what they mean.")

// clockSkew is by how much an end may lie before the start of what took no time.
const clockSkew = time.Second

// Section 8.4.3.
var optionalStateFieldsHaveTheirMeaning = reportCheck("AQL-8.4.3-04", "give dates as ISO 8601, finished_at only at the end, progress and error as objects", func(_ check.Executor, v event) ruling.Ruling {
	started, finished := v.state.At("started_at"), v.state.At("finished_at")
	from, begun := time.Parse(time.RFC3339, started.Text())
	to, ended := time.Parse(time.RFC3339, finished.Text())
	state, _ := check.CoreState(v.status)
	failure := v.state.At("error")
	kept := func(x probes.Value) bool { return !x.Is(probes.Absent) && !x.Is(probes.Null) }
	switch {
	case kept(started) && !started.Is(probes.String):
		return ruling.Violates("a date and time started_at", started)
	case kept(finished) && !finished.Is(probes.String):
		return ruling.Violates("a date and time finished_at", finished)
	case kept(finished) && (state == "pending" || state == "running"):
		return ruling.Violates("finished_at only in a final state", "one of an execution that is "+v.status)
	case kept(started) && kept(finished) && begun == nil && ended == nil && to.Before(from.Add(-clockSkew)):
		return ruling.Violates("finished_at not before started_at", finished)
	case kept(v.state.At("progress")) && !v.state.At("progress").Is(probes.Object):
		return ruling.Violates("an object progress", v.state.At("progress"))
	case kept(failure) && !failure.Is(probes.Object):
		return ruling.Violates("an object error", failure)
	case state == "failed" && kept(failure) && (failure.At("code").Text() == "" || failure.At("message").Text() == ""):
		return ruling.Violates("an error with code and message", failure)
	}
	return ruling.Conforms()
}).WithRule(
	"Optional state fields have their documented meaning: started_at and finished_at ISO 8601, progress and error objects.",
	"The fields may be left out; those that are there say what they are there to say.")

// Section 8.4.3.
var progressObjectsCarryUsableInformation = reportCheck("AQL-8.4.3-05", "give percentage, current with total, or message", func(_ check.Executor, v event) ruling.Ruling {
	return usableProgress(v.state.At("progress"))
}).WithRule(
	"A progress object has at least one of percentage, current with total, or message.",
	"Progress that says nothing is taken for a standstill.")

// usableProgress rules on a progress object.
func usableProgress(p probes.Value) ruling.Ruling {
	const want = "percentage from 0 to 100, numbers current and total, or a text message"
	if !p.Is(probes.Object) {
		return ruling.NotApplicable("does not hold: a state answer carries progress")
	}
	percentage, current, total, message := p.At("percentage"), p.At("current"), p.At("total"), p.At("message")
	share, number := percentage.Float()
	empty := func(v probes.Value) bool { return v.Is(probes.Absent) || v.Is(probes.Null) } // null has no value, section 4.7.6
	switch {
	case empty(percentage) && empty(current) && empty(total) && empty(message):
		return ruling.Violates(want, p)
	case !empty(percentage) && (!number || share < 0 || share > 100):
		return ruling.Violates(want, p)
	case current.Is(probes.Number) != total.Is(probes.Number):
		return ruling.Violates(want, p)
	case !empty(message) && !message.Is(probes.String):
		return ruling.Violates(want, p)
	}
	return ruling.Conforms()
}
