package limits

import (
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// longChange is the script of a change with a long text, longText the step of its excess.
const (
	longChange = "long text of a change"
	longText   = longChange + ": beyond the limit"
)

// A longPlace is a field of input that holds a long text.
type longPlace struct {
	what, field string
	value       func(n int) any
}

// longPlaces are a field of text, and a field with an array of texts. A field with a length of its own that
// is below the limit is none of them.
func longPlaces(s model.Subject) (all []longPlace) {
	obj, why := s.TestObject(s.Name)
	if why != nil {
		return nil
	}
	fits := func(p probes.Parameter, value any) bool { return obj.Misfit(p, probes.ValueOf(value)) == "" }
	text := func(n int) any { return obj.ScriptMark(longChange) + strings.Repeat("a", n) }
	list := func(n int) any { return obj.Elements(longChange, strings.Repeat("a", n)) }
	n := stringLimit.beyond(s.Adapter)[0]
	for _, p := range obj.TextFields() {
		if fits(p, text(n)) {
			all = append(all, longPlace{"a field of text", p.Name, text})
			break
		}
	}
	if p, ok := obj.ListField(); ok && fits(p, list(n)) {
		all = append(all, longPlace{"an element of an array", p.Name, list})
	}
	return all
}

// Section 4.7.5.
var oversizedStringOfChangeIsRefused = check.Check{
	Requirement: "AQL-4.7.5-03",
	Why:         "Most long texts come in the input of a change, which is an object.",
	On: func(f *model.Adapter) []model.Subject {
		fitting := model.Only(model.Given(separate, check.EachTestObject), func(s model.Subject) bool {
			return s.Ruling == nil && stringLimit.beyond(f)[0] <= largestStored && len(longPlaces(s)) > 0
		})(f)
		return fitting[:min(len(fitting), 1)]
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		obj, _ := s.TestObject(s.Name)
		places, short := longPlaces(s), map[string]any{}
		for _, p := range places {
			short[p.field] = p.value(2)
		}
		if !check.CreateWithFields(obj, ask, longChange, nil) || !ask(obj.Apply(longChange+": short").With("input", short)).Succeeded() {
			return
		}
		for i, p := range places {
			ask(obj.Apply(probes.Nth(longText, i)).With("input", map[string]any{p.field: p.value(stringLimit.beyond(s.Adapter)[0])}))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		control := got.Step(longChange + ": short")
		if !control.Succeeded() {
			return ruling.NotProven("a change with short texts", got.Last())
		}
		var rs []ruling.Ruling
		for i, p := range longPlaces(s) {
			switch o := got.Step(probes.Nth(longText, i)); {
			case tooLarge(o):
				rs = append(rs, ruling.Conforms().By(o, control))
			case o.Succeeded():
				what := fmt.Sprintf("success with %d bytes in %s, %s", stringLimit.beyond(s.Adapter)[0], p.field, p.what)
				rs = append(rs, stringLimit.numbered(s, ruling.Violates(tooLargeCode, what).By(o, control), "measure strings at every depth"))
			default:
				rs = append(rs, ruling.NotProven(tooLargeCode, o).By(control))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "measure strings at every depth",
}
