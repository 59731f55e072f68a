package suites

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A stage is one kind of object that scripts can be played with: how it is made,
// changed, removed and looked at.
type stage struct {
	specimen                 // of the operation that makes it
	update   []specimen      // operations that change it
	remove   []specimen      // operations that remove it
	fits     map[string]bool // by operation and field: a value of ours was taken there
	steady   bool            // looking twice showed the same object twice
	tells    map[string]bool // by operation: its answer showed the object as a look after it did
}

// stages lists the kinds of object of our own that a face lets us make and look at.
func (f *Face) stages() []*stage {
	var all []*stage
	for _, s := range eachMarked(f) {
		sp, why := f.specimen(s.Name)
		if s.settled != nil || why != nil {
			continue
		}
		st := &stage{specimen: sp, fits: map[string]bool{}, tells: map[string]bool{}}
		for _, o := range f.Operations {
			other, why := f.specimen(o.Name)
			if why != nil || other.Face == nil || other.maker.Name != s.Name {
				continue
			}
			switch o.Category {
			case "UPDATE":
				st.update = append(st.update, other)
			case "DELETE":
				st.remove = append(st.remove, other)
			}
		}
		all = append(all, st)
	}
	return all
}

// markTake is the take whose mark is read back out of a request, to put the token
// for marks in its place.
const markTake = 1000

// create is the step that makes an object, with more fields than the plain
// request where the maker takes them.
func (st stage) create(fields map[string]any) Step {
	params, _ := withoutMark(native(st.maker.anew(markTake).Params()), st.Gen.Marker(fmt.Sprintf("-%d", markTake))).(map[string]any)
	for name, v := range fields {
		i := slices.IndexFunc(st.maker.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
		if _, carriesMark := params[name]; i >= 0 && !(carriesMark && holdsMark(params[name])) {
			params[name] = v
		}
	}
	return Step{Operation: st.maker.Name, Params: params, Of: onNothing}
}

func holdsMark(v any) bool {
	text, ok := v.(string)
	return ok && strings.Contains(text, markToken)
}

// set is the step that updates the object a step made.
func (sp specimen) set(of int, input map[string]any) Step {
	return Step{Operation: sp.Name, Params: map[string]any{"input": input}, Of: of}
}

// drop is the step that removes the object a step made.
func (sp specimen) drop(of int) Step {
	return Step{Operation: sp.Name, Params: sp.plainParams(sp.Op), Of: of}
}

// plainParams are the required parameters of an operation that identify nothing.
func (sp specimen) plainParams(o probes.Operation) map[string]any {
	params := map[string]any{}
	for _, p := range o.Parameters {
		if _, own := sp.ids[p.Name]; own || !p.Required || p.Name == "input" {
			continue
		}
		if v := sp.Baselines[o.Name]; v.Usable() && !probes.IsReference(o, p) {
			params[p.Name] = native(v.Probe.Params()[p.Name])
		}
	}
	return params
}

// look is the step that shows the object a step made.
func (st stage) look(of int) Step {
	if st.viewer.Name != "" {
		return Step{Operation: st.viewer.Name, Params: st.plainParams(st.viewer), Of: of}
	}
	view := st.maker.views(markToken)[0]
	return Step{Operation: view.Operation(), Params: native(view.Params()).(map[string]any), Of: of}
}

// plainWords are what generated texts are made of: lower case and without meaning, so
// that no adapter has a reason to write them another way.
var plainWords = strings.Fields("amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north ocean pearl quartz river stone tulip")

func word(r *rand.Rand) string { return plainWords[r.IntN(len(plainWords))] }

// fieldValue makes a value for a field that an update may set, one that an
// adapter has no reason to write another way; ok is false when none is certain.
func (st stage) fieldValue(r *rand.Rand, p probes.Parameter) (v any, ok bool) {
	if probes.IsReference(st.maker.Op, p) || p.Raw.At("readOnly").True() || p.Raw.At("sensitive").True() {
		return nil, false
	}
	if enum := st.EnumOf(p); len(enum) > 0 {
		return native(enum[r.IntN(len(enum))]), true
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
		v = native(made[r.IntN(len(made))])
	case e.Name == "string":
		v = strings.Join([]string{word(r), word(r), fmt.Sprint(r.IntN(1000))}, " ")
	default:
		return nil, false
	}
	why, certain := st.flaw(p, probes.ValueOf(v))
	return v, len(why) == 0 && certain
}

// drawn returns a few values of the parameter's domain.
func (st stage) drawn(r *rand.Rand, p probes.Parameter) []probes.Value {
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

// native returns a value as the plain kinds that scripts are made of, so that it
// can be searched and cut down.
func native(v any) any {
	value, ok := v.(probes.Value)
	if !ok {
		value = probes.ValueOf(v)
	}
	switch value.Kind() {
	case probes.Object:
		m := map[string]any{}
		for _, member := range value.Members() {
			m[member.Name] = native(member.Value.Go())
		}
		return m
	case probes.Array:
		s := []any{}
		for _, inner := range value.Items() {
			s = append(s, native(inner.Go()))
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
