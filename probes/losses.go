package probes

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// late reports whether an exchange broke because an earlier one had ended the
// adapter: over HTTP all connections of a face lead to one process, which takes
// requests for a moment longer.
func (e *Engine) late(conn string, class wire.Class) bool {
	face, _, _ := strings.Cut(conn, "/")
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.targets[face].URL == "" {
		return false
	}
	was := e.down[face]
	switch class {
	case wire.Gone:
		e.down[face] = true
	case wire.Answered, wire.Rejected:
		e.down[face] = false
	}
	return was && class == wire.Gone
}
