package gate

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// left tells what is still there. A call is printed for what is proven to be ours alone.
func (g *Gate) left() []Leftover {
	var all []Leftover
	for _, o := range g.snapshot() {
		l := Leftover{What: "made by " + o.op}
		if texts := slices.Sorted(maps.Keys(o.fields)); len(texts) > 0 {
			l.What += fmt.Sprintf(", with %s %q", texts[0], first(o.fields[texts[0]]))
		}
		if o.why != "" {
			l.What += ": " + o.why
		} else if o.key == nil {
			l.What += ": its answer was lost, and no listing shows it"
		}
		if call, ok := o.removal(); ok && o.sure {
			l.Call = call.String()
		}
		all = append(all, l)
	}
	return all
}

// looked reports which objects with a known identifier a read shows as ours. The reads go side by side.
func (g *Gate) looked(ctx context.Context, some []*object) []bool {
	ours := make([]bool, len(some))
	probes.SideBySide(len(some), len(some), func(i int) {
		if o := some[i]; o.key != nil && len(o.kind.Views) > 0 {
			ours[i] = g.shown(ctx, g.conn, o, o.key)
		}
	})
	return ours
}

// runMark matches the mark of a run in a text.
var runMark = regexp.MustCompile(`aqlc-([0-9a-z]{8})`)

// Resume takes over what a ledger says that another run has made. Nothing of it is
// believed before a read has shown it, and no operation is called that did harm then.
func (g *Gate) Resume(entries []Entry, suspects []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wire.banned, g.wire.once = suspects, true
	for _, e := range entries {
		for _, texts := range e.Fields {
			if m := runMark.FindStringSubmatch(strings.Join(texts, " ")); m != nil {
				g.nonce = m[1] // of the run that made it
			}
		}
		k, _ := g.rules.Kind(e.Made)
		k.Make, _ = g.rules.Operation(e.Made)
		o := &object{n: e.N, kind: k, op: e.Made, conn: g.conn, fields: e.Fields}
		if o.fields == nil {
			o.fields = map[string][]string{}
		}
		o.params = probes.ValueOf(e.Key)
		var key []probes.Value
		for _, name := range k.Key {
			v, err := probes.ParseValue(e.Key[name])
			if err != nil {
				break
			}
			key = append(key, v)
		}
		if len(key) == len(k.Key) && len(key) > 0 {
			o.may, o.late = [][]probes.Value{key}, true
			g.made.may(o, key)
		}
		if len(k.Views) == 0 {
			o.why = "no operation is known that reads and removes it"
		}
		g.marked[e.Made] = true
		g.made.add(o)
	}
}
