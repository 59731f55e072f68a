package probes

import (
	"fmt"
	"os"
	"sync"
)

// A store keeps bytes in a file that nobody else sees: a long run hears more than a
// checker should take of somebody's memory. Where there can be no such file, or no
// more room in it, what would go there stays in memory instead.
type store struct {
	mu     sync.Mutex
	file   *os.File
	end    int64
	closed bool // to further bytes
	buffer []byte
	lent   lent
}

// maxBuffer is how much room for writing is kept for the next time.
const maxBuffer = 64 << 10

// write appends the parts and returns where they begin; ok is false when they could
// not be written.
func (s *store) write(parts ...[]byte) (at int64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil && !s.closed {
		s.file = unnamed()
		s.closed = s.file == nil
	}
	if s.closed {
		return 0, false
	}
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if size < longEntry {
		all := s.buffer[:0]
		for _, p := range parts {
			all = append(all, p...)
		}
		if s.buffer = all; cap(all) > maxBuffer {
			s.buffer = nil
		}
		parts = [][]byte{all}
	}
	at = s.end
	for _, p := range parts {
		n, err := s.file.WriteAt(p, s.end)
		if s.end += int64(n); err != nil {
			s.closed = true
			return 0, false
		}
	}
	return at, true
}

// read returns n bytes that were written. That it cannot is the checker's own fault,
// of which no verdict may be made.
func (s *store) read(at int64, n int) []byte {
	b := make([]byte, n)
	if _, err := s.file.ReadAt(b, at); err != nil && n > 0 {
		panic(fmt.Errorf("probes: reading answers back from a temporary file: %w", err))
	}
	return b
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
