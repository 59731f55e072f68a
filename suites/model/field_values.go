package model

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// Generated input sets the fields of objects to values that an adapter stores as they are.

// sampleWords are the words of generated texts. They are lower-case and neutral, so that no adapter
// has a reason to rewrite them.
var sampleWords = strings.Fields("amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north ocean pearl quartz river stone tulip")

func randomWord(r *rand.Rand) string { return sampleWords[r.IntN(len(sampleWords))] }

// FieldValue returns a random value for a field that an update may set. ok is false if no value is
// certain to be valid and stored unchanged.
func (kind ObjectKind) FieldValue(r *rand.Rand, p probes.Parameter) (v any, ok bool) {
	return kind.MemberValue(r, p, 0)
}

// MemberValue is FieldValue for a member of an object, at a depth below the field. Its texts carry the letters of the
// run, because one of them may be the name of somebody.
func (kind ObjectKind) MemberValue(r *rand.Rand, p probes.Parameter, depth int) (v any, ok bool) {
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
	case e.Form == probes.Primitive && e.Name == "object" && !p.Raw.Has("properties") && !p.Raw.Has("fields") && len(kind.entries(p)) == 0:
		v = randomObject(r, 3)
	case e.Name == "boolean":
		v = r.IntN(2) == 0
	case e.Name == "integer", e.Name == "number":
		v = numberInBounds(r, p.Raw)
	case e.Name == "string" && kind.layout(p) != "":
		v = kind.day(r, p).Truncate(time.Minute).Format(kind.layout(p))
	case e.Name == "string" && (p.Raw.Has("format") || p.Raw.Has("pattern")):
		made := kind.domainValues(r, p)
		if len(made) == 0 {
			return nil, false
		}
		v = Native(made[r.IntN(len(made))])
	case e.Name == "string":
		v = strings.Join([]string{randomWord(r), randomWord(r), fmt.Sprint(r.IntN(1000))}, " ")
		if own := kind.Gen.Marker(fmt.Sprintf("-%s-%d", randomWord(r), r.IntN(1000))); depth > 0 && kind.Misfit(p, probes.ValueOf(own)) == "" {
			v = own
		}
	default:
		if v, ok = kind.declaredObject(r, p, depth); !ok {
			return nil, false
		}
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
	if r.IntN(2) == 0 { // a place in a list, or what is there of something, is small whatever its bounds are
		high = min(high, low+9)
	}
	return int64(low) + int64(r.IntN(max(1, int(high)-int(low)+1)))
}

// Members are the documented members of a field that takes an object, or entries of a map; nil for a free-form one.
func (kind ObjectKind) Members(p probes.Parameter) []probes.Parameter {
	if fields := kind.TestObject.Subject.Adapter.Fields(p); len(fields) > 0 {
		return fields
	}
	return kind.entries(p)
}

// mostInside bounds the depth of objects with documented members.
const mostInside = 3

// declaredObject returns an object with a value in each of its documented members that has one.
func (kind ObjectKind) declaredObject(r *rand.Rand, p probes.Parameter, depth int) (v any, ok bool) {
	e, err := probes.ParseType(p.Type)
	if err != nil || e.Form != probes.Named && e.Name != "object" || depth >= mostInside {
		return nil, false
	}
	object := map[string]any{}
	for _, field := range kind.Members(p) {
		value, made := kind.MemberValue(r, field, depth+1)
		if !made && field.Required {
			return nil, false
		}
		if made {
			object[field.Name] = value
		}
	}
	return object, len(object) > 0
}

// Varying returns a value with the placeholder for the mark in each text that takes it, so that it is another one each
// time a script is played.
func (kind ObjectKind) Varying(p probes.Parameter, v any) any {
	switch t := v.(type) {
	case string:
		if free := !p.Raw.Has("format") && !p.Raw.Has("pattern") && len(kind.EnumOf(p)) == 0; free && kind.Misfit(p, probes.ValueOf(kind.Gen.Marker("-1234567"))) == "" {
			return MarkToken
		}
	case map[string]any:
		varied := maps.Clone(t)
		for _, m := range kind.Members(p) {
			if inner, ok := t[m.Name]; ok {
				varied[m.Name] = kind.Varying(m, inner)
			}
		}
		return varied
	}
	return v
}

var (
	momentText = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)
	momentBase = "2006-01-02T15:04:05"
)

// day returns a day soon, or a day before the run for a field that refused one: a birth is past, and a deadline is not.
func (kind ObjectKind) day(r *rand.Rand, p probes.Parameter) time.Time {
	days := 1 + r.IntN(300)
	if kind.Past[p.Name] {
		days = -days
	}
	return kind.Today.AddDate(0, 0, days)
}

// zero makes a digit one of a layout.
func zero(r rune) rune {
	if r == '.' {
		return r
	}
	return '0'
}

// layout returns how the adapter writes the times of a field: as a READ shows a time of the same kind of object. It
// is empty for what is no time in UTC.
func (kind ObjectKind) layout(p probes.Parameter) string {
	switch p.Raw.At("format").Text() {
	case "date":
		return time.DateOnly
	case "date-time":
	default:
		return ""
	}
	return kind.Remember("layout of the times of "+kind.Viewer.Name, func() any {
		for _, text := range kind.KnownGood[kind.Viewer.Name].Reply.Data().Scalars() {
			if at := momentText.FindStringSubmatch(text); at != nil {
				return momentBase + strings.Map(zero, at[1]) + "Z"
			}
		}
		return momentBase + "Z"
	}).(string)
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
