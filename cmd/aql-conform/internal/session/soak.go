package session

import (
	"math"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// soakFlags state a load under which is judged again.
type soakFlags struct {
	Soak time.Duration `group:"Load" placeholder:"TIME" help:"after the checks, judge under load for so long"`
	RPS  float64       `name:"rps" group:"Load" placeholder:"N" help:"requests of the load per second (50)"`
}

// Bounds of a load.
const (
	defaultRPS = 50
	mostRPS    = 10_000
)

// validLoad refuses a load that cannot be sent as stated.
func (f *CheckFlags) validLoad() error {
	switch {
	case f.Soak < 0:
		return console.Usage("--soak %s: want a time above zero, for example 10m", f.Soak)
	case f.RPS < 0 || f.RPS > mostRPS || math.IsNaN(f.RPS):
		return console.Usage("--rps %g: want requests in a second, up to %d", f.RPS, mostRPS)
	case f.RPS > 0 && f.Soak == 0:
		return console.Usage("--rps says how much load --soak sends; add --soak, for example --soak 10m")
	case f.Soak == 0:
		return nil
	case f.DryRun, f.Shard != "", f.FailFast:
		return console.Usage("--soak follows a complete run; leave --dry-run, --shard and --fail-fast out")
	case f.MaxRequests > 0 || f.MaxWrites > 0:
		return console.Usage("--soak sends requests for as long as it says; leave --max-requests and --max-writes out")
	case f.RateLimit > 0 && f.RateLimit < f.rps():
		return console.Usage("--rate-limit %g is less than the %g requests per second of the load; change one", f.RateLimit, f.rps())
	case f.Soak.Seconds()*f.rps() > generated.MaxScripts:
		return console.Usage("--soak %s at %g requests per second: want at most %d requests", f.Soak, f.rps(), generated.MaxScripts)
	}
	return nil
}

// rps is the rate of the load; 0 without one.
func (f *CheckFlags) rps() float64 {
	if f.RPS == 0 && f.Soak > 0 {
		return defaultRPS
	}
	return f.RPS
}

// loaded adds what became of the load.
func (s *Session) loaded(p *plan.Plan, findings []reports.Finding) {
	s.run.Load = p.Load(findings)
	s.run.Remarks = append(s.run.Load.Lines(), s.run.Remarks...)
}
