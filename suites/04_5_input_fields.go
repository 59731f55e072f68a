package suites

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

// eachDeclaring is every UPDATE operation whose input fields are declared and that
// can be tried on an object of ours.
func eachDeclaring(f *Face) []Subject {
	return only(eachSpecimen, func(s Subject) bool {
		input, ok := inputOf(s.Op)
		if !ok {
			return false
		}
		_, declared := f.fieldsOf(input, probes.Operation{})
		return declared
	})(f)
}

// A wrongField is a value that a declared field must not take.
type wrongField struct {
	field    probes.Parameter
	value    any
	soft     bool // a mere pattern, of which there are dialects
	mistyped bool // of another JSON type, so that it may be stored as something else
	because  string
}

// mistypedFields are values of another JSON type, one for each declared type.
func (sp specimen) mistypedFields() []wrongField {
	var all []wrongField
	seen := map[string]bool{}
	for _, p := range sp.fields {
		values := Subject{Face: sp.Face, Par: p}.mistyped()
		kinds, _ := sp.Kinds(p.Type)
		if len(values) == 0 || seen[kinds[0]] || probes.IsReference(sp.Op, p) || p.Raw.At("readOnly").True() {
			continue
		}
		seen[kinds[0]] = true
		all = append(all, wrongField{field: p, value: values[0], mistyped: true, because: "another type than " + p.Type})
	}
	return all
}

// longestField bounds the text that is sent to break a documented maximum.
const longestField = 1 << 16

// mostBounds bounds the constraints that are tried on one operation: two takes
// for each have to fit between those of the other rows.
const mostBounds = 45

// outOfBounds are values of the right type that break a declared constraint.
func (sp specimen) outOfBounds() []wrongField {
	var all []wrongField
	for _, p := range sp.fields {
		kinds, ok := sp.Kinds(p.Type)
		if !ok || probes.IsReference(sp.Op, p) || p.Raw.At("readOnly").True() {
			continue
		}
		is := func(words ...string) bool {
			return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(words, k) })
		}
		add := func(why string, value any) { all = append(all, wrongField{field: p, value: value, because: why}) }
		if len(sp.EnumOf(p)) > 0 && is("string") {
			add("outside the enum", "aqlx_not_in_enum")
		}
		if high, ok := p.Raw.At("maximum").Float(); ok && is("integer", "number") && math.Abs(high) < 1<<50 {
			add("above maximum", int64(math.Floor(high))+1)
		}
		if low, ok := p.Raw.At("minimum").Float(); ok && is("integer", "number") && math.Abs(low) < 1<<50 {
			add("below minimum", int64(math.Ceil(low))-1)
		}
		if high, ok := p.Raw.At("maxLength").Float(); ok && is("string") && high >= 0 && high < longestField && len(sp.EnumOf(p)) == 0 {
			add("longer than maxLength", sp.overlong(int(high)+1))
		}
		if low, ok := p.Raw.At("minLength").Float(); ok && is("string") && low >= 1 && len(sp.EnumOf(p)) == 0 {
			add("shorter than minLength", strings.Repeat("a", int(min(low, longestField))-1))
		}
		if p.Raw.Has("pattern") && is("string") && len(sp.EnumOf(p)) == 0 && sp.Misfit(p, probes.ValueOf("\u00a7\u00a7\u00a7")) == "not matching the pattern" {
			all = append(all, wrongField{field: p, value: "\u00a7\u00a7\u00a7", soft: true, because: "not matching the pattern"})
		}
	}
	return all[:min(len(all), mostBounds)]
}

// overlong is a text of n characters that begins with our mark.
func (sp specimen) overlong(n int) string {
	mark := sp.Gen.Marker("-long")
	return (mark + strings.Repeat("a", max(0, n-utf8.RuneCountInString(mark))))[:n]
}

// wrongValues is a check that values are refused inside input, and where they are
// not, that they are not stored.
func wrongValues(id, fix string, take int, list func(sp specimen) []wrongField) Check {
	return Check{
		Requirement: id,
		On: func(f *Face) []Subject {
			return only(eachDeclaring, func(s Subject) bool {
				sp, why := f.specimen(s.Name)
				return why != nil || len(list(sp)) > 0
			})(f)
		},
		Lane: probes.Serial,
		Fix:  fix,
		Drive: func(s Subject, ask Asking) {
			t := inputTrialOf(s)
			if !t.begin(ask) {
				return
			}
			ask(t.sp.look(take - 1))
			for i, w := range list(t.sp) {
				if ask(t.sp.on(take+2*i).With("input", map[string]any{w.field.Name: w.value})).Succeeded() {
					ask(t.sp.look(take + 2*i + 1))
				}
			}
		},
		Judge: func(s Subject, got []probes.Observation) Ruling {
			t := inputTrialOf(s)
			if control, _ := t.outcome(got, take); control != nil {
				return *control
			}
			rs := []Ruling{}
			for i, w := range list(t.sp) {
				rs = append(rs, t.wrongValue(w, got, take+2*i)) // with the looks before the first wrong value
			}
			return Worst(rs...)
		},
	}
}

func (t inputTrial) wrongValue(w wrongField, got []probes.Observation, take int) Ruling {
	k := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == take })
	if k < 0 {
		return NotProven("an answer to a wrong "+w.field.Name, "none")
	}
	o := got[k]
	want := "a refusal of " + w.field.Name + ": " + w.because
	look, seen := lastLook(t.sp, got, take+1, take+2)
	earlier, _ := lastLook(t.sp, got, refuseTake, take)
	was, stored := t.sp.shown(earlier).At(w.field.Name), t.sp.shown(look).At(w.field.Name)
	given := probes.ValueOf(w.value)
	switch {
	case t.beforehand(o):
		return NotProven(want, o)
	case !o.Succeeded():
		return Conforms().By(o)
	case w.soft:
		return Departs(want, o).Noting("pattern dialects differ")
	case !seen:
		return NotProven("a look at what was stored", o)
	case stored.Equal(given), w.mistyped && !stored.Equal(was):
		return Violates(want, stored).By(look, o)
	}
	return Departs(want, o).Noting("the value was not stored").By(look)
}

// Section 4.5.3. What introspection says about a field holds wherever the field is
// given.
var _ = register(wrongValues("AQL-4.5.3-04", "check the type of each field inside input", refuseTake+130, specimen.mistypedFields))

// Section 4.5.3. A constraint that one door enforces and the other does not is none.
var _ = register(wrongValues("AQL-4.5.3-05", "check enum, bounds and lengths of the fields inside input", refuseTake+200, specimen.outOfBounds))
