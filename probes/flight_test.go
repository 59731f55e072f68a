package probes

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// The workload of BenchmarkInFlight.
const (
	flights    = 500
	latency    = 20 * time.Millisecond
	sideBySide = 16
)

// slowly answers every request after the latency, many at a time.
func slowly(in io.Reader, out io.WriteCloser) {
	defer out.Close()
	var mu sync.Mutex
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result, delay := `{"content":[]}`, latency
		if m.Method == "initialize" {
			result, delay = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"slow","version":"1"}}`, 0
		}
		time.AfterFunc(delay, func() {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
		})
	}
}

// BenchmarkInFlight asks 500 questions of an adapter that takes 20 ms for each, 16 at
// a time, beside the ideal of as many rounds as that takes at least.
func BenchmarkInFlight(b *testing.B) {
	for b.Loop() {
		e := NewEngine(wire.NewRecorder(), 2*time.Second, sideBySide)
		err := e.Open(b.Context(), "main", wire.Target{StartTimeout: 5 * time.Second, Grace: time.Second, Pipe: func(context.Context) (io.WriteCloser, io.Reader, error) {
			fromUs, toAdapter := io.Pipe()
			fromAdapter, toUs := io.Pipe()
			go slowly(fromUs, toUs)
			return toAdapter, fromAdapter, nil
		}})
		if err != nil {
			b.Fatal(err)
		}
		var tasks []Task
		for i := range flights {
			tasks = append(tasks, Task{Lane: Parallel, Do: func(ctx context.Context) { e.Ask(ctx, Call("main", "read", "get_x", nil).Numbered(i)) }})
		}
		e.Run(b.Context(), tasks)
		e.Close()
	}
	ideal := (flights + sideBySide - 1) / sideBySide * latency
	b.ReportMetric(float64(ideal)*float64(b.N)/float64(b.Elapsed()), "of-ideal")
}
