package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// elsewhere are names of parameters that say something else than which items are listed.
var elsewhere = strings.Fields("query q search term page offset cursor limit first last skip take size count sort order fields include expand format locale language lang timezone currency")

// matched is a value that items are listed by, called like a member of the items: as it is, as a bound
// of it, or as an element of a list. Two values are tried, the smallest and the largest of what is
// listed, so that an equal value, a lower and an upper bound all leave something out for one of them.
func matched(s model.Subject, f filter, items []probes.Value) promise {
	if f.par.Raw.Has("enum") || f.par.Raw.Has("default") || slices.Contains(elsewhere, strings.ToLower(f.par.Name)) {
		return promise{}
	}
	values := telling(f, items)
	if len(values) < 2 {
		return promise{}
	}
	var tried []map[string]any
	for _, v := range []probes.Value{values[0], values[len(values)-1]} {
		value := v.Go()
		if list := []any{value}; s.Misfit(f.par, v) != "" && s.Misfit(f.par, probes.ValueOf(list)) == "" {
			value = list
		}
		if s.Misfit(f.par, probes.ValueOf(value)) == "" {
			tried = append(tried, map[string]any{f.par.Name: value})
		}
	}
	if len(tried) < 2 {
		return promise{}
	}
	return promise{filter: f, tried: tried, want: "items that meet " + f.par.Name}
}

// telling are the telling values of the member that a parameter is called like.
func telling(f filter, items []probes.Value) []probes.Value {
	words := vocab.Words(f.par.Name)
	about := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(boundWords, strings.ToLower(w)) })
	for _, name := range items[0].Names() {
		if !sameName(about, vocab.Words(name)) {
			continue
		}
		var column []probes.Value
		for _, item := range items {
			column = append(column, item.At(name))
		}
		if values := tellingValues(column, len(about) < len(words)); len(values) >= 2 {
			return values
		}
	}
	return nil
}

// sameName reports whether two names say the same, in any style of writing and in any number.
func sameName(a, b []string) bool {
	if len(a) == 0 || len(a) != len(b) {
		return false
	}
	last := len(a) - 1
	return slices.EqualFunc(a[:last], b[:last], strings.EqualFold) && vocab.Singular(strings.ToLower(a[last])) == vocab.Singular(strings.ToLower(b[last]))
}

// tellingValues are the texts or numbers in the members of items, in order, if each leaves out an item
// that does not even contain it. Bounds are numbers.
func tellingValues(column []probes.Value, bound bool) (values []probes.Value) {
	for _, v := range column {
		elements := []probes.Value{v}
		if v.Is(probes.Array) {
			elements = v.Items()
		}
		for _, e := range elements {
			if e.Is(probes.Absent) || e.Is(probes.Null) {
				continue
			}
			text := e.Is(probes.String) && e.Text() != "" && !bound
			if !text && !e.Is(probes.Number) {
				return nil
			}
			leaves := slices.ContainsFunc(column, func(other probes.Value) bool {
				return !strings.Contains(vocab.Fold(strings.ToLower(other.String())), vocab.Fold(strings.ToLower(strings.Trim(e.String(), `"`))))
			})
			if leaves && !slices.ContainsFunc(values, e.Equal) {
				values = append(values, e)
			}
		}
	}
	slices.SortStableFunc(values, func(x, y probes.Value) int {
		if more, ok := larger(x, y); ok && more {
			return 1
		}
		if more, ok := larger(y, x); ok && more {
			return -1
		}
		return 0
	})
	return values
}
