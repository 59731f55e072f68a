package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// The version that a change demands is read where a documented example stands for it. A script that sends an old one
// on purpose sends it, even if it is that example.
func TestAVersionThatIsMeantStays(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{},
		"CREATE create_room name", "READ get_room room_id", "UPDATE update_room room_id input if_match", "DELETE delete_room room_id")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Match: newPatternMatcher()}
	update := f.Operations[2]
	version, _ := update.Precondition()
	documented := f.Gen.Values(update, version)[0]
	reads := 0
	ask := func(p probes.Probe) probes.Observation {
		reads++
		return succeeded(p, `{"room_id":"r1","_version":"v3"}`)
	}
	for _, meant := range []bool{false, true} {
		p := f.Request(update, map[string]any{"room_id": "r1", "input": map[string]any{}, "if_match": documented.Go()})
		p.Stale = meant
		sent := ValueIn(f.WithVersion(p, ask), "if_match")
		if sent.Equal(documented) != meant || reads != 1 {
			t.Errorf("meant %t: %s went as %s after %d reads", meant, documented, sent, reads)
		}
	}
}

// A generated update gives all that its operation demands beside input, such as a version.
func TestUpdateStepsGiveWhatIsDemanded(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true}, fixtures.Hints{}, "CREATE create_room name", "UPDATE update_room room_id input if_match")
	update := f.Operations[1]
	valid := f.Request(update, map[string]any{"room_id": "r1", "input": map[string]any{"name": "a"}, "if_match": "v1"})
	f.KnownGood = map[string]KnownGood{update.Name: {State: Proven, Probe: valid}}
	obj := TestObject{Subject: Subject{Adapter: f, Name: update.Name, Op: update}, IDs: map[string][]string{"room_id": {"room_id"}}}
	step := obj.UpdateStep(0, map[string]any{"name": "b"})
	if got := string(probes.ValueOf(step.Params).Raw()); got != `{"if_match":"v1","input":{"name":"b"}}` {
		t.Errorf("the update has %s", got)
	}
}
