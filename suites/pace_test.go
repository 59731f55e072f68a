package suites

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	diff "github.com/google/go-cmp/cmp"
	"golang.org/x/time/rate"
)

// A turnstile takes a number of requests and refuses what comes in the second
// after that, again and again. Zero takes all.
type turnstile struct {
	most   int
	bucket *rate.Limiter // nil: what it takes does not depend on the time
	after  func() string // Retry-After

	mu      sync.Mutex
	rest    time.Time // until then nobody gets through
	taken   int
	refused int
	arrived []time.Time
}

func (s *turnstile) lets() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.arrived = append(s.arrived, now)
	if now.Before(s.rest) || s.bucket != nil && !s.bucket.AllowN(now, 1) {
		s.refused++
		return false
	}
	if s.taken++; s.most > 0 && s.taken%s.most == 0 {
		s.rest = now.Add(time.Second)
	}
	return true
}

// through runs the checker against the reference adapter behind the turnstile.
func through(t *testing.T, s *turnstile, perSecond float64, sel plan.Selection) map[string]reports.Verdict {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	serve := a.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && !s.lets() {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Retry-After", s.after())
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		serve.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), 5*time.Second, 8)
	defer e.Close()
	if perSecond > 0 {
		e.Limit(perSecond)
	}
	if err := e.Open(ctx, "main", wire.Target{URL: server.URL + "/mcp", StartTimeout: 15 * time.Second, Grace: time.Second}); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true}})
	p, err := plan.New([]*model.Adapter{f}, sel, "")
	if err != nil {
		t.Fatal(err)
	}
	p.Ask(ctx, e)
	verdicts := map[string]reports.Verdict{}
	for _, found := range p.Judge(e.Record()) {
		verdicts[found.Requirement+" "+found.Subject+" "+strings.Join(found.Instances, ",")] = found.Verdict
	}
	return verdicts
}

// An adapter that limits the rate is asked to its end all the same, and no verdict
// tells it from one that does not.
func TestRateLimitsChangeNoVerdict(t *testing.T) {
	portion.Long(t)
	some := plan.Selection{Checks: All(), Run: []string{"request", "response", "parameters", "routing", "encoding"}}
	want := through(t, &turnstile{}, 0, some)
	for i, after := range []func() string{
		func() string { return "1" },
		func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		if !portion.OneOf(i, 2) {
			continue
		}
		t.Run([]string{"seconds", "a date"}[i], func(t *testing.T) {
			t.Parallel()
			s := &turnstile{most: 200, after: after}
			got := through(t, s, 0, some)
			if d := diff.Diff(want, got); d != "" {
				t.Errorf("verdicts (-unlimited +limited):\n%s", d)
			}
			if s.refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// An adapter that takes so many requests in a second is asked about as often once it has refused some.
// The slowest one, which takes most of a minute, belongs to the whole tests.
func TestPaceFollowsTheAdapter(t *testing.T) {
	portion.Long(t)
	for name, s := range map[string]*turnstile{
		"100 in a second":            {bucket: rate.NewLimiter(100, 50), after: func() string { return "1" }},
		"20 in a second":             {bucket: rate.NewLimiter(20, 20), after: func() string { return "1" }},
		"a second of rest after 200": {most: 200, after: func() string { return "1" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if s.bucket != nil && s.bucket.Limit() < 50 && !portion.Whole() {
				t.Skip("AQL_CONFORM_WHOLE is not set")
			}
			through(t, s, 0, plan.Selection{Checks: All(), Run: []string{"request", "parameters"}})
			n := len(s.arrived)
			share := float64(s.refused) / float64(n)
			t.Logf("%d of %d refused, %.1f %%, in %s", s.refused, n, 100*share, s.arrived[n-1].Sub(s.arrived[0]).Round(time.Second))
			if n < 500 || share > 0.05 {
				t.Errorf("%d of %d requests were refused, want 5 %% at most", s.refused, n)
			}
		})
	}
}

// The operator's limit is kept over all connections.
func TestLimitOfTheOperator(t *testing.T) {
	const perSecond = 100
	s := &turnstile{}
	through(t, s, perSecond, plan.Selection{Checks: All(), Run: []string{"AQL-3.2-*", "AQL-4.1-*"}})
	took := s.arrived[len(s.arrived)-1].Sub(s.arrived[0])
	handshakes := 2 // of each session two messages go out in one turn; they and the first call may arrive at once
	if n := len(s.arrived); n < 50 || float64(n) > 1.2*took.Seconds()*perSecond+float64(handshakes) {
		t.Errorf("%d requests arrived in %v, want at most %d in a second", n, took, perSecond)
	}
}
