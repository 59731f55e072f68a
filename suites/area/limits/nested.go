package limits

import (
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// largestStored is the size above which nothing is sent that might be stored.
const largestStored = 4 << 20

// nested is a check of a limit on a value inside a free-form object. A creation takes that object, so
// that a value below the limit is the control.
func nested(row string, l limit, fits func(*model.Adapter) bool, build func(n int) any, fix string) check.Check {
	script := "nested excess of " + l.member
	return check.Check{
		Requirement: row,
		On: model.Only(model.Given(fits, model.EachMarked), func(s model.Subject) bool {
			sp, why := s.TestObject(s.Name)
			_, ok := sp.ObjectField()
			return why == nil && ok && s.Ruling == nil
		}),
		Lane: probes.Serial,
		Drive: func(s model.Subject, ask model.AskFunc) {
			sp, _ := s.TestObject(s.Name)
			object, _ := sp.ObjectField()
			try := func(step string, n int) bool {
				return ask(s.FreshCall(script+": "+step).With(object.Name, map[string]any{"aqlx": build(n)}).Anew(script + ": " + step)).Succeeded()
			}
			for i, n := range append([]int{2}, l.beyond(s.Adapter)...) {
				if n > largestStored || !try(probes.Nth("size", i), n) {
					return
				}
			}
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			control, first, last := got[0], got.Step(script+": size 2"), got.Last()
			_, advertised := l.of(s.Adapter)
			switch {
			case !control.Succeeded() || len(got) < 2:
				return ruling.NotProven("a creation with a value inside an object", control)
			case tooLarge(first), !advertised && tooLarge(last):
				return ruling.Conforms().By(last, control)
			case advertised && tooLarge(last):
				return ruling.NotProven(tooLargeCode, first).By(control).Because("AQL-4.7.5-12")
			case last.Succeeded() && (advertised || len(got) == 1+len(l.beyond(s.Adapter))):
				n := l.beyond(s.Adapter)[len(got)-2]
				return l.numbered(s, ruling.Violates(tooLargeCode, fmt.Sprintf("success with %d %s inside an object", n, units[l.member])).By(last, control), fix)
			}
			return ruling.NotProven(tooLargeCode, last).By(control)
		},
		Fix: fix,
	}
}

// Section 4.7.5.
var oversizedNestedArrayIsRefused = nested("AQL-4.7.5-04", elementLimit, func(*model.Adapter) bool { return true }, func(n int) any { return make([]int, n) },
	"count the elements of arrays at every depth").WithReason("A limit on outer arrays alone does not bound an array inside an object.")

// Section 4.7.5.
var oversizedNestedStringIsRefused = nested("AQL-4.7.5-03", stringLimit, separate, func(n int) any { return strings.Repeat("a", n) },
	"measure strings at every depth").WithReason("A string is stored and answered wherever it stands.")

// Section 4.7.5.
var tooDeepNestedObjectIsRefused = nested("AQL-4.7.5-05", depthLimit, func(*model.Adapter) bool { return true }, objectOfLevels,
	"count the levels of objects inside parameters").WithReason("A value inside an object is walked as deep as it goes.")

// objectOfLevels is an object of so many levels.
func objectOfLevels(n int) any {
	v := map[string]any{}
	for range n - 1 {
		v = map[string]any{"a": v}
	}
	return v
}
