package update

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachDeclaring is every UPDATE operation that can be tried on an object of ours and whose input
// fields are declared. Where they are not, nobody can say which values are wrong.
func eachDeclaring(f *model.Adapter) []model.Subject {
	all := model.Only(check.EachTestObject, func(s model.Subject) bool {
		_, ok := check.InputOf(s.Op)
		return ok
	})(f)
	for i, s := range all {
		input, _ := check.InputOf(s.Op)
		if _, declared := f.FieldsOf(input, probes.Operation{}); !declared {
			all[i] = s.WithRuling(ruling.NotProven("the fields of input declared", "a type without fields").
				Mend("name the type of input in introspection, with its fields"))
		}
	}
	return all
}

// A wrongField is a value that a declared field must not take.
type wrongField struct {
	field    probes.Parameter
	member   string // of an object field; empty for the field itself
	value    any    // of the member, where there is one
	soft     bool   // a mere pattern, of which there are dialects
	mistyped bool   // of another JSON type, so that it may be stored as something else
	because  string
}

// path leads to the value in input, and in the object.
func (w wrongField) path() []string {
	if w.member == "" {
		return []string{w.field.Name}
	}
	return []string{w.field.Name, w.member}
}

func (w wrongField) input() map[string]any {
	if w.member == "" {
		return map[string]any{w.field.Name: w.value}
	}
	return map[string]any{w.field.Name: map[string]any{w.member: w.value}}
}

// roomy ends the step in which a value is sent with room for it: a conflict says nothing of the bound, such as a quota on the hours of
// all visits, which are their number times their length.
const roomy = ", with room for it"

// inConflict reports whether a refusal speaks of the state of the store and not of the field.
func inConflict(o probes.Observation, w wrongField) bool {
	return strings.HasPrefix(o.Code(), "CONFLICT_") && !o.Mentions(w.path()[len(w.path())-1])
}

// withRoom is the input that gives the other numbers beside a number above its maximum their least values; nil if there is none.
func (w wrongField) withRoom(sp model.TestObject) map[string]any {
	if w.because != aboveMaximum {
		return nil
	}
	beside, given := sp.Fields, w.input()
	values := given
	if w.member != "" {
		beside, values = sp.Adapter.Fields(w.field), given[w.field.Name].(map[string]any)
	}
	for _, p := range beside {
		least := p.Raw.At("minimum")
		if _, is := values[p.Name]; !is && least.Is(probes.Number) && !sp.Refers(p) && !p.Raw.At("readOnly").True() && sp.Misfit(p, least) == "" {
			values[p.Name] = least.Go()
		}
	}
	if len(values) == 1 {
		return nil
	}
	return given
}

const aboveMaximum = "above maximum"

// mistypedFields are values of another JSON type, one for each declared type.
func mistypedFields(sp model.TestObject) []wrongField {
	var all []wrongField
	seen := map[string]bool{}
	for _, p := range sp.Fields {
		values := check.WrongTypeValues(model.Subject{Adapter: sp.Adapter, Par: p})
		kinds, _ := sp.Kinds(p.Type)
		if len(values) == 0 || seen[kinds[0]] || sp.Refers(p) || p.Raw.At("readOnly").True() {
			continue
		}
		seen[kinds[0]] = true
		if _, object := values[0].(map[string]any); object {
			values[0] = map[string]any{"a": true} // a number could name an object of others
		}
		all = append(all, wrongField{field: p, value: values[0], mistyped: true, because: "another type than " + p.Type})
	}
	return append(all, quotedNumbers(sp)...)
}

// mostQuoted bounds the fields whose number is sent as a text.
const mostQuoted = 4

// quotedNumbers are numbers as texts, which a lenient adapter reads as numbers.
func quotedNumbers(sp model.TestObject) (all []wrongField) {
	for _, p := range sp.Fields {
		kinds, ok := sp.Kinds(p.Type)
		text := slices.Contains(kinds, "string") || slices.Contains(kinds, "any")
		if !ok || text || sp.Refers(p) || p.Raw.At("readOnly").True() || len(sp.EnumOf(p)) > 0 || len(all) == mostQuoted {
			continue
		}
		for _, v := range sp.Gen.Values(sp.Op, p) {
			if v.Is(probes.Number) && sp.Misfit(p, v) == "" {
				all = append(all, wrongField{field: p, value: v.String(), because: "a number, not a text with one"})
				break
			}
		}
	}
	return all
}

// longestField bounds the text that is sent to break a documented maximum.
const longestField = 1 << 16

// mostBounds bounds the constraints that are tried on one operation: each needs two
// numbers, and the numbers have to stay below that of the unknown field.
const mostBounds = 45

// outOfBounds are values of the right type that break a declared constraint, of a field or of a documented member of one.
func outOfBounds(sp model.TestObject) (all []wrongField) {
	for _, p := range sp.Fields {
		all = append(all, beyond(sp, p)...)
	}
	for _, typed := range sp.TypedFields() {
		for _, m := range sp.Adapter.Fields(typed.Parameter) {
			for _, w := range beyond(sp, m) {
				w.field, w.member = typed.Parameter, m.Name
				all = append(all, w)
			}
		}
	}
	return all[:min(len(all), mostBounds)]
}

// beyond are the values that break a constraint of one field.
func beyond(sp model.TestObject, p probes.Parameter) (all []wrongField) {
	kinds, ok := sp.Kinds(p.Type)
	_, reversed := check.ReversedBounds(model.Subject{Adapter: sp.Adapter, Par: p})
	if !ok || reversed || sp.Refers(p) || p.Raw.At("readOnly").True() {
		return nil // no value fits bounds that contradict each other: INT-3.4-15
	}
	is := func(words ...string) bool {
		return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(words, k) })
	}
	add := func(why string, value any) { all = append(all, wrongField{field: p, value: value, because: why}) }
	if len(sp.EnumOf(p)) > 0 && is("string") {
		add("outside the enum", "aqlx_not_in_enum")
	}
	if high, ok := p.Raw.At("maximum").Float(); ok && is("integer", "number") && math.Abs(high) < 1<<50 {
		add(aboveMaximum, int64(math.Floor(high))+1)
	}
	if low, ok := p.Raw.At("minimum").Float(); ok && is("integer", "number") && math.Abs(low) < 1<<50 {
		add("below minimum", int64(math.Ceil(low))-1)
	}
	if high, ok := p.Raw.At("maxLength").Float(); ok && is("string") && high >= 0 && high < longestField && len(sp.EnumOf(p)) == 0 {
		add("longer than maxLength", overlong(sp, int(high)+1))
	}
	if low, ok := p.Raw.At("minLength").Float(); ok && is("string") && low >= 1 && len(sp.EnumOf(p)) == 0 {
		add("shorter than minLength", strings.Repeat("a", int(min(low, longestField))-1))
	}
	if p.Raw.Has("pattern") && is("string") && len(sp.EnumOf(p)) == 0 && sp.Misfit(p, probes.ValueOf("\u00a7\u00a7\u00a7")) == "not matching the pattern" {
		all = append(all, wrongField{field: p, value: "\u00a7\u00a7\u00a7", soft: true, because: "not matching the pattern"})
	}
	return all
}

// overlong is a text of n characters that begins with our mark.
func overlong(sp model.TestObject, n int) string {
	mark := sp.Gen.Marker("-long")
	return (mark + strings.Repeat("a", max(0, n-utf8.RuneCountInString(mark))))[:n]
}

// wrongValues is a check that values are refused inside input. A value that is not
// refused must not be stored.
func wrongValues(id, fix, step string, list func(sp model.TestObject) []wrongField) check.Check {
	return check.Check{
		Requirement: id,
		On: func(f *model.Adapter) []model.Subject {
			return model.Only(eachDeclaring, func(s model.Subject) bool {
				sp, why := f.TestObject(s.Name)
				return s.Ruling != nil || why != nil || len(list(sp)) > 0
			})(f)
		},
		Lane: probes.Serial,
		Fix:  fix,
		Drive: func(s model.Subject, ask model.AskFunc) {
			t := inputTrialOf(s)
			if !t.begin(ask) {
				return
			}
			ask(t.sp.Read(step + ": read before"))
			for i, w := range list(t.sp) {
				value := probes.Nth(step+": value", i)
				o := ask(t.sp.Apply(value).With("input", w.input()))
				if input := w.withRoom(t.sp); input != nil && inConflict(o, w) {
					value += roomy
					o = ask(t.sp.Apply(value).With("input", input))
				}
				if o.Succeeded() {
					ask(t.sp.Read(value + ": read"))
				}
			}
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			t := inputTrialOf(s)
			if control, _ := t.outcome(got, step+": value"); control != nil {
				return *control
			}
			rs := []ruling.Ruling{}
			for i, w := range list(t.sp) {
				value := probes.Nth(step+": value", i)
				if got.Has(value + roomy) {
					value += roomy
				}
				rs = append(rs, t.wrongValue(w, got, value))
			}
			return ruling.Worst(rs...)
		},
	}
}

func (t inputTrial) wrongValue(w wrongField, got probes.Answers, step string) ruling.Ruling {
	at := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Step == step })
	if at < 0 {
		return ruling.NotProven("an answer to a wrong "+w.field.Name, "none")
	}
	o := got[at]
	want := "a refusal of " + strings.Join(w.path(), ".") + ": " + w.because
	look, seen := check.LastRead(t.sp, got, step+": read")
	earlier, _ := check.LastRead(t.sp, got[:at], "refused input")
	was, stored := t.sp.ObjectIn(earlier).At(w.path()...), t.sp.ObjectIn(look).At(w.path()...)
	given := probes.ValueOf(w.value)
	switch {
	case t.beforehand(o):
		return ruling.NotProven(want, o)
	case inConflict(o, w):
		return ruling.NotProven(want, o)
	case !o.Succeeded():
		return ruling.Conforms().By(o)
	case w.soft:
		return ruling.Departs(want, o).Noting("pattern dialects differ")
	case !seen:
		return ruling.NotProven("a look at what was stored", o)
	case stored.Equal(given), w.mistyped && !stored.Equal(was):
		return ruling.Violates(want, stored).By(look, o)
	}
	note := "the value was not stored"
	if !w.mistyped && given.Is(probes.String) && stored.String() == given.Text() {
		note = "the text was read as a number"
	}
	return ruling.Departs(want, o).Noting(note).By(look)
}

// Section 4.5.3.
var fieldTypesInsideInputAreChecked = wrongValues("AQL-4.5.3-04", "check the type of each field inside input", "refused input: mistyped fields", mistypedFields).WithRule(
	"The type of each known field inside input is checked against the resource schema.",
	"What introspection says about a field holds wherever the field is given.")

// Section 4.5.3.
var fieldConstraintsInsideInputAreEnforced = wrongValues("AQL-4.5.3-05", "check enum, bounds and lengths of the fields inside input", "refused input: constraints", outOfBounds).WithRule(
	"Declared constraints of fields (enum, range, length, pattern) are enforced inside input.",
	"A constraint that one door enforces and the other does not is none.")
