package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzPeek(f *testing.F) {
	for _, s := range []string{`{"id":1}`, `[{"id":"a"},2]`, "\xef\xbb\xbf{}", `{"a":1}{"b":2}`, `{"id":"aql-1","result":[`, `[[1]]`, `{"a"`, `"`, ``, ` 5 `, `{"a":1]`, `}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		e := peek(frame)
		plain := bytes.TrimPrefix(frame, byteOrderMark)
		if json.Valid(plain) && (!e.valid || len(e.extra) > 0 || !json.Valid(e.body)) {
			t.Errorf("%q is JSON, got %+v", plain, e)
		}
		if e.valid && !json.Valid(e.body) && bytes.Count(frame, []byte("["))+bytes.Count(frame, []byte("{")) < maxDepth {
			t.Errorf("%q is no JSON, got %+v", frame, e)
		}
	})
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("event: a\r\ndata: 1\r\rdata:2\n\n: c\ndata\ndata: 3\n\n"), 3)
	f.Add([]byte("id: 1\nretry: 5\ndata:\n\ndata: x\n\n"), 1)
	f.Fuzz(func(t *testing.T, b []byte, step int) {
		if step < 1 {
			return
		}
		var whole, parts []event
		(&eventParser{}).feed(b, func(e event) { whole = append(whole, e) })
		p := &eventParser{}
		for i := 0; i < len(b); i += min(step, len(b)-i) {
			p.feed(b[i:i+min(step, len(b)-i)], func(e event) { parts = append(parts, e) })
		}
		if !reflect.DeepEqual(whole, parts) {
			t.Errorf("%q in steps of %d: %+v, at once: %+v", b, step, parts, whole)
		}
	})
}

func FuzzReadLine(f *testing.F) {
	f.Add([]byte("a\r\nbb\n\nlast"), 3)
	f.Fuzz(func(t *testing.T, b []byte, limit int) {
		if limit < 1 || limit > 1<<20 {
			return
		}
		r := bufio.NewReaderSize(bytes.NewReader(b), 16)
		for _, want := range bytes.SplitAfter(b, []byte("\n")) {
			line, size, _, err := readLine(r, limit)
			want = bytes.TrimSuffix(want, []byte("\n"))
			if err != nil && len(want) == 0 {
				return
			}
			if len(line) > limit || !bytes.HasPrefix(want, line) || (size != len(want) && size != len(want)-1) {
				t.Errorf("%q: line %q, size %d, limit %d", want, line, size, limit)
			}
		}
	})
}

func TestRecorderMasks(t *testing.T) {
	r := NewRecorder("s3cr\"et", "abc", "true", "1234", "https://x/?a=b")
	got := r.Add("c", Sent, []byte(`{"a":"s3cr\"et","b":true,"c":1234,"d":"abc"}`), `s3cr"et https%3A%2F%2Fx%2F%3Fa%3Db`)
	if string(got.Data) != `{"a":"[masked]","b":true,"c":1234,"d":"abc"}` || got.Note != "[masked] [masked]" || got.Size != 44 {
		t.Errorf("got %s, note %s, size %d", got.Data, got.Note, got.Size)
	}
}

// What is no UTF-8 stands in a transcript with a mark for each byte that is none.
func TestFormsOfBrokenText(t *testing.T) {
	for secret, form := range map[string]string{"p\xe4\xfcss": "p\ufffd\ufffdss", "p\xe4&\n": `p` + "\ufffd" + `\u0026\n`} {
		if !slices.Contains(Forms(secret), form) {
			t.Errorf("%q is not known as %q", secret, form)
		}
	}
}

func TestRecorderMasksAcrossTheCut(t *testing.T) {
	secret := "topsecret"
	data := strings.Repeat("x", maxFrameBytes-4) + secret + "tail"
	got := NewRecorder(secret).Add("c", Sent, []byte(data), "")
	if bytes.Contains(got.Data, []byte("tops")) || len(got.Data) > maxFrameBytes || got.Size != len(data) {
		t.Errorf("kept %q of %d", got.Data[len(got.Data)-12:], got.Size)
	}
}

func TestRecorderCutsNoCharacter(t *testing.T) {
	full := NewRecorder()
	full.bytes = maxRecordBytes
	for size, r := range map[int]*Recorder{maxFrameBytes: NewRecorder(), maxTailBytes: full} {
		for _, letter := range []string{"ä", "漢", "😀"} {
			f := r.Add("c", Received, []byte("x"+strings.Repeat(letter, size)), "")
			if !utf8.Valid(f.Data) || len(f.Data) > size || len(f.Data) < size-utf8.UTFMax {
				t.Errorf("kept %d of %s, want up to %d in whole characters", len(f.Data), letter, size)
			}
		}
	}
	if f := NewRecorder().Add("c", Received, bytes.Repeat([]byte{0x80}, maxFrameBytes+1), ""); len(f.Data) != maxFrameBytes {
		t.Errorf("kept %d bytes of what is no text, want %d", len(f.Data), maxFrameBytes)
	}
}

// A frame of many short values is kept up to what they take when they are read.
func TestRecorderCutsManyValues(t *testing.T) {
	kept := func(data string) int { return len(NewRecorder().Add("c", Received, []byte(data), "").Data) }
	list := "[" + strings.Repeat("1,", 1_000_000) + "1]"
	if n := kept(list); n > 400_000 || n < 200_000 {
		t.Errorf("kept %d bytes of a list of a million numbers", n)
	}
	for _, whole := range []string{"[" + strings.Repeat("1,", 100_000) + "1]", strings.Repeat("a long text of many words, with a comma now and then", 60_000)} {
		if n := kept(whole); n != len(whole) {
			t.Errorf("kept %d bytes of %d", n, len(whole))
		}
	}
}

func TestRecorderIsCapped(t *testing.T) {
	r := NewRecorder()
	r.bytes = maxRecordBytes // as after that many bytes of frames
	f := r.Add("c", Received, make([]byte, maxTailBytes+1), "")
	if len(f.Data) != maxTailBytes || f.Size != maxTailBytes+1 {
		t.Errorf("kept %d of %d", len(f.Data), f.Size)
	}
}

// What answered nothing is held to the end of the run, and so is what its note names.
func TestBesideIsCapped(t *testing.T) {
	d := newDispatcher("main", NewRecorder())
	long := strings.Repeat("x", 4<<20)
	for range 10 {
		for _, line := range []string{
			`{"jsonrpc":"2.0","method":"notifications/message","params":"` + long + `"}`,
			`{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}`,
			`{"jsonrpc":"2.0","id":"` + long + `","result":{}}`,
		} {
			d.receive([]byte(line), len(line), "", nil)
		}
	}
	held := 0
	for _, f := range append(d.news, d.strays...) {
		held += len(f.Data) + len(f.Note)
	}
	if most := maxBesideBytes + 30*2*maxTailBytes; held > most || len(d.news) != 20 || len(d.strays) != 10 {
		t.Errorf("%d bytes of %d and %d messages are held, want at most %d of 20 and 10", held, len(d.news), len(d.strays), most)
	}
	if len(d.questions) > 0 {
		t.Errorf("%d answers wait, want none to an id of 4 MiB", len(d.questions))
	}
}
