package parameters

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A default may depend on another parameter. No member of a record says so, and a description does: if it is left out, 3 for
// children and 5 for adults.

// toldOmission matches a description that says what holds where a parameter is left out.
var toldOmission = regexp.MustCompile(`(?i)default|omit|left out|not given|si se omite|por defecto|predeterminad|omess|predefinit|padrão|par défaut|omis|ohne angabe|standardmäßig|standardwert|weggelaten|standaard|省略|既定`)

// A toldDefault is the default of a number for one value of another parameter.
type toldDefault struct {
	when  probes.Value
	value float64
}

// mostToldDefaults bounds the values that are tried.
const mostToldDefaults = 3

// toldDefaultsOf returns the parameter on which the default of a number depends, and its default for each value that the description
// names with a number. Without two different defaults nothing depends on anything.
func toldDefaultsOf(s model.Subject) (on string, all []toldDefault) {
	told := s.Par.Raw.At("description").Text()
	if s.Op.Category != "CREATE" || s.Par.Type != "integer" && s.Par.Type != "number" || !toldOmission.MatchString(told) {
		return "", nil
	}
	for _, q := range s.Op.Parameters {
		for _, form := range []string{`(?i)\b%s\b["'` + "`" + `)]?\s*[:=(]?\s*(\d+(?:\.\d+)?)`, `(?i)\b(\d+(?:\.\d+)?)\s+(?:for|para|für|bei|pour|per|voor)\s+(?:\pL+\s)?["'` + "`" + `]?%s\b`} {
			found, different := all[:0:0], false
			for _, v := range s.EnumOf(q) {
				m := regexp.MustCompile(fmt.Sprintf(form, regexp.QuoteMeta(v.Text()))).FindAllStringSubmatch(told, -1)
				if v.Text() == "" || len(m) != 1 {
					continue
				}
				n, _ := strconv.ParseFloat(m[0][1], 64)
				found = append(found, toldDefault{v, n})
				different = different || n != found[0].value
			}
			if q.Name != s.Par.Name && different {
				return q.Name, found[:min(len(found), mostToldDefaults)]
			}
		}
	}
	return "", nil
}

const toldStep = "default that depends: creation"

// Operations document, section 5.4.
var dependentDefaultsTakeEffect = check.Check{
	Requirement: "OPS-5.4-09",
	Why:         "Who leaves a value out relies on the default of the case that the description names.",
	On:          eachDefaulted(func(s model.Subject) bool { _, all := toldDefaultsOf(s); return len(all) > 1 }),
	Drive: func(s model.Subject, ask model.AskFunc) {
		on, all := toldDefaultsOf(s)
		for i, d := range all {
			step := probes.Nth(toldStep, i)
			ask(s.FreshCall(step).With(on, d.when.Go()).Without(s.Par.Name).Anew(step))
		}
	},
	// One default that is as described shows that the description is about defaults of the case. So another one is wrong.
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		on, all := toldDefaultsOf(s)
		var right, wrong []probes.Observation
		var want, stored string
		for i, d := range all {
			o := got.Step(probes.Nth(toldStep, i))
			n, shown := check.MadeValue(s, o, s.Par.Name).Float()
			switch {
			case !o.Succeeded() || !shown:
			case n == d.value:
				right = append(right, o)
			default:
				wrong = append(wrong, o)
				want = fmt.Sprintf("%s %v where %s is %s, as described", s.Par.Name, d.value, on, strings.Trim(d.when.String(), `"`))
				stored = strconv.FormatFloat(n, 'f', -1, 64)
			}
		}
		switch {
		case len(right) > 0 && len(wrong) > 0:
			return ruling.Departs(want, stored).By(wrong[0], right[0])
		case len(right) > 1:
			return ruling.Conforms().By(right...)
		}
		return ruling.NotProven("new objects that show "+check.Quoted(s.Par.Name)+" as described for two values of "+check.Quoted(on), "fewer").By(got...)
	},
	Fix: "apply the default of each case as the description names it",
}
