package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/rogpeppe/go-internal/testscript"
)

// A besideRogue is a program that goes on while the adapters it starts call the script.
type besideRogue struct {
	ts    *testscript.TestScript
	cmd   *exec.Cmd
	out   bytes.Buffer
	calls *net.TCPListener
}

// besideRogues starts a program in a folder; it ends with the context.
func besideRogues(ts *testscript.TestScript, ctx context.Context, folder string, command []string) *besideRogue {
	r := &besideRogue{ts: ts, cmd: exec.CommandContext(ctx, command[0], command[1:]...), calls: ts.Value("calls").(*net.TCPListener)}
	r.cmd.Dir, r.cmd.Stdout, r.cmd.Stderr = folder, &r.out, &r.out
	for _, name := range []string{"PATH", "ROGUE_CALLS", "HOME"} {
		r.cmd.Env = append(r.cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(r.cmd.Start())
	ts.Check(r.calls.SetDeadline(time.Now().Add(tooLong)))
	return r
}

// called waits for the next rogue. Its call ends with the process that made it.
func (r *besideRogue) called() net.Conn {
	rogue, err := r.calls.Accept()
	if err != nil {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
		r.ts.Fatalf("the rogue did not call: %v\n%s", err, r.out.String())
	}
	return rogue
}

// interrupt presses Ctrl-C, writes what was said to the file, and wants the exit code of
// who was interrupted.
func (r *besideRogue) interrupt(file string) {
	r.ts.Check(r.cmd.Process.Signal(os.Interrupt))
	got, err := codeOf(r.cmd.Wait())
	r.ts.Check(os.WriteFile(r.ts.MkAbs(file), r.out.Bytes(), 0o666))
	if err != nil || got != console.ExitInterrupted {
		r.ts.Fatalf("exit code %d (%v), want %d\n%s", got, err, console.ExitInterrupted, r.out.String())
	}
}
