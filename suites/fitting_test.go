package suites

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A record may promise more than an operation takes: an object whose members only its description
// names, and a text with rules of its own. The other fields still prove how updates merge.
func TestFieldsThatAreRefusedPlayNoRole(t *testing.T) {
	strict := meddler(func(operation string, params map[string]any) (string, bool) {
		fields := params
		if input, ok := params["input"].(map[string]any); ok {
			fields = input
		}
		metadata, _ := fields["metadata"].(map[string]any)
		body, given := fields["body"].(string)
		if (operation == "create_note" || operation == "update_note") && (len(metadata) > 0 || given && body != "plain") {
			return `{"success":false,"error":{"code":"VALIDATION_UNKNOWN_FIELD","message":"unknown field","details":{"operation":"` + operation + `"}}}`, false
		}
		return "", false
	})
	for fault, want := range map[string]map[string]reports.Verdict{
		"":                          {"AQL-4.5.1-01": reports.Pass, "AQL-4.5.1-04": reports.Pass, "AQL-4.5.1-06": reports.Pass, "AQL-4.5.1-08": reports.Pass, "AQL-4.5.2-03": reports.Pass},
		"AQL-4.5.1-08.null-skipped": {"AQL-4.5.1-08": reports.Fail},
	} {
		t.Run("fault: "+fault, func(t *testing.T) {
			t.Parallel()
			ids := []string{"AQL-4.5.1-01", "AQL-4.5.1-04", "AQL-4.5.1-06", "AQL-4.5.1-08", "AQL-4.5.2-03"}
			r := judged(t, stand.Config{Mode: "all", Fault: fault}, func(a *adapter.Adapter) wire.Target { return strict.before(t, a) }, plan.Selection{Checks: All(), Run: ids})
			for id, verdict := range want {
				if !slices.ContainsFunc(r.Findings, func(f reports.Finding) bool { return f.Requirement == id && f.Verdict == verdict }) {
					t.Errorf("no %s of %s", verdict, id)
				}
			}
		})
	}
}

// Where a creation requires two texts, either may be its name. A creation that overwrites by one of
// them shows in the other.
func TestCreationThatOverwritesByOneOfTwoRequiredTexts(t *testing.T) {
	demanding := manner(func(operation string, params, envelope map[string]any) {
		data, _ := envelope["data"].(map[string]any)
		record, _ := data["operation"].(map[string]any)
		parameters, _ := record["parameters"].([]any)
		for _, p := range parameters {
			if p, _ := p.(map[string]any); params["name"] == "create_note" && p["name"] == "body" {
				p["required"] = true
			}
		}
	})
	for fault, want := range map[string]reports.Verdict{"": reports.Pass, "AQL-8.1-01.create-is-upsert": reports.Fail} {
		t.Run("fault: "+fault, func(t *testing.T) {
			t.Parallel()
			r := judged(t, stand.Config{Mode: "all", Fault: fault}, demanding.before(t), plan.Selection{Checks: All(), Run: []string{"AQL-8.1-01"}})
			failed := slices.ContainsFunc(r.Findings, func(f reports.Finding) bool { return f.Verdict == reports.Fail && f.Requirement == "AQL-8.1-01" })
			if failed != (want == reports.Fail) {
				t.Errorf("want %s\n%s", want, r.trace())
			}
		})
	}
}

// A creation may answer an object that was there before. A value of another parameter makes one, and
// each creation gives it.
func TestCreationThatAnswersWhatExistsIsLearned(t *testing.T) {
	portion.InTurn(t)
	served := stand.Config{Mode: "all", Description: habits.Described(0, map[string]string{"made before": "the draft of the library is answered"})}
	r := judgedAs(t, served, inProcess, plan.Selection{Checks: All()}, fixtures.Hints{})
	for _, f := range r.Findings {
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
		}
	}
	if got := r.reach(); got.Kinds != 2 || len(got.NotLived) > 0 || len(got.NotReached) > 0 {
		t.Errorf("%s: not lived %q, not reached %v", got, unlived(got), got.NotReached)
	}
}

// Where no field is an array, one inside a free-form object shows whether arrays are replaced.
func TestArraysInsideObjectsShowTheirMerge(t *testing.T) {
	strict := meddler(func(operation string, params map[string]any) (string, bool) {
		fields := params
		if input, ok := params["input"].(map[string]any); ok {
			fields = input
		}
		if _, given := fields["tags"]; given && (operation == "create_note" || operation == "update_note") {
			return `{"success":false,"error":{"code":"VALIDATION_UNKNOWN_FIELD","message":"unknown field","details":{"operation":"` + operation + `"}}}`, false
		}
		return "", false
	})
	for fault, want := range map[string]bool{"": false, "AQL-4.5.1-06.nested-arrays-concatenated": true} {
		r := judged(t, stand.Config{Mode: "all", Fault: fault}, func(a *adapter.Adapter) wire.Target { return strict.before(t, a) }, plan.Selection{Checks: All(), Run: []string{"AQL-4.5.1-06"}})
		failed := slices.ContainsFunc(r.Findings, func(f reports.Finding) bool { return f.Verdict == reports.Fail && f.Requirement == "AQL-4.5.1-06" })
		if failed != want {
			t.Errorf("%s: a FAIL: %t, want %t\n%s", fault, failed, want, r.trace())
		}
	}
}
