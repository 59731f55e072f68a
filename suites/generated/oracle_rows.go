package generated

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
)

// inFull returns a listed row with the fields that were known of the object before, where the listing shows
// objects in short: neither its documented rows have the field, nor did a row of the object before. What a
// write has done to such a field is unknown, so it has to be seen again before it is judged.
func (it *item) inFull(row probes.Value, documented func(name string) bool) probes.Value {
	for _, m := range row.Members() {
		it.rows[m.Name] = true
	}
	before, members, short := it.view, map[string]any{}, false
	if before.Is(probes.Absent) && it.pending != nil {
		before = it.pending.before
	}
	for _, m := range before.Members() {
		switch {
		case it.rows[m.Name], documented(m.Name):
		case it.pending != nil && it.pending.input.Has(m.Name):
		default:
			members[m.Name], short = m.Value.Go(), true
		}
	}
	for name := range it.verified { // it was changed since it was seen
		if _, known := members[name]; !known && !it.rows[name] && !documented(name) {
			delete(it.verified, name)
		}
	}
	if !short {
		return row
	}
	for _, m := range row.Members() {
		members[m.Name] = m.Value.Go()
	}
	return probes.ValueOf(members)
}

// describes reports whether the description of a parameter names all of some values: the pattern tells of the form alone.
func describes(p probes.Parameter, values []probes.Value) bool {
	text := p.Raw.At("description").Text()
	return len(values) > 0 && !slices.ContainsFunc(values, func(v probes.Value) bool { return v.Text() == "" || !check.WholeWord(v.Text()).MatchString(text) })
}
