package suites

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A transcript gives the same findings as the run that wrote it, to the letter, and the same
// reach:
// with the adapter healthy, with some faults (AQL_CONFORM_WHOLE=1: with all that need
// nothing beside the adapter), over both transports.
func TestTranscriptsGiveTheSameFindings(t *testing.T) {
	portion.Long(t)
	cases := []seam.Fault{{}}
	for i, f := range faults.All() {
		if f.Features == "" && f.Phase != "load" && portion.OneOf(i, 900) && !(sampled() && i%900 != 0) {
			cases = append(cases, f)
		}
	}
	for i, fault := range cases {
		name := fault.ID + "." + fault.Variant
		if fault.ID == "" {
			name = ""
		}
		t.Run(fmt.Sprintf("%d/%s", i, name), func(t *testing.T) {
			t.Parallel()
			cfg := stand.Config{Mode: fault.Mode, Profile: fault.Profile, Fault: name}
			target := inProcess
			if fault.Transport == "http" || i%2 == 1 && fault.Transport == "" {
				target = overHTTP(t)
			}
			var file bytes.Buffer
			set := model.Options{
				Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true}, Hints: hintsFor(t, fault), Today: time.Now(),
			}
			effort := generated.Effort{Seed: 41}
			switch {
			case i == 0:
				effort.Phases, effort.Time = []string{"examples", "negative"}, time.Minute
			case fault.Phase != "":
				effort.Phases, effort.Time = []string{fault.Phase}, time.Minute
			}
			live, reached := transcribed(t, cfg, target, set, effort, &file)
			entries, _, err := probes.ReadTranscript(&file)
			if err != nil {
				t.Fatal(err)
			}
			e := probes.NewEngine(wire.NewRecorder(), time.Second, 8)
			e.Recall(entries)
			set.Sleep = func(time.Duration) {} // as judge does: the waits of the run are over
			judged, again := findingsOf(t, e, set, effort)
			if !reflect.DeepEqual(again, reached) {
				t.Errorf("the run reached %s, its transcript shows %s\n%+v\n%+v", reached, again, reached, again)
			}
			if len(judged) != len(live) {
				t.Fatalf("%d findings, the run had %d", len(judged), len(live))
			}
			for i := range live {
				if !reflect.DeepEqual(live[i], judged[i]) {
					t.Fatalf("the run found\n%.600s\nits transcript shows\n%.600s", fmt.Sprintf("%+v", live[i]), fmt.Sprintf("%+v", judged[i]))
				}
			}
		})
	}
}

// transcribed judges an adapter and writes the transcript.
func transcribed(t *testing.T, cfg stand.Config, target func(*adapter.Adapter) wire.Target, set model.Options, effort generated.Effort, file *bytes.Buffer) ([]reports.Finding, *reports.Reach) {
	a, err := stand.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	e := probes.NewEngine(wire.NewRecorder(), longestAnswer, 8)
	defer e.Close()
	script := probes.NewTranscript(file, nil)
	script.Add(probes.Entry{Kind: "head", Head: []byte(`{}`)})
	e.Transcribe(script)
	if err := e.Open(t.Context(), "main", target(a)); err != nil {
		t.Fatal(err)
	}
	found, reached := findingsOf(t, e, set, effort)
	e.Seal()
	script.Add(probes.Entry{Kind: "foot", Foot: []byte(`{}`)})
	if _, err := script.Close(); err != nil {
		t.Fatal(err)
	}
	return found, reached
}

// findingsOf plans, asks and judges by an engine that asks or remembers.
func findingsOf(t *testing.T, e *probes.Engine, set model.Options, effort generated.Effort) ([]reports.Finding, *reports.Reach) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p, err := plan.New([]*model.Adapter{model.NewAdapter(ctx, e, "main", set)}, plan.Selection{Checks: All()}, "--cmd ./reference-adapter")
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = effort
	p.Ask(ctx, e)
	return p.Judge(e.Record()), p.Reach(e.Record())
}
