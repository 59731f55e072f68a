package verification

import (
	"regexp"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// verified is the adapter, where it offers out-of-band verification in an enforcing
// loop and all is given that a script about it takes.
func verified(hints ...string) func(*model.Adapter) []model.Subject {
	loop := check.InLoopModes([]string{check.Enforcing}, hints...)
	return func(f *model.Adapter) []model.Subject {
		o, listed := f.Operation("verify_challenge")
		if !listed {
			return nil
		}
		all := loop(f)
		for i, s := range all {
			all[i].Name, all[i].Op = o.Name, o
			if _, _, ok := check.VerifyParameters(o); !ok && s.Ruling == nil {
				all[i] = all[i].WithRuling(ruling.NotProven("parameters of verify_challenge for the challenge id and the code", o.Details))
			}
		}
		return all
	}
}

var limitText = regexp.MustCompile(`(?i)rate.?limit|too many|try again later|lock(?:ed)?.?out|throttl`)

// tooMany reports whether an answer refuses for the number of attempts.
func tooMany(o probes.Observation) bool {
	return check.RateLimited(o) || (o.Refused() || o.RefusedBelow()) && (limitText.MatchString(o.Message()) || limitText.MatchString(o.Code()) ||
		limitText.MatchString(o.RPCError().At("message").Text()))
}
