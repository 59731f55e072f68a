package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/rogpeppe/go-internal/testscript"
)

// serveModes gives each script an adapter over HTTP in each endpoint mode.
func serveModes(env *testscript.Env) error {
	for _, mode := range []string{"single", "semantic"} {
		a, err := stand.New(stand.Config{Mode: mode})
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
	r := besideRogues(ts, ctx, filepath.Join(ts.Getenv("WORK"), "here"), args[2:])
	defer r.called().Close()
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte("package changed\n"), 0o666))
	defer r.called().Close()
	r.interrupt(args[0])
}
