package probes

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// What a long run lays into its file comes back as it was, and where there can be no
// file it never goes.
func TestExchangesComeBack(t *testing.T) {
	long := make([]byte, maxKey+1)
	for i := range long {
		long[i] = ' '
	}
	call := Call("main", "read", "get_item", map[string]any{"id": "a", "n": 1})
	for name, in := range map[string]*store{"file": {}, "no file": {closed: true}} {
		for _, p := range []Probe{call, call.WithRaw(append(long, `{"name":"read"}`...)), Request("main", "ping", nil)} {
			o := Classify(p, wire.Reply{
				Class: wire.Answered, Sent: wire.Frame{Seq: 1, Data: []byte(`{"id":1}`)},
				Received: wire.Frame{Seq: 2, Data: []byte(`{"id":1,"result":{"structuredContent":{"success":true,"data":{"id":"a"}}}}`)},
			})
			shelf := o.shelf.(*shelf)
			shelf.held.payload = p.Payload()
			o.Probe = p.sparing(shelf)
			shelf.release()
			shelf.put(in)
			runtime.GC()
			if o.Probe.Key() != p.Key() || o.Probe.Operation() != p.Operation() || o.Probe.With("x", 1).Key() != p.With("x", 1).Key() {
				t.Errorf("%s: %s comes back as %s", name, p, o.Probe)
			}
			if string(o.SentData()) != `{"id":1}` || o.Outcome == Success && o.Data().At("id").Text() != "a" {
				t.Errorf("%s: %s has %s and %s", name, p, o.SentData(), o.ReceivedData())
			}
			if inMemory := shelf.held != nil; inMemory != in.closed {
				t.Errorf("%s: in memory %v", name, inMemory)
			}
		}
	}
}

// What was written comes back, whether it is in the file yet or not, and also once the file takes
// no more.
func TestStoreComesBack(t *testing.T) {
	for name, failsAfter := range map[string]int{"a file": -1, "a full disk": 700} {
		t.Run(name, func(t *testing.T) {
			s, r := &store{}, rand.New(rand.NewPCG(1, 2))
			type entry struct {
				at   int64
				data []byte
			}
			var kept []entry
			check := func(e entry) {
				if got := s.read(e.at, len(e.data)); !bytes.Equal(got, e.data) {
					t.Fatalf("%d bytes at %d are not what was written", len(e.data), e.at)
				}
			}
			for i := range 1500 {
				if i == failsAfter {
					name := filepath.Join(t.TempDir(), "full")
					written, err := io.ReadAll(io.NewSectionReader(s.file, 0, s.end))
					if err == nil {
						err = os.WriteFile(name, written, 0o600)
					}
					if s.file, err = os.Open(name); err != nil { // which cannot be written to
						t.Fatal(err)
					}
				}
				size := r.IntN(2000)
				if i%400 == 399 {
					size = maxTail + r.IntN(maxTail)
				}
				data := bytes.Repeat([]byte{byte(i)}, size)
				if at, ok := s.write(data[:size/3], data[size/3:]); ok {
					kept = append(kept, entry{at, data})
				}
				if len(kept) > 0 {
					check(kept[r.IntN(len(kept))])
				}
			}
			for _, e := range kept {
				check(e)
			}
			if all := len(kept) == 1500; all != (failsAfter < 0) || len(kept) < 700 {
				t.Errorf("%d of 1500 were taken", len(kept))
			}
		})
	}
}
