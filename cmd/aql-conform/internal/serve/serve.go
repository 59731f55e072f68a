// Package serve offers commands of the checker as the tools of an MCP server. It starts nothing
// itself and refuses to know what a command does.
package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Obey carries out one command line.
type Obey func(ctx context.Context, args []string, c console.Console) (int, error)

// A Server answers the calls of one client.
type Server struct {
	Obey    Obey
	Flags   []string // of the operator, for each command that has a target
	Program []string // behind --
	Target  bool     // the operator has named the adapter

	stderr  io.Writer
	ended   context.Context // when nobody waits for an answer any more
	turn    chan struct{}   // one adapter at a time, because what adapters leave running is ended for all
	running sync.WaitGroup
}

// Serve speaks MCP on standard input and output until the client leaves or ctx ends. When it
// returns, every adapter has ended.
func (s *Server) Serve(ctx context.Context, c console.Console) error {
	ended, end := context.WithCancel(ctx)
	s.stderr, s.ended, s.turn = c.Stderr, ended, make(chan struct{}, 1)
	server := mcp.NewServer(&mcp.Implementation{Name: "aql-conform", Version: console.Version()}, &mcp.ServerOptions{Instructions: instructions})
	s.addTools(server)
	err := server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(c.Stdin), Writer: unclosed{c.Stdout}})
	end()
	s.running.Wait()
	switch {
	case ctx.Err() != nil:
		return console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
	case err != nil && !errors.Is(err, io.EOF):
		return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("standard input: %w", err)}
	}
	return nil
}

// unclosed keeps standard output open for what comes after the session.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// An Outcome is what a program reads of a result.
type Outcome struct {
	ExitCode int `json:"exitCode" jsonschema:"exit code of the command: 0 conformant or fine, 1 failed, 3 wrong arguments, 4 no adapter, 5 not proven, 6 error in the checker, 130 cancelled"`
}

// run carries out one command and returns what it printed.
func (s *Server) run(ctx context.Context, req *mcp.CallToolRequest, args []string) (result *mcp.CallToolResult, out Outcome, _ error) {
	s.running.Add(1)
	defer s.running.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ended, cancel)()
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, out, ctx.Err()
	}
	defer func() {
		if r := recover(); r != nil {
			result, out = said(fmt.Sprintf("aql-conform: %s panicked: %v%s", console.Version(), r, console.Origin()), true), Outcome{console.ExitFault}
		}
	}()
	var printed bytes.Buffer
	tell, told := progress(ctx, req)
	code, err := s.Obey(ctx, args, console.Console{Stdin: strings.NewReader(""), Stdout: &printed, Stderr: s.stderr, Agent: true, Progress: tell})
	told()
	var f console.Failure
	if err != nil {
		code = console.ExitFault
		if errors.As(err, &f) {
			code = f.Code
		}
		_ = console.Tell(&printed, strings.Split("aql-conform: "+err.Error(), "\n")...)
	}
	return said(printed.String(), err != nil), Outcome{code}, nil
}

func said(text string, wrong bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.ToValidUTF8(text, "\uFFFD")}}, IsError: wrong}
}

// progress returns a function that tells the client how far the command is, and one that ends it.
// A client that reads slowly misses a line; the command does not wait for it.
func progress(ctx context.Context, req *mcp.CallToolRequest) (tell func(requests int, line string), end func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil, func() {}
	}
	lines, done := make(chan mcp.ProgressNotificationParams, 1), make(chan struct{})
	go func() {
		defer close(done)
		last := -1.0
		for l := range lines {
			if l.Progress > last { // the protocol wants it to increase
				last = l.Progress
				_ = req.Session.NotifyProgress(ctx, &l) // a client that left is known elsewhere
			}
		}
	}()
	tell = func(requests int, line string) {
		select {
		case lines <- mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(requests), Message: line}:
		default:
		}
	}
	return tell, func() { close(lines); <-done }
}
