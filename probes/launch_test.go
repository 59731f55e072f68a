package probes

import (
	"context"
	"testing"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// What has to be done before a launch is done once for each name that it is asked for
// under: a name of its own is a start of its own.
func TestLaunchBeginsOncePerName(t *testing.T) {
	e := NewEngine(wire.NewRecorder(), 0, 1)
	begun := 0
	e.Offer("main", Restarted, Launch{Before: func(context.Context) error { begun++; return nil }})
	for _, step := range []struct {
		conn string
		want int
	}{
		{"main/restarted", 1}, {"main/restarted/2", 1}, {"main/restarted=blocks", 2}, {"main/restarted=blocks/2", 2}, {"main/restarted", 2}, {"main/restarted=limits", 3},
	} {
		if _, err := e.targetOf(t.Context(), step.conn); err != nil || begun != step.want {
			t.Errorf("%s: %d starts and error %v, want %d", step.conn, begun, err, step.want)
		}
	}
	if _, err := e.targetOf(t.Context(), "main/limited=blocks"); err == nil {
		t.Error("a launch that nobody offers is found")
	}
}
