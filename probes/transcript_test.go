package probes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// An adapter that says much unasked must not make a transcript that nobody can read:
// no line holds more than one message.
func TestTranscriptOfATalkativeAdapterIsRead(t *testing.T) {
	var file bytes.Buffer
	w := NewTranscript(&file, nil)
	w.Add(Entry{Kind: "head", Head: []byte(`{}`)})
	long := wire.Frame{Seq: 1, Data: bytes.Repeat([]byte("x"), 8<<20)}
	said := make([]Frame, maxLine/len(long.Data)+1)
	for i := range said {
		said[i] = long
	}
	w.rest("main", said, []Frame{{Seq: 2, Data: []byte("{}")}})
	w.Add(Entry{Kind: "foot", Foot: []byte(`{}`)})
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

// Lines are parsed side by side, and still the first that is wrong is named, with what is
// wrong with it.
func TestTheFirstWrongLineIsNamed(t *testing.T) {
	var file bytes.Buffer
	w := NewTranscript(&file, nil)
	w.Add(Entry{Kind: "head", Head: []byte(`{}`)})
	for i := range 20 {
		w.Add(Entry{Kind: "event", Event: &frameEntry{Seq: i + 1, Conn: "main", Data: bytes.Repeat([]byte("x"), linesAtOnce/6)}})
	}
	w.Add(Entry{Kind: "foot", Foot: []byte(`{}`)})
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, edit := range []struct{ from, to, problem string }{
		{`"conn":"main"`, `"conn":"mine"`, "the chain is broken"},
		{`{"link"`, `["link"`, "not a line of a transcript"},
		{`,"entry":`, `,"note":1,"entry":`, "not a line of a transcript"},
		{`,"entry":`, `,"entry":{},"entry":`, "not a line of a transcript"},
		{`"link"`, `"Link"`, `not a line of a transcript: at "/Link": unknown object member name`},
		{`"entry":{`, `"entry":["`, "not a line of a transcript: jsontext: "},
	} {
		for _, n := range []int{2, 9, 20} {
			lines := bytes.SplitAfter(bytes.Clone(file.Bytes()), []byte("\n"))
			lines[n-1] = bytes.Replace(lines[n-1], []byte(edit.from), []byte(edit.to), 1)
			lines[n] = []byte("nothing\n")
			_, _, err := ReadTranscript(bytes.NewReader(bytes.Join(lines, nil)))
			var wrong *TranscriptError
			if !errors.As(err, &wrong) || wrong.Line != n || !strings.HasPrefix(wrong.Problem, edit.problem) {
				t.Errorf("%s becomes %s in line %d: %.200v", edit.from, edit.to, n, err)
			}
		}
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

// What is known to be secret only later is hidden from then on, and in what waits to be
// written; whoever reads the file back with its transcript gets all as it was.
func TestTranscriptUnderAVeil(t *testing.T) {
	var file bytes.Buffer
	w := NewTranscript(&file, nil)
	const code = "K5QXG43UMVZXIZLS"
	w.Under(Veiling{
		Veil: wire.NewVeil([]byte("key"), true), Lag: 2,
		Told: func(o Observation) []string { return []string{code}[:min(1, len(o.Probe.CommandName()))] },
	})
	w.Add(Entry{Kind: "head", Head: []byte(`{"a":"` + code + `"}`)})
	w.Add(Entry{Kind: "plan", Plan: []byte(`{}`)})
	w.Add(Entry{Kind: "plan", Plan: []byte(`{"b":"` + code + `"}`)})
	shown := wire.Frame{Data: []byte(`{"result":{"output":"` + code + `"}}`)}
	w.answer(Classify(Command("main", "show", nil), wire.Reply{Class: wire.Answered, Received: shown}))
	w.Add(Entry{Kind: "foot", Foot: []byte(`{}`)})
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(file.Bytes(), []byte(code)); n != 1 {
		t.Errorf("the code stands in %d lines, want the one that was written before", n)
	}
	if _, _, err := ReadTranscript(bytes.NewReader(file.Bytes())); err != nil {
		t.Error(err)
	}
	n := 0
	err := w.Reveal(&file, func(raw []byte) error { n += bytes.Count(raw, []byte(code)); return nil })
	if err != nil || n != 3 {
		t.Errorf("the code comes back %d times, want 3: %v", n, err)
	}
}

// Credentials that answers tell never reach the file, however many there are; what was sent before
// it came back is none, and the entries come back as they were.
func TestTranscriptHidesCredentials(t *testing.T) {
	var file bytes.Buffer
	w := NewTranscript(&file, nil)
	w.Under(Veiling{Veil: wire.NewVeil([]byte("key"), true), Told: func(Observation) []string { return nil }})
	w.Add(Entry{Kind: "head", Head: []byte(`{}`)})
	token := func(n int) string { return fmt.Sprintf("Tok%05dabcdEFGH%05d", n, n*7919%99991) }
	tell := func(params map[string]any, text string) {
		said, _ := json.Marshal(text)
		w.answer(Classify(Call("main", "aql", "sign_in", params), wire.Reply{Class: wire.Answered,
			Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + string(said) + `}]}}`)}}))
	}
	const many = wire.MaxCredentials + 50
	for n := range many {
		tell(nil, `{"data":{"access_token":"`+token(n)+`","id":"plain-`+token(n)[3:8]+`"}}`)
	}
	tell(map[string]any{"password": "Made-up-4711"}, `{"data":{"password":"Made-up-4711"}}`)
	tell(nil, `{"data":{"otp":482913,"count":4829,"total":482913}}`)
	w.Add(Entry{Kind: "event", Event: &frameEntry{Seq: 1, Conn: "main", Note: "signed in with Bearer " + token(3)}})
	w.Add(Entry{Kind: "foot", Foot: []byte(`{}`)})
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for n := range many {
		if bytes.Contains(file.Bytes(), []byte(token(n))) {
			t.Fatalf("%s, number %d, stands in the file", token(n), n)
		}
	}
	if n := bytes.Count(file.Bytes(), []byte("Made-up-4711")); n != 2 || !bytes.Contains(file.Bytes(), []byte("plain-00042")) {
		t.Errorf("what is no secret is hidden; ours stands there %d times", n)
	}
	if bytes.Contains(file.Bytes(), []byte(`otp\\\":482913`)) || !bytes.Contains(file.Bytes(), []byte(`count\\\":4829`)) {
		t.Error("a number that its name tells to be a secret is not hidden, or another one is")
	}
	if _, _, err := ReadTranscript(bytes.NewReader(file.Bytes())); err != nil {
		t.Error(err)
	}
	back := 0
	if err := w.Reveal(&file, func(raw []byte) error { back += bytes.Count(raw, []byte("abcdEFGH")); return nil }); err != nil || back != many+1 {
		t.Errorf("%d tokens come back, want %d: %v", back, many+1, err)
	}
}
