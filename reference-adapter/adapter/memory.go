package adapter

import (
	"sync"
	"time"
)

// A memory is what the faults and habits of one adapter remember, so that two adapters never
// share it. The adapter itself never looks at it.
type memory struct {
	words words // nil where the names are those of the heart

	log    sync.Mutex
	counts map[string]int

	// What follows is guarded by the lock of the adapter.

	kept    map[string]note           // what faults kept of a note, by its id
	keys    map[string]string         // identifier on the wire -> that of the heart
	chosen  map[string]string         // and back, where the client chose it
	removed map[string]note           // notes that were removed and can be read
	fresh   map[string]time.Time      // notes that lists do not show yet
	theirs  string                    // the note of somebody else
	nulls   bool                      // a read of what is not there answers null
	missed  bool                      // a fault found no operation, parameter or type of that name
	seeds   map[string]map[string]any // what was stored at the start, by identifier
}

// words exchange the names of the heart and those on the wire.
type words interface {
	toWire(operation string) string
	toHeart(operation string) string
	objectToHeart(object map[string]any) map[string]any
	name(name string) string // of any sort, towards the wire
}

func newMemory(w words) *memory {
	return &memory{words: w, counts: map[string]int{}, kept: map[string]note{}, keys: map[string]string{},
		chosen: map[string]string{}, removed: map[string]note{}, fresh: map[string]time.Time{}}
}

func (a *Adapter) aside() *memory { return a.beside.(*memory) }

// remember, recall and count outlast sessions.
func (a *Adapter) remember(key string, n int) {
	m := a.aside()
	m.log.Lock()
	defer m.log.Unlock()
	m.counts[key] = n
}

func (a *Adapter) recall(key string) int {
	m := a.aside()
	m.log.Lock()
	defer m.log.Unlock()
	return m.counts[key]
}

// count returns how often it was asked for key before.
func (a *Adapter) count(key string) int {
	n := a.recall(key)
	a.remember(key, n+1)
	return n
}
