package lifecycle

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An event is one answer in a chapter.
type event struct {
	verb   string // start, status, cancel, retry, pause, resume
	o      probes.Observation
	state  probes.Value
	status string
}

// chapterOf reads one chapter from what was observed.
func chapterOf(e check.Executor, got probes.Answers, chapter string) []event {
	verbs := map[string]string{e.Pause: "pause", e.Resume: "resume", e.Lifecycle.Retry: "retry", e.Lifecycle.Cancel: "cancel", e.Lifecycle.Status: "status", e.Name: "start"}
	var told []event
	var id probes.Value
	for _, o := range got.Under(e.Step(chapter)) {
		if o.Probe.Method != "" {
			continue
		}
		v := event{verb: verbs[o.Probe.Operation()], o: o, state: check.StateIn(o.Data())}
		if id.Is(probes.Absent) {
			id = check.ExecutionIn(v.state)
		}
		if same(id, v.state) {
			v.status = v.state.At("status").Text()
		}
		told = append(told, v)
	}
	return told
}

// whole is every chapter.
func whole(e check.Executor, got probes.Answers) []event {
	var told []event
	for _, chapter := range chapters {
		told = append(told, chapterOf(e, got, chapter)...)
	}
	return told
}

// firstIn returns the index of the first event that tells a state; -1 for none.
func firstIn(told []event, state string) int {
	return slices.IndexFunc(told, func(v event) bool { return inState(state)(v.status) })
}

// eventOf returns the index of the first event of a verb from an index on; -1 for none.
func eventOf(told []event, verb string, from int) int {
	if i := slices.IndexFunc(told[from:], func(v event) bool { return v.verb == verb }); i >= 0 {
		return from + i
	}
	return -1
}

// executionCheck registers a check that looks at the lives of executions.
func executionCheck(id string, on func(*model.Adapter) []model.Subject, fix string, judge func(e check.Executor, got probes.Answers) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          on,
		Lane:        probes.Serial,
		Drive:       func(s model.Subject, ask model.AskFunc) { Biography(check.NewExecutor(s.Adapter, s.Op), ask) },
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			if !got[0].Succeeded() {
				return ruling.NotProven("an execution that starts", got[0]).Mend(model.AddHint("samples."+s.Name, "values that are valid together"))
			}
			return judge(check.NewExecutor(s.Adapter, s.Op), got)
		},
		Fix: fix,
	}
}
