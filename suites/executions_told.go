package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// An event is one answer in a chapter.
type event struct {
	verb   string // start, status, cancel, retry, pause, resume
	o      probes.Observation
	state  probes.Value
	status string
}

// chapter reads one chapter from what was observed.
func (e executor) chapter(got []probes.Observation, chapter int) []event {
	verbs := map[string]string{e.pause: "pause", e.resume: "resume", e.with.Retry: "retry", e.with.Cancel: "cancel", e.with.Status: "status", e.Name: "start"}
	var told []event
	var id probes.Value
	for _, o := range got {
		if n := o.Probe.Take - e.first - chapter; n < 0 || n >= specimenStage || o.Probe.Method != "" {
			continue
		}
		v := event{verb: verbs[o.Probe.Operation()], o: o, state: stateIn(o.Data())}
		if id.Is(probes.Absent) {
			id = executionIn(v.state)
		}
		if same(id, v.state) {
			v.status = v.state.At("status").Text()
		}
		told = append(told, v)
	}
	return told
}

// whole is every chapter.
func (e executor) whole(got []probes.Observation) []event {
	var told []event
	for chapter := plainLife; chapter <= brokenLife; chapter += specimenStage {
		told = append(told, e.chapter(got, chapter)...)
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
func executionCheck(id string, on func(*Face) []Subject, fix string, judge func(e executor, got []probes.Observation) Ruling) bool {
	return register(Check{
		Requirement: id,
		On:          on,
		Lane:        probes.Serial,
		Drive:       func(s Subject, ask Asking) { s.executor(s.Op).biography(ask) },
		Judge: func(s Subject, got []probes.Observation) Ruling {
			if !got[0].Succeeded() {
				return NotProven("an execution that starts", got[0]).Mend("samples." + s.Name + inHints + "values that are valid together")
			}
			return judge(s.executor(s.Op), got)
		},
		Fix: fix,
	})
}
