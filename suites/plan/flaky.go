package plan

import (
	"fmt"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Flaky counts the requests that met a transient error which the same request, sent
// again, did not meet, and says so in a line. A verdict rests on the second answer.
func Flaky(record probes.Record) (n int, line string) {
	first := ""
	for o := range record.All() {
		if o.Cured == "" {
			continue
		}
		if n++; n == 1 {
			first = strings.TrimSpace(o.Probe.Operation() + " met " + o.Cured)
		}
	}
	if n == 0 {
		return 0, ""
	}
	return n, fmt.Sprintf("flaky: %d of %d requests met an error that did not show again when they were sent once more, for example %s", n, record.Asked, first)
}

// flakyAfter returns whether errors passed in a run, which is known when all is asked.
func flakyAfter(asked <-chan struct{}, e *probes.Engine) func() bool {
	return sync.OnceValue(func() bool {
		<-asked
		passed, _ := Flaky(e.Record())
		return passed > 0
	})
}

// accuses reports whether a ruling is one that an error may have caused.
func accuses(r ruling.Ruling) bool { return r.Verdict == reports.Fail || r.Verdict == reports.Warn }

// spared takes back an accusation that rests on an error which may have passed. Errors of this adapter do
// pass, and the request was one that is sent once: a frame, one of many at a time, an execution, or
// what may write because no listed operation is sent to its own tool; or a creation, which may not be sent
// again; or it had been done before the error was answered.
// A creation that met such an error may have made two objects.
func spared(f *model.Adapter, r ruling.Ruling, got probes.Answers) ruling.Ruling {
	for _, o := range got {
		if op, _ := f.Operation(o.Probe.Operation()); o.Cured != "" && op.Category == "CREATE" {
			return ruling.NotProven("an object that was made once", o.Brief()+", at the second request").By(o)
		}
	}
	for _, o := range r.Evidence {
		op, listed := f.Operation(o.Probe.Operation())
		once := o.Probe.AtOnce || o.Probe.Frame != nil || op.Category == "EXECUTE" || !listed || op.Tool != o.Probe.Tool || op.Category == "CREATE" || o.Passed()
		if once && !o.Unanswered() && o.MayPass() != "" {
			return ruling.NotProven("an answer to "+ruling.Clip(o.Probe.String()), o.Brief()+", which may pass as others did").By(r.Evidence...)
		}
	}
	return r
}
