package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// maxSweepPages bounds how far one listing is followed.
const maxSweepPages = 200

// sweepRounds is how often the listings are looked through: what is still there
// the last time cannot be removed.
const sweepRounds = 3

// sweep removes listed objects that carry our mark: an operation that refused and
// worked all the same told us no identifier, nor did one whose answer was lost.
func (c *cleaner) sweep() {
	for round := range sweepRounds {
		found, take := false, sweepTake-2*round
		for _, s := range eachListed(c.Face) {
			if s.Op.Category != "CREATE" {
				continue
			}
			for _, item := range c.marked(s, take) {
				call, why := c.removal(s.Op, item)
				switch {
				case call.Tool == "":
				case round == sweepRounds-1:
					c.leave(Leftover{What: fmt.Sprintf("made by %s and still listed", s.Name), Call: call.String()})
				case why == "":
					c.confirmed(call.Anew(take - 1))
					found = true
				}
			}
		}
		if !found {
			return
		}
	}
}

// marked returns what the listings show of our own, all of it before anything is
// removed, because that would shift the pages.
func (c *cleaner) marked(s Subject, take int) []probes.Value {
	mark := c.Gen.Marker("")
	var found []probes.Value
	for _, view := range s.views(mark) {
		op, _ := c.Operation(view.Operation())
		last := ""
		for range maxSweepPages {
			o := c.ask(view.Anew(take))
			found = append(found, itemsWith(o.Data(), mark)...)
			next, more := nextPage(op, view, o)
			if !more || o.Data().String() == last {
				break
			}
			view, last = next, o.Data().String()
		}
	}
	return found
}

var (
	cursorParameters = strings.Fields("after cursor page_token next_cursor next_token starting_after")
	cursorMembers    = strings.Fields("endCursor end_cursor nextCursor next_cursor nextPageToken next_page_token next_token cursor")
	moreMembers      = strings.Fields("hasNextPage has_next_page hasMore has_more")
)

// nextPage returns the request for the page behind the one that was answered, in
// whichever of the usual ways the operation documents; more is false at the end.
func nextPage(op probes.Operation, view probes.Probe, o probes.Observation) (next probes.Probe, more bool) {
	rows := longestList(o.Data())
	if !o.Succeeded() || rows == 0 {
		return view, false
	}
	if m := memberNamed(o.Envelope(), moreMembers); m.False() {
		return view, false
	}
	for _, name := range cursorParameters {
		if op.HasParameter(name) {
			cursor := memberNamed(o.Envelope(), cursorMembers)
			return view.With(name, cursor.Go()), cursor.Text() != ""
		}
	}
	for _, name := range []string{"page", "offset", "skip"} {
		if !op.HasParameter(name) {
			continue
		}
		step := rows
		if name == "page" {
			step = 1
		}
		at, _ := probes.ValueOf(view.Params()[name]).Float()
		return view.With(name, int(at)+step), true
	}
	return view, false
}

// memberNamed returns the first member of one of the names, at any depth outside
// of lists.
func memberNamed(v probes.Value, names []string) probes.Value {
	for _, m := range v.Members() {
		if slices.Contains(names, m.Name) {
			return m.Value
		}
		if inner := memberNamed(m.Value, names); !inner.Is(probes.Absent) {
			return inner
		}
	}
	return probes.Value{}
}

// longestList is the length of the longest list of an answer that is not inside
// another list.
func longestList(v probes.Value) int {
	n := len(v.Items())
	for _, m := range v.Members() {
		n = max(n, longestList(m.Value))
	}
	return n
}

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
