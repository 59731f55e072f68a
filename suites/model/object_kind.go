package model

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An ObjectKind is one kind of object that scripts can be played with: how it is made,
// changed, removed and looked at.
type ObjectKind struct {
	TestObject                 // of the operation that makes it
	Updating   []TestObject    // operations that change it
	Remove     []TestObject    // operations that remove it
	Fits       map[string]bool // by operation and field: a value of ours was taken there
	Steady     bool            // looking twice showed the same object twice
	Tells      map[string]bool // by operation: its answer showed the object as a look after it did
}

// objectKinds lists the kinds of object of our own that a face lets us make and look at.
func (f *Adapter) objectKinds() []*ObjectKind {
	var all []*ObjectKind
	for _, s := range EachMarked(f) {
		sp, why := f.TestObject(s.Name)
		if s.Settled != nil || why != nil {
			continue
		}
		st := &ObjectKind{TestObject: sp, Fits: map[string]bool{}, Tells: map[string]bool{}}
		for _, o := range f.Operations {
			other, why := f.TestObject(o.Name)
			if why != nil || other.Adapter == nil || other.Maker.Name != s.Name {
				continue
			}
			switch o.Category {
			case "UPDATE":
				st.Updating = append(st.Updating, other)
			case "DELETE":
				st.Remove = append(st.Remove, other)
			}
		}
		all = append(all, st)
	}
	return all
}

// markTake is the take whose mark is read back out of a request, to put the token
// for marks in its place.
const markTake = 1000

// Create is the step that makes an object, with more fields than the plain
// request where the maker takes them.
func (st ObjectKind) Create(fields map[string]any) Step {
	params, _ := WithoutMark(Native(st.Maker.Anew(markTake).Params()), st.Gen.Marker(fmt.Sprintf("-%d", markTake))).(map[string]any)
	for name, v := range fields {
		i := slices.IndexFunc(st.Maker.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
		if _, carriesMark := params[name]; i >= 0 && !(carriesMark && HoldsMark(params[name])) {
			params[name] = v
		}
	}
	return Step{Operation: st.Maker.Name, Params: params, Of: OnNothing}
}

func HoldsMark(v any) bool {
	text, ok := v.(string)
	return ok && strings.Contains(text, MarkToken)
}

// Set is the step that updates the object a step made.
func (sp TestObject) Set(of int, input map[string]any) Step {
	return Step{Operation: sp.Name, Params: map[string]any{"input": input}, Of: of}
}

// Drop is the step that removes the object a step made.
func (sp TestObject) Drop(of int) Step {
	return Step{Operation: sp.Name, Params: sp.plainParams(sp.Op), Of: of}
}

// plainParams are the required parameters of an operation that identify nothing.
func (sp TestObject) plainParams(o probes.Operation) map[string]any {
	params := map[string]any{}
	for _, p := range o.Parameters {
		if _, own := sp.Ids[p.Name]; own || !p.Required || p.Name == "input" {
			continue
		}
		if v := sp.Baselines[o.Name]; v.Usable() && !probes.IsReference(o, p) {
			params[p.Name] = Native(v.Probe.Params()[p.Name])
		}
	}
	return params
}

// Look is the step that shows the object a step made.
func (st ObjectKind) Look(of int) Step {
	if st.Viewer.Name != "" {
		return Step{Operation: st.Viewer.Name, Params: st.plainParams(st.Viewer), Of: of}
	}
	view := st.Maker.Views(MarkToken)[0]
	return Step{Operation: view.Operation(), Params: Native(view.Params()).(map[string]any), Of: of}
}

// plainWords are what generated texts are made of: lower case and without meaning, so
// that no adapter has a reason to write them another way.
var plainWords = strings.Fields("amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north ocean pearl quartz river stone tulip")

func word(r *rand.Rand) string { return plainWords[r.IntN(len(plainWords))] }

// FieldValue makes a value for a field that an update may set, one that an
// adapter has no reason to write another way; ok is false when none is certain.
func (st ObjectKind) FieldValue(r *rand.Rand, p probes.Parameter) (v any, ok bool) {
	if probes.IsReference(st.Maker.Op, p) || p.Raw.At("readOnly").True() || p.Raw.At("sensitive").True() {
		return nil, false
	}
	if enum := st.EnumOf(p); len(enum) > 0 {
		return Native(enum[r.IntN(len(enum))]), true
	}
	e, err := probes.ParseType(p.Type)
	if err != nil {
		return nil, false
	}
	switch {
	case e.Form == probes.ListOf && e.Parts[0].Name == "string", e.Name == "array" && p.Raw.At("items", "type").Text() == "string":
		v = wordList(r)
	case e.Form == probes.MapOf && e.Parts[len(e.Parts)-1].Name == "string":
		v = map[string]any{word(r): word(r)}
	case e.Form == probes.Primitive && e.Name == "object" && !p.Raw.Has("properties") && !p.Raw.Has("fields"):
		v = tree(r, 3)
	case e.Name == "boolean":
		v = r.IntN(2) == 0
	case e.Name == "integer", e.Name == "number":
		v = within(r, p.Raw)
	case e.Name == "string" && (p.Raw.Has("format") || p.Raw.Has("pattern")):
		made := st.drawn(r, p)
		if len(made) == 0 {
			return nil, false
		}
		v = Native(made[r.IntN(len(made))])
	case e.Name == "string":
		v = strings.Join([]string{word(r), word(r), fmt.Sprint(r.IntN(1000))}, " ")
	default:
		return nil, false
	}
	why, certain := st.Flaw(p, probes.ValueOf(v))
	return v, len(why) == 0 && certain
}

// drawn returns a few values of the parameter's domain.
func (st ObjectKind) drawn(r *rand.Rand, p probes.Parameter) []probes.Value {
	d, err := st.Gen.Domain(p)
	if err != nil {
		return nil
	}
	made, err := d.Values(r, 4)
	if err != nil {
		return nil
	}
	return made
}

// wordList is a list of up to six different words in order: what an adapter sorts
// or stores as a set comes back the same.
func wordList(r *rand.Rand) []any {
	chosen := map[string]bool{}
	for range r.IntN(6) + 1 {
		chosen[word(r)] = true
	}
	var list []any
	for _, w := range slices.Sorted(maps.Keys(chosen)) {
		list = append(list, w)
	}
	return list
}

// tree is a free-form object of the given depth at most.
func tree(r *rand.Rand, depth int) map[string]any {
	m := map[string]any{}
	for range r.IntN(3) + 1 {
		switch k := r.IntN(6); {
		case k < 3 && depth > 1:
			m[word(r)] = tree(r, depth-1)
		case k == 3:
			m[word(r)] = wordList(r)
		case k == 4:
			m[word(r)] = int64(r.IntN(1000))
		default:
			m[word(r)] = word(r)
		}
	}
	return m
}

// within is a small whole number inside the documented bounds.
func within(r *rand.Rand, record probes.Value) int64 {
	low, hasLow := record.At("minimum").Float()
	high, hasHigh := record.At("maximum").Float()
	if !hasLow {
		low = min(0, high)
	}
	if !hasHigh || high > low+1000 {
		high = low + 1000
	}
	return int64(low) + int64(r.IntN(max(1, int(high)-int(low)+1)))
}

// Native returns a value as the plain kinds that scripts are made of, so that it
// can be searched and cut down.
func Native(v any) any {
	value, ok := v.(probes.Value)
	if !ok {
		value = probes.ValueOf(v)
	}
	switch value.Kind() {
	case probes.Object:
		m := map[string]any{}
		for _, member := range value.Members() {
			m[member.Name] = Native(member.Value.Go())
		}
		return m
	case probes.Array:
		s := []any{}
		for _, inner := range value.Items() {
			s = append(s, Native(inner.Go()))
		}
		return s
	case probes.String:
		return value.Text()
	case probes.Number:
		if n, ok := value.Float(); ok && value.Whole() && (n < 0 || !math.Signbit(n)) && math.Abs(n) < 1<<53 {
			return int64(n)
		}
	}
	return value.Go() // a number that no int64 holds, true, false, null
}

// Full is an object with a value in every field that can be set.
func (st ObjectKind) Full(r *rand.Rand) map[string]any {
	fields := map[string]any{}
	for _, p := range st.Maker.Op.Parameters {
		if v, ok := st.FieldValue(r, p); ok && st.Fits[st.Maker.Name+"."+p.Name] {
			fields[p.Name] = v
		}
	}
	return fields
}
