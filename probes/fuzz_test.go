package probes

import (
	"bytes"
	"testing"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// FuzzClassify reads whatever an adapter may answer. What is said twice of the same
// bytes must be the same, also when the memory of the first reading was let go.
func FuzzClassify(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":true,\"data\":{}}"}]}}`,
		`{"id":1,"result":{"structuredContent":{"success":false,"error":{"code":"X"}},"isError":true}}`,
		"{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"so: ```json\\n{\\\"success\\\":1}\\n```\"}]}}",
		`{"id":1,"error":{"code":-32602,"message":"no"},"result":{}}`,
		`{"id":1,"result":{"content":[{"type":"resource","resource":{"text":"{\"error\":{}}"}}],"a":1e999999,"a":[{},[],null]}}`,
		"\xef\xbb\xbf{\"id\":\"\\ud800\",\"result\":{\"content\":null}}", `[[[[`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := Classify(Call("main", "aql", "get_x", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: data}})
		before := o.Envelope().Canonical(nil)
		if o.Succeeded() && !o.Envelope().At("success").True() || o.Refused() && !o.Envelope().At("success").False() {
			t.Fatalf("%s is taken for a %s", data, o.Outcome)
		}
		_, _, _ = o.Brief(), o.Code(), o.Deferred()
		o.shelf.(*shelf).release()
		if after := o.Envelope().Canonical(nil); after != before {
			t.Fatalf("read as %s and then as %s", before, after)
		}
		if v, err := ParseValue(o.Answer().Raw()); !o.Answer().Is(Absent) && (err != nil || !v.Equal(o.Answer())) {
			t.Fatalf("%s is read as another value (%v)", o.Answer(), err)
		}
	})
}

// FuzzReadTranscript reads files that pass for transcripts. One that is taken is
// refused as soon as one byte of it is another.
func FuzzReadTranscript(f *testing.F) {
	var whole bytes.Buffer
	tr := NewTranscript(&whole, func(b []byte) []byte { return b })
	tr.Add(Entry{Kind: "head", Head: []byte(`{}`)})
	tr.Add(Entry{Kind: "answer", Answer: written(Classify(Call("main", "aql", "get_x", map[string]any{"a": "\xff"}), wire.Reply{
		Class: wire.Answered, Received: wire.Frame{Data: []byte("{\"id\":1,\"result\":{}}\x00")}}), func(b []byte) []byte { return b })})
	tr.Add(Entry{Kind: "foot", Foot: []byte(`{}`)})
	if _, err := tr.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes(), 100)
	f.Add(bytes.ReplaceAll(whole.Bytes(), []byte("answer"), []byte("hello!")), 0)
	f.Add([]byte("{\"link\":\"\",\"entry\":{\"kind\":\"answer\"}}\n"), 7)
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		entries, digest, err := ReadTranscript(bytes.NewReader(data))
		if err != nil {
			return
		}
		NewEngine(wire.NewRecorder(), 0, 1).Recall(entries)
		if len(data) == 0 {
			return
		}
		edited := bytes.Clone(data)
		edited[((at%len(data))+len(data))%len(data)] ^= 1
		if _, now, err := ReadTranscript(bytes.NewReader(edited)); err == nil && now == digest && !bytes.Equal(bytes.TrimSpace(edited), bytes.TrimSpace(data)) {
			t.Fatalf("an edited transcript keeps its digest: %q", edited)
		}
	})
}
