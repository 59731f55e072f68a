package suites

import (
	"regexp"

	"github.com/aql-conform/aql-conform/probes"
)

// liftsBlock is the author's command that lifts the block of an agent.
const liftsBlock = "safety.admin_unblock_cmd"

// verified is the adapter, where it offers out-of-band verification in an enforcing
// loop and all is given that a script about it takes.
func verified(hints ...string) func(*Face) []Subject {
	loop := inLoop([]string{enforcing}, hints...)
	return func(f *Face) []Subject {
		o, listed := f.Operation("verify_challenge")
		if !listed {
			return nil
		}
		all := loop(f)
		for i, s := range all {
			all[i].Name, all[i].Op = o.Name, o
			if _, _, ok := verifyParameters(o); !ok && s.settled == nil {
				all[i] = all[i].settle(NotProven("parameters of verify_challenge for the challenge id and the code", o.Details))
			}
		}
		return all
	}
}

var limitText = regexp.MustCompile(`(?i)rate.?limit|too many|try again later|lock(?:ed)?.?out|throttl`)

// tooMany reports whether an answer refuses for the number of attempts.
func tooMany(o probes.Observation) bool {
	return limited(o) || (o.Refused() || o.RefusedBelow()) && (limitText.MatchString(o.Message()) || limitText.MatchString(o.Code()) ||
		limitText.MatchString(o.RPCError().At("message").Text()))
}
