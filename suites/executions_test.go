package suites

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/area/lifecycle"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// planned sets a run up against the adapter with all features. interrupt ends it
// before the next question.
func planned(t *testing.T, may model.Permissions, hints fixtures.Hints, sel plan.Selection) (a *adapter.Adapter, e *probes.Engine, p *plan.Plan, ask func(), interrupt func()) {
	t.Helper()
	a, stand := standing(t, stand.Config{Mode: "all", Features: offered()}, inProcess)
	ctx, interrupt := context.WithCancel(t.Context())
	e = probes.NewEngine(wire.NewRecorder(), longestAnswer, 8)
	t.Cleanup(func() { interrupt(); e.Close() })
	stand.Configure(e)
	if err := e.Open(ctx, "main", stand.Main); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: may, Hints: hints})
	p, err := plan.New([]*model.Adapter{f}, sel, "--cmd ./reference-adapter")
	if err != nil {
		t.Fatal(err)
	}
	return a, e, p, func() { p.Ask(ctx, e) }, interrupt
}

// What an agent is held up for takes the leave that it takes elsewhere: the gate that is
// judged may let it through.
func TestGatedOperationNeedsLeave(t *testing.T) {
	hints := hintsFor(t, seam.Fault{Features: "all", Hints: map[string]string{"confirm": `{"op":"delete_folder","params":{"folder_id":"folder_3"}}`}})
	_, e, p, ask, _ := planned(t, model.Permissions{Execute: true}, hints, plan.Selection{Checks: All(), Run: []string{"AQL-8.7.3-*"}})
	ask()
	record := e.Record()
	for o := range record.All() {
		if o.Probe.Operation() == "delete_folder" && probes.ValueOf(o.Probe.Params()["folder_id"]).Text() == "folder_3" {
			t.Fatalf("sent %s without leave to delete", o.Probe)
		}
	}
	for _, f := range p.Judge(record) {
		if slices.Contains([]string{"AQL-8.7.3-12", "AQL-8.7.3-13"}, f.Requirement) && (f.Verdict != reports.NotProven || !strings.Contains(f.Got, "permission to delete")) {
			t.Errorf("%s %s: want %s, got %s", f.Verdict, f.Requirement, f.Want, f.Got)
		}
	}
}

// Who may start an execution may not for that cancel, pause or retry it; and what may
// not be cancelled is not started for a trial.
func TestExecutionsNeedLeaveToEnd(t *testing.T) {
	hints := hintsFor(t, seam.Fault{Features: "all"})
	hints.Permissions.Operations = map[string]string{"execute_backup": "allow"}
	_, e, p, ask, _ := planned(t, model.Permissions{}, hints, plan.Selection{Checks: All(), Run: []string{"AQL-8.4*", "AQL-2.3.3-*"}})
	ask()
	record := e.Record()
	for o := range record.All() {
		if operation := o.Probe.Operation(); strings.HasSuffix(operation, "_backup") && !slices.Contains([]string{"execute_backup", "get_backup"}, operation) && o.Succeeded() {
			t.Errorf("sent %s without leave", o.Probe)
		}
	}
	for _, f := range p.Judge(record) {
		if f.Requirement == "AQL-8.4.2-07" && f.Subject == "execute_backup" && (f.Verdict != reports.NotProven || !strings.Contains(f.Want, "cancel_backup")) {
			t.Errorf("%s %s: want %s, got %s", f.Verdict, f.Requirement, f.Want, f.Got)
		}
	}
}

// What was started is ended, whether the run was interrupted or not.
func TestNoExecutionIsLeftRunning(t *testing.T) {
	for name, when := range map[string]int{"whole": 0, "interrupted": 1} {
		t.Run(name, func(t *testing.T) {
			hints := hintsFor(t, seam.Fault{Features: "all"})
			a, e, _, ask, interrupt := planned(t, model.Permissions{Create: true, Update: true, Delete: true, Execute: true}, hints, plan.Selection{Checks: All(), Run: []string{"AQL-8.4.2-*"}})
			running := 0
			e.OnAsked(func(int) {
				if left := a.Unfinished(); slices.ContainsFunc(left, func(id string) bool { return strings.HasPrefix(id, "backup") }) {
					if running++; running == 3*when {
						interrupt()
					}
				}
			})
			ask()
			if running == 0 {
				t.Error("no backup was ever running")
			}
			if left := a.Unfinished(); len(left) != 0 {
				t.Errorf("%v are left", left)
			}
		})
	}
}

// A retry may begin an execution of another identifier, which is ended, too.
func TestRetriedExecutionsAreEnded(t *testing.T) {
	one := []probes.Parameter{{Name: "execution_id", Type: "string", Required: true}}
	f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", AQL: []string{"aql"}}, May: model.Permissions{Execute: true}}
	f.Operations = []probes.Operation{{Name: "execute_job", Category: "EXECUTE", Tool: "aql"}, {Name: "get_job", Category: "READ", Tool: "aql", Parameters: one},
		{Name: "cancel_job", Category: "EXECUTE", Tool: "aql", Parameters: one}, {Name: "retry_job", Category: "EXECUTE", Tool: "aql", Parameters: one}}
	f.Hints.Lifecycle = map[string]fixtures.Lifecycle{"execute_job": {Fail: map[string]json.RawMessage{}, Long: map[string]json.RawMessage{}}}
	for name, play := range map[string]func(check.Executor, model.AskFunc){
		"after a failure": func(e check.Executor, ask model.AskFunc) {
			for _, l := range lifecycle.Failing(e, ask) {
				l.Again()
			}
		},
		"after a cancellation": func(e check.Executor, ask model.AskFunc) {
			for _, l := range lifecycle.Stopped(e, ask) {
				l.Leave()
			}
		},
		"while it takes long": func(e check.Executor, ask model.AskFunc) {
			for _, l := range lifecycle.Long(e, ask) {
				l.Leave()
			}
		},
		"after it has completed": lifecycle.Biography,
	} {
		t.Run(name, func(t *testing.T) {
			state := map[string]string{}
			ask := func(p probes.Probe) probes.Observation {
				id := probes.ValueOf(p.Params()["execution_id"]).Text()
				switch p.Operation() {
				case "execute_job":
					id = string(rune('a' + len(state)))
					state[id] = map[bool]string{true: "failed", false: "running"}[name == "after a failure"]
				case "retry_job":
					id = string(rune('a' + len(state)))
					state[id] = "running"
				case "cancel_job":
					if state[id] == "running" {
						state[id] = "cancelled"
					}
				case "":
					return probes.Observation{Probe: p}
				}
				if name == "after it has completed" && id == "a" && p.Operation() == "get_job" {
					state[id] = "completed"
				}
				return axReply(p, `{"success":true,"data":{"execution_id":"`+id+`","status":"`+state[id]+`"}}`)
			}
			o, _ := f.Operation("execute_job")
			play(check.NewExecutor(f, o), ask)
			if len(state) < 2 {
				t.Errorf("no retry has begun another execution: %v", state)
			}
			for id, now := range state {
				if now == "running" {
					t.Errorf("execution %s is left running", id)
				}
			}
		})
	}
}
