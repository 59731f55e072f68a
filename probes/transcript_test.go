package probes

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// An adapter that says much unasked must not make a transcript that nobody can read:
// no line holds more than one message.
func TestTranscriptOfATalkativeAdapterIsRead(t *testing.T) {
	var file bytes.Buffer
	w := NewTranscript(&file, nil)
	w.Add(Entry{Kind: "head", Head: json.RawMessage(`{}`)})
	long := wire.Frame{Seq: 1, Data: bytes.Repeat([]byte("x"), 8<<20)}
	said := make([]Frame, maxLine/len(long.Data)+1)
	for i := range said {
		said[i] = long
	}
	w.rest("main", said, []Frame{{Seq: 2, Data: []byte("{}")}})
	w.Add(Entry{Kind: "foot", Foot: json.RawMessage(`{}`)})
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	entries, _, err := ReadTranscript(&file)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEngine(wire.NewRecorder(), 0, 1)
	e.Recall(entries)
	if r := e.Record(); len(r.Strays["main"]) != len(said) || len(r.News["main"]) != 1 {
		t.Errorf("%d strays and %d news are read, want %d and 1", len(r.Strays["main"]), len(r.News["main"]), len(said))
	}
}

// What was heard beside the answers is repeated as far as one line holds it.
func TestHeardIsBounded(t *testing.T) {
	short := wire.Frame{Data: []byte("{}")}
	long := wire.Frame{Data: bytes.Repeat([]byte("x"), maxHeard)}
	got := texts([]Frame{short, long, short})
	if len(got) != 2 || got[0] != "{}" || got[1] != "{}" {
		t.Errorf("%d messages are repeated, want the two that fit", len(got))
	}
	if got := texts(nil); got == nil {
		t.Error("silence is no list")
	}
}

// An answer that is neither a result nor an error is still read, live and from a
// transcript alike.
func TestOddAnswersComeBack(t *testing.T) {
	for _, text := range []string{`{"jsonrpc":"2.0","id":1,"error":"no"}`, `{"jsonrpc":"2.0","id":1,"result":[1]}`, `{"jsonrpc":"2.0","id":1}`, `[1]`, `no`} {
		live := Classify(Call("main", "read", "get_item", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(text)}})
		back := written(live, func(b []byte) []byte { return b }).observation()
		if back.Outcome != live.Outcome || !back.Answer().Equal(live.Answer()) {
			t.Errorf("%s comes back as %s %s, and was %s %s", text, back.Outcome, back.Answer(), live.Outcome, live.Answer())
		}
	}
}
