package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The first interrupt ends a run in order. The second one ends it at once, with all that it
// started, though the adapter ignores everything but SIGKILL and leaves children.
func TestSecondInterruptEndsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the servers of the corpus and waits for them")
	}
	program := built(t, hostileServers)
	for _, server := range []string{"hang-at-call", "leaves-and-hangs"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			mark := hostileMark + rand.Text() + "=1"
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "aql-conform", "--cmd", program+" "+server, "--no-hints", "--timeout", "40s")
			var said bytes.Buffer
			cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), &said, &said
			cmd.Env = append(os.Environ(), mark)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Second) // until it hangs
			interrupt := func() {
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Fatalf("it has ended already: %v\n%s", err, said.String())
				}
			}
			interrupt()
			time.Sleep(200 * time.Millisecond)
			interrupt()
			began := time.Now()
			code, err := codeOf(cmd.Wait())
			if took := time.Since(began); err != nil || code != 130 || took > 2*time.Second {
				t.Errorf("exit code %d (%v) after %v, want 130 at once\n%s", code, err, took, said.String())
			}
			if !strings.Contains(said.String(), "interrupted again") {
				t.Errorf("it does not say why there is no report:\n%s", said.String())
			}
			if left := remaining(mark, ""); len(left) > 0 {
				t.Errorf("left behind: %s", strings.Join(left, "; "))
			}
		})
	}
}
