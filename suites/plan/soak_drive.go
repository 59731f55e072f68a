package plan

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/load"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Bounds of what is kept of a load beside the sample.
const (
	keptForEach = 4   // scripts for each breach or violated ambient check
	livingMost  = 256 // objects whose identifiers are compared
)

// A loader sends the scripts of a load and judges each when it ends.
type loader struct {
	*soak
	plan    *Plan
	engine  *probes.Engine
	figures *load.Figures
	settled atomic.Int32 // breaches that were waited for in vain

	mu      sync.Mutex
	ambient []*Case
	kept    map[string]int // scripts, by why they are kept
	recent  []*generated.ScriptRun
	living  map[string][]*generated.ScriptRun // those of them, by what identifies their object
}

// drive sends the load.
func (p *Plan) drive(ctx context.Context, e *probes.Engine) {
	order := load.Order{PerSecond: p.Effort.Rate, For: p.Effort.Soak, Seed: p.Effort.Seed}
	l := &loader{soak: p.soaked, plan: p, engine: e, figures: load.NewFigures(order), kept: map[string]int{}, living: map[string][]*generated.ScriptRun{}}
	for _, c := range p.Cases {
		if c.Check.Watches() && c.Check.Ambient.Watch != nil && c.Subject.Adapter == l.adapter {
			l.ambient = append(l.ambient, c)
		}
	}
	if p.OnSoak != nil {
		p.OnSoak()
	}
	load.Drive(ctx, order, func(n int, next load.Turn) {
		if n += maxControls; n >= afterwards {
			return
		}
		t := &generated.ScriptRun{Adapter: l.adapter, Script: l.load.Script(n), Number: n, Sent: true}
		t.Got = l.adapter.Run(ctx, &loadAsker{loader: l, next: next, script: t.Script}, t.Script, generated.Number(n))
		t.Breaches = generated.UnderLoad(l.adapter, t.Script, t.Got)
		l.done(t)
	})
	p.figures = l.figures.Load()
}

// A loadAsker asks the requests of one script, each in its turn.
type loadAsker struct {
	*loader
	next   load.Turn
	script model.Script
	got    probes.Answers
}

// Ask sends a request when it is due. A later answer is taken where the first one shows less than was
// written: the requirements leave a store a moment to settle.
func (a *loadAsker) Ask(ctx context.Context, p probes.Probe) probes.Observation {
	due, ok := a.next()
	if !ok {
		return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: "the load is over"}
	}
	p.AtOnce = true // nothing is asked again, or held back for others
	o := a.timed(ctx, p, due)
	a.got = append(a.got, o)
	pause := model.SettleTime / 50
	for waited := time.Duration(0); a.breaks(len(a.got)-1) && waited < model.SettleTime && a.settled.Load() < keptForEach && ctx.Err() == nil; waited += pause {
		pause = min(2*pause, model.SettleTime-waited)
		probes.Sleep(ctx, pause)
		passing, _ := probes.Passing(ctx)
		if again := a.engine.Ask(passing, p); !again.Lost() {
			a.got[len(a.got)-1] = again
		}
		if waited+pause >= model.SettleTime {
			a.settled.Add(1)
		}
	}
	return a.got[len(a.got)-1]
}

// timed sends a request and counts its answer.
func (a *loadAsker) timed(ctx context.Context, p probes.Probe, due time.Time) probes.Observation {
	passing, beside := probes.Passing(ctx)
	o := a.engine.Ask(passing, p)
	if o.Outcome == probes.Unasked && ctx.Err() != nil {
		return o
	}
	answer := load.Answer{Latency: time.Since(due) - beside.Time(), Lost: o.Lost(), Limited: check.RateLimited(o)}
	if why, certain := a.adapter.Flaws(o.Probe); len(why) == 0 && certain && o.Refused() && !a.removed() {
		answer.Code = o.Code()
	}
	a.figures.Count(answer)
	return o
}

// removed reports whether the script has removed its object.
func (a *loadAsker) removed() bool {
	for i := range a.got {
		if op, _ := a.adapter.Operation(a.script.Steps[i].Operation); op.Category == "DELETE" {
			return true
		}
	}
	return false
}

// breaks reports whether a read shows a breach.
func (a *loadAsker) breaks(i int) bool {
	step := a.script.Steps[i]
	op, _ := a.adapter.Operation(step.Operation)
	if op.Category != "READ" || step.MadeBy == model.NoObject {
		return false
	}
	for _, b := range generated.UnderLoad(a.adapter, a.script, a.got) {
		if b.Step == i && !a.control[b.Reason()] {
			return true
		}
	}
	return false
}

// done keeps a script that broke something, or that is part of the sample.
func (l *loader) done(t *generated.ScriptRun) {
	l.mu.Lock()
	defer l.mu.Unlock()
	keep := sampled(t.Number)
	for _, why := range l.reasons(t) {
		if l.kept[why]++; l.kept[why] <= keptForEach {
			keep = true
		}
	}
	for _, twin := range l.twins(t) {
		if l.kept["twin"]++; l.kept["twin"] <= keptForEach {
			keep = true
			l.keep(twin)
		}
	}
	if keep {
		l.keep(t)
	}
}

// keep puts a script into the record, once.
func (l *loader) keep(t *generated.ScriptRun) {
	for _, known := range l.runs {
		if known == t {
			return
		}
	}
	l.runs = append(l.runs, t)
	for _, o := range t.Got {
		if o.Outcome != probes.Unasked {
			l.engine.Keep(o)
		}
	}
	l.plan.pollMonitor()
}

// reasons are the breaches of a script and the ambient checks that its answers violate.
func (l *loader) reasons(t *generated.ScriptRun) (why []string) {
	for _, b := range t.Breaches {
		if !l.control[b.Reason()] {
			why = append(why, b.Reason())
		}
	}
	for _, o := range t.Got {
		if o.Outcome == probes.Unasked {
			continue
		}
		watched, pin := newWatchedReply(probes.Keep(o), o, ""), o.Pin()
		for _, c := range l.ambient {
			w := newMonitorState(c)
			w.observe(watched)
			for _, r := range w.worst {
				if r.Verdict == reports.Fail || r.Verdict == reports.Warn {
					why = append(why, c.Check.Requirement)
				}
			}
		}
		runtime.KeepAlive(pin)
	}
	return why
}

// twins returns the recent scripts whose object has the identifier of this one.
func (l *loader) twins(t *generated.ScriptRun) (found []*generated.ScriptRun) {
	key, from, to := t.Identity()
	if key == "" {
		return nil
	}
	for _, other := range l.living[key] {
		if _, since, until := other.Identity(); from < until && since < to {
			found = append(found, other)
		}
	}
	l.living[key] = append(l.living[key], t)
	if l.recent = append(l.recent, t); len(l.recent) > livingMost {
		oldest, _, _ := l.recent[0].Identity()
		delete(l.living, oldest)
		l.recent = l.recent[1:]
	}
	return found
}
