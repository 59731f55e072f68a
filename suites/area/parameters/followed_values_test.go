package parameters

import (
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A day, a month or a week may follow from the time of the call.
func TestADayIsNoDefault(t *testing.T) {
	s := model.Subject{Adapter: &model.Adapter{Today: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}}
	for v, want := range map[any]bool{
		"2026-11-29": true, "2026-12-13T06:00:01Z": true, "2026-13-01": false, "active": false, "": false,
		"2026-11": true, "2025-11": false, 2026: true, "2026": true, 11: false, "2026-W48": true, "2026-W20": false, "sun": true, "Wednesday": false,
	} {
		if got := ofTheDay(s, probes.ValueOf(v)); got != want {
			t.Errorf("%v: %v", v, got)
		}
	}
	for most, v := range map[int]int{12: 11, 31: 29, 53: 48, 4: 4, 23: 10, 20: 0} {
		s.Par.Raw = probes.ValueOf(map[string]any{"maximum": most})
		if got := ofTheDay(s, probes.ValueOf(v)); got != (v > 0) {
			t.Errorf("%d of at most %d: %v", v, most, got)
		}
	}
}

// A trip may take its length from the line it runs on. One that refers to nothing takes it from nowhere.
func TestWhatAnotherObjectHasIsNoDefault(t *testing.T) {
	length := probes.Parameter{Name: "length", Type: "string", Raw: probes.ValueOf(map[string]any{"name": "length", "type": "string"})}
	line := probes.Parameter{Name: "line_id", Type: "string", Required: true}
	made := func(name string, params map[string]any, data string) model.KnownGood {
		call := probes.Call("main", "aql", name, params)
		return model.KnownGood{State: model.Proven, Probe: call, Reply: probes.Classify(call, wire.Reply{Class: wire.Answered, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":` + data + `}}}`)}})}
	}
	trip := probes.Operation{Name: "create_trip", Category: "CREATE", Parameters: []probes.Parameter{line, length}}
	a := &probes.Adapter{Operations: []probes.Operation{trip, {Name: "create_line", Category: "CREATE"}}}
	f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}, KnownGood: map[string]model.KnownGood{
		"create_trip": made("create_trip", map[string]any{"line_id": "L1"}, `{}`), "create_line": made("create_line", map[string]any{}, `{"line_id":"L1","length":"PT2H"}`),
	}}
	alone := trip
	alone.Parameters = trip.Parameters[1:]
	for _, c := range []struct {
		of    probes.Operation
		value string
		want  bool
	}{{trip, "PT2H", true}, {trip, "PT1H", false}, {alone, "PT2H", false}} {
		s := model.Subject{Adapter: f, Name: c.of.Name, Op: c.of, Par: length}
		if got := ofAnother(s, probes.ValueOf(c.value)); got != c.want {
			t.Errorf("%s with %d parameters: %v", c.value, len(c.of.Parameters), got)
		}
	}
}
