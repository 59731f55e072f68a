package encoding

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// keptTexts are texts that a store has to give back as they came. alike is the same text by Unicode.
// lesser has forms with another line break, of which the specification does not say that they are another text.
var keptTexts = []struct {
	name, text, alike string
	lesser            []string
}{
	{name: "plain letters", text: "abc xyz"}, // the control
	{name: "letters of many scripts", text: "é ñ 東京 שלום"},
	{name: "characters beyond 16 bits", text: "a 🚲 b 𝒞"},
	{name: "combining marks", text: "e\u0301 n\u0303", alike: "é ñ"},
	{name: "a line separator", text: "a\u2028b", lesser: []string{"a\nb", "a b", "ab"}},
	{name: "two blanks", text: "abc  xyz"}, // the control of white space, where a line separator is shown as a blank
}

// separated and blanks are the places of the last two.
const separated, blanks = 4, 5

// eachTextWriter is every operation that stores free text in an object of ours.
func eachTextWriter(f *model.Adapter) []model.Subject {
	return model.Only(model.EachListed, func(s model.Subject) bool {
		if s.Op.Category != "CREATE" && s.Op.Category != "UPDATE" || slices.Contains(model.Reserved, s.Name) {
			return false
		}
		obj, why := f.TestObject(s.Name)
		return why == nil && len(obj.TextFields()) > 0
	})(f)
}

// textScript names the script that stores one of the texts.
func textScript(s model.Subject, i int) string {
	at := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name })
	return probes.Nth(probes.Nth("kept text of operation", at)+" no", i)
}

// sentTexts are the values of the free texts of an object in one script.
func sentTexts(obj model.TestObject, script, text string) map[string]any {
	fields := map[string]any{}
	for _, p := range obj.TextFields() {
		if v := obj.ScriptMark(script) + " " + text; obj.Misfit(p, probes.ValueOf(v)) == "" {
			fields[p.Name] = v
		}
	}
	return fields
}

// Section 4.7.1.
var unusualTextIsKept = check.Check{
	Requirement: "AQL-4.7.1-09",
	Why:         "Text that is accepted and stored as another text is lost, and nobody is told: a column of 16 bits, a driver of another encoding.",
	On:          eachTextWriter,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		t := &tally{ask: ask}
		var last probes.Observation
		for i, kept := range keptTexts {
			obj, _ := s.TestObject(s.Name)
			script := textScript(s, i)
			fields := sentTexts(obj, script, kept.text)
			if i == blanks && !slices.ContainsFunc(obj.ObjectIn(last).Members(), func(m probes.Member) bool { return strings.Contains(m.Value.Text(), "a b") }) {
				continue
			}
			obj.Base = t.n
			given := fields
			if s.Op.Category != "CREATE" {
				given = nil
			}
			creation, _ := obj.Create(script+": created", given)
			stored := t.one(creation).Succeeded()
			if stored && given == nil {
				stored = t.one(obj.Apply(script+": update").With("input", fields)).Succeeded()
			}
			if stored {
				last = t.one(obj.Read(script + ": read"))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		obj, _ := s.TestObject(s.Name)
		plain := textScript(s, 0)
		control := obj.ObjectIn(got.Step(plain + ": read"))
		var rs []ruling.Ruling
		for i, kept := range keptTexts[1:blanks] {
			script := textScript(s, i+1)
			o := got.Step(script + ": read")
			texts := sentTexts(obj, script, kept.text)
			for _, name := range slices.Sorted(maps.Keys(texts)) {
				sent := texts[name]
				if shown := obj.ObjectIn(o).At(name).Text(); i+1 == separated && shown == squeezed(sent.(string)) && squeezes(s, got, name) {
					continue // the adapter keeps no white space as it comes
				}
				if control.At(name).Text() == sentTexts(obj, plain, keptTexts[0].text)[name] && !obj.ObjectIn(o).At(name).Is(probes.Absent) {
					rs = append(rs, keptText(obj.ObjectIn(o).At(name), sent.(string), kept.text, kept.alike, kept.lesser, "the text of "+name+", "+kept.name).By(o))
				}
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("a text field that a READ shows as it was sent", got.Last()).Mend(model.TestObjectHint)
		}
		return ruling.Worst(rs...)
	},
	Fix: "store and return text as UTF-8 of the full range, or refuse what cannot be kept",
}

// squeezed is a text with single blanks for its white space.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// squeezes reports whether a field shows two blanks as one.
func squeezes(s model.Subject, got probes.Answers, name string) bool {
	obj, _ := s.TestObject(s.Name)
	script := textScript(s, blanks)
	sent, _ := sentTexts(obj, script, keptTexts[blanks].text)[name].(string)
	return sent != "" && obj.ObjectIn(got.Step(script+": read")).At(name).Text() == squeezed(sent)
}

// keptText compares a text with what was sent.
func keptText(v probes.Value, sent, text, alike string, lesser []string, what string) ruling.Ruling {
	start := strings.TrimSuffix(sent, text)
	switch {
	case v.Text() == sent || alike != "" && v.Text() == start+alike:
		return ruling.Conforms()
	case slices.ContainsFunc(lesser, func(other string) bool { return v.Text() == start+other }):
		return ruling.Departs(what+", as it was sent", v)
	}
	return ruling.Violates(what+", as it was sent", v)
}
