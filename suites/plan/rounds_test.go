package plan

import (
	"context"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// roundsAsker gives the answers of a test, one for each request of its two steps.
type roundsAsker struct {
	t       *testing.T
	answers []string // envelopes; "" for none
	keys    map[string]bool
	asked   int
}

func (a *roundsAsker) Ask(_ context.Context, p probes.Probe) probes.Observation {
	if a.keys[p.Key()] {
		a.t.Errorf("%s is asked twice in one way", p.Step)
	}
	a.keys[p.Key()] = true
	i := min(a.asked, len(a.answers)-1)
	if a.asked++; a.answers[i] == "" {
		return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: "not in the transcript"}
	}
	return checktest.AnswerWithEnvelope(a.t, p, a.answers[i])
}

// Which requests meet an error that passes, and where others write, depends on the order in which requests
// arrive. Two runs of one adapter, on a machine with other work, had different verdicts for that alone.
func TestCasesAreAskedAgain(t *testing.T) {
	const good, busy, moved = `{"success":true,"data":{}}`, `{"success":false,"error":{"code":"STORE_AWAY","message":"m"}}`, `{"success":true,"data":{"moved":true}}`
	for name, c := range map[string]struct {
		answers  []string
		lane     probes.Lane
		asked    int
		want     reports.Verdict
		category string
	}{
		"requests that write":                       {[]string{good, busy, good}, probes.Serial, 2, reports.NotProven, "CREATE"},
		"nothing met":                               {[]string{good}, probes.Serial, 2, reports.Pass, "READ"},
		"an error that passed":                      {[]string{good, busy, good}, probes.Serial, 4, reports.Pass, "READ"},
		"errors at two requests":                    {[]string{busy, good, good, busy, good}, probes.Serial, 6, reports.Pass, "READ"},
		"an error that stays":                       {[]string{busy}, probes.Serial, 4, reports.NotProven, "READ"},
		"others who write once":                     {[]string{good, moved, good}, probes.Serial, 4, reports.Pass, "READ"},
		"others who write all the time":             {[]string{moved}, probes.Serial, 2 + 2*maxRounds, reports.NotProven, "READ"},
		"a round that the transcript does not have": {[]string{good, busy, ""}, probes.Serial, 4, reports.NotProven, "READ"},
		"requests that may end an adapter":          {[]string{busy}, probes.Disposable, 2, reports.NotProven, "READ"},
	} {
		asker := &roundsAsker{t: t, answers: c.answers, keys: map[string]bool{}}
		one := &Case{
			Subject: &model.Subject{Name: "get_note", Adapter: &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{{Name: "get_note", Category: c.category}}}}},
			Check: &check.Check{Requirement: "OPS-6.3-03", Lane: c.lane,
				Ask: func(model.Subject) []probes.Probe {
					p := probes.Call("main", "read", "get_note", nil)
					return []probes.Probe{p.Anew("rounds: first"), p.As("rounds: second")}
				},
				Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
					for _, o := range got {
						if o.Data().At("moved").True() {
							return ruling.Moved("answers that rest", o)
						}
						if !o.Succeeded() {
							return ruling.NotProven("a success", o)
						}
					}
					if n := got.Step("rounds: first").Probe.Number; n != probes.StepNumber("rounds: first") {
						t.Errorf("%s: a judge sees number %d", name, n)
					}
					return ruling.Conforms()
				},
			},
		}
		one.pending.Add(1)
		one.Ask(t.Context(), asker)
		if got := one.Judge(probes.Record{}).Verdict; got != c.want || asker.asked != c.asked {
			t.Errorf("%s: %s after %d requests, want %s after %d", name, got, asker.asked, c.want, c.asked)
		}
	}
}
