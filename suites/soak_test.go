package suites

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// soakOf is a load that a test can wait for. The rate is above the 50 requests a second of the
// command, since a fault that shows about once in four seconds at 50 shows sixteen times as often.
var soakOf = generated.Effort{Seed: 41, Soak: 6 * time.Second, Rate: 200}

// updates selects what a soak of a test is judged by beside the load.
var updates = plan.Selection{Checks: All(), Run: []string{"AQL-4.5.1-*", "AQL-3.2-03", "AQL-9.3*", "MCP-RPC-01"}}

// soaked puts an adapter over HTTP under load, and judges its transcript once more.
func soaked(t *testing.T, fault string) (live []reports.Finding, figures *reports.Load) {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all", Fault: fault})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	script := probes.NewTranscript(&file, nil)
	script.Add(probes.Entry{Kind: "head", Head: []byte(`{}`)})
	e := probes.NewEngine(wire.NewRecorder(), longestAnswer, 8)
	e.Transcribe(script)
	if err := e.Open(t.Context(), "main", overHTTP(t)(a)); err != nil {
		t.Fatal(err)
	}
	set := model.Options{Nonce: "k3f9x2ab", May: OwnObjects(), Today: time.Now()}
	live, figures = underLoad(t, e, set)
	e.Close()
	script.Add(probes.Entry{Kind: "foot", Foot: []byte(`{}`)})
	if _, err := script.Close(); err != nil {
		t.Fatal(err)
	}
	if left := a.Objects(); !slices.Equal(left, seeded) {
		t.Errorf("the store holds %v after the load, want %v", left, seeded)
	}
	entries, _, err := probes.ReadTranscript(&file)
	if err != nil {
		t.Fatal(err)
	}
	again := probes.NewEngine(wire.NewRecorder(), time.Second, 8)
	again.Recall(entries)
	set.Sleep = func(time.Duration) {}
	if judged, _ := underLoad(t, again, set); !reflect.DeepEqual(live, judged) {
		t.Errorf("the run has %d findings, its transcript %d, and they differ", len(live), len(judged))
	}
	t.Logf("%+v; %d observations kept", *figures, len(again.Record().Observations))
	return live, figures
}

func underLoad(t *testing.T, e *probes.Engine, set model.Options) ([]reports.Finding, *reports.Load) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p, err := plan.New([]*model.Adapter{model.NewAdapter(ctx, e, "main", set)}, updates, "--cmd ./reference-adapter")
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = soakOf
	p.Ask(ctx, e)
	found := p.Judge(e.Record())
	return found, p.Load(found)
}

// A healthy adapter holds under load, and its objects are removed.
func TestHealthyAdapterHoldsUnderLoad(t *testing.T) {
	found, figures := soaked(t, "")
	for _, f := range found {
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn && plan.BrokeUnderLoad(f) {
			t.Errorf("%s %s: want %s, got %s (%s)", f.Requirement, f.Subject, f.Want, f.Got, f.Note)
		}
	}
	if len(figures.Broken) > 0 || figures.Unanswered > 0 || len(figures.Refused) > 0 || figures.Requests < 600 {
		t.Errorf("the load came to %+v", *figures)
	}
}

// Each fault that waits for a load is named by it, as the first requirement that breaks. The other
// tests of seeded faults see that nothing else finds it.
func TestLoadFindsWhatWaitsForIt(t *testing.T) {
	ran := 0
	for _, fault := range faults.All() {
		if fault.Phase != "load" {
			continue
		}
		ran++
		t.Run(fault.ID+"."+fault.Variant, func(t *testing.T) {
			found, figures := soaked(t, fault.ID+"."+fault.Variant)
			if len(figures.Broken) == 0 || figures.Broken[0] != fault.ID {
				t.Errorf("%s: %v broke, want %s first", fault.Defect, figures.Broken, fault.ID)
			}
			for _, f := range found {
				if f.Verdict == reports.Fail && (!plan.BrokeUnderLoad(f) || f.Requirement != fault.ID && !slices.Contains(fault.Also, f.Requirement)) {
					t.Errorf("%s %s is accused: want %s, got %s (%s)", f.Requirement, f.Subject, f.Want, f.Got, f.Note)
				}
				if f.Requirement == fault.ID && f.Verdict == reports.Fail && (len(f.Evidence) < 3 || f.Again == "") {
					t.Errorf("%d exchanges show it, again %q", len(f.Evidence), f.Again)
				}
			}
		})
	}
	if ran == 0 {
		t.Error("no fault waits for a load")
	}
}
