package probes

import (
	"bytes"
	"fmt"
	"io"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A Veiling says what becomes of the secrets that a run gets to know only while it goes
// on: codes that a person was shown, tokens of confirmations.
type Veiling struct {
	Veil *wire.Veil                 // puts pseudonyms in their place
	Told func(Observation) []string // the secrets that an answer tells
	Kin  []func(string) string      // what is made of a secret and asked with
	Lag  int                        // how many entries wait before they are written: one of them may hold what the next ones tell
}

// Under lays a veil over what is added from now on.
func (t *Transcript) Under(v Veiling) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.veiling, t.bare = v, map[int][]byte{}
}

// Hidden are the secrets that answers have told so far.
func (t *Transcript) Hidden() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.veiling.Veil == nil {
		return nil
	}
	return t.veiling.Veil.Secrets()
}

// answer appends what became of a probe, and hides what that tells.
func (t *Transcript) answer(o Observation) {
	if t.veiling.Veil != nil {
		secrets := t.veiling.Told(o)
		t.mu.Lock()
		for _, s := range secrets {
			t.veiling.Veil.Hide(s, 0, t.veiling.Kin...)
		}
		t.mu.Unlock()
	}
	t.Add(Entry{Kind: "answer", Answer: written(o, t.mask)})
}

// veiled is an entry as it is written.
func (t *Transcript) veiled(raw []byte) []byte {
	if t.veiling.Veil == nil {
		return raw
	}
	under := t.veiling.Veil.Over(raw, false)
	if !bytes.Equal(under, raw) {
		t.bare[t.written] = raw
	}
	return under
}

// Reveal reads back what was written and gives each entry as it was before the veil,
// in order.
func (t *Transcript) Reveal(r io.Reader, each func(raw []byte) error) error {
	lines := newLines(r)
	link := ""
	for n := range t.written {
		text, _, err := readLine(lines)
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		l, err := lineOf(text)
		if err == nil {
			err = l.follows(link)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		raw := []byte(l.Entry)
		if bare, veiled := t.bare[n]; veiled {
			raw = bare
		}
		if err := each(raw); err != nil {
			return err
		}
		link = l.Link
	}
	return nil
}
