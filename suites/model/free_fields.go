package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Not every kind of object has a free text. Other fields can show what an update does, too.

// ValidChange returns a field of input and a value that it may take: the mark of a script in a free text, or else a
// value of another optional field, an object with a new value for one of its members, or another value of a field that the
// creation demands.
func (obj TestObject) ValidChange(mark string) (p probes.Parameter, value any, ok bool) {
	if text, free := obj.TextField(); free {
		return text, mark, true
	}
	if p, v, ok := obj.OptionalField(); ok {
		return p, v.Go(), true
	}
	if typed, ok := obj.TypedField(); ok {
		return typed.Parameter, map[string]any{typed.Changed.Name: typed.Is.Go()}, true
	}
	p, _, other, ok := obj.Alternatives()
	return p, other.Go(), ok
}

// Alternatives returns two values of a field that a creation takes, and that is no identifier and no free text. Days and times
// come last: they may have to fit each other.
func (obj TestObject) Alternatives() (p probes.Parameter, one, other probes.Value, ok bool) {
	timed := func(p probes.Parameter) bool { return strings.HasPrefix(p.Raw.At("format").Text(), "date") }
	others := slices.DeleteFunc(slices.Clone(obj.Fields), timed)
	for _, p := range append(others, obj.Fields...) {
		made := slices.ContainsFunc(obj.taken(obj.Maker.Op), func(q probes.Parameter) bool { return q.Name == p.Name })
		values := obj.memberValues(p)
		if made && len(values) == 2 && !values[0].Equal(values[1]) && !obj.ClientChosen(obj.Maker.Op, p) && !obj.acceptsAnyText(p) && !obj.unfit[obj.Maker.Name+"."+p.Name] {
			return p, values[0], values[1], true
		}
	}
	return p, one, other, false
}

// mostShared bounds the optional texts of SharedOptions.
const mostShared = 2

// SharedOptions are optional texts that a creation takes, each with a value of the run that two objects may try to share. Free
// texts come last: a text of a form is likelier to be one's own.
func (obj TestObject) SharedOptions() (all []probes.Member) {
	for _, free := range []bool{false, true} {
		for _, p := range obj.Fields {
			kinds, known := obj.valueKinds(p)
			q, made := obj.made(p)
			text := known && slices.Equal(kinds, []string{"string"}) && len(obj.EnumOf(p)) == 0 && !p.Raw.Has("format") && !p.Raw.At("readOnly").True()
			if !text || !made || len(all) == mostShared || obj.acceptsAnyText(p) != free || obj.needed(p) || obj.Refers(p) || obj.ClientChosen(obj.Maker.Op, q) || obj.unfit[obj.Maker.Name+"."+p.Name] {
				continue
			}
			if v := obj.freshKey(q, mostNumber); v.Is(probes.String) {
				all = append(all, probes.Member{Name: p.Name, Value: v})
			}
		}
	}
	return all
}

// A DeclaredObject is an object with documented members inside of input, at any depth.
type DeclaredObject struct {
	probes.Parameter
	Path   []string         // from input to the object
	values []map[string]any // of each object on the path: its scalar members with values that fit
}

// Bounds of DeclaredObjects. A type may hold itself, several times.
const mostDeclared, deepestDeclared, mostVisited = 4, 5, 100

// DeclaredObjects returns objects inside of input of which a scalar member can be given a value. Of many, the deepest one is
// among them.
func (obj TestObject) DeclaredObjects() []DeclaredObject {
	left := mostVisited
	all := obj.declaredIn(DeclaredObject{}, obj.Fields, &left)
	slices.SortStableFunc(all, func(x, y DeclaredObject) int { return len(x.Path) - len(y.Path) })
	if len(all) > mostDeclared {
		all = append(all[:mostDeclared-1], all[len(all)-1])
	}
	return all
}

func (obj TestObject) declaredIn(outer DeclaredObject, fields []probes.Parameter, left *int) (all []DeclaredObject) {
	for _, p := range fields {
		kinds, known := obj.Kinds(p.Type)
		members := obj.Adapter.Fields(p)
		if !known || !slices.Equal(kinds, []string{"object"}) || len(members) == 0 || p.Raw.At("readOnly").True() || len(outer.Path) == deepestDeclared || *left == 0 {
			continue
		}
		*left--
		d := DeclaredObject{p, append(slices.Clone(outer.Path), p.Name), append(slices.Clone(outer.values), obj.filled(members))}
		if i := slices.IndexFunc(obj.Fields, func(f probes.Parameter) bool { return f.Name == d.Path[0] }); len(d.values[len(outer.Path)]) > 0 &&
			obj.Misfit(obj.Fields[i], probes.ValueOf(d.Input(nil)[d.Path[0]])) == "" {
			all = append(all, d)
		}
		all = append(all, obj.declaredIn(d, members, left)...)
	}
	return all
}

// filled gives each scalar member a value that fits. Later dates follow earlier ones: a member may be the end of what another
// one begins.
func (obj TestObject) filled(members []probes.Parameter) map[string]any {
	value := map[string]any{}
	for i, m := range members {
		v := probes.Value{}
		if values := obj.memberValues(m); len(values) > 0 {
			v = values[0]
		}
		switch m.Raw.At("format").Text() {
		case "date":
			v = probes.ValueOf(fmt.Sprintf("2031-03-%02d", 1+i%28))
		case "date-time":
			v = probes.ValueOf(fmt.Sprintf("2031-03-%02dT10:30:00Z", 1+i%28))
		}
		if !v.Is(probes.Absent) && obj.Misfit(m, v) == "" {
			value[m.Name] = v.Go()
		}
	}
	return value
}

// Input is an input with the object and what it stands in; the object has more members too.
func (d DeclaredObject) Input(more map[string]any) map[string]any {
	inner := more
	for i := len(d.Path) - 1; i >= 0; i-- {
		object := maps.Clone(d.values[i])
		maps.Copy(object, inner)
		inner = map[string]any{d.Path[i]: object}
	}
	return inner
}
