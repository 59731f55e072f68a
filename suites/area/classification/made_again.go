package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// The steps of a creation with the values of an object that was removed, and of one with other values.
const (
	madeAgain     = "removed object: made again"
	madeOtherwise = "removed object: made with other values"
	madeTwice     = "removed object: made twice"
)

// likeLive reports whether a creation is refused as one with the values of an object that is there. An adapter may reserve a
// name after a removal, and say so in another message.
func likeLive(o, live probes.Observation) bool {
	said := func(o probes.Observation) string {
		text := o.Message()
		for _, v := range probes.ValueOf(o.Probe.Params()).Scalars() {
			if len(v) > 1 {
				text = strings.ReplaceAll(text, v, "")
			}
		}
		return o.Code() + text
	}
	return !live.Refused() || said(o) == said(live)
}

// occupied reports whether a creation is refused because the object exists that a read showed before: by the code, and by an
// identifier. An adapter may keep a name for itself, or refuse the same request twice.
func occupied(o, read probes.Observation) bool {
	return o.Refused() && strings.HasPrefix(o.Code(), "CONFLICT_") && strings.Contains(o.Code(), "EXIST") &&
		slices.ContainsFunc(probes.ValueOf(read.Probe.Params()).Scalars(), o.Mentions)
}
