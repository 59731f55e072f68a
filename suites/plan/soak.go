package plan

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A soak judges an adapter while a load runs. The same scripts are sent without load before and, where
// one broke a requirement, after it. All scripts are judged; the record gets a sample, and each that broke
// something, so that whoever judges the transcript comes to the same findings.

// Which scripts of a load are sent without it.
const (
	maxControls = 256                        // scripts before the load; the load begins with the next
	afterwards  = generated.MaxScripts - 256 // the first script behind the load
)

// A soak is what is known of a load when it is over.
type soak struct {
	adapter *model.Adapter
	load    *generated.Load
	control map[string]bool // breaches without load, by reason
	runs    []*generated.ScriptRun
	broken  []loadBreach
	began   time.Duration // when the first request of the load was sent
}

// A loadBreach is the first breach of a kind.
type loadBreach struct {
	run   *generated.ScriptRun
	of    generated.Breach
	alone int // times that the same script broke it without load
}

// soak runs the load, or reads it from the record.
func (p *Plan) soak(ctx context.Context, e *probes.Engine) {
	if p.Effort.Soak == 0 || ctx.Err() != nil || len(p.Adapters) == 0 || p.skipRequest() {
		return
	}
	s := &soak{adapter: p.Adapters[0], control: map[string]bool{}}
	if !p.generating {
		next := generated.FirstNumber
		s.adapter.Explore(ctx, e, p.Effort.Seed, func(steps int) int { next += steps; return next - steps })
	}
	if s.load = generated.NewLoad(s.adapter, p.Effort.Seed); s.load.Empty() {
		return
	}
	p.soaked = s
	for n := range min(s.load.Kinds(), maxControls) {
		for _, b := range s.send(ctx, e, n, n) {
			s.control[b.Reason()] = true
		}
	}
	if e.Recalled() {
		s.recall(ctx, e)
	} else {
		p.drive(ctx, e)
	}
	s.judge(ctx, e)
}

// send runs script n under the numbers of another and returns what it breaks.
func (s *soak) send(ctx context.Context, ask probes.Asker, n, numbers int) []generated.Breach {
	sc := s.load.Script(n)
	return generated.UnderLoad(s.adapter, sc, s.adapter.Run(ctx, ask, sc, generated.Number(numbers)))
}

// recall finds the scripts that the record holds.
func (s *soak) recall(ctx context.Context, e *probes.Engine) {
	known := map[int]bool{}
	for o := range e.Record().All() {
		if n := (o.Probe.Number - generated.FirstLoadNumber) / generated.LoadStride; underLoad(o.Probe.Number) && o.Probe.Conn == s.adapter.Conn {
			known[n] = true
		}
	}
	for _, n := range slices.Sorted(maps.Keys(known)) {
		t := &generated.ScriptRun{Adapter: s.adapter, Script: s.load.Script(n), Number: n, Sent: true}
		t.Got = s.adapter.Run(ctx, e, t.Script, generated.Number(n))
		t.Breaches = generated.UnderLoad(s.adapter, t.Script, t.Got)
		s.runs = append(s.runs, t)
	}
}

// underLoad reports whether a request was part of the load itself, and not of its controls.
func underLoad(number int) bool {
	return number >= generated.Number(maxControls) && number < generated.Number(afterwards)
}

// sampled reports whether a script is kept whatever came of it: the first ones, and then ever fewer.
func sampled(n int) bool {
	const each = 6 // 32 of each power of two
	n -= maxControls
	return n < 1<<each || n&(1<<(bits.Len(uint(n))-each)-1) == 0
}

// judge finds the first breach of each kind, and repeats its script without load.
func (s *soak) judge(ctx context.Context, e *probes.Engine) {
	slices.SortFunc(s.runs, func(a, b *generated.ScriptRun) int { return cmp.Compare(a.Number, b.Number) })
	generated.Twins(s.runs)
	first := map[string]int{}
	for _, t := range s.runs {
		for _, o := range t.Got {
			if o.Sent.Seq > 0 && (s.began == 0 || o.Sent.At < s.began) {
				s.began = o.Sent.At
			}
		}
		for _, b := range t.Breaches {
			at, known := first[b.Reason()]
			switch {
			case s.control[b.Reason()]:
			case !known:
				first[b.Reason()] = len(s.broken)
				s.broken = append(s.broken, loadBreach{run: t, of: b})
			case sentAt(b) < sentAt(s.broken[at].of):
				s.broken[at] = loadBreach{run: t, of: b}
			}
		}
	}
	slices.SortStableFunc(s.broken, func(a, b loadBreach) int { return cmp.Compare(sentAt(a.of), sentAt(b.of)) })
	s.broken = s.broken[:min(len(s.broken), generated.MaxBreaches)]
	for i, b := range s.broken {
		for n := range generated.Repeats {
			found := s.send(ctx, e, b.run.Number, afterwards+i*generated.Repeats+n)
			if slices.ContainsFunc(found, func(other generated.Breach) bool { return other.Reason() == b.of.Reason() }) {
				s.broken[i].alone++
			}
		}
	}
}

// sentAt is when the request before the deciding one was sent: that one may be a later look at what had
// to settle.
func sentAt(b generated.Breach) time.Duration {
	return b.Ruling.Evidence[min(1, len(b.Ruling.Evidence)-1)].Sent.At
}

// second is the second of the soak, from 1, in which something was sent.
func (s *soak) second(at time.Duration) int { return int((at-s.began)/time.Second) + 1 }

// underLoadNote says when something broke.
func (p *Plan) underLoadNote(at time.Duration) string {
	return fmt.Sprintf("%s of %g requests a second: in second %d", reports.UnderLoad, p.Effort.Rate, p.soaked.second(at))
}

// fromLoad returns the findings of the load: what broke only then.
func (p *Plan) fromLoad(found []reports.Finding) []reports.Finding {
	if p.soaked == nil {
		return nil
	}
	var all []reports.Finding
	for _, b := range p.soaked.broken {
		row, known := catalogue.Lookup(b.of.Requirement)
		if !known || !p.selection.selects(row) || slices.ContainsFunc(found, func(f reports.Finding) bool { return f.Requirement == row.ID && !BrokeUnderLoad(f) }) {
			continue // it does not hold without load
		}
		f := p.Finding(&check.Check{Requirement: row.ID, Fix: p.fixOf(row.ID)}, model.Subject{Adapter: p.soaked.adapter, Name: b.of.Subject}, b.of.Ruling)
		f.Note = fmt.Sprintf("%s; the same script without load broke it %d of %d times", p.underLoadNote(sentAt(b.of)), b.alone, generated.Repeats)
		f.Again, f.Replay, f.Raw = p.soakCommand(), "", ""
		all = append(all, f)
	}
	return all
}

// soakCommand is the command line that puts the adapter under the same load again.
func (p *Plan) soakCommand() string {
	return fmt.Sprintf("aql-conform %s --soak %s --rps %g", p.targetArgs, p.Effort.Soak, p.Effort.Rate)
}

// BrokeUnderLoad reports whether a finding is of the load.
func BrokeUnderLoad(f reports.Finding) bool { return strings.HasPrefix(f.Note, reports.UnderLoad) }

// Load returns the figures of the soak, with what broke by the findings of the run; nil if there was
// none.
func (p *Plan) Load(found []reports.Finding) *reports.Load {
	l := p.figures
	if l == nil {
		return nil
	}
	l.Broken = []string{}
	second := map[string]int{}
	for _, f := range found {
		if !BrokeUnderLoad(f) || f.Verdict != reports.Fail && f.Verdict != reports.Warn {
			continue
		}
		at := 0
		_, when, _ := strings.Cut(f.Note, "in second ")
		_, _ = fmt.Sscanf(when, "%d", &at)
		if was, known := second[f.Requirement]; !known {
			second[f.Requirement] = at
			l.Broken = append(l.Broken, f.Requirement)
		} else {
			second[f.Requirement] = min(was, at)
		}
	}
	slices.SortStableFunc(l.Broken, func(a, b string) int { return cmp.Or(cmp.Compare(second[a], second[b]), cmp.Compare(a, b)) })
	if len(l.Broken) > 0 {
		l.Second = second[l.Broken[0]]
	}
	return l
}
