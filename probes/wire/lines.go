package wire

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"sync"
)

// maxLine is how much of one line is kept for matching; the rest is drained and
// counted. It is above every limit that an MCP SDK is known to have.
const maxLine = 24 << 20

// readLine returns the next line without its end, and its size on the wire
// without the end. ended tells how the line ended: "\n", "\r\n" or "" (the
// stream stopped). A line longer than limit is cut, never refused.
func readLine(r *bufio.Reader, limit int) (line []byte, size int, ended string, err error) {
	var long pieces
	for {
		part, err := r.ReadSlice('\n')
		size += len(part)
		long.add(part[:min(len(part), max(0, limit+2-long.n))])
		if err == bufio.ErrBufferFull {
			continue
		}
		line = long.join()
		switch {
		case err != nil:
			return line[:min(len(line), limit)], size, "", err
		case bytes.HasSuffix(line, []byte("\r\n")):
			ended = "\r\n"
		default:
			ended = "\n"
		}
		size -= len(ended)
		return line[:min(len(line), limit, size)], size, ended, nil
	}
}

// pieces are bytes that come in one after the other and are needed in one piece. To grow a slice for
// them would take up to five times their memory.
type pieces struct {
	full [][]byte
	last []byte
	n    int
}

// maxPiece is the size of all pieces but the first ones.
const maxPiece = 256 << 10

func (p *pieces) add(b []byte) {
	p.n += len(b)
	for len(b) > 0 {
		if room := cap(p.last) - len(p.last); room < len(b) && cap(p.last) >= maxPiece {
			p.last = append(p.last, b[:room]...)
			p.full, p.last, b = append(p.full, p.last), takenPiece(), b[room:]
			continue
		}
		p.last = append(p.last, b...)
		return
	}
}

// join returns all bytes in one slice, which the caller owns, and forgets them.
func (p *pieces) join() []byte {
	all := p.last
	if len(p.full) > 0 {
		all = make([]byte, 0, p.n)
		for _, piece := range append(p.full, p.last) {
			all = append(all, piece...)
			if cap(piece) == maxPiece {
				spentPieces.Put((*[maxPiece]byte)(piece[:maxPiece]))
			}
		}
	}
	*p = pieces{}
	return all
}

// spentPieces are used again: an adapter that sends one long message sends more.
var spentPieces sync.Pool

func takenPiece() []byte {
	if piece, ok := spentPieces.Get().(*[maxPiece]byte); ok {
		return piece[:0]
	}
	return new([maxPiece]byte)[:0]
}

// A lineWriter writes one frame at a time to a pipe that may stop taking
// bytes. Whoever waits for it waits no longer than its context.
type lineWriter struct {
	w    io.WriteCloser
	soon func([]byte) int // writes what goes without waiting; nil where nothing can
	turn chan struct{}    // holds one token while nothing is being written
	next chan []byte
	done chan struct{}
	stop sync.Once
	fail func(error)
}

// shortLine is how many bytes every pipe takes as a whole or not at all (POSIX, write).
const shortLine = 512

// newLineWriter starts writing to w; fail is told the first error.
func newLineWriter(w io.WriteCloser, fail func(error)) *lineWriter {
	l := &lineWriter{w: w, soon: atOnce(w), turn: make(chan struct{}, 1), next: make(chan []byte), done: make(chan struct{}), fail: fail}
	l.turn <- struct{}{}
	go l.run()
	return l
}

func (l *lineWriter) run() {
	for {
		select {
		case b := <-l.next:
			if _, err := l.w.Write(b); err != nil {
				l.fail(err)
				return // and the turn never comes again
			}
			l.turn <- struct{}{}
		case <-l.done:
			return
		}
	}
}

// write waits for its turn, calls before, and hands the frame over. It returns
// when writing has begun, not when it has ended; false if it never began.
func (l *lineWriter) write(ctx context.Context, gone <-chan struct{}, frame []byte, before func()) bool {
	select {
	case <-l.turn:
	case <-ctx.Done():
		return false
	case <-gone:
		return false
	case <-l.done:
		return false
	}
	before()
	line := make([]byte, len(frame)+1)
	copy(line, frame)
	line[len(frame)] = '\n'
	// To hand a short line over takes longer than to write it.
	if l.soon != nil && len(line) <= shortLine {
		if line = line[l.soon(line):]; len(line) == 0 {
			l.turn <- struct{}{}
			return true
		}
	}
	select {
	case l.next <- line:
		return true
	case <-l.done:
		return false
	}
}

// close closes the pipe, also under a write that hangs.
func (l *lineWriter) close() {
	l.stop.Do(func() {
		close(l.done)
		_ = l.w.Close()
	})
}
