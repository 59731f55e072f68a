//go:build unix

package wire_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// groupOf returns the process group that a connection's process leads.
func groupOf(t *testing.T, rec *record) int {
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

// openWithChild connects to a fake adapter with a child that ignores SIGTERM,
// and returns once the child lives. ended waits until that child has ended.
func openWithChild(t *testing.T, parent string) (c wire.Conn, rec *record, ended func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	target := role(parent)
	target.Env = append(target.Env, witnessEnv+"="+l.Addr().String())
	c, rec = open(t, target)
	deadline := time.Now().Add(10 * time.Second)
	_ = l.(*net.TCPListener).SetDeadline(deadline)
	child, err := l.Accept()
	if err != nil {
		t.Fatalf("the child never lived: %v", err)
	}
	t.Cleanup(func() { _ = child.Close() })
	return c, rec, func() {
		t.Helper()
		_ = child.SetReadDeadline(deadline)
		if _, err := child.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) || err == nil {
			t.Errorf("the child lives on: %v", err)
		}
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
}

func TestPoliteProcessIsNotKilled(t *testing.T) {
	target := role("plain")
	target.Grace = 10 * time.Second // it needs a moment on a busy machine, and takes no longer than that
	c, rec := open(t, target)
	_ = c.Close()
	if got := notes(rec); strings.Contains(got, "SIG") || !strings.Contains(got, "exit status 0") {
		t.Errorf("events:\n%s", got)
	}
}

func TestChildrenAreKilled(t *testing.T) {
	c, rec, ended := openWithChild(t, "parent")
	want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "content")
	_ = c.Close()
	ended()
	if err := syscall.Kill(groupOf(t, rec), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the leader was not reaped: %v", err)
	}
}

func TestChildrenOfACrashAreKilled(t *testing.T) {
	c, rec, ended := openWithChild(t, "parent")
	r := c.Ask(soon(t), "tools/call", call("exit"))
	if r.Class != wire.Gone || r.Exit != "exit status 3" {
		t.Errorf("got %+v", r)
	}
	ended()
	if err := syscall.Kill(groupOf(t, rec), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the leader was not reaped: %v", err)
	}
}

func init() {
	detach = func(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
}

// A daemon that keeps the pipes open is out of reach, but must not hold us up.
func TestDaemonHoldsThePipes(t *testing.T) {
	c, _, _ := openWithChild(t, "parent of a daemon")
	r := c.Ask(soon(t), "tools/call", call("exit"))
	if r.Class != wire.Gone || r.Exit != "exit status 3" || r.Elapsed > 5*time.Second {
		t.Errorf("got %+v", r)
	}
	_ = c.Close()
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
