package probes

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// What has to be done before a launch is done once for each name that it is asked for
// under: a name of its own is a start of its own.
func TestLaunchBeginsOncePerName(t *testing.T) {
	e := NewEngine(wire.NewRecorder(), 0, 1)
	begun := 0
	e.Offer("main", Restarted, Launch{Before: func(context.Context) error { begun++; return nil }})
	for _, step := range []struct {
		conn string
		want int
	}{
		{"main/restarted", 1}, {"main/restarted/2", 1}, {"main/restarted=blocks", 2}, {"main/restarted=blocks/2", 2}, {"main/restarted", 2}, {"main/restarted=limits", 3},
	} {
		if _, err := e.targetOf(t.Context(), step.conn); err != nil || begun != step.want {
			t.Errorf("%s: %d starts and error %v, want %d", step.conn, begun, err, step.want)
		}
	}
	if _, err := e.targetOf(t.Context(), "main/limited=blocks"); err == nil {
		t.Error("a launch that nobody offers is found")
	}
}

// legacy is a server over a pipe that treats server/discover as told. It counts its starts.
func legacy(starts *int, discover func(answer func(result string)) (goOn bool)) func(context.Context) (io.WriteCloser, io.Reader, error) {
	return func(context.Context) (io.WriteCloser, io.Reader, error) {
		*starts++
		fromUs, toServer := io.Pipe()
		fromServer, toUs := io.Pipe()
		go func() {
			defer fromUs.Close()
			defer toUs.Close()
			for lines := bufio.NewScanner(fromUs); lines.Scan(); {
				var r struct {
					ID     json.RawMessage
					Method string
				}
				answer := func(result string) { fmt.Fprintf(toUs, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", r.ID, result) }
				if _ = json.Unmarshal(lines.Bytes(), &r); r.ID == nil {
					continue
				}
				if r.Method != "server/discover" {
					answer(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`)
				} else if !discover(answer) {
					_, _ = io.Copy(io.Discard, fromUs)
				}
			}
		}()
		return toServer, fromServer, nil
	}
}

// An adapter that knows no server/discover is judged whatever it does with it, and not asked
// again. One that answers late is given the time of its start.
func TestServersThatKnowNoDiscover(t *testing.T) {
	result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private"}`
	first := true
	for name, c := range map[string]struct {
		discover         func(answer func(string)) bool
		revision         string
		unheard          bool
		starts, laterOne int
	}{
		"ignores it": {func(func(string)) bool { return true }, "2025-11-25", true, 1, 2},
		"hangs":      {func(func(string)) bool { return false }, "2025-11-25", false, 2, 3},
		"starts slowly": {func(answer func(string)) bool {
			if first {
				time.Sleep(1200 * time.Millisecond)
			}
			first = false
			answer(result)
			return true
		}, "2026-07-28", false, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			starts := 0
			e := NewEngine(wire.NewRecorder(), time.Second, 1)
			defer e.Close()
			if err := e.Open(t.Context(), "main", wire.Target{Pipe: legacy(&starts, c.discover), StartTimeout: 3 * time.Second, Grace: time.Second}); err != nil {
				t.Fatal(err)
			}
			if h := e.Hello("main"); h.Revision != c.revision || h.Unheard != c.unheard || starts != c.starts {
				t.Errorf("revision %s, unheard %v, %d starts; want %s, %v, %d", h.Revision, h.Unheard, starts, c.revision, c.unheard, c.starts)
			}
			began := time.Now()
			if o := e.Ask(t.Context(), Request("main/rev=2026-07-28", "initialize", nil)); o.Outcome != Result || starts != c.laterOne || time.Since(began) > time.Second {
				t.Errorf("a later connection: %s after %v, %d starts, want %d", o.Outcome, time.Since(began), starts, c.laterOne)
			}
		})
	}
}

// Who never answers is told of with both times.
func TestServerThatNeverAnswers(t *testing.T) {
	mute := func(context.Context) (io.WriteCloser, io.Reader, error) {
		fromUs, toServer := io.Pipe()
		fromServer, _ := io.Pipe()
		go func() { _, _ = io.Copy(io.Discard, fromUs) }()
		return toServer, fromServer, nil
	}
	e := NewEngine(wire.NewRecorder(), time.Second, 1)
	defer e.Close()
	err := e.Open(t.Context(), "main", wire.Target{Pipe: mute, StartTimeout: 200 * time.Millisecond, Grace: 10 * time.Millisecond})
	if want := "no answer to initialize within 200ms, nor after another start within 100ms"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
