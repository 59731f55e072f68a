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

// A progress is the live line of a run, on a terminal only.
type progress struct {
	mu       sync.Mutex
	w        io.Writer // nil where nobody watches
	last     time.Time
	requests int
	verdicts int
	cases    int
	what     string // they are of; empty for cases
	drawn    bool
}

// newProgress returns a line that is drawn if w is a terminal that can redraw it.
func newProgress(w io.Writer) *progress {
	if !terminal(w) || os.Getenv("TERM") == "dumb" {
		w = nil
	}
	return &progress{w: w}
}

// asked takes the number of requests sent so far.
func (p *progress) asked(n int) { p.change(func() { p.requests = n }) }

// judged takes one finding. A case may have several, so the line never shows
// more than there are cases.
func (p *progress) judged(reports.Finding) {
	p.change(func() { p.verdicts = min(p.verdicts+1, p.cases) })
}

// expect takes the number of cases of the plan.
func (p *progress) expect(cases int) { p.change(func() { p.cases = cases }) }

func (p *progress) change(apply func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	apply()
	if p.w == nil || time.Since(p.last) < between {
		return
	}
	p.last, p.drawn = time.Now(), true
	if p.cases == 0 {
		fmt.Fprintf(p.w, "\r\x1b[Klooking around, %d requests", p.requests)
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d %s", p.verdicts, p.cases, cmp.Or(p.what, fmt.Sprintf("cases, %d requests", p.requests)))
}

// erase leaves the terminal as if there had been no line.
func (p *progress) erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.w = nil
}
