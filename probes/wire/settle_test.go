package wire

import (
	"bytes"
	"testing"
)

// A full record keeps no more of an answer behind a byte order mark, or before trailing
// data, than of any other.
func TestFullRecordKeepsNoWholeParts(t *testing.T) {
	long := append(append([]byte(`{"jsonrpc":"2.0","id":"x","result":"`), bytes.Repeat([]byte("y"), 1<<20)...), `"}`...)
	for what, line := range map[string][]byte{
		"a mark before it":     append(bytes.Clone(byteOrderMark), long...),
		"a message behind it":  append(bytes.Clone(long), long...),
		"trailing data behind": append(bytes.Clone(long), bytes.Repeat([]byte("z"), 1<<20)...),
	} {
		rec := NewRecorder()
		rec.bytes = maxRecordBytes
		d := newDispatcher("main", rec)
		d.receive(line, len(line), "", nil)
		for _, f := range d.strays {
			if len(f.Data) > maxTailBytes {
				t.Errorf("%s: a stray keeps %d bytes, want at most %d", what, len(f.Data), maxTailBytes)
			}
		}
		if len(d.strays) < 2 {
			t.Errorf("%s: %d strays, want the answer and what is beside it", what, len(d.strays))
		}
	}
	// What is kept beside a frame counts: else it would never be full.
	rec := NewRecorder()
	d := newDispatcher("main", rec)
	d.receive(append(bytes.Clone(byteOrderMark), long...), len(long), "", nil)
	if rec.bytes < 2*len(long) {
		t.Errorf("%d bytes are counted of a frame and its part, want %d", rec.bytes, 2*len(long))
	}
}
