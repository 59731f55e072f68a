package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An Estimate is what a run will cost, as far as its plan and the calls so far tell.
type Estimate struct {
	Requests int
	Each     time.Duration // that a call takes
	Time     time.Duration
}

func (e Estimate) String() string {
	return fmt.Sprintf("about %s requests, about %s at %s for each call", check.GroupThousands(e.Requests), e.Time.Round(time.Second), roundDuration(e.Each))
}

// The costs that 24 runs have shown, of the reference adapter in four modes and the strangers of the seeds 1 to 20.
// They were fitted to the relative error, whose mean is 20 % without generated input and 30 % with it.
const (
	requestsAnyway   = 770 // of a run, whatever the adapter offers
	casesPerRequest  = 3   // of the checks
	generatedPerCase = 0.27
	generatedPerKind = 420  // of objects, with the proofs that they are ours
	serialAnyway     = 150  // requests that wait for each other
	serialPerKind    = 1000 // the same of each kind of objects
	ownTime          = time.Millisecond
)

// Estimate tells about how many requests the run sends, and how long that takes with so many calls in flight. In a
// dry run no case is decided by what could not be created.
func (p *Plan) Estimate(e *probes.Engine, dry bool) Estimate {
	cases, kinds, rows := 0, 0, map[string]bool{}
	for _, c := range p.Cases {
		rows[c.Check.Requirement] = true
		if !c.Check.Watches() && (dry || c.Subject.Ruling == nil) {
			cases++
		}
	}
	for _, f := range p.Adapters {
		for _, o := range f.Operations {
			_, removable := f.Rules.Kind(o.Name)
			if may, _ := f.Callable(o); may && removable && o.Category == "CREATE" && (dry || f.KnownGood[o.Name].State == model.Proven) {
				kinds++
			}
		}
	}
	record := e.Record()
	n := max(record.Asked, requestsAnyway*len(rows)/len(catalogue.All())) + cases/casesPerRequest
	if len(p.Effort.Phases) > 0 {
		n += int(generatedPerCase*float64(cases)) + generatedPerKind*kinds
	}
	if most := p.Effort.Requests; most > 0 {
		n = min(n, most)
	}
	each := pace(record)
	if each == 0 {
		return Estimate{Requests: n}
	}
	serial := min(n, serialAnyway+serialPerKind*kinds)
	all := each*time.Duration(serial+(n-serial)/probes.AtOnce(e)) + ownTime*time.Duration(n)
	return Estimate{n, each, max(all, e.Interval()*time.Duration(n))}
}

// pace is the time that half of the calls took at most; 0 where none was answered.
func pace(record probes.Record) time.Duration {
	var took []time.Duration
	for o := range record.All() {
		if !o.Lost() && o.Elapsed > 0 {
			took = append(took, o.Elapsed)
		}
	}
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[len(took)/2]
}
