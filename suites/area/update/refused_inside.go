package update

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The parts of a list or of an object may be bound to each other: shares add up to 100, and
// no step comes twice. No record can say so. The script changes a part of what a creation
// was given, and finds what creations refuse.

const refusedInside = "lists and objects that a creation refuses"

// A part is a list or an object that a creation can be given for a field, with one part of it changed.
type part struct {
	field        string
	was, changed any
	set, reset   any  // what an update sends to change it, and to leave it as it was
	own          bool // no other creation of the run has the field
	crossed      bool // the ends of a range are
}

// mostParts bounds the changed values of a kind.
const mostParts = 6

// parts are those of the fields that both the creation and the update take. The documentation allows the values.
func parts(obj model.TestObject) (all []part) {
	creation, _ := obj.Create(refusedInside+": created", nil)
	given := creation.Params()
	values := maps.Clone(given)
	if list, ok := obj.ListField(); ok && values[list.Name] == nil && obj.Maker.Op.HasParameter(list.Name) {
		values[list.Name] = obj.Elements(refusedInside+": created", "aq", "zq")
	}
	for _, p := range obj.Maker.Op.Parameters {
		for _, v := range append(obj.Gen.Values(obj.Maker.Op, p), p.Raw.At("example")) {
			if _, _, ok := crossed(v); ok && values[p.Name] == nil {
				values[p.Name] = v.Go()
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(obj.Fields, func(p probes.Parameter) bool { return p.Name == name })
		was := probes.ValueOf(values[name])
		if i < 0 || obj.IDs[name] != nil || !was.Is(probes.Array) && !was.Is(probes.Object) {
			continue
		}
		add := func(changed, set, reset any, crossed bool) {
			if v := probes.ValueOf(changed); len(all) < mostParts && !v.Equal(was) && obj.Misfit(obj.Fields[i], v) == "" {
				all = append(all, part{name, was.Go(), changed, set, reset, given[name] == nil, crossed})
			}
		}
		if toldAlike(obj, obj.Fields[i]) {
			for _, v := range varied(was) {
				add(v, v, was.Go(), false)
			}
		}
		if set, reset, ok := crossed(was); ok {
			add(merged(was, set), set, reset, true)
		}
	}
	return all
}

// crossed is a change of an object of numbers: its least number becomes greater by one than the next. One may be the lower end of a range.
// reset takes it back.
func crossed(v probes.Value) (set, reset map[string]any, ok bool) {
	type number struct {
		name string
		n    int
	}
	var numbers []number
	for _, m := range v.Members() {
		n, err := strconv.Atoi(m.Value.String())
		if err != nil || !m.Value.Is(probes.Number) {
			return nil, nil, false // a text may name something
		}
		numbers = append(numbers, number{m.Name, n})
	}
	slices.SortFunc(numbers, func(x, y number) int { return x.n - y.n })
	if len(numbers) < 2 || numbers[0].n == numbers[1].n {
		return nil, nil, false
	}
	low := numbers[0]
	return map[string]any{low.name: json.Number(strconv.Itoa(numbers[1].n + 1))}, map[string]any{low.name: json.Number(strconv.Itoa(low.n))}, true
}

// merged is an object with other values of some members.
func merged(v probes.Value, set map[string]any) map[string]any {
	all := map[string]any{}
	for _, m := range v.Members() {
		all[m.Name] = m.Value.Go()
	}
	maps.Copy(all, set)
	return all
}

// toldAlike reports whether the update says of a field what the creation says, and perhaps
// more: a rule may hold for the creation alone.
func toldAlike(obj model.TestObject, p probes.Parameter) bool {
	i := slices.IndexFunc(obj.Maker.Op.Parameters, func(q probes.Parameter) bool { return q.Name == p.Name })
	told := func(p probes.Parameter) string { return strings.TrimRight(p.Raw.At("description").Text(), ". ") }
	return i >= 0 && strings.HasPrefix(told(p), told(obj.Maker.Op.Parameters[i]))
}

// varied are a list less its last element and one with its first element twice, and a value of which one number is greater by one.
func varied(v probes.Value) (all []any) {
	var list []any
	for _, item := range v.Items() {
		list = append(list, item.Go())
	}
	if n := len(list); n > 1 {
		all = append(all, list[:n-1])
	}
	if len(list) > 0 {
		all = append(all, slices.Concat(list[:1], list))
	}
	if more, ok := raised(v); ok {
		all = append(all, more)
	}
	return all
}

// raised is a value whose first whole number is greater by one; ok is false where it has none.
func raised(v probes.Value) (more any, ok bool) {
	switch {
	case v.Is(probes.Number):
		n, err := strconv.Atoi(v.String())
		return json.Number(strconv.Itoa(n + 1)), err == nil
	case v.Is(probes.Array):
		list := make([]any, len(v.Items()))
		for i, item := range v.Items() {
			if list[i] = item.Go(); !ok {
				if inner, found := raised(item); found {
					list[i], ok = inner, true
				}
			}
		}
		return list, ok
	case v.Is(probes.Object):
		object := map[string]any{}
		for _, m := range v.Members() {
			if object[m.Name] = m.Value.Go(); !ok {
				if inner, found := raised(m.Value); found {
					object[m.Name], ok = inner, true
				}
			}
		}
		return object, ok
	}
	return nil, false
}

// The steps of each value: the creation with it, the update, and a look at what the update stored.
func (part) steps(i int) (creation, update string) {
	return probes.Nth(refusedInside+": creation", i), probes.Nth(refusedInside+": update", i)
}

// Section 4.5.3.
var whatACreationRefusesInsideIsRefusedByAnUpdate = check.Check{
	Requirement: "AQL-4.5.3-10",
	Why:         "Shares that do not add up are as wrong after an update as after a creation.",
	On:          updatesOf(func(obj model.TestObject) bool { return len(parts(obj)) > 0 }),
	Lane:        probes.Serial,
	Fix:         "check each field of an update as a creation checks it",
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		var got probes.Answers
		ask = ask.Into(&got)
		creation, _ := obj.Create(refusedInside+": created", nil)
		if !ask(creation).Succeeded() {
			return
		}
		for i, p := range parts(obj) {
			made, set := p.steps(i)
			if obj.Base = 0; p.own {
				obj.Base = len(got)
				control, _ := obj.Create(made+": control", map[string]any{p.field: p.was})
				if !ask(control).Succeeded() {
					continue
				}
			}
			creation, rest := obj.Create(made, map[string]any{p.field: p.changed})
			if len(rest) > 0 || !refusedForPart(ask(creation), p) {
				continue
			}
			// An update may be free to do what a creation is not. That it refuses both ends shows that it is not.
			if !p.crossed || refusedForPart(ask(obj.Apply(set+": both ends").With("input", map[string]any{p.field: p.changed})), p) {
				change(obj, ask, set, p.field, p.set, p.reset)
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		if len(got) == 0 || !got[0].Succeeded() {
			return ruling.NotProven("an object of our own", got.Last())
		}
		var rs []ruling.Ruling
		for i, p := range parts(obj) {
			made, set := p.steps(i)
			if o, sent := got.Find(set); sent {
				rs = append(rs, refusedValue(obj, got, o, got.Step(made)))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable(fmt.Sprintf("no creation refuses one of %d lists and objects that their records allow", len(parts(obj))))
		}
		return ruling.Worst(rs...)
	},
}

// refusedForPart reports whether a creation is refused for the field, and not because of what is there.
func refusedForPart(o probes.Observation, p part) bool {
	return refusedForValue(o) && o.Mentions(p.field)
}
