package loop

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// evaluator holds what of the evaluation can be set for each agent (spec 8.7.4).
type evaluator struct {
	limit     int
	tolerance string
	Deny      []string
	Approval  []string
	Auto      []string
}

var (
	DefaultDeny     = []string{"rm -rf*", "drop_*"}
	DefaultApproval = []string{"delete_*", "git push*"}
	DefaultAuto     = []string{"read_*", "list_*", "search_*"}
)

func evaluatorOf(params map[string]any) evaluator {
	tolerance, _ := params["risk_tolerance"].(string)
	return evaluator{
		limit: adapter.Integer(params["max_autonomous_steps"]), tolerance: tolerance,
		Deny: texts(params["deny"]), Approval: texts(params["requires_approval"]), Auto: texts(params["auto_approve"]),
	}
}

func texts(list any) []string {
	var all []string
	for _, item := range adapter.Array(list) {
		all = append(all, item.(string))
	}
	return all
}

// The verdicts of an evaluation, from the mildest to the hardest.
const (
	Proceed = iota
	Pause
	Stop
)

// Decision is what the evaluation of a report came to.
type Decision struct {
	Verdict int
	Cause   string // limit, outcome, pattern, tier, tolerance
	Reason  string // empty for proceed
	Factors []string
	tier    string // empty where the action was not scored
	score   int
}

// Stage looks at a report; settled is false if the next stage has to.
type Stage func(e *Execution, hint, outcome string) (d Decision, settled bool)

// Pipeline is the order of spec 8.7.2: the first stage that settles ends the
// evaluation.
var Pipeline = []Stage{StepLimit, PreviousOutcome, ActionPatterns, RiskTier}

func (l *Loop) Evaluate(e *Execution, hint, outcome string) Decision {
	for _, look := range l.Stages {
		if d, settled := look(e, hint, outcome); settled {
			return d
		}
	}
	return Decision{Factors: []string{"no rule speaks against the action"}}
}

const LimitExceeded = "Step limit exceeded"

func StepLimit(e *Execution, _, _ string) (Decision, bool) {
	return Decision{Verdict: Pause, Cause: "limit", Reason: LimitExceeded,
		Factors: []string{fmt.Sprintf("%d steps without a person, %d are allowed", e.Alone, e.Settings.limit)}}, e.Alone > e.Settings.limit
}

func PreviousOutcome(_ *Execution, _, outcome string) (Decision, bool) {
	return Decision{Verdict: Pause, Cause: "outcome", Reason: "Previous step failed",
		Factors: []string{"the report says failure of the previous step"}}, outcome == "failure"
}

// ActionPatterns matches the hint, deny before approval before auto.
func ActionPatterns(e *Execution, hint, _ string) (Decision, bool) {
	for _, list := range []struct {
		patterns []string
		d        Decision
	}{
		{e.Settings.Deny, Decision{Verdict: Stop, Reason: "Action is denied"}},
		{e.Settings.Approval, Decision{Verdict: Pause, Reason: "Action requires approval"}},
		{e.Settings.Auto, Decision{}},
	} {
		for _, pattern := range list.patterns {
			if ok, _ := path.Match(pattern, strings.ReplaceAll(hint, "/", " ")); ok || pattern == hint {
				list.d.Cause, list.d.Factors = "pattern", []string{"the action matches the pattern " + pattern}
				return list.d, true
			}
		}
	}
	return Decision{}, false
}

// risks are words that tell how dangerous an action is.
var risks = []struct {
	word  string
	score int
}{
	{"wipe", 95}, {"format", 90}, {"drop", 88}, {"deploy", 80}, {"publish", 70}, {"send", 65},
	{"overwrite", 55}, {"write", 45}, {"install", 40}, {"copy", 28}, {"rename", 28},
}

func scored(hint string) int {
	for _, r := range risks {
		if strings.Contains(strings.ToLower(hint), r.word) {
			return r.score
		}
	}
	return 10
}

func tierOf(score int) string {
	return safetyTiers[slices.IndexFunc([]int{30, 60, 85, 100}, func(most int) bool { return score <= most })]
}

var thresholds = map[string]int{"conservative": 25, "moderate": 50, "aggressive": 75}

// RiskTier maps the score of the action to its tier, and asks the tolerance of the
// agent where the tier alone would let it pass.
func RiskTier(e *Execution, hint, _ string) (Decision, bool) {
	score := scored(hint)
	d := Decision{Cause: "tier", tier: tierOf(score), score: score, Factors: []string{fmt.Sprintf("a risk of %d, tier %s", score, tierOf(score))}}
	switch d.tier {
	case "advisory":
		if score > thresholds[e.Settings.tolerance] {
			d.Verdict, d.Cause, d.Reason = Pause, "tolerance", "Risk exceeds the "+e.Settings.tolerance+" tolerance"
		}
	case "danger_zone":
		d.Verdict, d.Reason = Stop, "Action is in the danger zone"
	default:
		d.Verdict, d.Reason = Pause, cmp.Or(map[string]string{"verify": "Action requires verification"}[d.tier], "Action requires confirmation")
	}
	return d, true
}
