package suites

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow: the kill matrix is a few hundred whole runs, and a
// quarter of its time would go into collecting what the next run makes again.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// sampled reports whether a part of the runs shall stand for all: when asked to be
// short, and under the race detector, where the same code runs in each.
func sampled() bool { return raced || testing.Short() }
