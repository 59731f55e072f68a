package suites

import (
	"strconv"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// A step limit below the documented minimum may be cut up to it: it is set to one within the bounds.
func TestStepLimitsHaveBounds(t *testing.T) {
	least := 5
	oddSafety{
		asked: func(call map[string]any) {
			params, _ := objectAt(call, "params")
			if limit, err := strconv.Atoi(asJSON(params["max_autonomous_steps"])); err == nil && limit < least && call["operation"] == "execute_agent" {
				params["max_autonomous_steps"] = least
			}
		},
		answered: func(call, e map[string]any) {
			op, _ := objectAt(e, "data", "operation")
			eachObject(op["parameters"], func(p map[string]any) {
				if p["name"] == "max_autonomous_steps" {
					p["minimum"] = least
				}
			})
		},
		requirements: "AQL-8.7.2-04", want: reports.Pass,
	}.judge(t)
}
