package confirmation

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Where every removal waits, the entries around the one that waits carry their own tokens.
func TestEntriesCarryTheirTokens(t *testing.T) {
	o := probes.Operation{Name: "delete_box", Category: "DELETE", Tool: "delete"}
	f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o}}}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
	g := check.Confirmable{TestObject: model.TestObject{Subject: model.Subject{Adapter: f, Name: o.Name, Op: o}}}
	for details, want := range map[string]bool{`{"confirmation_token":"conf_1"}`: true, `{}`: false} {
		ask := func(p probes.Probe) probes.Observation {
			return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{
				Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":false,"error":{"code":"CONFIRMATION_REQUIRED","message":"m","details":` + details + `}}}}`)}})
		}
		made, ok := gatedBatch{Confirmable: g, free: g, frees: true, owed: true}.batchFixture("confirmation_token", ask)
		if ok != want || ok && (model.ValueIn(made.before, "confirmation_token").Text() != "conf_1" || model.ValueIn(made.after, "confirmation_token").Text() != "conf_1") {
			t.Errorf("%s: %v, %v", details, ok, made.after.Params())
		}
	}
}

// A batch that skips may say that nothing halted it.
func TestNullHaltIsNoHalt(t *testing.T) {
	for envelope, want := range map[string]string{
		`{"success":true,"results":[{"index":0,"status":"pending_confirmation"}],"halted_at":null}`: skipping,
		`{"success":true,"results":[],"summary":{"pending_confirmation":1},"halted_at":null}`:       skipping,
		`{"success":true,"results":[],"halted_at":{"index":0}}`:                                     halting,
		`{"success":true,"results":[],"halted_at":null}`:                                            "",
	} {
		if got := modeOf(checktest.AnswerWithEnvelope(t, probes.Call("main", "delete", "", nil), envelope)); got != want {
			t.Errorf("%s: %q, want %q", envelope, got, want)
		}
	}
}
