package probes

import (
	"strings"
	"sync"
)

// A room is where an engine puts what it keeps to the end of the run: many small things of one
// kind in one piece. Each of them alone would be a part of the heap that garbage collection visits.
type room struct {
	cells []Kept
	keys  *strings.Builder
}

// How many observations, and how many bytes of keys, are in one piece.
const (
	cellsInPiece = 64
	bytesInPiece = 32 << 10
)

// cell returns a new Kept whose observation is still to come.
func (r *room) cell(key []byte) *Kept {
	if len(r.cells) == 0 {
		r.cells = make([]Kept, cellsInPiece)
	}
	c := &r.cells[0]
	r.cells = r.cells[1:]
	c.key, c.done = r.text(key), make(chan struct{})
	return c
}

// text returns the bytes as a text.
func (r *room) text(b []byte) string {
	if r.keys == nil || r.keys.Cap()-r.keys.Len() < len(b) {
		r.keys = &strings.Builder{}
		r.keys.Grow(max(len(b), bytesInPiece))
	}
	at := r.keys.Len()
	r.keys.Write(b)
	return r.keys.String()[at:]
}

// buffers are for keys that are looked up.
var buffers = sync.Pool{New: func() any { return new([]byte) }}
