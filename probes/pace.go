package probes

import (
	"context"
	"net/http"
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

// turn waits until one more call may be sent. It fails when ctx ends first.
func (p *pace) turn(ctx context.Context) error {
	if p.limiter == nil {
		return nil
	}
	return p.limiter.Wait(ctx)
}

// ask asks once, beside others, and where the adapter asks for patience some more
// times with nothing else in flight: some adapters limit how many requests they
// take at a time.
func (p *pace) ask(ctx context.Context, once func() Observation) Observation {
	p.quiet.RLock()
	o := once()
	p.quiet.RUnlock()
	until, limited := restUntil(o)
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
	unavailable := o.Status == http.StatusServiceUnavailable && given
	if o.Code() != "RATE_LIMIT_EXCEEDED" && o.Status != http.StatusTooManyRequests && !unavailable {
		return time.Time{}, false
	}
	if !given {
		after = defaultRateWait
	}
	if s, ok := o.Details().At("retry_after_seconds").Float(); ok && s >= 0 {
		after = time.Duration(min(s, 1e6) * float64(time.Second))
	}
	return now.Add(after), true
}
