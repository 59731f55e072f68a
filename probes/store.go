package probes

import (
	"fmt"
	"os"
	"slices"
	"sync"
)

// A store keeps bytes in a file that nobody else sees: a long run hears more than a
// checker should take of somebody's memory. Where there can be no such file, or no
// more room in it, what would go there stays in memory instead.
type store struct {
	mu     sync.Mutex
	file   *os.File
	end    int64  // of all that was written
	tail   []byte // the last of it, which is not in the file yet
	closed bool   // to further bytes
	pages  [storePages]page
	next   int // the page that was replaced last
	lent   lent
}

// A page holds bytes of the file that were written or read lately. Exchanges are often read one after the other,
// and a system call costs more time than the copy of an exchange.
type page struct {
	at   int64
	data []byte
}

const (
	storePages  = 8
	maxTail     = 64 << 10 // bytes that are written at a time
	readingSize = 8 << 10  // bytes that are read at a time
)

// write appends the parts and returns where they begin; ok is false when they could
// not be written.
func (s *store) write(parts ...[]byte) (at int64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil && !s.closed {
		s.file = unnamed()
		s.closed = s.file == nil
	}
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if s.closed || len(s.tail)+size > maxTail && !s.flush() {
		return 0, false
	}
	at = s.end
	for _, p := range parts {
		if size <= maxTail {
			s.tail = append(s.tail, p...)
			s.end += int64(len(p))
			continue
		}
		n, err := s.file.WriteAt(p, s.end)
		if s.end += int64(n); err != nil {
			s.closed = true
			return 0, false
		}
	}
	return at, true
}

// flush writes the tail into the file. Where that fails, it stays in memory.
func (s *store) flush() bool {
	if len(s.tail) == 0 {
		return true
	}
	at := s.end - int64(len(s.tail))
	if _, err := s.file.WriteAt(s.tail, at); err != nil {
		s.closed = true
		return false
	}
	replaced := s.turn()
	s.tail, *replaced = replaced.data[:0], page{at, s.tail}
	return true
}

// turn returns the page to replace.
func (s *store) turn() *page {
	s.next = (s.next + 1) % storePages
	return &s.pages[s.next]
}

// read returns n bytes that were written. That it cannot is the checker's own fault,
// of which no verdict may be made.
func (s *store) read(at int64, n int) []byte {
	b := make([]byte, n)
	s.mu.Lock()
	defer s.mu.Unlock()
	held := page{s.end - int64(len(s.tail)), s.tail}
	inFile := held.at
	for i := 0; !held.copied(b, at); i++ {
		if i == storePages {
			s.load(b, at, inFile)
			break
		}
		held = s.pages[i]
	}
	return b
}

// load reads bytes from the file. If they are few, it reads a page of those that follow as well.
func (s *store) load(b []byte, at, end int64) {
	into := b
	if len(b) < readingSize {
		p := s.turn()
		p.at, p.data = at, slices.Grow(p.data[:0], readingSize)[:min(readingSize, end-at)]
		into = p.data
	}
	if _, err := s.file.ReadAt(into, at); err != nil {
		panic(fmt.Errorf("probes: reading answers back from a temporary file: %w", err))
	}
	copy(b, into)
}

// copied fills b with what begins at a position, if the page has all of it.
func (p page) copied(b []byte, at int64) bool {
	from := at - p.at
	if from < 0 || from+int64(len(b)) > int64(len(p.data)) {
		return len(b) == 0
	}
	copy(b, p.data[from:])
	return true
}

// unnamed returns a file that has lost its name, so that however the run ends nothing
// is left behind, and is closed when nobody refers to it any more; nil where the
// system does not let an open file go, as Windows, or has no room for one.
func unnamed() *os.File {
	f, err := os.CreateTemp("", "aql-conform-*")
	if err != nil {
		return nil
	}
	if os.Remove(f.Name()) != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
		return nil
	}
	return f
}
