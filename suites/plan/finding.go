package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Finding returns the finding for a ruling.
func (p *Plan) Finding(c *check.Check, s model.Subject, r ruling.Ruling) reports.Finding {
	row := catalogue.MustLookup(c.Requirement)
	if r.Verdict == reports.NotProven && s.Unsearched != "" && !strings.HasPrefix(r.Fix, "--") {
		r.Note, r.Got, r.Fix = r.Got, s.Unsearched, moreRequests // whatever else is missing, it was not looked for
	}
	if b := s.KnownGood[s.Op.Name]; r.Verdict == reports.NotProven && r.Fix == "" && r.Got == ruling.Clip(b.String()) {
		r.Fix = b.Unlock() // the check says what is missing, and the known-good request how to get it
	}
	if r.Fix == model.TestObjectHint {
		if _, missing := s.TestObject(s.Name); missing == nil {
			r.Fix = "" // the operations on the kind are known already
		}
	}
	f := reports.Finding{
		Requirement: row.ID, Verdict: limitSeverity(row, r.Verdict), Subject: s.Adapter.Label + s.Name,
		Want: r.Want, Got: r.Got, Note: r.Note, Fix: cmp.Or(r.Fix, c.Fix), RootCause: r.Root,
	}
	if how, root := s.Fallback(); how != "" && row.ID != root && f.Verdict != reports.NotApplicable {
		f.Note = strings.TrimSuffix("via fallback, as "+how+"; "+f.Note, "; ")
	}
	if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
		needs := p.neededRequirements(c, r)
		f.Again = p.reproduceCommand(c, s, needs)
		if len(needs) > 1 {
			f.Note = strings.TrimPrefix(f.Note+"; "+needs[1]+" sends the request", "; ")
		}
		if slices.Equal(needs, []string{row.ID}) {
			once := generated.Replay{Requirement: row.ID, Seed: p.Effort.Seed}
			if !c.Watches() && s.Op.Name != "" {
				once.Subject = s.Name
			}
			f.Replay = p.replayCommand(once)
		}
	} else {
		f.Add = cmp.Or(strings.Join(check.HintsToAdd(s, r.Fix), "\n"), check.SampleInstead(s, r.Fix, r.Got))
		f.Fix = r.Fix // the hint or flag that would prove it; the advice of the check is for violations
	}
	if len(r.Evidence) > 0 && f.Replay != "" {
		f.Raw = string(r.Evidence[0].SentData())
	}
	// The deciding exchange comes first in a ruling and last in a report, after its control.
	for _, o := range slices.Backward(r.Evidence) {
		f.Evidence = append(f.Evidence, p.shownAs.exchange(o))
		f.Elapsed += o.Elapsed
	}
	return f
}

// replayCommand returns the command line that replays r.
func (p *Plan) replayCommand(r generated.Replay) string {
	target := p.targetArgs
	if i := strings.LastIndex(target, " --seed "); i >= 0 {
		target = target[:i] // r has the seed
	}
	return fmt.Sprintf("aql-conform replay '%s' %s", r, target)
}

// An exchanges keeps the beginnings of long answers as reports show them: the listing of a large adapter
// is evidence for several findings of each operation.
type exchanges struct {
	mu sync.Mutex
	of map[[2]int]reports.Exchange // by the numbers of their frames
}

// Which answers are long, in bytes, and how many are kept.
const (
	longAnswer    = 16 << 10
	mostExchanges = 16
)

func (x *exchanges) exchange(o probes.Observation) reports.Exchange {
	frames := [2]int{o.Sent.Seq, o.Received.Seq}
	if o.Received.Size < longAnswer || frames[1] == 0 {
		return exchange(o)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	e, known := x.of[frames]
	if !known {
		if e = exchange(o); x.of == nil || len(x.of) == mostExchanges {
			x.of = map[[2]int]reports.Exchange{}
		}
		x.of[frames] = e
	}
	return e
}

func exchange(o probes.Observation) reports.Exchange {
	e := reports.Exchange{
		Conn: o.Probe.Conn, Sent: o.SentData(), Reply: o.ReceivedData(), Outcome: strings.TrimSpace(string(o.Outcome) + " " + o.Code()),
		Elapsed: o.Elapsed.Round(time.Microsecond), SentSize: o.Sent.Size, ReplySize: o.Received.Size,
	}
	if o.Probe.Method == "" && o.Probe.Raw() == nil {
		e.Asked = append([]byte(o.Probe.Tool+" "), o.Probe.Arguments()...)
	}
	switch {
	case o.Envelope().Is(probes.Object):
		e.Said = o.Envelope().Raw()
	case o.RPCError().Is(probes.Object):
		e.Said = o.RPCError().Raw()
	}
	for _, frame := range []int{o.Sent.Seq, o.Received.Seq} {
		if frame > 0 {
			e.Frames = append(e.Frames, frame)
		}
	}
	e.Shorten()
	return e
}
