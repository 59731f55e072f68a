package plan

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// possible are the answers that stand for those to requests that were not sent: none, a refusal,
// and a success.
var possible = []string{
	"",
	`{"success":false,"error":{"code":"PERMISSION_DENIED","message":"not allowed"}}`,
	`{"success":true,"data":{}}`,
}

// shownRegardless is the violation that the answered requests of a case show, whatever the others might
// have been answered with. Its evidence is answered requests alone.
func (c *Case) shownRegardless(got probes.Answers) (r ruling.Ruling, ok bool) {
	unasked := func(o probes.Observation) bool { return o.Outcome == probes.Unasked }
	for i, envelope := range possible {
		all := slices.Clone(got)
		for j, o := range got {
			if unasked(o) && envelope != "" {
				all[j] = probes.Classify(o.Probe, wire.Reply{Class: wire.Answered, Received: wire.Frame{
					Data: []byte(`{"jsonrpc":"2.0","id":0,"result":{"structuredContent":` + envelope + `}}`)}})
			}
		}
		each := c.Check.Judge(*c.Subject, all)
		answered := func(o probes.Observation) bool {
			return slices.ContainsFunc(got, func(g probes.Observation) bool { return !unasked(g) && g.Probe.Key() == o.Probe.Key() })
		}
		switch {
		case each.Verdict != reports.Fail || len(each.Evidence) == 0:
			return r, false
		case slices.ContainsFunc(each.Evidence, func(o probes.Observation) bool { return !answered(o) }):
			return r, false
		case i > 0 && (each.Want != r.Want || each.Got != r.Got):
			return r, false
		}
		r = each
	}
	return r, true
}
