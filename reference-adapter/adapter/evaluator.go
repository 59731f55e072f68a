package adapter

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// evaluator holds what of the evaluation can be set for each agent (spec 8.7.4).
type evaluator struct {
	limit     int
	tolerance string
	deny      []string
	approval  []string
	auto      []string
}

var (
	defaultDeny     = []string{"rm -rf*", "drop_*"}
	defaultApproval = []string{"delete_*", "git push*"}
	defaultAuto     = []string{"read_*", "list_*", "search_*"}
)

func evaluatorOf(params map[string]any) evaluator {
	tolerance, _ := params["risk_tolerance"].(string)
	return evaluator{
		limit: integer(params["max_autonomous_steps"]), tolerance: tolerance,
		deny: texts(params["deny"]), approval: texts(params["requires_approval"]), auto: texts(params["auto_approve"]),
	}
}

func texts(list any) []string {
	var all []string
	for _, item := range array(list) {
		all = append(all, item.(string))
	}
	return all
}

// The verdicts of an evaluation, from the mildest to the hardest.
const (
	proceed = iota
	pause
	stop
)

// decision is what the evaluation of a report came to.
type decision struct {
	verdict int
	cause   string // limit, outcome, pattern, tier, tolerance
	reason  string // empty for proceed
	factors []string
	tier    string // empty where the action was not scored
	score   int
}

// stage looks at a report; settled is false if the next stage has to.
type stage func(e *execution, hint, outcome string) (d decision, settled bool)

// pipeline is the order of spec 8.7.2: the first stage that settles ends the
// evaluation.
var pipeline = []stage{stepLimit, previousOutcome, actionPatterns, riskTier}

func (l safety) evaluate(e *execution, hint, outcome string) decision {
	for _, look := range l.stages {
		if d, settled := look(e, hint, outcome); settled {
			return d
		}
	}
	return decision{factors: []string{"no rule speaks against the action"}}
}

const limitExceeded = "Step limit exceeded"

func stepLimit(e *execution, _, _ string) (decision, bool) {
	return decision{verdict: pause, cause: "limit", reason: limitExceeded,
		factors: []string{fmt.Sprintf("%d steps without a person, %d are allowed", e.alone, e.settings.limit)}}, e.alone > e.settings.limit
}

func previousOutcome(_ *execution, _, outcome string) (decision, bool) {
	return decision{verdict: pause, cause: "outcome", reason: "Previous step failed",
		factors: []string{"the report says failure of the previous step"}}, outcome == "failure"
}

// actionPatterns matches the hint, deny before approval before auto.
func actionPatterns(e *execution, hint, _ string) (decision, bool) {
	for _, list := range []struct {
		patterns []string
		d        decision
	}{
		{e.settings.deny, decision{verdict: stop, reason: "Action is denied"}},
		{e.settings.approval, decision{verdict: pause, reason: "Action requires approval"}},
		{e.settings.auto, decision{}},
	} {
		for _, pattern := range list.patterns {
			if ok, _ := path.Match(pattern, strings.ReplaceAll(hint, "/", " ")); ok || pattern == hint {
				list.d.cause, list.d.factors = "pattern", []string{"the action matches the pattern " + pattern}
				return list.d, true
			}
		}
	}
	return decision{}, false
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

// riskTier maps the score of the action to its tier, and asks the tolerance of the
// agent where the tier alone would let it pass.
func riskTier(e *execution, hint, _ string) (decision, bool) {
	score := scored(hint)
	d := decision{cause: "tier", tier: tierOf(score), score: score, factors: []string{fmt.Sprintf("a risk of %d, tier %s", score, tierOf(score))}}
	switch d.tier {
	case "advisory":
		if score > thresholds[e.settings.tolerance] {
			d.verdict, d.cause, d.reason = pause, "tolerance", "Risk exceeds the "+e.settings.tolerance+" tolerance"
		}
	case "danger_zone":
		d.verdict, d.reason = stop, "Action is in the danger zone"
	default:
		d.verdict, d.reason = pause, cmp.Or(map[string]string{"verify": "Action requires verification"}[d.tier], "Action requires confirmation")
	}
	return d, true
}
