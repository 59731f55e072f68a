package adapter

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxFrame  = 12 << 20         // bytes of one line; longer ones are refused unread
	patience  = 30 * time.Second // for the MCP server to answer, should it ever not
	linesSize = 64 << 10
)

// server builds the MCP side of one session.
func (a *Adapter) server(s *Session) *mcp.Server {
	server := mcp.NewServer(a.named(), &mcp.ServerOptions{
		Instructions: a.Instructions(),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: a.Has(ToolChanges)}},
		Logger:       slog.New(slog.DiscardHandler),
		InitializedHandler: func(_ context.Context, r *mcp.InitializedRequest) {
			a.greet(s, r.Session.InitializeParams())
			go func() {
				_ = r.Session.Wait() // however it ended, it ended
				a.end(s)
			}()
		},
	})
	for _, tool := range a.Tools() {
		server.AddTool(tool, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return a.result(a.Answer(s, a.HeartTool(r.Params.Name), r.Params.Arguments)), nil
		})
	}
	for _, tool := range a.extraTools() {
		server.AddTool(tool, greet)
	}
	return server
}

func (a *Adapter) named() *mcp.Implementation {
	return &mcp.Implementation{Name: cmp.Or(a.Manner.Called, "mcp-aql-reference-adapter"), Version: "1.0.0"}
}

func (a *Adapter) Instructions() string {
	return cmp.Or(a.Manner.About, "Notes in folders behind MCP-AQL. Start with the operation introspect.")
}

// greet opens a session and notes who the client says it is.
func (a *Adapter) greet(s *Session, hello *mcp.InitializeParams) {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	s.open = true
	if hello != nil && hello.ClientInfo != nil {
		s.Client = hello.ClientInfo.Name
	}
}

// Serve runs one session over newline-delimited JSON-RPC and returns nil when in
// ends. It answers requests one by one in the order of arrival, as _protocol
// promises, and outlives messages that are not JSON-RPC.
func (a *Adapter) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	toServer, requests := io.Pipe()
	replies, fromServer := io.Pipe()
	wire := &stdio{Adapter: a, session: &Session{}, ours: map[string]bool{}, out: out, requests: requests, answers: make(chan []byte)}

	s := wire.session
	wire.server, wire.tools = a.server(s), len(a.extraTools())
	for _, tool := range a.Tools() {
		wire.ours[tool.Name] = true
	}
	served := make(chan error, 1)
	go func() {
		// A line that passed our own limit shall not end the session here.
		err := wire.server.Run(ctx, &mcp.IOTransport{Reader: toServer, Writer: fromServer, MaxLineLength: -1})
		a.end(s)
		_ = fromServer.Close()
		served <- err
	}()
	go wire.listen(ctx, replies)

	messages := in
	if a.Hooks.Input != nil {
		messages = a.Hooks.Input(a, in)
	}
	read := make(chan error, 1)
	go func() { read <- wire.pump(ctx, messages) }()
	select {
	case err := <-read:
		a.Mu.Lock()
		s.Cut = err != nil
		a.Mu.Unlock()
		_ = requests.Close()
		<-served
		return err
	case err := <-served:
		_ = toServer.Close() // frees the pump
		if closer, ok := in.(io.Closer); ok {
			_ = closer.Close()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
}

// stdio carries the messages of one session between a client and the MCP server.
type stdio struct {
	*Adapter
	session  *Session
	ours     map[string]bool // the tools that speak MCP-AQL
	accepted string          // the _meta of the last call that the server has answered; empty with a handshake
	out      io.Writer
	requests *io.PipeWriter
	answers  chan []byte
	server   *mcp.Server
	tools    int // of the extra ones, those that the client knows of
}

// pump takes one message at a time from the client, through the server, and back.
func (w *stdio) pump(ctx context.Context, in io.Reader) error {
	lines := bufio.NewReaderSize(in, linesSize)
	for {
		line, long, err := readLine(lines)
		if len(line) > 0 || long {
			if problem := w.one(ctx, line, long); problem != nil {
				return problem
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read message: %w", err)
		}
	}
}

func (w *stdio) one(ctx context.Context, line []byte, long bool) error {
	if long {
		return w.send([][]byte{rpcError(nil, -32600, fmt.Sprintf("the message is longer than %d bytes", maxFrame))})
	}
	if w.grown() {
		if err := w.send([][]byte{toolsChanged}); err != nil {
			return err
		}
	}
	var failed error
	answers, alive := w.Through(line, func(message []byte) (answer []byte) {
		answer, failed = w.pass(ctx, message)
		return answer
	})
	if !alive {
		failed = errors.Join(failed, ErrFatal)
	}
	return errors.Join(w.send(answers), failed)
}

// ErrFatal ends the process, as faults have it that do not survive a message.
var ErrFatal = errors.New("ended by a fault")

// pass hands one message to the server, unless the call can be answered without it, and returns the
// answer, nil if it wants or gets none.
func (w *stdio) pass(ctx context.Context, message []byte) ([]byte, error) {
	call, plain := w.plain(message)
	if plain {
		if answer := w.direct(call); answer != nil {
			return answer, nil
		}
	}
	if _, err := w.requests.Write(append(message, '\n')); err != nil {
		return nil, fmt.Errorf("pass message on: %w", err)
	}
	if !isRequest(message) {
		return nil, nil
	}
	select {
	case answer := <-w.answers:
		if plain {
			w.learn(call, answer)
		}
		return answer, nil
	case <-time.After(patience):
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// listen hands the answers of the server to the pump, and everything else to the
// client.
func (w *stdio) listen(ctx context.Context, replies io.Reader) {
	lines := bufio.NewReaderSize(replies, linesSize)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if isRequest(line) || !isAnswer(line) {
			continue // this server asks its clients nothing
		}
		select {
		case w.answers <- line[:len(line)-1]:
		case <-ctx.Done():
		}
	}
}

func (w *stdio) send(messages [][]byte) error {
	for _, message := range messages {
		if _, err := w.out.Write(append(message, '\n')); err != nil {
			return fmt.Errorf("send answer: %w", err)
		}
	}
	return nil
}

func isRequest(message []byte) bool {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
	}
	return json.Unmarshal(message, &m) == nil && m.ID != nil && m.Method != nil
}

func isAnswer(message []byte) bool {
	var m struct {
		Method *string `json:"method"`
	}
	return json.Unmarshal(message, &m) == nil && m.Method == nil
}

// readLine reads one line without its end. A line beyond maxFrame is read to its
// end and dropped.
func readLine(lines *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := lines.ReadSlice('\n')
		if len(line)+len(part) > maxFrame {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return trimmed(line), long, err
		}
	}
}

func trimmed(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r' || line[len(line)-1] == ' ') {
		line = line[:len(line)-1]
	}
	return line
}

// A Door is where clients find an adapter: a URL, or a pipe for each session.
type Door struct {
	URL   string
	Token func() string // issues what requests to the URL have to carry; nil where they need nothing
	Pipe  func(context.Context) (io.WriteCloser, io.Reader, error)
}

// Door is the way to sessions with the adapter in this process, framed as on stdio.
func (a *Adapter) Door() Door {
	return Door{Pipe: func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
		fromClient, in := io.Pipe()
		out, toClient := io.Pipe()
		go func() {
			toClient.CloseWithError(a.Serve(ctx, fromClient, toClient))
			fromClient.Close()
		}()
		return in, out, nil
	}}
}
