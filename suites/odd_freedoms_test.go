package suites

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// levelsOf counts how deep a value is nested.
func levelsOf(v any) int {
	deepest := 0
	switch t := v.(type) {
	case map[string]any:
		for _, inner := range t {
			deepest = max(deepest, levelsOf(inner))
		}
	case []any:
		for _, inner := range t {
			deepest = max(deepest, levelsOf(inner))
		}
	default:
		return 0
	}
	return deepest + 1
}

// onRecord changes what introspection says of one operation.
func onRecord(name string, change func(op map[string]any)) func(call, e map[string]any) {
	return func(call, e map[string]any) {
		if op, ok := objectAt(e, "data", "operation"); ok && call["operation"] == "introspect" && op["name"] == name {
			change(op)
		}
	}
}

// taking documents further parameters of list_folders.
func taking(parameters ...map[string]any) func(call, e map[string]any) {
	return onRecord("list_folders", func(op map[string]any) {
		for _, p := range parameters {
			p["required"] = false
			op["parameters"] = append(op["parameters"].([]any), p)
		}
	})
}

// forgetting takes the parameters and does nothing with them.
func forgetting(names ...string) func(call map[string]any) {
	return func(call map[string]any) {
		if params, ok := objectAt(call, "params"); ok && call["operation"] == "list_folders" {
			for _, name := range names {
				delete(params, name)
			}
		}
	}
}

// daysRefused refuses days for due_date, whatever their form, and says so.
func daysRefused(fits func(day time.Time) bool) (asked func(call map[string]any), answered func(call, e map[string]any)) {
	other := func(call map[string]any) bool {
		day, err := time.Parse(time.DateOnly, paramOf(call, "due_date"))
		return call["operation"] == "create_note" && err == nil && !fits(day)
	}
	asked = func(call map[string]any) {
		if other(call) {
			call["params"].(map[string]any)["due_date"] = "no day"
		}
	}
	return asked, refusedIf("VALIDATION_INVALID_VALUE", "Parameter 'due_date' has to fit our calendar", other)
}

// What the specification leaves to an adapter is neither a failure nor a warning.
func TestFreedomsAreNoFindings(t *testing.T) {
	portion.InTurn(t)
	number := func(name, description string) map[string]any {
		return map[string]any{"name": name, "type": "integer", "description": description}
	}
	day := func(name, description, format string) map[string]any {
		return map[string]any{"name": name, "type": "string", "format": format, "description": description}
	}
	unit := func(name string) map[string]any {
		return map[string]any{"name": name, "type": "string", "enum": []any{"km", "mi", "g", "kg"}, "description": "Unit of the distance, or of the weight"}
	}
	picked := []any{"title", "folder_id", "note_id", "tags", "owner", "name", "position"}
	listed := func(call, e map[string]any) {
		eachObject(e, func(m map[string]any) {
			if m["name"] == "fields" && m["type"] != nil {
				m["type"], m["items"] = "array", map[string]any{"type": "string", "enum": picked}
				delete(m, "default")
			}
		})
		params, _ := objectAt(call, "params")
		names, _ := params["fields"].([]any)
		if slices.ContainsFunc(names, func(name any) bool { return !slices.Contains(picked, name) }) {
			refuse(e, "VALIDATION_INVALID_VALUE", "Parameter 'fields' takes the listed names")
		}
	}
	worded := func(_, e map[string]any) {
		eachObject(e, func(m map[string]any) {
			if m["name"] == "fields" && m["type"] != nil {
				m["type"] = "string"
				delete(m, "default")
				delete(m, "enum")
			}
		})
	}
	asText := func(fields func(text string) any) func(call map[string]any) {
		return func(call map[string]any) {
			if text := paramOf(call, "fields"); text != "" {
				call["params"].(map[string]any)["fields"] = fields(text)
			}
		}
	}
	joined := asText(func(text string) any {
		var names []any
		for name := range strings.SplitSeq(text, ",") {
			names = append(names, name)
		}
		return names
	})
	unheard := asText(func(string) any { return "aqlx" })
	ahead, weekAhead := daysRefused(func(day time.Time) bool { return time.Until(day) > 7*24*time.Hour })
	firsts, firstDays := daysRefused(func(day time.Time) bool { return day.Day() == 1 })
	for name, c := range map[string]struct {
		run      string
		want     reports.Verdict // of one finding at least
		asked    func(call map[string]any)
		answered func(call, e map[string]any)
	}{
		"a depth limit that is not advertised": {"AQL-4.7.5-10", reports.NotProven, nil, func(call, e map[string]any) {
			if protocol, ok := objectAt(e, "data", "_protocol"); ok {
				delete(protocol, "limits")
			}
			if levelsOf(call) > 24 {
				refuse(e, "VALIDATION_PAYLOAD_TOO_LARGE", "Nesting depth exceeds 24 levels")
			}
		}},
		"days a week ahead":     {"AQL-4.7.2-04", reports.NotProven, ahead, weekAhead},
		"first days of a month": {"AQL-4.7.2-04", reports.NotProven, firsts, firstDays},
		"names of fields in the listing of types": {"OPS-9.6-02", reports.Pass, nil, func(_, e map[string]any) {
			data, _ := objectAt(e, "data")
			types, _ := data["types"].([]any)
			for _, one := range types {
				if one := one.(map[string]any); one["name"] == "Folder" {
					one["fields"] = []any{"folder_id", "name", "owner", "position", "created_at"}
				}
			}
		}},
		"null among the values": {"INT-3.4-06", reports.Pass, nil, func(_, e map[string]any) {
			eachObject(e, func(m map[string]any) {
				if values, ok := m["enum"].([]any); ok && m["name"] == "status" {
					m["nullable"], m["enum"] = true, append(slices.Clone(values), nil)
				}
			})
		}},
		"units of two measures": {"INT-3.4.1-01", reports.NotProven, forgetting("from", "to"), func(call, e map[string]any) {
			taking(unit("from"), unit("to"))(call, e)
			from, to := cmp.Or(paramOf(call, "from"), "km"), cmp.Or(paramOf(call, "to"), "mi")
			if call["operation"] == "list_folders" && strings.HasSuffix(from, "g") != strings.HasSuffix(to, "g") {
				refuse(e, "VALIDATION_INVALID_VALUE", "A unit '"+from+"' cannot be converted to '"+to+"'")
				e["error"].(map[string]any)["details"] = map[string]any{"param_name": "to"}
			}
		}},
		"a selection of listed names":     {"INT-4.1.1-12", reports.Pass, nil, listed},
		"a selection at level 2":          {"AQL-10.1-10", reports.Pass, nil, listed},
		"a text of names":                 {"INT-4.1.1-12", reports.Pass, joined, worded},
		"a text of unknown form":          {"INT-4.1.1-12", reports.NotProven, unheard, worded},
		"a text of names at level 2":      {"AQL-10.1-10", reports.Pass, joined, worded},
		"a text of any form at level 2":   {"AQL-10.1-10", reports.NotProven, unheard, worded},
		"an effect of listed names":       {"INT-8.1.2-07", reports.Pass, nil, listed},
		"listed names beside the unknown": {"AQL-10.3-03", reports.Pass, nil, listed},
		"a start that is a day":           {"OPS-4.2-03", reports.NotApplicable, forgetting("start", "limit"), taking(day("start", "Return events from this day on", "date"), number("limit", "How many events to return at most"))},
		"a page of a book":                {"OPS-4.2-03", reports.NotApplicable, forgetting("page", "count"), taking(number("page", "Return only notes taken on this page of the book"), number("count", "Return only folders with at least this many notes"))},
		"pages changed after":             {"OPS-4.2-02", reports.Pass, forgetting("after"), taking(day("after", "Only pages changed after this time", "date-time"))},
		"sums in Swiss francs":            {"AX-R3-06", reports.Pass, forgetting("amount"), taking(number("amount", "Least sum in Swiss francs"))},
		"sums with their sign":            {"AX-R3-06", reports.Pass, forgetting("amount"), taking(number("amount", "Least sum (CHF)"))},
		"the stage of a read":             {"AQL-8.4.5-02", reports.Pass, nil, onRecord("get_note", func(op map[string]any) { op["lifecycle"] = "stable" })},
		"a danger that is told":           {"AQL-D-04", reports.Pass, nil, onRecord("delete_note", func(op map[string]any) { op["danger"] = "Removes the note for good" })},
		"an identifier in capitals": {"OPS-8.4-02", reports.Pass, nil, func(call, e map[string]any) {
			if fault, ok := objectAt(e, "error"); ok && fault["code"] == "NOT_FOUND_RESOURCE" && paramOf(call, "folder_id") != "" {
				refuse(e, "NOT_FOUND_RESOURCE", "There is no folder "+strings.ToUpper(paramOf(call, "folder_id")))
			}
		}},
		"a secret identifier": {"OPS-8.4-02", reports.Pass, nil, func(call, e map[string]any) {
			eachObject(e, func(m map[string]any) {
				if m["name"] == "folder_id" && m["type"] != nil {
					m["sensitive"] = true
				}
			})
			if fault, ok := objectAt(e, "error"); ok && fault["code"] == "NOT_FOUND_RESOURCE" && paramOf(call, "folder_id") != "" {
				refuse(e, "NOT_FOUND_RESOURCE", "There is no such folder")
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judgedAs(t, stand.Config{Mode: "all", Features: offered()}, inFront(c.asked, c.answered), plan.Selection{Checks: All(), Run: strings.Fields(c.run)}, hintsFor(t, seam.Fault{Features: "all"}))
			var verdicts []reports.Verdict
			for _, f := range r.Findings {
				if f.Requirement != c.run {
					continue
				}
				if verdicts = append(verdicts, f.Verdict); f.Verdict == reports.Fail || f.Verdict == reports.Warn {
					t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
				}
			}
			if !slices.Contains(verdicts, c.want) {
				said, _ := json.Marshal(verdicts)
				t.Errorf("ruled %s, want %s", said, c.want)
			}
		})
	}
}

// Beside the directive an answer may tell of the evaluation, or repeat the directive of an earlier pause.
func TestDirectivesAreToldFromTheirNeighbours(t *testing.T) {
	paused := map[string]any{}
	bare := func(call, e map[string]any, beside func(data, directive map[string]any)) {
		if directive, ok := objectAt(e, "data", "directive"); ok && calling("record_execution_step")(call) {
			beside(e["data"].(map[string]any), directive)
		}
	}
	for _, odd := range []oddSafety{
		{name: "an evaluation", answered: func(call, e map[string]any) {
			bare(call, e, func(data, directive map[string]any) {
				data["evaluation"] = map[string]any{"factors": map[string]any{"score": 95}, "reason": map[string]any{"code": "x"}, "nextStepRisk": "high", "stepsRemaining": "n/a", "notifications": 0}
				for _, name := range []string{"stepsRemaining", "nextStepRisk", "reason"} {
					delete(directive, name)
				}
			})
		}},
		{name: "the last pause", answered: func(call, e map[string]any) {
			bare(call, e, func(data, directive map[string]any) {
				agent := paramOf(call, "element_name")
				if directive["continue"] == false {
					paused[agent] = fromJSON(asJSON(directive))
				} else if last := paused[agent]; last != nil {
					data["directive"], data["last_pause"] = map[string]any{"continue": true, "factors": directive["factors"]}, last
				}
			})
		}},
	} {
		odd.requirements, odd.want = "AQL-8.7.1-01 AQL-8.7.1-03", reports.Pass
		t.Run(odd.name, odd.judge)
	}
}

// Whoever documents that one token approves a whole session may do so.
func TestDocumentedApprovalsOnlyWarn(t *testing.T) {
	oddSafety{fault: "CMP-TOKEN-01.token-opens-other-operation", requirements: "CMP-TOKEN-01", want: reports.Warn, answered: func(_, e map[string]any) {
		eachObject(e, func(m map[string]any) {
			if m["name"] == "confirmation_token" {
				m["description"] = "Approves every destructive operation of its session"
			}
		})
	}}.judge(t)
}
