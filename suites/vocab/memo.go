package vocab

import "sync"

// A memo keeps what was found out of texts, in two generations. When the younger one is full, the
// older one goes: a text that is met again and again stays, whatever number of others there is.
type memo[V any] struct {
	mu             sync.Mutex
	younger, older map[string]V
}

// Bounds on the memory of a memo.
const (
	maxKeptText  = 2 << 10 // bytes
	maxKeptTexts = 5_000   // of a generation
)

// of returns what is kept of the text, or else computes and keeps it.
func (m *memo[V]) of(text string, compute func() V) V {
	m.mu.Lock()
	found, known := m.younger[text]
	if !known {
		if found, known = m.older[text]; known {
			m.add(text, found)
		}
	}
	m.mu.Unlock()
	if known {
		return found
	}
	found = compute()
	if len(text) <= maxKeptText {
		m.mu.Lock()
		m.add(text, found)
		m.mu.Unlock()
	}
	return found
}

func (m *memo[V]) add(text string, found V) {
	if m.younger == nil || len(m.younger) >= maxKeptTexts {
		m.younger, m.older = map[string]V{}, m.younger
	}
	m.younger[text] = found
}
