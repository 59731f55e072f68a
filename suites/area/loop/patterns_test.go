package loop

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
)

// A reason that speaks of limits may be that of the step limit, unless the directive before it counts steps that are left.
func TestPauseBlamesTheStepLimit(t *testing.T) {
	report := func(hint, directive string) check.StepReport {
		d, err := probes.ParseValue([]byte(directive))
		if err != nil {
			t.Fatal(err)
		}
		return check.StepReport{Hint: hint, Directive: d}
	}
	const limited = `{"continue":false,"factors":["beyond the limits"]}`
	for _, c := range []struct {
		before, directive string
		want              reports.Verdict
	}{
		{`{"continue":true,"stepsRemaining":3}`, limited, reports.Fail},
		{`{"continue":true,"stepsRemaining":0}`, limited, reports.NotProven},
		{`{"continue":true}`, limited, reports.NotProven},
		{`{"continue":true}`, `{"continue":false,"factors":["fails a check"]}`, reports.Fail},
		{`{"continue":false}`, `{"continue":false,"factors":["fails a check"]}`, reports.NotProven},
		{`{"continue":true}`, `{"continue":true,"factors":["within the limits"]}`, reports.Pass},
	} {
		if got := passing([]check.StepReport{report("plain", c.before), report("auto", c.directive)}, "auto"); got.Verdict != c.want {
			t.Errorf("%s after %s: %s, want %s", c.directive, c.before, got.Verdict, c.want)
		}
	}
}
