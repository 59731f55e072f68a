package probes

import (
	"sync"
	"weak"
)

// lent holds the exchanges that were made again for packed observations, as long as somebody has
// them. A weak pointer in each observation would take a fifth of its memory, for good.
type lent struct {
	mu      sync.Mutex
	to      map[*Kept]weak.Pointer[exchange]
	sweepAt int // length of to
}

// leastSwept is the length from which on it is worth looking for exchanges that are gone.
const leastSwept = 1 << 10

// of returns the exchange of the observation; nil if nobody has it.
func (l *lent) of(k *Kept) *exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to[k].Value()
}

// lend returns the exchange that those who ask later get as well: x, unless there is one already.
func (l *lent) lend(k *Kept, x *exchange) *exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	if other := l.to[k].Value(); other != nil {
		return other
	}
	if len(l.to) >= l.sweepAt {
		for k, p := range l.to {
			if p.Value() == nil {
				delete(l.to, k)
			}
		}
		l.sweepAt = max(leastSwept, 2*len(l.to))
	}
	if l.to == nil {
		l.to = map[*Kept]weak.Pointer[exchange]{}
	}
	l.to[k] = weak.Make(x)
	return x
}
