package gate

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// origins tell whose the rows of a listing are: ours carry the letters of the run when they
// are seen first. A row of others may carry them later, when an update has reached it.
type origins struct {
	own    map[string]bool // by listing and name
	late   map[string]bool // rows that were not there at the first look: where they are not ours, others write
	looked map[string]bool // listings of which the first look is over
}

func newOrigins() origins {
	return origins{own: map[string]bool{}, late: map[string]bool{}, looked: map[string]bool{}}
}

// whose reports whether a row is ours, by what it held when it was seen first.
func (g origins) whose(nonce, listing, name string, row probes.Value) bool {
	name = listing + " " + name
	own, known := g.own[name]
	if !known {
		own = ofRun(string(row.Raw()), nonce)
		g.own[name], g.late[name] = own, g.looked[listing]
	}
	return own
}

// maxHarmed is how many changed objects of others are counted. The first shows the defect,
// the number tells it from what others do.
const maxHarmed = 4

// A harmed row is one of others that changed around a request.
type harmed struct{ row, what string }

// harm says which rows of others changed around a request. What moved by itself between the
// two looks before is left out.
func harm(r *Rules, nonce string, call probes.Probe, of origins, before [2][]listed, after []listed, gone func(l probes.Operation, row probes.Value) bool) (all []harmed) {
	found := func(l listed, name, what string) {
		all = append(all, harmed{row: l.op.Name + " " + name, what: what})
	}
	for i, l := range before[1] {
		if i >= len(before[0]) || i >= len(after) {
			break
		}
		looks := r.byName(before[0][i].rows, l.rows, after[i].rows)
		for _, name := range slices.Sorted(maps.Keys(looks[1])) {
			row, was, now := looks[1][name], looks[0][name], looks[2][name]
			own := of.whose(nonce, l.op.Name, name, row)
			switch {
			case len(all) == maxHarmed || own || was.Is(probes.Absent) || r.named(call, row) || r.about(call, row):
			case !now.Is(probes.Absent):
				if field := otherwise(was, row, now, 0); field != "" {
					found(l, name, fmt.Sprintf("%s of %s in %s", field, name, l.op.Name))
				}
			case before[0][i].ended && l.ended && after[i].ended && len(after[i].rows) < len(l.rows), gone(l.op, row):
				found(l, name, fmt.Sprintf("%s is not in %s any more", name, l.op.Name))
			}
		}
		of.looked[l.op.Name] = true
		for name, row := range looks[2] {
			of.whose(nonce, l.op.Name, name, row) // what is new is seen here first
		}
	}
	return all
}

// vanished asks the read of the kind that a listing shows whether the object of a row is gone, or only listed elsewhere. A row of another
// listing says nothing of the object that it names: a log of what was removed may drop its oldest row.
func (g *Gate) vanished(ctx context.Context, conn string, m *measurement, l probes.Operation, row probes.Value) bool {
	for _, k := range g.known().kinds {
		if key, ok := keyOf(k, row); ok && k.listedBy(l) {
			o := g.asker.Ask(ctx, g.viewing(conn, k.Views[0], k, key).Numbered(measureNumber-measureSpan*m.n-lookAgain))
			if o.Refused() && strings.HasPrefix(o.Code(), "NOT_FOUND") {
				return true
			}
		}
	}
	return false
}

// restless reports whether as many objects of others come, change or go where nothing is
// written. quiet are looks one after the other with no write between them.
func restless(r *Rules, nonce string, of origins, quiet [][]listed, harmed int) bool {
	for i := 1; i < len(quiet); i++ {
		if n := len(stirred(r, nonce, of, quiet[i-1], quiet[i])); n >= harmed {
			return true
		}
	}
	return false
}

// quietTime is how long nothing is asked between two looks that wait for others to write.
const quietTime = 10 * time.Millisecond

func rest(ctx context.Context) {
	select {
	case <-time.After(quietTime):
	case <-ctx.Done():
	}
}

// stirred returns the rows of others that differ between two looks.
func stirred(r *Rules, nonce string, of origins, before, after []listed) map[string]bool {
	moved := map[string]bool{}
	for i := range min(len(before), len(after)) {
		looks := r.byName(before[i].rows, after[i].rows)
		for at, rows := range looks {
			for name, row := range rows {
				there, both := looks[1-at][name]
				changed := !both || at == 0 && otherwise(row, row, there, 0) != ""
				if changed && !of.whose(nonce, before[i].op.Name, name, row) {
					moved[before[i].op.Name+" "+name] = true
				}
			}
		}
	}
	return moved
}

// named reports whether a row is the object that a call names.
func (r *Rules) named(call probes.Probe, row probes.Value) bool {
	o, _ := r.Operation(call.Operation())
	_, key, ok := r.acts(o)
	if o.Category == "READ" {
		for _, p := range o.Parameters {
			if p.Required {
				key, ok = append(key, p.Name), true
			}
		}
	}
	params := probes.ValueOf(call.Params())
	return ok && !slices.ContainsFunc(key, func(name string) bool {
		v := memberLike(params, name)
		return !scalar(v) || !identifierOf(row, Kind{Views: []probes.Operation{o}, Key: key}, name).Equal(v)
	})
}

// about reports whether a row tells of the object that a call acts on, under a name of its own: a summary of the open work of
// each instrument has the tag of the instrument. A number, or a text of digits, says so under the noun of the object alone. A row with another text
// or an identifier of its own may be another object; an amount or a time in a text is none.
func (r *Rules) about(call probes.Probe, row probes.Value) bool {
	o, _ := r.Operation(call.Operation())
	_, key, ok := r.acts(o)
	params := probes.ValueOf(call.Params())
	another := slices.ContainsFunc(row.Members(), func(m probes.Member) bool {
		return (identifying(m.Name) || m.Value.Is(probes.String) && !measure.MatchString(m.Value.Text())) && !slices.ContainsFunc(key, func(name string) bool { return memberLike(params, name).Equal(m.Value) })
	})
	return ok && !another && len(r.keysOf(row)) == 0 && !slices.ContainsFunc(key, func(name string) bool {
		v := memberLike(params, name)
		return !slices.ContainsFunc(row.Members(), func(m probes.Member) bool {
			return m.Value.Equal(v) && (v.Is(probes.String) && lettered.MatchString(v.Text()) || slices.Contains(r.singulars(o.Name), vocab.Singular(strings.ToLower(m.Name))))
		})
	})
}

// lettered matches a text with a letter.
var lettered = regexp.MustCompile(`\pL`)

// measure matches a text that is an amount or a time.
var measure = regexp.MustCompile(`^[-+]?\d+[.,]\d+$|^\d{4}-\d{2}-\d{2}(T|$)`)

// byName tells the rows of each look by the members that identify them: the whole key of
// a kind of object, else the first member that is named so. They have other values in
// every row of a look. Without any, a row is its own name.
func (r *Rules) byName(looks ...[]probes.Value) []map[string]probes.Value {
	members := r.identity(looks)
	all := make([]map[string]probes.Value, len(looks))
	for i, rows := range looks {
		all[i] = map[string]probes.Value{}
		for _, row := range rows {
			name := row.Canonical(nil)
			if parts := valuesIn(row, members); len(parts) > 0 {
				name = strings.Join(parts, " ")
			}
			all[i][name] = row
		}
	}
	return all
}

// Naming returns what tells the rows of a listing apart: the values of the members that identify
// them. It is empty for a row that lacks one, and for all where no members do.
func (r *Rules) Naming(rows []probes.Value) func(row probes.Value) string {
	members := r.identity([][]probes.Value{rows})
	return func(row probes.Value) string { return strings.Join(valuesIn(row, members), " ") }
}

// identity chooses the members that identify the rows of some looks. A name comes last:
// others than the key may change.
func (r *Rules) identity(looks [][]probes.Value) []string {
	var keys, named [][]string
	for _, rows := range looks {
		for _, row := range rows[:min(len(rows), 1)] {
			if keys == nil { // others are in no row
				keys = r.keysOf(row)
			}
			for _, m := range row.Members() {
				if identifying(m.Name) && scalar(m.Value) {
					named = append(named, []string{m.Name})
				}
			}
		}
	}
	slices.SortStableFunc(named, func(x, y []string) int { return last(x[0]) - last(y[0]) })
	for _, members := range append(keys, named...) {
		if apart(members, looks) {
			return members
		}
	}
	return nil
}

// last is 1 for the member called name, and 0 for others.
func last(member string) int {
	if alike(member, "name") {
		return 1
	}
	return 0
}

// valuesIn returns what a row has in some members; nil where it lacks one.
func valuesIn(row probes.Value, members []string) []string {
	var parts []string
	for _, name := range members {
		v := memberLike(row, name)
		if !scalar(v) {
			return nil
		}
		parts = append(parts, name+" "+v.Canonical(nil))
	}
	return parts
}

// apart reports whether some members have other values in every row of each look.
func apart(members []string, looks [][]probes.Value) bool {
	found := false
	for _, rows := range looks {
		seen := map[string]bool{}
		for _, row := range rows {
			v := strings.Join(valuesIn(row, members), " ")
			if v == "" || seen[v] {
				return false
			}
			seen[v], found = true, true
		}
	}
	return found
}

var dated = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

// otherwise names a member that is the same in two rows and another in the third. Numbers
// and dates are left out: a count, a rank or the time of an access may follow from what
// was done to our own object.
func otherwise(was, row, now probes.Value, depth int) string {
	for _, m := range row.Members() {
		x, y := was.At(m.Name), now.At(m.Name)
		switch {
		case !x.Equal(m.Value), m.Value.Equal(y), m.Value.Is(probes.Number), dated.MatchString(m.Value.Text()):
		case m.Value.Is(probes.Object) && y.Is(probes.Object) && depth < 3:
			if field := otherwise(x, m.Value, y, depth+1); field != "" {
				return m.Name + "." + field
			}
		default:
			return m.Name
		}
	}
	return ""
}
