package classification

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// What an adapter stores is seen by listing it. A listing shows more than what is
// stored on somebody's behalf: clocks, counters of visits, what was asked last.
// An adapter may keep all of that while it reads. So the state that is compared
// is what clients supply and how many items there are.

// bookkeeping matches nouns of things that come to be because somebody asks.
var bookkeeping = regexp.MustCompile(`(^|_)(audit|log|event|error|failure|request|access|activity|history|recent|visit|view|metric|stat|statistic|trace|session|search|query|cache)(_|$)`)

// state is what one round of looks showed, by where it stands.
type state map[string]string

// sights is every READ that shows stored things without being told which. The list is shared.
func sights(f *model.Adapter) []model.Subject {
	return f.RememberReads("sights", (*model.Adapter).ProvenListings, func(s model.Subject) bool {
		return !bookkeeping.MatchString(f.Noun(s.Name))
	})
}

// supplied are the fields of what a READ lists that clients give and change, and the versions of what they have changed.
func supplied(f *model.Adapter, read probes.Operation) map[string]bool {
	names := map[string]bool{"_version": true, "_etag": true}
	for _, o := range f.Rules.Writers(read) {
		fields := o.Parameters
		if input, ok := check.InputOf(o); ok && o.Category == "UPDATE" {
			fields, _ = f.FieldsOf(input, probes.Operation{})
		}
		for _, p := range fields {
			names[p.Name] = true
		}
	}
	return names
}

// listed returns the items of a listing: its data, or the only array in it, at any depth of
// objects. A listing of several arrays may keep other things beside what it lists.
func listed(data probes.Value) ([]probes.Value, bool) {
	if all := arraysIn(data, 0); len(all) == 1 {
		return all[0].Items(), true
	}
	return nil, false
}

func arraysIn(data probes.Value, depth int) []probes.Value {
	if data.Is(probes.Array) {
		return []probes.Value{data}
	}
	if depth > 4 {
		return nil
	}
	var all []probes.Value
	for _, m := range data.Members() {
		if m.Value.Is(probes.Array) || m.Value.Is(probes.Object) {
			all = append(all, arraysIn(m.Value, depth+1)...)
		}
	}
	return all
}

// note adds what the answer of a listing shows.
func (st state) note(s model.Subject, data probes.Value) {
	names := supplied(s.Adapter, s.Op)
	fields := func(key string, v probes.Value) {
		for _, m := range v.Members() {
			if names[m.Name] {
				st[s.Name+"\x00"+m.Name+"\x00"+key] = m.Value.Canonical(nil)
			}
		}
	}
	items, ok := listed(data)
	if !ok {
		fields("", data)
		return
	}
	if rows := model.RowsIn(data); len(rows) == len(items) {
		items = rows // without what wraps them
	}
	others, seen, keyOf := 0, map[string]int{}, s.Rules.Naming(items)
	for _, item := range items {
		seen[keyOf(item)]++
		if !s.OfRun(item) {
			others++
		}
	}
	// What this run made may take its time to be listed.
	st[s.Name+"\x00number of items\x00"] = fmt.Sprint(others)
	for _, item := range items {
		if key := keyOf(item); key != "" && seen[key] == 1 {
			fields(key, item)
		}
	}
}

// differing names what differs between two rounds of looks, by operation and
// member. What only one of them shows is no difference: it may have moved to
// another page.
func differing(x, y state) map[string]bool {
	names := map[string]bool{}
	for place, was := range x {
		if is, shown := y[place]; shown && is != was {
			names[placeName(place)] = true
		}
	}
	return names
}

// placeName is what stands for a place in all items and in a finding.
func placeName(place string) string {
	part := strings.SplitN(place, "\x00", 3)
	return part[1] + " in " + part[0]
}

// carries reports whether a listing holds an item with a value: any text of ours,
// else an identifier.
func carries(data, value probes.Value, ours bool) bool {
	items, _ := listed(data)
	return slices.ContainsFunc(items, func(item probes.Value) bool {
		return slices.ContainsFunc(item.Members(), func(m probes.Member) bool {
			telling := ours || m.Name == "id" || m.Name == "uuid" || m.Name == "key" || m.Name == "slug" || strings.HasSuffix(m.Name, "_id")
			return telling && m.Value.Equal(value)
		})
	})
}
