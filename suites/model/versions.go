package model

import (
	"fmt"
	"hash/crc32"

	"github.com/aql-conform/aql-conform/probes"
)

// WithVersion gives a change that requires the version of its object the one that a read shows at that moment, if
// no check has chosen another one.
func (f *Adapter) WithVersion(p probes.Probe, ask AskFunc) probes.Probe {
	o, _ := f.Operation(p.Operation())
	version, required := o.Precondition()
	if !required || p.Stale && version.Name == "if_match" || p.Params() == nil {
		return p
	}
	if values := f.Gen.Values(o, version); len(values) == 0 || !ValueIn(p, version.Name).Equal(values[0]) {
		return p
	}
	return f.Rules.WithVersion(p, func(read probes.Probe) probes.Observation {
		return ask(read.Anew(fmt.Sprintf("version of an object: request %xh", crc32.ChecksumIEEE([]byte(p.Key())))))
	})
}
