package wire

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Caps of a record. A hostile adapter may write for ever; the record keeps
// enough to prove a point and never the checker's last byte of memory.
const (
	maxFrameBytes  = 8 << 20   // of one frame's data, with valueBytes for each value
	valueBytes     = 48        // that a value takes at least when it is read; a comma stands for one
	maxRecordBytes = 128 << 20 // of all frames together; beyond it a frame keeps maxTailBytes
	maxTailBytes   = 4 << 10
	maxBesideBytes = 16 << 20 // of what answered nothing and is held to the end; beyond it a frame keeps maxTailBytes
)

var masked = []byte("[masked]")

// A Recorder makes the record of all connections of a run, frame by frame; whoever
// asked holds on to them. It is safe for concurrent use.
type Recorder struct {
	start   time.Time
	secrets atomic.Pointer[[][]byte] // in every form, the longest first
	heard   func(Frame)              // is told of every frame; nil when nobody wants to know

	mu    sync.Mutex
	seq   int
	bytes int
	idle  int // bytes of what answered nothing
}

// NewRecorder returns an empty record. Every occurrence of a secret, in any of its
// Forms, is written "[masked]". Secrets shorter than four bytes are ignored, and so are
// the JSON literals and short numbers: masking "true" would turn sound answers into
// broken ones.
func NewRecorder(secrets ...string) *Recorder {
	r := &Recorder{start: time.Now()}
	r.secrets.Store(&[][]byte{})
	r.Hide(secrets...)
	return r
}

// Hide masks further secrets in what is recorded from now on.
func (r *Recorder) Hide(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.Clone(*r.secrets.Load())
	for _, s := range secrets {
		if !maskable(s) {
			continue
		}
		for _, form := range Forms(s) {
			if !slices.ContainsFunc(all, func(b []byte) bool { return string(b) == form }) {
				all = append(all, []byte(form))
			}
		}
	}
	// Longest first: a secret that contains another must not survive in pieces.
	slices.SortStableFunc(all, func(a, b []byte) int { return len(b) - len(a) })
	r.secrets.Store(&all)
}

// Add records a copy of data and returns the frame as recorded:
// masked, cut to 8 MiB or where it has too many values, with its position, its time and its true size.
func (r *Recorder) Add(conn string, dir Direction, data []byte, note string) Frame {
	return r.add(conn, dir, bytes.Clone(data), len(data), note)
}

// add is Add for data that the record may keep, because nobody changes them any more, and of which
// the reader itself kept only a prefix.
func (r *Recorder) add(conn string, dir Direction, data []byte, size int, note string) Frame {
	f := r.place(Frame{Conn: conn, Dir: dir, Data: r.keep(data), Note: string(r.mask([]byte(note))), Size: size})
	if r.heard != nil {
		r.heard(f)
	}
	return f
}

// OnFrame sets a function that is told of every frame. It has to be set before the first
// connection is opened.
func (r *Recorder) OnFrame(heard func(Frame)) { r.heard = heard }

// place gives a frame its place in the record.
func (r *Recorder) place(f Frame) Frame {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Data = r.within(f.Data)
	r.seq++
	f.Seq, f.At = r.seq, time.Since(r.start)
	r.bytes += len(f.Data)
	return f
}

// part returns the copy of a part of a frame that is kept beside the frame, and counts
// it: parts of many frames are as much as the frames.
func (r *Recorder) part(data []byte) []byte {
	kept := r.keep(bytes.Clone(data))
	r.mu.Lock()
	defer r.mu.Unlock()
	kept = r.within(kept)
	r.bytes += len(kept)
	return kept
}

// Forget gives back the room of so many bytes that nobody holds any more.
func (r *Recorder) Forget(bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes = max(0, r.bytes-bytes)
}

// within cuts what the record has no room for.
func (r *Recorder) within(data []byte) []byte {
	if r.bytes+len(data) > maxRecordBytes && len(data) > maxTailBytes {
		return bytes.Clone(prefix(data, maxTailBytes))
	}
	return data
}

// beside returns a frame that answered nothing, as it is held to the end of the run. Answers are not
// held: they go where memory does not count.
func (r *Recorder) beside(f Frame) Frame {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.idle+len(f.Data) > maxBesideBytes && len(f.Data) > maxTailBytes {
		f.Data = bytes.Clone(prefix(f.Data, maxTailBytes))
	}
	r.idle += len(f.Data)
	return f
}

// keep returns what a frame holds of data. It is no copy unless something has to go.
func (r *Recorder) keep(data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	// A secret may straddle the cut, so the mask comes first on a little more
	// than is kept.
	margin := utf8.UTFMax
	if secrets := *r.secrets.Load(); len(secrets) > 0 {
		margin = max(margin, len(secrets[0]))
	}
	b := r.mask(data[:min(len(data), maxFrameBytes+margin)])
	room := maxFrameBytes // a million empty lists in 3 MB of text take a hundred times as much when they are read
	if weight := len(b) + valueBytes*bytes.Count(b, []byte{','}); weight > maxFrameBytes {
		room = int(int64(len(b)) * maxFrameBytes / int64(weight))
	}
	if b = prefix(b, min(room, maxFrameBytes)); len(data) > len(b)+len(b)/8 { // what is cut off goes
		b = bytes.Clone(b)
	}
	return b
}

// prefix returns the first n bytes at most, and no half of a character: the record
// must not show broken text where the adapter sent none.
func prefix(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for start := n - 1; start >= max(0, n-utf8.UTFMax); start-- {
		if utf8.RuneStart(b[start]) {
			if !utf8.FullRune(b[start:n]) {
				n = start
			}
			break
		}
	}
	return b[:n]
}

// Masks reports whether there is any secret to be masked.
func (r *Recorder) Masks() bool { return len(*r.secrets.Load()) > 0 }

// Mask returns b without the secrets.
func (r *Recorder) Mask(b []byte) []byte { return r.mask(b) }

func (r *Recorder) mask(b []byte) []byte {
	for _, s := range *r.secrets.Load() {
		if bytes.Contains(b, s) {
			b = bytes.ReplaceAll(b, s, masked)
		}
	}
	return b
}
