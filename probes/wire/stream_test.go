package wire_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

func TestHealthyPipe(t *testing.T) {
	c, rec := open(t, piped(healthy()))
	h := c.Hello()
	if h.Revision != wire.DefaultRevision || h.SDKError != "" || h.Modern || h.Result() == nil {
		t.Errorf("hello: %+v", h)
	}
	want(t, c.Ask(soon(t), "tools/call", echo("hi")), wire.Answered, `{\"say\":\"hi\"}`)
	want(t, c.Ask(soon(t), "no/such", nil), wire.Answered, `-32601`)
	if s := c.Strays(); len(s) != 0 {
		t.Errorf("strays: %+v", s)
	}
	if err := c.Close(); err != nil || c.Alive() {
		t.Errorf("close: %v, alive %v", err, c.Alive())
	}
	want(t, c.Ask(soon(t), "ping", nil), wire.Gone, "")
	if len(rec.Frames()) < 8 {
		t.Errorf("record: %+v", rec.Frames())
	}
}

func TestManyInFlight(t *testing.T) {
	c, _ := open(t, piped(healthy()))
	ctx := soon(t)
	var wg sync.WaitGroup
	for i := range 128 {
		wg.Go(func() {
			text := "n" + strconv.Itoa(i) + "."
			want(t, c.Ask(ctx, "tools/call", echo(text)), wire.Answered, text)
		})
	}
	wg.Wait()
	if s := c.Strays(); len(s) != 0 {
		t.Errorf("strays: %+v", s)
	}
}

func TestOddHellos(t *testing.T) {
	for name := range hellos {
		if strings.HasPrefix(name, "modern") {
			continue // TestOldAskedOfAModernServer
		}
		t.Run(name, func(t *testing.T) {
			target := role(name)
			if name == "" {
				target = role("plain")
			}
			c, rec := open(t, target)
			h := c.Hello()
			hasResult := !strings.Contains(hellos[name], `"error"`) && name != "hello-batch"
			if (h.Result() != nil) != hasResult || h.Asked.Seq == 0 || h.Answer.Seq == 0 {
				t.Errorf("hello: %+v", h)
			}
			want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, `"content":[]`)
			if hasResult && !strings.Contains(sent(rec), "notifications/initialized") {
				t.Errorf("initialized was not sent; sdk error %q", h.SDKError)
			}
		})
	}
}

func TestOddAnswers(t *testing.T) {
	c, rec := open(t, role("plain"))
	for _, tt := range []struct {
		name  string
		class wire.Class
		text  string
		stray string // data of a stray that must have come
	}{
		{"fine", wire.Answered, `"content":[]`, ""},
		{"twice", wire.Answered, `"content":[]`, `"content":[]`},
		{"other-id", wire.Answered, `"content":[]`, `987654`},
		{"garbage", wire.Answered, `"content":[]`, `DEBUG: hello`},
		{"json-log", wire.Answered, `"content":[]`, `"level":30`},
		{"number", wire.Answered, `"content":[]`, `3 tools loaded`},
		{"blank", wire.Answered, `"content":[]`, ``},
		{"bom", wire.Answered, `{"jsonrpc"`, "\xef\xbb\xbf"},
		{"crlf", wire.Answered, `"content":[]`, ""},
		{"no-jsonrpc", wire.Answered, `"content":[]`, ""},
		{"two-on-line", wire.Answered, `"content":[]`, `notifications/message`},
		{"cut", wire.Garbled, `"content":[`, ""},
		{"control", wire.Garbled, "a\x01b", ""},
		{"batch", wire.Garbled, `[{`, ""},
		{"deep", wire.Answered, `[[[[`, ""},
	} {
		before := len(c.Strays())
		want(t, c.Ask(soon(t), "tools/call", call(tt.name)), tt.class, tt.text)
		// The next answer comes behind all strays of this one.
		want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "")
		strays := c.Strays()[before:]
		if tt.stray == "" && tt.name != "blank" {
			if len(strays) != 0 {
				t.Errorf("%s: strays %+v", tt.name, strays)
			}
		} else if len(strays) == 0 || !strings.Contains(string(strays[0].Data), tt.stray) {
			t.Errorf("%s: strays %+v, want %q", tt.name, strays, tt.stray)
		}
	}
	if !strings.Contains(notes(rec), "stray: second answer") {
		t.Errorf("no event for the second answer:\n%s", notes(rec))
	}
}

func TestHugeAnswer(t *testing.T) {
	c, _ := open(t, role("plain"))
	r := c.Ask(soon(t), "tools/call", call("huge"))
	want(t, r, wire.Answered, "xxx")
	if n := len(r.Received.Data); n > 8<<20 || n < 8<<20-1000 || r.Received.Size <= 9<<20 {
		t.Errorf("kept %d of %d bytes", len(r.Received.Data), r.Received.Size)
	}
}

func TestFlood(t *testing.T) {
	c, rec := open(t, role("plain"))
	want(t, c.Ask(soon(t), "tools/call", call("flood")), wire.Answered, "content")
	if n := len(c.Strays()); n != 1000 {
		t.Errorf("%d strays kept", n)
	}
	if n := len(rec.Frames()); n < 50_000 {
		t.Errorf("%d frames recorded", n)
	}
}

func TestSilenceThenNextCall(t *testing.T) {
	c, _ := open(t, role("plain"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	want(t, c.Ask(ctx, "tools/call", call("silence")), wire.Silent, "")
	want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "")
	if !c.Alive() {
		t.Error("a silent adapter is alive")
	}
}

// JSON-RPC wants null for the id of what could not be parsed. With one request in flight it is clear
// which one that was, unless an earlier frame may still have an answer to come.
func TestParseErrorAnswersTheRequestInFlight(t *testing.T) {
	c, _ := open(t, role("plain"))
	want(t, c.Ask(soon(t), "tools/call", call("null-id")), wire.Answered, `"id":null`)
	want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "content")
	want(t, c.Throw(soon(t), []byte(`{"jsonrpc":`)), wire.Answered, `"id":null`)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	want(t, c.Ask(ctx, "tools/call", call("null-id")), wire.Silent, "")
}

func TestThrow(t *testing.T) {
	c, _ := open(t, role("plain"))
	want(t, c.Throw(soon(t), []byte(`{"jsonrpc":`)), wire.Answered, `"id":null`)
	want(t, c.Throw(soon(t), []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"fine"}}`)), wire.Answered, `"id":7`)
	want(t, c.Throw(soon(t), []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"other-id"}}`)), wire.Answered, `987654`)
	want(t, c.Throw(soon(t), []byte(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"garbage"}}`)), wire.Answered, `"id":8`)
	want(t, c.Throw(soon(t), []byte(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"json-log"}}`)), wire.Answered, `"id":9`)
	want(t, c.Ask(soon(t), "tools/call", call("fine")), wire.Answered, "")
}

func TestExitMidCall(t *testing.T) {
	c, _ := open(t, role("plain"))
	r := c.Ask(soon(t), "tools/call", call("exit"))
	if r.Class != wire.Gone || r.Exit != "exit status 3" || c.Alive() {
		t.Errorf("got %+v, alive %v", r, c.Alive())
	}
}

func TestQuestionsOfThePeer(t *testing.T) {
	c, _ := open(t, role("plain"))
	r := c.Ask(soon(t), "tools/call", call("ping"))
	want(t, r, wire.Answered, `"result":[{},{"code":-32601`)
}

func TestStartErrors(t *testing.T) {
	short := role("hang")
	short.StartTimeout = 100 * time.Millisecond
	for _, tt := range []struct {
		name   string
		target wire.Target
		stage  string
		text   string
	}{
		{"no program", wire.Target{Command: []string{"./no-such-adapter"}}, "start", `exec "./no-such-adapter": `},
		{"not in path", wire.Target{Command: []string{"no-such-adapter"}}, "start", `exec "no-such-adapter": executable file not found in `},
		{"nothing", wire.Target{}, "start", "exactly one of"},
		{"exits", role("exit-at-once"), "handshake", "adapter exited with status 3 before initialize was answered"},
		{"hangs", short, "handshake", "no answer to initialize within 100ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := wire.Open(t.Context(), tt.target, "test", wire.NewRecorder())
			var e *wire.StartError
			if !errors.As(err, &e) || e.Stage != tt.stage || !strings.Contains(e.Error(), tt.text) {
				t.Fatalf("got %#v, want %s: %s", err, tt.stage, tt.text)
			}
			if tt.name == "exits" && (e.Exit != "exit status 3" || !strings.Contains(e.Stderr, "config missing")) {
				t.Errorf("got %+v", e)
			}
		})
	}
}

// An adapter that answers concurrently may answer the message behind a frame first. The answer to
// the frame is then its answer, and the other one is kept as what answered the message behind.
func TestAnswersOvertakeEachOther(t *testing.T) {
	serve := func(context.Context) (io.WriteCloser, io.Reader, error) {
		in, requests := io.Pipe()
		answers, out := io.Pipe()
		go func() {
			lines := bufio.NewScanner(in)
			var held string
			for lines.Scan() {
				var m struct{ ID, Method any }
				_ = json.Unmarshal(lines.Bytes(), &m)
				id, _ := json.Marshal(m.ID)
				switch {
				case m.Method == "initialize":
					fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`+"\n", id)
				case m.Method == nil:
					held = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"no method"}}`+"\n", id)
				case m.ID != nil:
					fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n%s", id, held)
					held = ""
				}
			}
		}()
		return requests, answers, nil
	}
	c, rec := open(t, wire.Target{Pipe: serve})
	want(t, c.Throw(soon(t), []byte(`{"jsonrpc":"2.0","id":"own"}`+"\n"+`{"jsonrpc":"2.0","id":"behind","method":"ping"}`)), wire.Answered, `"id":"own"`)
	if strays := c.Strays(); len(strays) != 1 || !strings.Contains(string(strays[0].Data), `"id":"behind"`) {
		t.Errorf("strays %+v\n%s", strays, notes(rec))
	}
}
