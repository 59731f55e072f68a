package probes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A pace keeps an engine from asking more often than the operator wants or the
// adapter takes.
type pace struct {
	limiter *rate.Limiter // nil: as fast as answers come
	quiet   sync.RWMutex  // held alone by what waits and is asked again: whoever else asked meanwhile would use up the adapter's patience
	waited  time.Duration // for the adapter, in the whole run; guarded by quiet

	mu    sync.Mutex
	own   *rate.Limiter // what the adapter seems to take; nil until it has refused
	step  rate.Limit    // by which that grows with each answer
	spans []rate.Limit  // answers in a second between two refusals, with the rest: the last ones
	best  rate.Limit    // the most of them
	since time.Time     // the first request, or the end of the last rest
	until time.Time     // the end of the rest after it: what is refused before was on its way
	taken int           // requests that were not refused since then
	stuck int           // refusals at about the best rate
	late  []time.Time   // the last answers before the first refusal
	tried rate.Limit    // the rate before the last refusal
	got   rate.Limit    // answers in a second up to that one, with the rest
}

// Bounds on what an adapter that limits the rate may cost the run.
const (
	maxRateRetries  = 2
	maxRateWait     = 30 * time.Second // a longer rest is not waited for
	maxRateWaits    = 2 * time.Minute  // in the whole run
	defaultRateWait = 200 * time.Millisecond
)

func (p *pace) limit(perSecond float64) {
	p.limiter = rate.NewLimiter(rate.Limit(perSecond), 1)
}

// Interval is the least time between two calls; 0 without a limit.
func (e *Engine) Interval() time.Duration {
	if e.pace.limiter == nil {
		return 0
	}
	return time.Duration(float64(time.Second) / float64(e.pace.limiter.Limit()))
}

// Learned is the time between two calls that the adapter seems to want; 0 while it has refused none.
func (e *Engine) Learned() time.Duration {
	e.pace.mu.Lock()
	defer e.pace.mu.Unlock()
	if e.pace.own == nil {
		return 0
	}
	return time.Duration(float64(time.Second) / float64(e.pace.own.Limit()))
}

// A budget bounds the requests of a run.
type budget struct {
	most  int    // 0: any number
	now   int    // of them, how many may have been sent by the end of this part of the run
	spent string // why a request was kept back
}

// beyond begins the reason against a request that the budget does not hold.
const beyond = "the limit of --max-requests "

// AtMost bounds the requests of the run; 0 lifts the bound. It has to be set before the first
// request, and is lifted when the run removes what it made.
func (e *Engine) AtMost(most int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.budget.most, e.budget.now = most, most
}

// Reserve keeps a half of the requests that are left for what comes after the next part of the run;
// Release ends that, and returns why requests were kept back meanwhile; "" if none was.
func (e *Engine) Reserve() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.budget.now = e.asked + (e.budget.most-e.asked)/2
}

func (e *Engine) Release() (why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	why, e.budget.spent, e.budget.now = e.budget.spent, "", e.budget.most
	return why
}

// Bounded reports whether the requests of the run are bounded.
func (e *Engine) Bounded() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.budget.most > 0
}

// Spent returns why requests were kept back since the last Release; "" if none was.
func (e *Engine) Spent() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.budget.spent
}

// Beyond reports whether the probe was kept back because the budget did not hold it.
func (o Observation) Beyond() bool { return o.Outcome == Unasked && strings.HasPrefix(o.Exit, beyond) }

// keptBack says why a probe is one too many; "" if it is not. A gate asks what it has to know of a write
// that is under way, whatever that costs; its probes have numbers below zero.
func (e *Engine) keptBack(p Probe) string {
	if e.budget.most == 0 || e.asked < e.budget.now || p.Number < 0 || p.Beside() && !p.Fetches() {
		return ""
	}
	e.budget.spent = fmt.Sprintf("%s%d is reached", beyond, e.budget.most)
	return e.budget.spent
}

// turn waits until one more call may be sent. It fails when ctx ends first. What has to be in flight at
// once waits for the operator's limit alone.
func (p *pace) turn(ctx context.Context, atOnce bool) error {
	p.mu.Lock()
	own := p.own
	if p.since.IsZero() {
		p.since = time.Now()
	}
	p.mu.Unlock()
	if atOnce {
		own = nil
	}
	for _, l := range []*rate.Limiter{p.limiter, own} {
		if l == nil {
			continue
		}
		if err := l.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// After a refusal the run asks half as often as before, and a little more often with each answer. It never
// asks less often than got answers before. Some adapters refuse each so many requests, however slowly they
// come: where the run is refused at the rate that got answers before, it tries now and then to ask more often,
// and goes on with that as long as it gets more answers.
const (
	slowdown   = 0.5
	regained   = 300 // answers until the run is as fast as before
	speedup    = 2
	gain       = 1.1        // what is no more than that is chance
	tries      = 4          // one of so many refusals at the best rate leads to a try
	recent     = 20         // answers tell how often the run asked before the first refusal
	remembered = 3          // spans
	growth     = 1.0 / 3000 // of the rate with each answer, at least: what the first answers took may say little
)

// adapt learns from an answer how often the adapter takes requests.
func (p *pace) adapt(until time.Time, refused bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if !refused {
		if p.taken++; p.own != nil {
			p.own.SetLimit(p.own.Limit() + max(p.step, p.own.Limit()*growth))
		} else if p.late = append(p.late, now); len(p.late) > recent {
			p.late = p.late[1:]
		}
		return
	}
	if now.Before(p.until) {
		return
	}
	perSecond := func(end time.Time) rate.Limit {
		return rate.Limit(float64(p.taken) / max(end.Sub(p.since), time.Millisecond).Seconds())
	}
	before, got := perSecond(now), perSecond(until)
	first := p.own == nil
	if first {
		if len(p.late) > 0 { // the start of a process is no pace
			before = max(before, rate.Limit(float64(len(p.late))/max(now.Sub(p.late[0]), time.Millisecond).Seconds()))
		}
		p.own = rate.NewLimiter(before, 1)
	} else {
		before = p.own.Limit()
	}
	gained := !first && before > p.tried && got > gain*p.got
	p.spans = append(p.spans, got)
	p.spans = p.spans[max(0, len(p.spans)-remembered):] // the first answers may have been a burst
	p.best = max(slices.Max(p.spans), 1)
	if !first && before <= gain*p.best {
		gained = gained || p.stuck%tries == 0
		p.stuck++
	}
	switch rest := until.Sub(now); {
	case gained:
		p.own.SetLimit(speedup * before)
	case rest > now.Sub(p.since): // it tells how often the adapter takes requests
		p.own.SetLimit(p.best)
		p.step = 0
	default:
		p.own.SetLimit(max(slowdown*before, p.best))
		p.step = max(before-p.own.Limit(), 0) / regained
	}
	p.since, p.until, p.taken, p.tried, p.got = until, until, 0, before, got
}

// ask asks once, beside others, and where the adapter asks for patience some more
// times with nothing else in flight: some adapters limit how many requests they
// take at a time.
func (p *pace) ask(ctx context.Context, once func() Observation) Observation {
	p.quiet.RLock()
	o := once()
	p.quiet.RUnlock()
	until, limited := restUntil(o)
	p.adapt(until, limited)
	if !limited {
		return o
	}
	p.quiet.Lock()
	defer p.quiet.Unlock()
	for try := 0; limited && try < maxRateRetries; try++ {
		if !p.rest(ctx, time.Until(until)) {
			return o
		}
		o = once()
		until, limited = restUntil(o)
		p.adapt(until, limited)
	}
	return o
}

// rest waits, unless that is more than the run can afford.
func (p *pace) rest(ctx context.Context, wait time.Duration) bool {
	wait = max(wait, 0)
	if wait > maxRateWait || p.waited+wait > maxRateWaits {
		return false
	}
	p.waited += wait
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// restUntil reports whether the adapter asked for patience, and until when.
func restUntil(o Observation) (until time.Time, limited bool) {
	now := time.Now()
	after, given := wire.RetryAfter(o.After, now)
	if s, ok := o.Details().At("retry_after_seconds").Float(); ok && s >= 0 {
		after, given = time.Duration(min(s, 1e6)*float64(time.Second)), true
	}
	timed := given && (o.Status == 503 || o.Code() == "RATE_LIMITED") // else an error that may pass at once
	if o.Code() != "RATE_LIMIT_EXCEEDED" && o.Status != 429 && !timed {
		return time.Time{}, false
	}
	if !given {
		after = defaultRateWait
	}
	return now.Add(after), true
}
