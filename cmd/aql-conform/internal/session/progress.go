package session

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// How often the progress line changes at most. More would only slow down a terminal at the far end
// of a network, and fill a log.
const (
	between      = 100 * time.Millisecond
	betweenTold  = 500 * time.Millisecond
	betweenPlain = 10 * time.Second

	betweenPulses = time.Second
)

// A Progress is the live line of a run on a terminal. Where nothing can be drawn over, it is a line
// every ten seconds, and in CI one for each phase.
type Progress struct {
	mu       sync.Mutex
	W        io.Writer // nil where nobody watches
	plain    io.Writer // nil where a line can be drawn over
	phases   bool      // each is told in words
	width    int       // columns; 0 for those of an old terminal
	last     time.Time
	began    time.Time // the phase, not the run
	Before   int       // requests when it began
	Requests int
	Foreseen int // requests, about; 0 where nothing is known
	Verdicts int
	Cases    int
	What     string        // they are of; empty for cases
	Most     time.Duration // that generated input may take; 0 while none is sent
	loaded   bool          // those are of a load
	drawn    bool

	pulse *time.Timer // moves the line where an adapter answers nothing for long

	tell func(requests int, line string) // nil where no program asks
	told time.Time
}

// NewProgress returns a line that is drawn if w is a terminal that can redraw it.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{W: w, width: console.Columns(w), began: time.Now()}
	if !console.Terminal(w) || os.Getenv("TERM") == "dumb" {
		p.W, p.plain, p.phases, p.last = nil, w, os.Getenv("CI") != "", time.Now()
	}
	p.pulse = time.AfterFunc(betweenPulses, p.beat)
	return p
}

// beat shows how far the run is although nothing has come, until the line is erased.
func (p *Progress) beat() {
	p.change(func() {})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.W != nil || p.plain != nil {
		p.pulse.Reset(betweenPulses)
	}
}

// Asked takes the number of requests sent so far.
func (p *Progress) Asked(n int) { p.change(func() { p.Requests = n }) }

// Judged takes one finding. A case may have several, so the line never shows
// more than there are cases.
func (p *Progress) Judged(reports.Finding) {
	p.change(func() { p.Verdicts = min(p.Verdicts+1, p.Cases) })
}

// Expect takes the number of cases of the plan.
func (p *Progress) Expect(cases int) {
	p.phase(fmt.Sprintf("%d %s", cases, cmp.Or(p.What, "cases")), func() { p.Cases = cases })
}

// Foresee takes what the run will cost.
func (p *Progress) Foresee(e plan.Estimate) {
	p.phase(e.String(), func() { p.Foreseen = e.Requests })
}

// generating begins the input that is made up and bounded by time.
func (p *Progress) generating(most time.Duration) {
	p.phase(fmt.Sprintf("generated input, for %s at most", most), func() { p.Most = most })
}

// soaking begins the load, which lasts so long.
func (p *Progress) soaking(most time.Duration) {
	p.phase(fmt.Sprintf("under load, for %s", most), func() { p.Most, p.loaded = most, true })
}

// phase begins one; where nothing can be drawn it is told in words.
func (p *Progress) phase(words string, apply func()) {
	p.change(func() {
		apply()
		p.began, p.Before = time.Now(), p.Requests
		if p.plain == nil {
			p.last = time.Time{}
		} else if p.phases {
			fmt.Fprintln(p.plain, "aql-conform: "+words)
		}
	})
}

func (p *Progress) change(apply func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	apply()
	if p.tell != nil && time.Since(p.told) >= betweenTold {
		p.told = time.Now()
		p.tell(p.Requests, p.Line(time.Since(p.began)))
	}
	switch since := time.Since(p.last); {
	case p.plain != nil && since >= betweenPlain:
		p.last = time.Now()
		fmt.Fprintln(p.plain, "aql-conform: "+p.Line(time.Since(p.began)))
	case p.W != nil && since >= between:
		p.last, p.drawn = time.Now(), true
		p.draw()
	}
}

// draw puts the line over the one before.
func (p *Progress) draw() {
	line := p.Line(time.Since(p.began))
	fmt.Fprint(p.W, "\r\x1b[K"+line[:min(len(line), cmp.Or(p.width, 80)-1)]) // a line that wraps cannot be drawn over
}

// Line says how far the phase has come, in letters of one column each.
func (p *Progress) Line(took time.Duration) string {
	switch {
	case p.loaded:
		return fmt.Sprintf("under load, %d requests%s", p.Requests, p.rate(took)) + left(p.Most-took, "about")
	case p.Most > 0:
		return fmt.Sprintf("generated input, %d requests%s", p.Requests, p.rate(took)) + left(p.Most-took, "at most")
	case p.Cases == 0:
		return fmt.Sprintf("looking around, %d requests%s", p.Requests, p.rate(took))
	}
	done := fmt.Sprintf("%d of %d %s", p.Verdicts, p.Cases, cmp.Or(p.What, "cases"))
	if p.What == "" {
		if p.Verdicts == 0 { // they are judged when all that they need is there
			done = "checks"
		}
		done += fmt.Sprintf(", %d%s requests%s", p.Requests, p.foreseen(), p.rate(took))
	}
	sent := p.Requests - p.Before
	switch {
	case took < time.Second: // too early to guess
	case p.Foreseen > p.Requests && sent > 0:
		done += left(took*time.Duration(p.Foreseen-p.Requests)/time.Duration(sent), "about")
	case 10*p.Verdicts >= p.Cases:
		done += left(took*time.Duration(p.Cases-p.Verdicts)/time.Duration(p.Verdicts), "about")
	}
	return done
}

// foreseen is what the requests so far are part of.
func (p *Progress) foreseen() string {
	if p.Foreseen <= p.Requests {
		return ""
	}
	return fmt.Sprintf(" of about %d", p.Foreseen)
}

// rate is that of the phase.
func (p *Progress) rate(took time.Duration) string {
	perSecond := float64(p.Requests-p.Before) / took.Seconds()
	if took < time.Second || perSecond < 0.5 {
		return ""
	}
	return fmt.Sprintf(", %.0f/s", perSecond)
}

// left is an estimate of what is left of a phase.
func left(d time.Duration, roughly string) string {
	if d < time.Second {
		return ""
	}
	return fmt.Sprintf(", %s %s left", roughly, d.Round(time.Second))
}

// Erase leaves the terminal as if there had been no line.
func (p *Progress) Erase() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.W, "\r\x1b[K")
	}
	p.W, p.plain, p.tell = nil, nil, nil
	if p.pulse != nil {
		p.pulse.Stop()
	}
}
