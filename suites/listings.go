package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// itemsWith returns the objects that a listing shows and that hold a text beginning
// with mark.
func itemsWith(data probes.Value, mark string) []probes.Value {
	var found []probes.Value
	for _, item := range shownBy(data) {
		found = append(found, holders(item, mark)...)
	}
	return found
}

// shownBy returns what a listing shows: the elements of its lists, and objects that
// stand by themselves. What stands around them is the page: there an adapter may
// repeat what it was asked for, which is no object of ours.
func shownBy(data probes.Value) []probes.Value {
	if data.Is(probes.Array) {
		return data.Items()
	}
	if standsAlone(data) {
		return []probes.Value{data}
	}
	var all []probes.Value
	for _, m := range data.Members() {
		all = append(all, shownBy(m.Value)...)
	}
	return all
}

// standsAlone reports whether an object outside of any list is one of those listed:
// it has a name or an identifier, and is neither an echo of the query nor a page with
// a list of its own. An empty list may be its tags where it has an id; a page has at
// most the id of the request under a longer name.
func standsAlone(v probes.Value) bool {
	return itemKey(v) != "" && !v.Has("query") && !slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
		items := m.Value.Items()
		return m.Value.Is(probes.Array) && len(items) == 0 && !v.Has("id") || slices.ContainsFunc(items, func(item probes.Value) bool { return item.Is(probes.Object) })
	})
}

// holders returns the objects at or below a value that hold a text beginning with mark.
func holders(data probes.Value, mark string) []probes.Value {
	if data.Is(probes.Object) && slices.ContainsFunc(data.Members(), func(m probes.Member) bool { return strings.HasPrefix(m.Value.Text(), mark) }) {
		return []probes.Value{data}
	}
	var found []probes.Value
	for _, item := range data.Items() {
		found = append(found, holders(item, mark)...)
	}
	for _, m := range data.Members() {
		found = append(found, holders(m.Value, mark)...)
	}
	return found
}
