package session

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/export"
)

// traced is how many characters of a question or an answer a trace shows; reports and
// transcripts have the rest.
const traced = 600

// A trace shows who looks on each exchange of a run, as it comes.
type trace struct {
	mu     sync.Mutex
	w      io.Writer
	mask   func(string) string // hides what is secret from the start
	secret []export.Secret     // what the answers so far have told
	open   []string            // what was given and stands in answers
	hide   func([]byte) []byte
	lag    int // how many exchanges wait: one of them may hold what the next ones tell
	held   []probes.Observation
}

func newTrace(w io.Writer, mask func(string) string, open []string, lag int) *trace {
	return &trace{w: w, mask: mask, open: open, lag: lag, hide: judge.Spent(nil, open...).Mask}
}

// show writes two lines, now or later: what was asked, and what became of it. A trace that cannot
// be written is no trace; the verdict does not depend on it.
func (t *trace) show(o probes.Observation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if told := export.SecretsIn(o); len(told) > 0 {
		for _, text := range told {
			t.secret = append(t.secret, export.Secret{Text: text})
		}
		t.hide = judge.Spent(t.secret, t.open...).Mask
	}
	t.held = append(t.held, o)
	t.release(t.lag)
}

// flush shows what waits.
func (t *trace) flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release(0)
}

// release shows what waits, but for so many of the last exchanges.
func (t *trace) release(lag int) {
	for ; len(t.held) > lag; t.held = t.held[1:] {
		t.write(t.held[0])
	}
}

func (t *trace) write(o probes.Observation) {
	said := cmp.Or(string(o.ReceivedData()), o.Exit)
	fmt.Fprintf(t.w, "> %s %s\n< %s %s %s\n", o.Probe.Conn, t.inert(o.Probe.String()),
		t.inert(o.Brief()), o.Elapsed.Round(10*time.Microsecond), t.inert(said))
}

// inert is a text without secrets, that does nothing to a terminal.
func (t *trace) inert(text string) string {
	text = reports.Inert(t.mask(string(t.hide([]byte(text)))))
	if runes := []rune(text); len(runes) > traced {
		text = string(runes[:traced]) + " …"
	}
	return text
}

// masks hides what was secret when the run began, and what the adapter calls so.
func (s *Session) masks(text string) string {
	return s.withoutSecrets(string(s.recorder.Mask([]byte(text))))
}
