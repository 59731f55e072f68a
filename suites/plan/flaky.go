package plan

import (
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
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
