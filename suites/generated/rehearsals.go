package generated

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A dry run answers as if an object was made. What it told may be told again of the next object.

func rehearses(p probes.Probe) bool {
	return slices.ContainsFunc(probes.ValueOf(p.Params()).Members(), func(m probes.Member) bool { return m.Value.True() && vocab.IsDryRun(m.Name) })
}

// rehearsed reports whether the creation of an object, or of the one that a change was meant for, was a dry run. Another object may have got
// the identifier that such a creation told.
func (or *oracle) rehearsed(it *item, c *change) bool {
	meant := or.items[c.target]
	return it.rehearsed || meant != nil && meant.rehearsed
}
