package plan

import (
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Flaky says how many requests met a transient error that the same request, sent again,
// did not meet; empty for none. A verdict rests on the second answer.
func Flaky(record probes.Record) string {
	n, first := 0, ""
	for o := range record.All() {
		if o.Cured == "" {
			continue
		}
		if n++; n == 1 {
			first = strings.TrimSpace(o.Probe.Operation() + " met " + o.Cured)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("flaky: %d of %d requests met an error that did not show again when they were sent once more, for example %s", n, record.Asked, first)
}
