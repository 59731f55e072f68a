package probes

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A command of the author that fails may say why with a secret in hand.
func TestWordsOfACommandAreMasked(t *testing.T) {
	e := NewEngine(wire.NewRecorder("canary-77"), time.Second, 1)
	e.Commands(func(context.Context, string, map[string]string) (string, error) {
		return "", errors.New("401 for canary-77")
	})
	o := e.Ask(t.Context(), Command("main", "safety.code_cmd", nil))
	if !strings.Contains(o.Exit, "401 for [masked]") {
		t.Errorf("the end of the command is told as %q, want the secret masked", o.Exit)
	}
}

// What a judge is shown of a question has no secret, however it was written; what is
// asked again still has it.
func TestShownQuestionHasNoSecret(t *testing.T) {
	e := NewEngine(wire.NewRecorder("canary-77"), time.Second, 1)
	for _, p := range []Probe{
		Call("main", "query", "search", map[string]any{"q": "x canary-77"}),
		Request("main", "ping", map[string]any{"q": "canary-77"}),
		{Conn: "main", Frame: []byte(`{"q":"canary-77"}`)},
	} {
		o := Observation{Probe: p, Outcome: Unasked, Exit: "no reason"}
		shown := e.Shown(o)
		if told := shown.Probe.String() + string(shown.Probe.Payload()); strings.Contains(told, "canary") || !strings.Contains(told, "[masked]") {
			t.Errorf("%s is shown as %s, want the secret masked", p, told)
		}
		if !strings.Contains(string(o.Probe.Payload()), "canary-77") {
			t.Errorf("showing %s changed the question itself", p)
		}
	}
	plain := Observation{Probe: Call("main", "query", "search", nil), Outcome: Unasked}
	if got := e.Shown(plain); got.Probe.Key() != plain.Probe.Key() || got.Probe.Args() == nil {
		t.Errorf("a question without a secret is shown as %v", got)
	}
}
