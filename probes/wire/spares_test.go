package wire_test

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A connection takes a process that was started ahead, and the next one starts its own.
func TestSparesAreTaken(t *testing.T) {
	target := role("plain")
	target.Spares = wire.NewSpares(target, 1)
	for range 2 {
		c, _ := open(t, target)
		want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, `"content":[]`)
	}
}

// A process that has ended while nobody spoke to it is no defect of the adapter.
func TestEndedSpareIsReplaced(t *testing.T) {
	target := role("plain")
	program, err := exec.LookPath("true")
	if err != nil {
		t.Skip("no program that ends at once")
	}
	target.Spares = wire.NewSpares(wire.Target{Command: []string{program}}, 1)
	c, rec := open(t, target)
	want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, `"content":[]`)
	if n := strings.Count(notes(rec), "started process"); n != 2 {
		t.Errorf("%d processes, want the one that had ended and another:\n%s", n, notes(rec))
	}
}

// What nobody took ends with the engine, also when it does not read its input.
func TestUnusedSparesEnd(t *testing.T) {
	program, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("no program that sleeps")
	}
	spares := wire.NewSpares(wire.Target{Command: []string{program, "600"}, Grace: 50 * time.Millisecond}, 3)
	ended := make(chan struct{})
	go func() { spares.Close(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("they go on")
	}
}
