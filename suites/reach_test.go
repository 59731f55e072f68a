package suites

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// reachOf is how far the run came.
func (r run) reach() *reports.Reach { return r.Plan.Reach(r.Record) }

// unlived says what is missing in the life of each kind that was not lived.
func unlived(r *reports.Reach) string {
	var all []string
	for _, k := range r.NotLived {
		all = append(all, k.Kind+": "+strings.Join(k.Missing, " "))
	}
	return strings.Join(all, "; ")
}

// All that may be called on the healthy adapter is called with success. Without permission to
// execute there are no exports, so that none may be read.
func TestReachOfTheHealthyAdapter(t *testing.T) {
	for allowed, want := range map[string]reports.Reach{
		"execute": {Operations: 14, Kinds: 2},
		"": {
			Operations: 10,
			NotAllowed: []string{"cancel_export", "cancel_exports", "execute_export", "get_export"}, Kinds: 2,
		},
	} {
		t.Run("allowed: "+allowed, func(t *testing.T) {
			t.Parallel()
			var told fixtures.Hints
			if allowed != "" {
				told.Permissions.Allow = []string{allowed}
			}
			r := judgedAs(t, stand.Config{Mode: "all"}, inProcess, plan.Selection{Checks: All()}, told)
			got := r.reach()
			if got.Operations != want.Operations || !slices.Equal(got.NotReached, want.NotReached) || !slices.Equal(got.NotAllowed, want.NotAllowed) {
				t.Errorf("got %s: not reached %v, not allowed %v", got, got.NotReached, got.NotAllowed)
			}
			if got.Kinds != want.Kinds || len(got.NotLived) > 0 {
				t.Errorf("got %s: %s", got, unlived(got))
			}
		})
	}
}

// A change or a removal that the adapter confirms and does not carry out is a call that
// succeeded, and no step in a life. Nor is a listing that leaves our objects out.
func TestUselessWritesAreNoLife(t *testing.T) {
	portion.InTurn(t)
	ignoring := meddler(func(operation string, params map[string]any) (string, bool) {
		_, known := params["input"].(map[string]any)
		if operation == "update_note" && known {
			return `{"success":true,"data":{"note_id":"note_1"}}`, false
		}
		return "", false
	})
	for name, c := range map[string]struct {
		fault  string
		target func(*adapter.Adapter) wire.Target
		want   string
	}{
		"removal": {"AQL-8.1-06.delete-does-nothing", inProcess, "folder: delete; note: delete"},
		"update":  {"", func(a *adapter.Adapter) wire.Target { return ignoring.before(t, a) }, "note: update"},
		"listing": {"", manner(hidingOurs).before(t), "note: list"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, stand.Config{Mode: "all", Fault: c.fault}, c.target, plan.Selection{Checks: All(), Run: []string{"parameters"}})
			got := r.reach()
			if unlived(got) != c.want || got.Kinds != 2 {
				t.Errorf("%s, not lived %q, want %q", got, unlived(got), c.want)
			}
			if len(got.NotReached) > 0 {
				t.Errorf("not reached: %v", got.NotReached)
			}
		})
	}
}

// Who may only read makes no object, so that no life is played. What is not allowed is named.
func TestReachOfAReadOnlyRun(t *testing.T) {
	r, _ := permittedTo(t, "stdio", model.Permissions{ReadOnly: true}, generated.Effort{})
	got := r.reach()
	if got.Operations != 5 || len(got.NotReached) > 0 || len(got.NotAllowed) != 9 || !slices.Contains(got.NotAllowed, "create_note") {
		t.Errorf("%s: not reached %v, not allowed %v", got, got.NotReached, got.NotAllowed)
	}
	if want := "folder: create read list delete; note: create read list update delete"; got.Kinds != 2 || unlived(got) != want {
		t.Errorf("%s: %q, want %q", got, unlived(got), want)
	}
}

// A run that called nothing has reached nothing, whatever is known of the adapter.
func TestNothingCalledReachesNothing(t *testing.T) {
	r := judged(t, stand.Config{Mode: "all"}, inProcess, plan.Selection{Checks: All(), Run: []string{"AQL-2.1-01"}})
	got := r.Plan.Reach(probes.Record{})
	if got.Operations != 10 || got.Reached() != 0 || got.Kinds != 2 || got.Lived() != 0 {
		t.Errorf("got %s", got)
	}
	if want := "0 of 14 operations called, 0 of 2 kinds of objects with"; !strings.HasPrefix(got.String(), want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Introspection is no operation that a run reaches: an adapter that offers nothing else has none.
func TestReachCountsNoIntrospection(t *testing.T) {
	e := probes.NewEngine(wire.NewRecorder(), time.Second, 8)
	defer e.Close()
	if err := e.Open(t.Context(), "main", crowd{0}.target()); err != nil {
		t.Fatal(err)
	}
	p := &plan.Plan{Adapters: []*model.Adapter{model.NewAdapter(t.Context(), e, "main", model.Options{Nonce: "k3f9x2ab"})}}
	if got := p.Reach(e.Record()); got.Operations != 0 || got.Kinds != 0 {
		t.Errorf("got %s", got)
	}
}
