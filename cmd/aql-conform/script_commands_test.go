package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// serveModes gives each script an adapter over HTTP in each endpoint mode.
func serveModes(env *testscript.Env) error {
	for _, mode := range []string{"single", "semantic"} {
		a, err := adapter.New(adapter.Config{Mode: mode})
		if err != nil {
			return err
		}
		server := httptest.NewServer(a.Handler())
		env.Defer(func() {
			server.CloseClientConnections()
			server.Close()
		})
		env.Setenv(strings.ToUpper(mode)+"_URL", server.URL+"/mcp")
	}
	return nil
}

// keypair makes a key and its public half: keypair PRIVATE PUBLIC.
func keypair(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keypair PRIVATE PUBLIC")
	}
	private, public, err := newPair()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), private, 0o600))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), public, 0o600))
}

// printPerfect prints the table of a whole selftest without a miss.
func printPerfect() int {
	if err := perfect().WriteJSON(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// rewatches runs a program that watches, in the folder here, and changes the source when
// a rogue calls. It wants the rogue to be called again, and Ctrl-C to end it all; the
// output goes to the file: rewatches FILE SOURCE PROGRAM ARGUMENTS.
func rewatches(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: rewatches FILE SOURCE PROGRAM ARGUMENTS")
	}
	ctx, cancel := context.WithTimeout(context.Background(), tooLong)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[2], args[3:]...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Join(ts.Getenv("WORK"), "here"), &out, &out
	for _, name := range []string{"PATH", "ROGUE_CALLS", "HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(cmd.Start())
	calls := ts.Value("calls").(*net.TCPListener)
	ts.Check(calls.SetDeadline(time.Now().Add(tooLong)))
	for run := range 2 {
		rogue, err := calls.Accept()
		if err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			ts.Fatalf("the rogue did not call in run %d: %v\n%s", run+1, err, out.String())
		}
		defer rogue.Close()
		if run == 0 {
			ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte("package changed\n"), 0o666))
		}
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	got, err := codeOf(cmd.Wait())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o666))
	if err != nil || got != exitInterrupted {
		ts.Fatalf("exit code %d (%v), want %d\n%s", got, err, exitInterrupted, out.String())
	}
}
