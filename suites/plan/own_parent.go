package plan

import (
	"fmt"
	"hash/crc32"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A parent may have few places for its children, as a bed has slots. Where the place of a creation
// is taken, the new object gets a parent of its own.

// ownParent sends a creation that the gate blocked for its key once more below a new parent. It
// returns the first answer if there is no such parent.
func ownParent(f *model.Adapter, blocked probes.Observation, ask model.AskFunc) probes.Observation {
	p := blocked.Probe
	if blocked.Outcome != probes.Unasked || !gate.KeyTaken(blocked.Exit) {
		return blocked
	}
	maker, name, path, ok := f.ParentOf(p.Operation())
	if !ok {
		return blocked
	}
	step := fmt.Sprintf("parent of its own: request %xh", crc32.ChecksumIEEE([]byte(p.Key())))
	parent := ask(maker.FreshCall(step).Anew(step))
	id := parent.Told(path...)
	if !parent.Succeeded() || id.Is(probes.Absent) {
		return blocked
	}
	return ask(p.With(name, id.Go()))
}
