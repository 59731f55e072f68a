package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// eachSaid is every operation that says it requires a confirmation.
func eachSaid(f *Face) []Subject {
	all := only(eachListed, func(s Subject) bool {
		says, _ := saysGuarded(s.Op)
		return says && !slices.Contains(reserved, s.Name)
	})(f)
	for i, s := range all {
		if g, why := f.guard(s.Name); why != nil {
			all[i] = s.settle(*why)
		} else {
			all[i] = g.Subject
		}
	}
	return all
}

// Confirmation tokens. A gate that is promised and stands open is worse than none:
// whoever counts on it does not ask himself.
var _ = register(Check{
	Requirement: "CMP-TOKEN-05",
	On:          eachSaid,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		if made, ok := g.object(ask, gateAlone); ok {
			g.looks(ask, made, gateAlone+1)
			ask(g.on(made).Anew(g.first + gateAlone + 2))
			g.looks(ask, made, gateAlone+3)
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		const want = "no effect without a confirmation"
		g := guardOf(s)
		_, sure := saysGuarded(s.Op)
		judge := Violates
		if !sure {
			judge = func(want string, got any) Ruling {
				return Departs(want, got).Noting("the description may tell the client to ask a person")
			}
		}
		o, asked := at(got, g.first+gateAlone+2)
		lost := thereAt(got, g.first+gateAlone+1) && goneAt(got, g.first+gateAlone+3)
		switch {
		case !asked:
			return NotProven("an object of our own", got[len(got)-1])
		case o.Refused() && lost:
			return judge(want, "a refusal, but the object is gone").By(got[len(got)-1], o)
		case o.Succeeded() && announcedPending(o):
			return NotProven(want, "a success that announces the work").By(o)
		case o.Succeeded():
			return judge(want, o)
		case o.Deferred() && !limited(o):
			return Conforms().By(o)
		}
		return NotProven("a refusal for want of a confirmation", o)
	},
	Fix: "ask for the confirmation before the operation runs, wherever the record says so",
})
