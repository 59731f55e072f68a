package transcript

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// Whatever stands in a file, packed or not, it is a transcript or refused, and never unpacked
// beyond the bound. Of one that is taken, the run and its parts can be told.
func FuzzTranscriptFrom(f *testing.F) {
	file, err := os.Open("../../testdata/version1/run.ndjson.gz")
	if err != nil {
		f.Fatal(err)
	}
	z, err := gzip.NewReader(file)
	if err != nil {
		f.Fatal(err)
	}
	whole, err := io.ReadAll(z)
	if err != nil {
		f.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	short := bytes.Join(lines[:min(len(lines), 6)], nil)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(short)
	_ = w.Close()
	f.Add(short, false)
	f.Add(packed.Bytes(), true)
	f.Add(packed.Bytes()[:packed.Len()/2], true)
	f.Fuzz(func(t *testing.T, data []byte, isPacked bool) {
		name := "run.ndjson"
		if isPacked {
			name += ".gz"
		}
		const most = 1 << 20
		r, err := partFrom(bytes.NewReader(data), name, most)
		if err != nil {
			return
		}
		if len(r.Entries) == 0 {
			t.Fatal("a transcript without a line")
		}
		_, _, _ = r.Run(), r.Planned(), r.Runs()
		_, _ = TranscriptFrom(bytes.NewReader(data), name, most)
	})
}
