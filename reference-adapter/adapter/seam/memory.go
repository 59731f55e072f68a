package seam

import (
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// A memory is what the faults and habits of one adapter remember, so that two adapters never
// share it. The adapter itself never looks at it.
type memory struct {
	Words Words // nil where the names are those of the heart

	Grant func(address string) (token string) // nil where the adapter wants no token
	Lend  func(kind string) (token string)    // issues a token that the adapter refuses

	Log    sync.Mutex
	Counts map[string]int

	// What follows is guarded by the lock of the adapter.

	Kept    map[string]adapter.Note   // what faults kept of a note, by its id
	Keys    map[string]string         // identifier on the wire -> that of the heart
	Chosen  map[string]string         // and back, where the client chose it
	Removed map[string]adapter.Note   // notes that were removed and can be read
	Fresh   map[string]time.Time      // notes that lists do not show yet
	Theirs  string                    // the note of somebody else
	Nulls   bool                      // a read of what is not there answers null
	Missed  bool                      // a fault found no operation, parameter or type of that name
	Seeds   map[string]map[string]any // what was stored at the start, by identifier
}

// Words exchange the names of the heart and those on the wire.
type Words interface {
	ToWire(operation string) string
	ToHeart(operation string) string
	ObjectToHeart(object map[string]any) map[string]any
	Name(name string) string // of any sort, towards the wire
}

func NewMemory(w Words) *memory {
	return &memory{Words: w, Counts: map[string]int{}, Kept: map[string]adapter.Note{}, Keys: map[string]string{},
		Chosen: map[string]string{}, Removed: map[string]adapter.Note{}, Fresh: map[string]time.Time{}}
}

func Aside(a *adapter.Adapter) *memory { return a.Beside.(*memory) }

// Remember, Recall and Count outlast sessions.
func Remember(a *adapter.Adapter, key string, n int) {
	m := Aside(a)
	m.Log.Lock()
	defer m.Log.Unlock()
	m.Counts[key] = n
}

func Recall(a *adapter.Adapter, key string) int {
	m := Aside(a)
	m.Log.Lock()
	defer m.Log.Unlock()
	return m.Counts[key]
}

// Count returns how often it was asked for key before.
func Count(a *adapter.Adapter, key string) int {
	n := Recall(a, key)
	Remember(a, key, n+1)
	return n
}
