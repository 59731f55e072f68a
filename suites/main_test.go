package suites

import (
	"os"
	"runtime/debug"
	"strconv"
	"testing"
)

// TestMain lets the heap grow: the kill matrix is a few hundred whole runs, and a
// quarter of its time would go into collecting what the next run makes again.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// wholeMatrix is set where nothing is left to a sample.
var wholeMatrix = os.Getenv("AQL_CONFORM_WHOLE") != ""

// slice says which sample is taken; CI takes another one for each commit.
var slice, _ = strconv.Atoi(os.Getenv("AQL_CONFORM_SLICE"))

// oneOf reports whether the subject at a position is in a sample of one in n.
func oneOf(position, n int) bool { return wholeMatrix || (position+slice)%n == 0 }

// sampled reports whether a part of the runs shall stand for all: when asked to be
// short, and under the race detector, where the same code runs in each.
func sampled() bool { return raced || testing.Short() }
