package wire

import (
	"sync"
	"time"
)

// Spares are processes that were started before their connections are needed, so that the starts of
// a slow adapter overlap. Nothing is sent to a process before it has its connection.
type Spares struct {
	mu    sync.Mutex
	grace time.Duration
	ready []*process
}

// NewSpares starts processes of the target. It starts fewer if one cannot be started; whoever opens
// a connection then learns why.
func NewSpares(t Target, n int) *Spares {
	s := &Spares{grace: t.Grace}
	if s.grace <= 0 {
		s.grace = defaultGrace
	}
	for range n {
		started, err := spawn(t)
		if err != nil {
			break
		}
		s.ready = append(s.ready, started)
	}
	return s
}

// take returns a process, or nil if there is none.
func (s *Spares) take() *process {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ready) == 0 {
		return nil
	}
	first := s.ready[0]
	s.ready = s.ready[1:]
	return first
}

// Close ends the processes that nobody took: by the end of their input, and after the grace by
// force.
func (s *Spares) Close() {
	if s == nil {
		return
	}
	var group sync.WaitGroup
	for started := s.take(); started != nil; started = s.take() {
		group.Go(func() {
			_ = started.stdin.Close()
			gone := make(chan struct{})
			go func() {
				_ = started.cmd.Wait()
				close(gone)
			}()
			await(gone, s.grace)
			killGroup(started.cmd)
			<-gone
			ended(started.cmd)
			_, _ = started.out.Close(), started.errs.Close()
		})
	}
	group.Wait()
}
