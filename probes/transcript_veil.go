package probes

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A Veiling says what becomes of the secrets that a run gets to know only while it goes
// on: codes that a person was shown, tokens of confirmations, credentials in answers.
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
	t.veiling, t.bare, t.own, t.told = v, map[int]span{}, map[string]bool{}, map[string]bool{}
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

// Veiled reports whether something in what was written is hidden.
func (t *Transcript) Veiled() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.bare) > 0
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

// learn hides the credentials that an entry tells, but for those that we made up and sent.
func (t *Transcript) learn(e Entry) {
	v := t.veiling.Veil
	if v == nil {
		return
	}
	var asked []string
	if e.Answer != nil {
		asked = wire.Credentials(e.Answer.Content)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range asked {
		t.own[s] = true
	}
	for _, text := range e.said() {
		for _, s := range wire.Credentials(text) {
			if t.own[s] || t.told[s] {
				continue
			}
			many := len(t.told) == wire.MaxCredentials
			t.named = t.named || many || strings.Trim(s, "0123456789") == ""
			if !many {
				t.told[s] = true
				v.Hide(s, 0)
			}
		}
	}
	if e.Hello != nil && e.Hello.Session != "" {
		v.Hide(e.Hello.Session[:min(len(e.Hello.Session), wire.MostOfSession)], 0)
	}
}

// said are the words of the adapter in an entry.
func (e Entry) said() (all [][]byte) {
	add := func(frames ...*frameEntry) {
		for _, f := range frames {
			if f != nil {
				all = append(all, f.Data, []byte(f.Note))
			}
		}
	}
	switch {
	case e.Answer != nil:
		add(e.Answer.Received)
		all = append(all, []byte(e.Answer.Exit))
	case e.Hello != nil:
		add(e.Hello.Answer)
		all = append(all, []byte(e.Hello.SDKError))
	case e.Rest != nil:
		add(e.Rest.Strays...)
		add(e.Rest.News...)
	case e.Event != nil:
		add(e.Event)
	}
	return all
}

// veiled is an entry as it is written.
func (t *Transcript) veiled(raw []byte) []byte {
	if t.veiling.Veil == nil {
		return raw
	}
	under := t.Beneath(t.veiling.Veil, raw, false)
	if !bytes.Equal(under, raw) {
		at, ok := t.kept.write(raw)
		t.bare[t.written] = span{at, len(raw), nil}
		if !ok {
			t.bare[t.written] = span{0, 0, raw}
		}
	}
	return under
}

// Beneath returns an entry under a veil. parts says that parts of a secret are secret in it too.
func (t *Transcript) Beneath(v *wire.Veil, raw []byte, parts bool) []byte {
	raw = v.Over(raw, parts)
	if t.named {
		raw = v.OverCredentials(raw, func(text string) bool { return t.own[text] })
	}
	return raw
}

// A span is where an entry is kept that a veil lies over: in a file without a name, else in memory.
type span struct {
	at int64
	n  int
	in []byte
}

// Reveal reads back what was written and gives each entry as it was before the veil,
// in order.
func (t *Transcript) Reveal(r io.Reader, each func(raw []byte) error) error {
	lines := newLines(r)
	link, text := "", []byte(nil)
	for n := range t.written {
		var err error
		text, _, err = readLine(lines, text[:0])
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		l, err := plainLine(text), error(nil)
		if l.Entry == nil {
			l, err = lineOf(text)
		}
		if err == nil {
			err = l.follows(link)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		raw := []byte(l.Entry)
		if bare, veiled := t.bare[n]; veiled {
			if raw = bare.in; raw == nil {
				raw = t.kept.read(bare.at, bare.n)
			}
		}
		if err := each(raw); err != nil {
			return err
		}
		link = l.Link
	}
	return nil
}
