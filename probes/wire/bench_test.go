package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// files is a pair of operating system pipes to an echo responder.
func files() (io.WriteCloser, io.ReadCloser, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	go respond(inR, outW)
	return inW, outR, nil
}

// respond answers every line with a result under the id of the request.
func respond(in io.ReadCloser, out io.WriteCloser) {
	defer in.Close()
	defer out.Close()
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		result := `{}`
		if bytes.Contains(line, []byte(`"initialize"`)) {
			result = helloResult
		}
		_, rest, ok := bytes.Cut(line, []byte(`"id":`))
		if !ok {
			continue
		}
		id := rest[:bytes.IndexByte(rest, ',')]
		if _, err := out.Write([]byte(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + result + "}\n")); err != nil {
			return
		}
	}
}

// BenchmarkAsk measures sequential round trips, and how near they come to the
// physical limit: the same pipes and responder without a client, in the same run.
func BenchmarkAsk(b *testing.B) {
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour) // its caller's, as the engine asks
	defer cancel()
	c, err := wire.Open(ctx, wire.Target{Pipe: func(context.Context) (io.WriteCloser, io.Reader, error) { return files() }}, "test", wire.NewRecorder())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	params := []byte(`{"name":"echo","arguments":{"operation":"get_x"}}`)
	const turn = 1000 // asked in turns with the bare pipe: a machine is not equally fast at all times
	var alone time.Duration
	for n := 1; b.Loop(); n++ {
		if r := c.Ask(ctx, "tools/call", params); r.Class != wire.Answered {
			b.Fatalf("got %+v", r)
		}
		if n%turn == 0 {
			b.StopTimer()
			alone += bare(b, turn)
			b.StartTimer()
		}
	}
	if turns := b.N / turn; turns > 0 {
		b.ReportMetric(float64(alone)/float64(turns*turn)/(float64(b.Elapsed())/float64(b.N)), "of-bare-pipe")
	}
}

// bare plays ping-pong n times with no client at all.
func bare(b *testing.B, n int) time.Duration {
	in, out, err := files()
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	defer in.Close()
	r := bufio.NewReader(out)
	request := []byte(`{"jsonrpc":"2.0","id":"aql-1","method":"tools/call","params":{"name":"echo","arguments":{"operation":"get_x"}}}` + "\n")
	start := time.Now()
	for range n {
		if _, err := in.Write(request); err != nil {
			b.Fatal(err)
		}
		if _, err := r.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start)
}
