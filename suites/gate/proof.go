package gate

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// maxCandidates bounds how many identifiers in an answer are tried.
const maxCandidates = 12

// shown reports whether a read by exactly an identifier shows an object of ours. What was
// written to it is asked for after the read: another request may change it meanwhile.
func (g *Gate) shown(ctx context.Context, conn string, o *object, key []probes.Value) bool {
	for _, view := range o.kind.Views {
		answer := g.saw(ctx, conn, view, o.kind, key)
		g.mu.Lock()
		fields := maps.Clone(o.fields)
		g.mu.Unlock()
		if shown, found := Find(answer, o.kind, key, fields); found {
			g.noteShown(o, shown)
			return true
		}
	}
	return false
}

// Shows reports whether the answer to a read by an identifier holds an object that
// carries the identifier itself, and one of the texts in the field in which it was sent.
// A parent that shows the object nested within it does not count.
func Shows(o probes.Observation, k Kind, key []probes.Value, fields map[string][]string) bool {
	_, found := Find(o, k, key, fields)
	return found
}

// Find returns the object that the answer to a read shows, by the rule of Shows.
func Find(o probes.Observation, k Kind, key []probes.Value, fields map[string][]string) (object probes.Value, found bool) {
	if !o.Succeeded() {
		return probes.Value{}, false
	}
	if k.Listed() {
		object = k.row(o, key)
		return object, !object.Is(probes.Absent) && (k.marked(object, fields) || k.lies(key, fields))
	}
	var walk func(v probes.Value, depth int)
	walk = func(v probes.Value, depth int) {
		if !found && carries(v, k, key) && k.marked(v, fields) {
			object, found = v, true
		}
		for _, m := range v.Members() {
			if depth < 4 && !found {
				walk(m.Value, depth+1)
			}
		}
		for i, item := range v.Items() {
			if depth < 4 && i < 3 && !found && !slices.ContainsFunc(k.Key, k.enumerated) { // such a read may list several
				walk(item, depth+1)
			}
		}
	}
	walk(o.Data(), 0)
	return object, found
}

// marked reports whether an object has one of the texts in the field that it belongs to, or in an object that is a
// field of it because its creation takes one of that name: the owner of a boat has a name as the boat has.
func (k Kind) marked(v probes.Value, fields map[string][]string) bool {
	return Marks(v, fields) || slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
		return takes(k.Make, m.Name) && m.Value.Is(probes.Object) && Marks(m.Value, fields)
	})
}

// ShowsRow reports whether the answer to a read by an identifier shows the object of a listed row: it has the
// identifier, all that both tell is the same, and it has most of what the row tells. A child has the identifier
// of its parent too, and may have its dates.
func ShowsRow(o probes.Observation, k Kind, key []probes.Value, row probes.Value) bool {
	if !o.Succeeded() {
		return false
	}
	same := func(v probes.Value) bool {
		told, shared := 0, 0
		for _, m := range row.Members() {
			if !scalar(m.Value) {
				continue
			}
			told++
			if shown := v.At(m.Name); scalar(shown) {
				if !shown.Equal(m.Value) {
					return false
				}
				shared++
			}
		}
		return shared > len(key) && 2*shared > told
	}
	return slices.ContainsFunc(append(members(o.Data()), o.Data()), func(v probes.Value) bool { return carries(v, k, key) && same(v) })
}

// carries reports whether an object has the identifiers among its members: at least one,
// and none with another value.
func carries(v probes.Value, k Kind, key []probes.Value) bool {
	n := 0
	for i, name := range k.Key {
		switch m := identifierOf(v, k, name); {
		case m.Is(probes.Absent):
			// Several objects within may have a member of this name, one of them as the identifier.
			if !k.enumerated(name) && slices.ContainsFunc(members(v), func(inner probes.Value) bool { return SameOwn(memberLike(inner, name), key[i]) }) {
				n++
			}
		case !SameOwn(m, key[i]):
			return false
		case !k.enumerated(name):
			n++
		}
	}
	return n > 0
}

// identifierOf returns the member of an object that holds the identifier of a name. Where
// one parameter identifies an object, its own id goes by a shorter or a longer name too.
func identifierOf(v probes.Value, k Kind, name string) probes.Value {
	if m := memberLike(v, name); !m.Is(probes.Absent) || len(k.Key) > 1 {
		return m
	}
	if m := memberLike(v, parameter(k.Views[0], name).Shown); scalar(m) {
		return m
	}
	words := vocab.Words(name)
	if len(words) > 1 {
		if m := memberLike(v, words[len(words)-1]); !m.Is(probes.Absent) {
			return m // item_id and id
		}
		return nested(v, name)
	}
	for _, noun := range nouns(k.Views[0].Name, nil) {
		if m := memberLike(v, noun+" "+name); !m.Is(probes.Absent) {
			return m // id and item_id
		}
		if alike(noun, name) && scalar(memberLike(v, "id")) {
			return memberLike(v, "id") // item and id
		}
	}
	return nested(v, name)
}

// nested returns the one value of a name in the objects among the members of an object: some
// adapters keep the identifier apart from the rest, as in {"reference": {"item_id": 7}}.
func nested(v probes.Value, name string) probes.Value {
	found := probes.Value{}
	for _, inner := range members(v) {
		m := memberLike(inner, name)
		if scalar(m) && scalar(found) && !m.Equal(found) {
			return probes.Value{}
		}
		if scalar(m) {
			found = m
		}
	}
	return found
}

// keyOf returns the identifiers among the members of an object.
func keyOf(k Kind, v probes.Value) (key []probes.Value, ok bool) {
	for _, name := range k.Key {
		m := identifierOf(v, k, name)
		if !m.Is(probes.String) && !m.Is(probes.Number) {
			return nil, false
		}
		key = append(key, m)
	}
	return key, len(key) > 0
}

// Marks reports whether an object has one of the texts in the field that it belongs to.
func Marks(v probes.Value, fields map[string][]string) bool {
	for name, texts := range fields {
		if marksField(memberLike(v, name), texts) {
			return true
		}
	}
	return false
}

// marksField reports whether a field has one of some texts, or lists it.
func marksField(v probes.Value, texts []string) bool {
	return slices.ContainsFunc(append(slices.Clip(v.Items()), v), func(m probes.Value) bool { return scalar(m) && oneOf(texts, spelled(m)) })
}

// spelled is a text, or a number as it is written.
func spelled(v probes.Value) string {
	if v.Is(probes.Number) {
		return v.String()
	}
	return v.Text()
}

// marksAll reports whether an object has a text of each field in that field.
func marksAll(v probes.Value, fields map[string][]string) bool {
	for name, texts := range fields {
		if m := memberLike(v, name); m.Is(probes.Number) || !marksField(m, texts) {
			return false
		}
	}
	return len(fields) > 0
}

// Candidates are the identifiers that the answer to a creation may tell of what was
// made, those in the outermost objects first. What the client chose is what it sent, as the answer spells it.
func Candidates(k Kind, params, data probes.Value) [][]probes.Value {
	keys := [][]probes.Value{nil}
	for _, name := range k.Key {
		values := []probes.Value{memberLike(params, name)}
		if told := valuesOf(k, name, data); !scalar(values[0]) {
			values = told
		} else if i := slices.IndexFunc(told, func(v probes.Value) bool { return plainText(v) == plainText(values[0]) }); i >= 0 && values[0].Is(probes.String) && told[i].Is(probes.String) {
			values = told[i : i+1]
		}
		var longer [][]probes.Value
		for _, key := range keys {
			for _, v := range values {
				longer = append(longer, append(slices.Clone(key), v))
			}
		}
		keys = longer[:min(len(longer), maxCandidates)]
	}
	return keys
}

func scalar(v probes.Value) bool {
	return v.Is(probes.String) && v.Text() != "" || v.Is(probes.Number)
}

// valuesOf returns the values in an answer that may be the identifier of a name, by
// their depth.
func valuesOf(k Kind, name string, data probes.Value) []probes.Value {
	if scalar(data) {
		return []probes.Value{data}
	}
	type leaf struct {
		v     probes.Value
		depth int
	}
	var found []leaf
	var walk func(v probes.Value, depth int)
	walk = func(v probes.Value, depth int) {
		if m := identifierOf(v, k, name); scalar(m) {
			found = append(found, leaf{m, depth})
		}
		for _, m := range v.Members() {
			if depth < 5 {
				walk(m.Value, depth+1)
			}
		}
		for i, item := range v.Items() {
			if depth < 5 && (i < 3 || i >= len(v.Items())-3) {
				walk(item, depth+1)
			}
		}
	}
	walk(data, 0)
	slices.SortStableFunc(found, func(x, y leaf) int { return cmp.Compare(x.depth, y.depth) })
	var values []probes.Value
	for _, l := range found {
		if !slices.ContainsFunc(values, l.v.Equal) {
			values = append(values, l.v)
		}
	}
	return values
}
