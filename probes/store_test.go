package probes

import (
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
