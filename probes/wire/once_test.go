//go:build unix

package wire

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestOnceRunsAProgramToItsEnd(t *testing.T) {
	out, problems, err := Once(t.Context(), Target{Command: []string{"sh", "-c", `echo "$0 $WORD"; echo oops >&2; exit 3`, "name"}, Env: []string{"WORD=said"}, Dir: t.TempDir()})
	if err == nil || err.Error() != "exit status 3" || out != "name said\n" || problems != "oops\n" {
		t.Errorf("got %q, %q, %v", out, problems, err)
	}
	if _, _, err := Once(t.Context(), Target{Command: []string{"./no-such-program"}}); err == nil {
		t.Error("a program that is not there has run")
	}
}

// No program gets the right to act as the CI job, unless it is given; other variables are inherited.
func TestIdentitiesAreNotInherited(t *testing.T) {
	for _, name := range identities {
		t.Setenv(name, "inherited")
	}
	t.Setenv("GITHUB_TOKEN", "inherited")
	for wanted, target := range map[string]Target{
		"GITHUB_TOKEN=inherited": {Command: []string{"env"}},
		identities[0] + "=given": {Command: []string{"env"}, Env: []string{identities[0] + "=given"}},
	} {
		beside, _, err := Once(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		p, err := spawn(target)
		if err != nil {
			t.Fatal(err)
		}
		started, err := io.ReadAll(p.out)
		if err != nil || p.cmd.Wait() != nil {
			t.Fatal(err)
		}
		for _, got := range []string{beside, string(started)} {
			if !strings.Contains(got, wanted+"\n") || strings.Count(got, "inherited") != 1 {
				t.Errorf("want %s and nothing else of it in\n%s", wanted, got)
			}
		}
	}
}

func TestOnceKeepsTheEndOfLongOutput(t *testing.T) {
	out, _, err := Once(t.Context(), Target{Command: []string{"sh", "-c", `yes | head -c 100000; echo last`}})
	if err != nil || len(out) != onceKept || !strings.HasSuffix(out, "last\n") {
		t.Errorf("%d bytes that end in %q, %v", len(out), out[max(0, len(out)-5):], err)
	}
}

// A program that is ended takes its children with it: the pipe that a child holds
// open closes.
func TestOnceKillsTheGroup(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	held := make(chan *os.File, 1)
	go func() {
		f, err := os.Open(pipe) // returns when the child has it open
		if err != nil {
			t.Error(err)
		}
		held <- f
		cancel()
	}()
	if _, _, err := Once(ctx, Target{Command: []string{"sh", "-c", `sleep 600 >"$0" & wait`, pipe}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	f := <-held
	defer f.Close()
	if err := f.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, f); err != nil {
		t.Errorf("the child lives on: %v", err)
	}
}
