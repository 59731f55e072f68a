package check

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// markedTexts returns the texts with the mark of the run in a creation, by parameter.
func markedTexts(s model.Subject, made probes.Probe) map[string]string {
	texts := map[string]string{}
	for name, v := range made.Params() {
		if text := probes.ValueOf(v).Text(); strings.HasPrefix(text, s.Gen.Marker("")) {
			texts[name] = text
		}
	}
	return texts
}

// ShowsMade reports whether an answer shows the object of a creation: it has a text that the
// creation gave it. An adapter may answer a creation with what existed already.
func ShowsMade(s model.Subject, made probes.Probe, data probes.Value) bool {
	for _, text := range markedTexts(s, made) {
		if len(objectsWithExactly(data, text)) > 0 {
			return true
		}
	}
	return false
}

// objectsWithExactly returns the objects at or below a value that have the text as a member.
func objectsWithExactly(data probes.Value, text string) []probes.Value {
	var found []probes.Value
	for _, o := range model.ObjectsWith(data, text) {
		for _, m := range o.Members() {
			if m.Value.Text() == text {
				found = append(found, o)
				break
			}
		}
	}
	return found
}

// MadeValue returns the value of a field that the answer to a creation shows of what it made, under this name or else
// under one with its letters.
func MadeValue(s model.Subject, o probes.Observation, name string) probes.Value {
	for _, member := range []func(probes.Value, string) probes.Value{func(v probes.Value, name string) probes.Value { return v.At(name) }, MemberCalled} {
		if v := madeMember(s, o, name, member); !v.Is(probes.Absent) {
			return v
		}
	}
	return probes.Value{}
}

func madeMember(s model.Subject, o probes.Observation, name string, member func(object probes.Value, name string) probes.Value) probes.Value {
	data := o.Data()
	if v := member(data, name); !v.Is(probes.Absent) && ShowsMade(s, o.Probe, data) {
		return v
	}
	for sent, text := range markedTexts(s, o.Probe) {
		for _, m := range data.Members() {
			shown := data.At(sent).Text() == text || ShowsMade(s, o.Probe, m.Value)
			if v := member(m.Value, name); m.Value.Is(probes.Object) && shown && !v.Is(probes.Absent) {
				return v
			}
		}
	}
	return probes.Value{}
}

// ReadBack returns the value of the parameter that the answers show of what the first one made. In
// a listing, exactly one object has to have the texts of the creation.
func ReadBack(s model.Subject, got probes.Answers) (probes.Value, probes.Observation) {
	for i, o := range got {
		if i == 0 {
			if v := MadeValue(s, o, s.Par.Name); !v.Is(probes.Absent) {
				return v, o
			}
			continue
		}
		for _, text := range markedTexts(s, got[0].Probe) {
			found := objectsWithExactly(o.Data(), text)
			if len(found) == 1 && !MemberCalled(found[0], s.Par.Name).Is(probes.Absent) {
				return MemberCalled(found[0], s.Par.Name), o
			}
		}
	}
	return probes.Value{}, probes.Observation{}
}

// JudgeDefault rules on the default that the answers show for an omitted parameter.
func JudgeDefault(s model.Subject, got probes.Answers) ruling.Ruling {
	want := s.Par.Raw.At("default")
	v, o := ReadBack(s, got)
	switch {
	case !got[0].Succeeded():
		return ruling.NotProven("an object made without "+s.Par.Name, got[0])
	case v.Is(probes.Absent):
		return ruling.NotProven("the stored value of "+s.Par.Name, "none shown").By(got[0])
	case EqualInLetters(v, want):
		return ruling.Conforms().By(o)
	case v.Is(probes.String) && strings.EqualFold(strings.TrimSpace(v.Text()), strings.TrimSpace(want.Text())):
		return ruling.Conforms().By(o).Noting("equal but for case or blanks")
	case v.Kind() != want.Kind() && v.Text()+want.Text() != "" && strings.Trim(v.String(), `"`) == strings.Trim(want.String(), `"`):
		return ruling.NotProven(Quoted(s.Par.Name)+" as a "+string(want.Kind()), v).By(o).Because("INT-5.2.2-01") // the value is right, its type is not
	case ValueMismatch(s, want) != "":
		return ruling.NotProven("a default that fits its own record", want).Because("INT-3.4-05")
	}
	return ruling.Violates(Quoted(s.Par.Name)+" "+want.String()+", the documented default", v).By(o)
}

// EqualInLetters reports whether two values are equal but for the style of names.
func EqualInLetters(v, w probes.Value) bool {
	switch {
	case v.Is(probes.Object) && w.Is(probes.Object):
		return len(v.Members()) == len(w.Members()) && !slices.ContainsFunc(w.Members(), func(m probes.Member) bool { return !EqualInLetters(MemberCalled(v, m.Name), m.Value) })
	case v.Is(probes.Array) && w.Is(probes.Array):
		return slices.EqualFunc(v.Items(), w.Items(), EqualInLetters)
	}
	return v.Equal(w)
}

// MemberCalled returns the member of this name, or else the only one with its letters. What has a sign before them, as
// _version, means something else.
func MemberCalled(object probes.Value, name string) probes.Value {
	if object.Has(name) {
		return object.At(name)
	}
	var found []probes.Value
	for _, m := range object.Members() {
		if vocab.Letters(m.Name) == vocab.Letters(name) && signed(m.Name) == signed(name) {
			found = append(found, m.Value)
		}
	}
	if len(found) != 1 {
		return probes.Value{}
	}
	return found[0]
}

// signed reports whether a name begins with no letter.
func signed(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return !unicode.IsLetter(first)
}
