//go:build unix

package wire_test

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// groupOf returns the process group that a connection's process leads.
func groupOf(t *testing.T, rec *wire.Recorder) int {
	t.Helper()
	m := regexp.MustCompile(`started process (\d+)`).FindStringSubmatch(notes(rec))
	if m == nil {
		t.Fatalf("no process in the record:\n%s", notes(rec))
	}
	pid, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// wantNoGroup fails unless every process of the group is gone. A killed orphan
// stays a zombie until init reaps it, hence the patience.
func wantNoGroup(t *testing.T, group int) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) {
		if time.Now().After(deadline) {
			t.Fatalf("process group %d is still there", group)
		}
		time.Sleep(time.Millisecond) // polling the kernel: it tells nobody when a group is gone
	}
}

func TestDeafProcessIsKilled(t *testing.T) {
	c, rec := open(t, role("deaf"))
	start := time.Now()
	_ = c.Close()
	if took := time.Since(start); took > 5*time.Second || c.Alive() {
		t.Errorf("close took %v, alive %v", took, c.Alive())
	}
	got := notes(rec)
	if !strings.Contains(got, "SIGTERM to") || !strings.Contains(got, "SIGKILL to") || !strings.Contains(got, "signal: killed") {
		t.Errorf("events:\n%s", got)
	}
	wantNoGroup(t, groupOf(t, rec))
}

func TestPoliteProcessIsNotKilled(t *testing.T) {
	c, rec := open(t, role("plain"))
	_ = c.Close()
	if got := notes(rec); strings.Contains(got, "SIG") || !strings.Contains(got, "exit status 0") {
		t.Errorf("events:\n%s", got)
	}
}

func TestChildrenAreKilled(t *testing.T) {
	c, rec := open(t, role("parent"))
	want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "content")
	_ = c.Close()
	wantNoGroup(t, groupOf(t, rec))
}

func TestChildrenOfACrashAreKilled(t *testing.T) {
	c, rec := open(t, role("parent"))
	r := c.Ask(soon(t), "tools/call", call("exit"))
	if r.Class != wire.Gone || r.Exit != "exit status 3" {
		t.Errorf("got %+v", r)
	}
	wantNoGroup(t, groupOf(t, rec))
}

func TestKilledFromOutside(t *testing.T) {
	c, rec := open(t, role("plain"))
	if err := syscall.Kill(groupOf(t, rec), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if r := c.Ask(soon(t), "tools/call", call("silence")); r.Class != wire.Gone || r.Exit != "signal: killed" {
		t.Errorf("got %+v", r)
	}
}

func TestUnreadStdin(t *testing.T) {
	c, _ := open(t, role("stuck"))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	big := []byte(`{"name":"` + strings.Repeat("x", 4<<20) + `"}`)
	want(t, c.Ask(ctx, "tools/call", big), wire.Silent, "") // fills the pipe
	want(t, c.Ask(ctx, "tools/call", call("fine")), wire.Silent, "")
	start := time.Now()
	_ = c.Close()
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("close took %v", took)
	}
}
