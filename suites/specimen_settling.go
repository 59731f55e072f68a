package suites

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// settling is how long a store may take to show what it was told (the rows on
// updates allow five seconds). Nobody waits for a store that shows it at once.
var settling = 5 * time.Second

// lookFor asks for the specimen until seen holds, with growing pauses. After one
// wait in vain the run does not wait again, unless it has seen that the store is
// slow: an expectation that is never met must not make it impatient.
func (sp specimen) lookFor(ask Asking, take int, seen func(probes.Value) bool) probes.Observation {
	o := ask(sp.look(take))
	pause := settling / 50
	hopeless := sp.specimens.vain && !sp.specimens.slow
	for waited := time.Duration(0); waited < settling && !hopeless && !o.Lost() && !seen(sp.shown(o)); waited += pause {
		pause = min(2*pause, settling-waited)
		sp.rest(pause)
		take++
		o = ask(sp.look(take))
		sp.specimens.slow = sp.specimens.slow || seen(sp.shown(o))
	}
	if settling > 0 && !o.Lost() && !seen(sp.shown(o)) {
		sp.specimens.vain = true
	}
	return o
}
