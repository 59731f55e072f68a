package probes

import (
	"crypto/sha256"
	"sync"
)

// A room is where an engine puts what it keeps to the end of the run: many small things of one
// kind in one piece. Each of them alone would be a part of the heap that garbage collection visits.
type room struct {
	pieces []*[cellsInPiece]Kept
	used   uint32
	by     map[digest]uint32 // the last cell of each key, by its place
}

// cellsInPiece is how many observations are in one piece: as many as fit into 8 KiB.
const cellsInPiece = 113

// A digest stands for a key: a run asks hundreds of thousands of them.
type digest [12]byte

func digestOf(key []byte) digest {
	sum := sha256.Sum256(key)
	return digest(sum[:len(digest{})])
}

// find returns the cell of a key; nil if there is none.
func (r *room) find(key digest) *Kept {
	at, known := r.by[key]
	if !known {
		return nil
	}
	return &r.pieces[at/cellsInPiece][at%cellsInPiece]
}

// cell returns a new Kept for a key. Its observation is still to come.
func (r *room) cell(key digest) *Kept {
	if r.used%cellsInPiece == 0 {
		r.pieces = append(r.pieces, new([cellsInPiece]Kept))
	}
	if r.by == nil {
		r.by = map[digest]uint32{}
	}
	r.by[key] = r.used
	r.used++
	return r.find(key)
}

// buffers are for keys that are looked up.
var buffers = sync.Pool{New: func() any { return new([]byte) }}
