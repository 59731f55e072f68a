package load

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/aql-conform/aql-conform/reports"
)

// What a latency is measured with: microseconds, to one in a thousand, up to a quarter of an hour.
const (
	longest = int64(15 * time.Minute / time.Microsecond)
	digits  = 3
)

// Figures count the requests of a load. They are safe for concurrent use.
type Figures struct {
	mu      sync.Mutex
	latency *hdrhistogram.Histogram
	load    reports.Load
	began   time.Time
	end     time.Time
	inTime  int // answers before the end
}

// NewFigures returns figures of a load that begins now.
func NewFigures(o Order) *Figures {
	now := time.Now()
	return &Figures{latency: hdrhistogram.New(1, longest, digits), load: reports.Load{Rate: o.PerSecond, Refused: map[string]int{}}, began: now, end: now.Add(o.For)}
}

// An Answer is what became of one request, as far as it is counted.
type Answer struct {
	Latency time.Duration // from when it was due
	Lost    bool          // no answer that can be read
	Limited bool          // refused because of a limit on the rate
	Code    string        // of a refusal of a request that succeeds without load
}

// Count takes one answer.
func (f *Figures) Count(a Answer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.load.Requests++
	switch {
	case a.Lost:
		f.load.Unanswered++
		return
	case a.Limited:
		f.load.Limited++
	case a.Code != "":
		f.load.Refused[a.Code]++
	}
	if time.Now().Before(f.end) {
		f.inTime++
	}
	_ = f.latency.RecordValue(min(max(a.Latency.Microseconds(), 1), longest)) // within its bounds
}

// Load returns the figures of a load that has ended, as wanted or before.
func (f *Figures) Load() *reports.Load {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, took := f.load, min(time.Since(f.began), f.end.Sub(f.began))
	l.Seconds = float64(took.Milliseconds()) / 1000
	if took > 0 {
		l.Held = float64(int(float64(f.inTime)/took.Seconds()*10+0.5)) / 10
	}
	at := func(q float64) float64 { return float64(f.latency.ValueAtQuantile(q)) / 1000 }
	l.Latency = reports.Latency{P50: at(50), P90: at(90), P99: at(99), P999: at(99.9), Max: float64(f.latency.Max()) / 1000}
	return &l
}
