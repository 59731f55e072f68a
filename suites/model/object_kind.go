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

// An ObjectKind is one kind of object that scripts create, read, update and delete.
type ObjectKind struct {
	TestObject                      // of the CREATE operation
	Updaters    []TestObject        // UPDATE operations
	Removers    []TestObject        // DELETE operations
	Accepted    map[string]bool     // by operation.field: a valid value was accepted
	StableReads bool                // two reads in a row showed the same object
	AnswersAt   map[string][]string // by UPDATE operation: where its answer shows the object as the next read does
}

// findObjectKinds returns the kinds of object that the run may create and read.
func (f *Adapter) findObjectKinds() []*ObjectKind {
	var all []*ObjectKind
	for _, s := range f.Makers() {
		obj, why := f.TestObject(s.Name)
		if s.Ruling != nil || why != nil { // a test object is shown by a read or by a listing
			continue
		}
		kind := &ObjectKind{TestObject: obj, Accepted: map[string]bool{}, AnswersAt: map[string][]string{}}
		for _, o := range f.Operations {
			other, why := f.TestObject(o.Name)
			if why != nil || other.Adapter == nil || other.Maker.Name != s.Name {
				continue
			}
			switch o.Category {
			case "UPDATE":
				kind.Updaters = append(kind.Updaters, other)
			case "DELETE":
				kind.Removers = append(kind.Removers, other)
			}
		}
		all = append(all, kind)
	}
	return all
}

// sampleNumber makes the mark that CreateStep replaces by MarkToken.
const sampleNumber = 1000

// CreateStep is the step that creates an object. It adds the fields that the operation takes.
func (kind ObjectKind) CreateStep(fields map[string]any) Step {
	params, _ := WithoutMark(Native(kind.Maker.freshCall(sampleNumber).Params()), kind.Gen.Marker(fmt.Sprintf("-%d", sampleNumber))).(map[string]any)
	kind.withKeys(kind.Maker.Op, params, func(_ probes.Parameter, v any) any {
		if HoldsMark(v) {
			return v
		}
		return KeyToken
	})
	for name, v := range fields {
		i := slices.IndexFunc(kind.Maker.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
		if _, given := params[name]; i >= 0 && !(given && (HoldsMark(params[name]) || params[name] == KeyToken)) {
			params[name] = v
		}
	}
	return Step{Operation: kind.Maker.Name, Params: params, MadeBy: NoObject}
}

// HoldsMark reports whether a value of a script contains the placeholder for the mark.
func HoldsMark(v any) bool {
	text, ok := v.(string)
	return ok && strings.Contains(text, MarkToken)
}

// UpdateStep is the step that updates the object of step of.
func (obj TestObject) UpdateStep(of int, input map[string]any) Step {
	return Step{Operation: obj.Name, Params: map[string]any{"input": input}, MadeBy: of}
}

// DeleteStep is the step that deletes the object of step of.
func (obj TestObject) DeleteStep(of int) Step {
	return Step{Operation: obj.Name, Params: obj.plainParams(obj.Op), MadeBy: of}
}

// plainParams are the required parameters of an operation that are not identifiers.
func (obj TestObject) plainParams(o probes.Operation) map[string]any {
	params := map[string]any{}
	for _, p := range o.Parameters {
		if _, own := obj.IDs[p.Name]; own || !p.Required || p.Name == "input" {
			continue
		}
		if v := obj.KnownGood[o.Name]; v.Usable() && !probes.IsReference(o, p) {
			params[p.Name] = Native(v.Probe.Params()[p.Name])
		}
	}
	return params
}

// ReadStep is the step that reads the object of step of.
func (kind ObjectKind) ReadStep(of int) Step {
	if kind.Viewer.Name != "" {
		return Step{Operation: kind.Viewer.Name, Params: kind.plainParams(kind.Viewer), MadeBy: of}
	}
	if kind.Lister.Name != "" {
		return Step{Operation: kind.Lister.Name, Params: kind.plainParams(kind.Lister), MadeBy: of}
	}
	view := kind.Maker.Views(MarkToken)[0]
	return Step{Operation: view.Operation(), Params: Native(view.Params()).(map[string]any), MadeBy: of}
}

// sampleWords are the words of generated texts. They are lower-case and neutral, so that no adapter
// has a reason to rewrite them.
var sampleWords = strings.Fields("amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north ocean pearl quartz river stone tulip")

func randomWord(r *rand.Rand) string { return sampleWords[r.IntN(len(sampleWords))] }

// FieldValue returns a random value for a field that an update may set. ok is false if no value is
// certain to be valid and stored unchanged.
func (kind ObjectKind) FieldValue(r *rand.Rand, p probes.Parameter) (v any, ok bool) {
	if probes.IsReference(kind.Maker.Op, p) || p.Raw.At("readOnly").True() || p.Raw.At("sensitive").True() {
		return nil, false
	}
	if enum := kind.EnumOf(p); len(enum) > 0 {
		return Native(enum[r.IntN(len(enum))]), true
	}
	e, err := probes.ParseType(p.Type)
	if err != nil {
		return nil, false
	}
	switch {
	case e.Form == probes.ListOf && e.Parts[0].Name == "string", e.Name == "array" && p.Raw.At("items", "type").Text() == "string":
		v = randomWordList(r)
	case e.Form == probes.MapOf && e.Parts[len(e.Parts)-1].Name == "string":
		v = map[string]any{randomWord(r): randomWord(r)}
	case e.Form == probes.Primitive && e.Name == "object" && !p.Raw.Has("properties") && !p.Raw.Has("fields"):
		v = randomObject(r, 3)
	case e.Name == "boolean":
		v = r.IntN(2) == 0
	case e.Name == "integer", e.Name == "number":
		v = numberInBounds(r, p.Raw)
	case e.Name == "string" && (p.Raw.Has("format") || p.Raw.Has("pattern")):
		made := kind.domainValues(r, p)
		if len(made) == 0 {
			return nil, false
		}
		v = Native(made[r.IntN(len(made))])
	case e.Name == "string":
		v = strings.Join([]string{randomWord(r), randomWord(r), fmt.Sprint(r.IntN(1000))}, " ")
	default:
		return nil, false
	}
	why, certain := kind.ValueFlaws(p, probes.ValueOf(v))
	return v, len(why) == 0 && certain
}

// domainValues returns a few values of the parameter's domain.
func (kind ObjectKind) domainValues(r *rand.Rand, p probes.Parameter) []probes.Value {
	d, err := kind.Gen.Domain(p)
	if err != nil {
		return nil
	}
	made, err := d.Values(r, 4)
	if err != nil {
		return nil
	}
	return made
}

// randomWordList returns up to six different words in sorted order. The list is unchanged if the
// adapter sorts it or stores it as a set.
func randomWordList(r *rand.Rand) []any {
	chosen := map[string]bool{}
	for range r.IntN(6) + 1 {
		chosen[randomWord(r)] = true
	}
	var list []any
	for _, w := range slices.Sorted(maps.Keys(chosen)) {
		list = append(list, w)
	}
	return list
}

// randomObject returns a free-form object of at most the given depth.
func randomObject(r *rand.Rand, depth int) map[string]any {
	m := map[string]any{}
	for range r.IntN(3) + 1 {
		switch k := r.IntN(6); {
		case k < 3 && depth > 1:
			m[randomWord(r)] = randomObject(r, depth-1)
		case k == 3:
			m[randomWord(r)] = randomWordList(r)
		case k == 4:
			m[randomWord(r)] = int64(r.IntN(1000))
		default:
			m[randomWord(r)] = randomWord(r)
		}
	}
	return m
}

// numberInBounds returns a small integer inside the documented bounds.
func numberInBounds(r *rand.Rand, record probes.Value) int64 {
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

// Native returns a value as plain Go types, so that scripts can be searched and shrunk.
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
	return value.Go() // a number that does not fit int64, true, false, null
}

// AllFields returns an object with a value in every field that can be set.
func (kind ObjectKind) AllFields(r *rand.Rand) map[string]any {
	fields := map[string]any{}
	for _, p := range kind.Maker.Op.Parameters {
		if v, ok := kind.FieldValue(r, p); ok && kind.Accepted[kind.Maker.Name+"."+p.Name] {
			fields[p.Name] = v
		}
	}
	return fields
}
