package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/reports"
)

// between is how often the progress line changes at most; more would only slow
// down a terminal at the far end of a network.
const between = 100 * time.Millisecond

// A progress is the live line of a run on a terminal. In CI, where nothing can be drawn
// over, it is a line for each phase.
type progress struct {
	mu       sync.Mutex
	w        io.Writer // nil where nobody watches
	plain    io.Writer // nil but in CI
	width    int       // columns; 0 for those of an old terminal
	last     time.Time
	began    time.Time // the phase, not the run
	before   int       // requests when it began
	requests int
	verdicts int
	cases    int
	what     string        // they are of; empty for cases
	most     time.Duration // that generated input may take; 0 while none is sent
	drawn    bool
}

// newProgress returns a line that is drawn if w is a terminal that can redraw it.
func newProgress(w io.Writer) *progress {
	p := &progress{w: w, width: columns(w), began: time.Now()}
	if !terminal(w) || os.Getenv("TERM") == "dumb" {
		p.w = nil
	}
	if p.w == nil && os.Getenv("CI") != "" {
		p.plain = w
	}
	return p
}

// asked takes the number of requests sent so far.
func (p *progress) asked(n int) { p.change(func() { p.requests = n }) }

// judged takes one finding. A case may have several, so the line never shows
// more than there are cases.
func (p *progress) judged(reports.Finding) {
	p.change(func() { p.verdicts = min(p.verdicts+1, p.cases) })
}

// expect takes the number of cases of the plan.
func (p *progress) expect(cases int) {
	p.phase(fmt.Sprintf("%d %s", cases, cmp.Or(p.what, "cases")), func() { p.cases = cases })
}

// generating begins the input that is made up and bounded by time.
func (p *progress) generating(most time.Duration) {
	p.phase(fmt.Sprintf("generated input, for %s at most", most), func() { p.most = most })
}

// phase begins one; where nothing can be drawn it is told in words.
func (p *progress) phase(words string, apply func()) {
	p.change(func() {
		apply()
		p.began, p.before, p.last = time.Now(), p.requests, time.Time{}
		if p.plain != nil {
			fmt.Fprintln(p.plain, "aql-conform: "+words)
		}
	})
}

func (p *progress) change(apply func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	apply()
	if p.w == nil || time.Since(p.last) < between {
		return
	}
	p.last, p.drawn = time.Now(), true
	line := p.line(time.Since(p.began))
	fmt.Fprint(p.w, "\r\x1b[K"+line[:min(len(line), cmp.Or(p.width, 80)-1)]) // a line that wraps cannot be drawn over
}

// line says how far the phase has come, in letters of one column each.
func (p *progress) line(took time.Duration) string {
	switch {
	case p.most > 0:
		return fmt.Sprintf("generated input, %d requests%s", p.requests, p.rate(took)) + left(p.most-took, "at most")
	case p.cases == 0:
		return fmt.Sprintf("looking around, %d requests", p.requests)
	}
	line := fmt.Sprintf("%d of %d %s", p.verdicts, p.cases, cmp.Or(p.what, fmt.Sprintf("cases, %d requests%s", p.requests, p.rate(took))))
	if 10*p.verdicts < p.cases || took < time.Second {
		return line // too early to guess
	}
	return line + left(took*time.Duration(p.cases-p.verdicts)/time.Duration(p.verdicts), "about")
}

// rate is that of the phase.
func (p *progress) rate(took time.Duration) string {
	if took < time.Second {
		return ""
	}
	return fmt.Sprintf(", %.0f/s", float64(p.requests-p.before)/took.Seconds())
}

// left is an estimate of what is left of a phase.
func left(d time.Duration, roughly string) string {
	if d < time.Second {
		return ""
	}
	return fmt.Sprintf(", %s %s left", roughly, d.Round(time.Second))
}

// erase leaves the terminal as if there had been no line.
func (p *progress) erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.w, p.plain = nil, nil
}
