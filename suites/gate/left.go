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
		if names := slices.Sorted(maps.Keys(o.fields)); len(names) > 0 {
			l.What += fmt.Sprintf(", with %s %q", names[0], first(o.fields[names[0]]))
		}
		if o.key != nil && !o.sure {
			l.What += ", identifier " + clip(texts(o.key)) // for whoever removes it by hand
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

// departed drops what went with the object in which it lay, where no read of its kind names one by its
// identifier: the object in which it lay is not found, and no listing that can be asked for shows it.
func (g *Gate) departed(ctx context.Context) {
	rules := g.known()
	left := slices.DeleteFunc(g.snapshot(), func(o *object) bool { return len(o.kind.Views) > 0 || o.key != nil })
	probes.SideBySide(len(left), probes.AtOnce(g.asker), func(i int) {
		if o := left[i]; g.orphaned(ctx, rules, o) && g.shownNowhere(ctx, rules, o) {
			g.drop(o)
		}
	})
}

// permitted is the standing of an operation that is permitted by its name. What a creation makes is of a kind all
// the same: what lies in such an object goes with it.
func (r *Rules) permitted(o probes.Operation, category string) standing {
	if category == "create" {
		r.unremovable(o)
	}
	return standing{lifted: true}
}

// shownNowhere reports whether there are listings that can be asked for, and none of them shows an object.
func (g *Gate) shownNowhere(ctx context.Context, rules *Rules, o *object) bool {
	made, _ := rules.Operation(o.op)
	asked := 0
	for _, read := range rules.selected(func(v probes.Operation) bool {
		return v.Category == "READ" && v.Name != "introspect" && rules.speaksOf(made, v) && rules.usable(v)
	}) {
		params, whole := requiredFrom(read, o.params)
		if !whole {
			continue
		}
		asked++
		var last probes.Observation
		l := walk(probes.Call(g.conn, read.Tool, read.Name, params), read, func(p probes.Probe) probes.Observation {
			last = g.look(ctx, p)
			return last
		})
		gone := l.pages == 0 && ShowsNothing(last) || l.ended && !slices.ContainsFunc(l.rows, o.maybe)
		if !gone {
			return false
		}
	}
	return asked > 0
}

// orphaned reports whether the creation of an object names another one by its identifier that is not found.
func (g *Gate) orphaned(ctx context.Context, rules *Rules, o *object) bool {
	for _, maker := range slices.Sorted(maps.Keys(rules.kinds)) {
		k := rules.kinds[maker]
		for _, m := range o.params.Members() {
			if len(k.Key) == 1 && scalar(m.Value) && k.goesBy(o.op, m.Name) && g.absent(ctx, g.conn, k, []probes.Value{m.Value}) {
				return true
			}
		}
	}
	return false
}

// requiredFrom takes the required parameters of a read from those of a creation.
func requiredFrom(read probes.Operation, params probes.Value) (asked map[string]any, whole bool) {
	asked = map[string]any{}
	for _, p := range read.Parameters {
		v := memberLike(params, p.Name)
		if p.Required && !scalar(v) {
			return nil, false
		}
		if p.Required {
			asked[p.Name] = v.Go()
		}
	}
	return asked, true
}

// maybe reports whether a listed row may be an object without an identifier: nothing in it differs from what
// was sent.
func (o *object) maybe(row probes.Value) bool {
	if len(o.fields) > 0 {
		told := slices.ContainsFunc(slices.Collect(maps.Keys(o.fields)), func(name string) bool { return scalar(memberLike(row, name)) })
		return !told || Marks(row, o.fields)
	}
	return !slices.ContainsFunc(o.params.Members(), func(m probes.Member) bool {
		v := memberLike(row, m.Name)
		return scalar(v) && !v.Equal(m.Value)
	})
}

// looked returns the identifiers by which a read shows objects as ours, and nil for the others. The reads go side by side.
func (g *Gate) looked(ctx context.Context, some []*object) [][]probes.Value {
	ours := make([][]probes.Value, len(some))
	for i, o := range some {
		ours[i] = g.shownAs(ctx, o)
	}
	probes.SideBySide(len(some), len(some), func(i int) {
		o := some[i]
		may := o.may
		if o.key != nil {
			may = [][]probes.Value{o.key}
		}
		if o.key != nil && len(o.kind.Views) == 0 || ours[i] != nil {
			return
		}
		if n := slices.IndexFunc(may, func(key []probes.Value) bool { return g.shown(ctx, g.conn, o, key) }); n >= 0 {
			ours[i] = may[n]
		}
	})
	for i, o := range some {
		g.trust(o, ours[i])
	}
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
