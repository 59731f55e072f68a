package plan

import (
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Keys that the client draws from few values meet keys that are taken. A creation that is refused for
// that is no end: it is sent again with other keys. A script that uses a key twice does so on purpose.

// maxOtherKeys is how many other keys a creation gets.
const maxOtherKeys = 4

// drawnKeys are the drawn keys of the creations of one case.
type drawnKeys struct {
	mu      sync.Mutex
	used    map[string]bool
	other   map[string]probes.Probe // the creation that was sent instead, by the keys of the first
	parents model.OwnParents
}

// ask sends a request, and a creation under a taken key once more with other keys.
func (d *drawnKeys) ask(f *model.Adapter, p probes.Probe, ask model.AskFunc) probes.Observation {
	maker, names := f.DrawnKeys(p.Operation())
	if len(names) == 0 {
		return ownParent(f, d.parents.Ask(f, p, ask), ask)
	}
	_, place := f.PlaceOf(p.Operation())
	key := keysOf(p, names, place)
	d.mu.Lock()
	instead, moved := d.other[key]
	meant := d.used[key] || !maker.Drawn(p, names) || key == keysOf(maker.ValidCall(), names, place)
	if d.used == nil {
		d.used, d.other = map[string]bool{}, map[string]probes.Probe{}
	}
	d.used[key] = true
	d.mu.Unlock()
	if moved {
		for _, name := range names {
			p = p.With(name, instead.Params()[name])
		}
	}
	o := ownParent(f, ask(p), ask)
	for n := 0; n < maxOtherKeys && !meant && taken(o, names); n++ {
		other, q := maker.WithOtherKey(p, fmt.Sprintf("another key %d: request %xh", n, crc32.ChecksumIEEE([]byte(p.Key())))), p
		for _, name := range names { // another one may be the value that the case is about
			q = q.With(name, other.Params()[name])
		}
		if o = ask(q); !taken(o, names) {
			d.mu.Lock()
			d.other[key] = q
			d.mu.Unlock()
		}
	}
	if !meant && taken(o, names) {
		return belowOwnParent(f, o, ask)
	}
	return o
}

// taken reports whether a creation met a taken key: that of an object of the run, or of somebody else.
func taken(o probes.Observation, names []string) bool {
	barred := func(name string) bool { return gate.NamesOthers(o.Exit, name) }
	told := func(name string) bool { return strings.Contains(o.Exit, model.ValueIn(o.Probe, name).Text()) }
	key := gate.KeyTaken(o.Exit) && slices.ContainsFunc(names, told)
	return strings.HasPrefix(o.Code(), "CONFLICT_") || o.Outcome == probes.Unasked && (key || slices.ContainsFunc(names, barred))
}

// keysOf is the identifier that a creation gives: what it lies in, and the keys that are drawn.
func keysOf(p probes.Probe, names []string, place map[string][]string) string {
	var b strings.Builder
	for _, name := range append(slices.Sorted(maps.Keys(place)), names...) {
		fmt.Fprintln(&b, name, model.ValueIn(p, name).Canonical(nil))
	}
	return b.String()
}
