package suites

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// called is an adapter whose operations have the names, categories and
// descriptions given, three by three.
func called(lines ...string) described {
	d := described{records: map[string]string{}, types: `{"types":[]}`}
	var list []string
	for i := 0; i < len(lines); i += 3 {
		entry := fmt.Sprintf(`"name":%q,"semantic_category":%q,"endpoint":"aql","description":%q`, lines[i], lines[i+1], lines[i+2])
		list = append(list, "{"+entry+"}")
		d.records[lines[i]] = "{" + entry + `,"mcpTool":"aql","parameters":[]}`
	}
	d.listing = `{"operations":[` + strings.Join(list, ",") + `]}`
	return d
}

func TestNameRows(t *testing.T) {
	for _, c := range []struct {
		id, why string
		d       described
		want    reports.Verdict
	}{
		{"AQL-8.2-01", "an order that goes to a broker", called("create_order", "EXECUTE", "Place an order with the broker"), reports.Pass},
		{"AQL-8.5.1-01", "an order that goes to a broker", called("create_order", "EXECUTE", "Place an order with the broker"), reports.Pass},
		{"AQL-8.2-01", "what need not exist", called("update_setting", "CREATE", "Store a setting, which need not exist"), reports.Pass},
		{"AQL-8.2-01", "a removal that only reads", called("delete_item", "READ", "Remove an item"), reports.Warn},
		{"AQL-8.2-01", "a removal of what is created here", called("create_meal", "CREATE", "Plan a meal", "clear_meals", "EXECUTE", "Empty the meal plan"), reports.Warn},
		{"AQL-8.2-01", "a removal on another host", called("start_container", "EXECUTE", "Start a container", "remove_container", "EXECUTE", "Remove a container"), reports.Pass},
		{"AQL-8.2-01", "a clearing that changes", called("create_note", "CREATE", "Write a note", "clear_note", "UPDATE", "Clear the text of a note"), reports.Pass},
		{"AQL-8.2-01", "a list that executes", called("list_items", "EXECUTE", "List the items"), reports.Warn},
		{"AQL-8.5.1-01", "a domain verb", called("triage_issue", "UPDATE", "Triage an issue"), reports.NotApplicable},
		{"AQL-8.5.1-01", "an allowed verb", called("upload_file", "CREATE", "Upload a file"), reports.Pass},
		{"AQL-8.5.1-01", "a bare synonym", called("make_item", "CREATE", "Create an item"), reports.Warn},
		{"AQL-8.5.1-01", "a synonym with a reason", called("make_item", "CREATE", "Similar to create, but assembles parts"), reports.Pass},
		{"AQL-8.5.1-01", "stop without cancel", called("stop_job", "EXECUTE", "Stop a job"), reports.Warn},
		{"AQL-8.5.1-01", "one word", called("status", "READ", "State of the system"), reports.NotApplicable},
		{"AQL-8.5.2-01", "camel case", called("getUser", "READ", "Get a user"), reports.Fail},
		{"AQL-8.5.2-02", "camel case is charged once", called("getUser", "READ", "Get a user"), reports.NotProven},
		{"AQL-8.5.2-02", "the resource first", called("user_create", "CREATE", "User creation"), reports.Warn},
		{"AQL-8.5.2-02", "a documented verb", called("triage_issue", "UPDATE", "Triages an issue"), reports.Pass},
		{"AQL-8.5.2-02", "the whole system", called("status", "READ", "State of the system"), reports.Pass},
		{"AQL-8.5.2-02", "a resource alone", called("users", "READ", "All users", "get_user", "READ", "Get a user"), reports.Warn},
		{"AQL-8.5.3-03", "get inside another word", called("search_gadgets", "READ", "Find gadgets and widgets by words"), reports.Warn},
		{"AQL-8.5.3-03", "a verb of another category", called("delete_item", "READ", "Remove an item from all places"), reports.NotApplicable},
		{"AQL-8.5.4-02", "execute_agent alone", called("execute_agent", "EXECUTE", "Start an agent"), reports.Warn},
		{"AQL-8.5.4-03", "another purpose", called("record_execution_step", "CREATE", "Store a step"), reports.Fail},
		{"AX-R2-04", "two verbs", called("fetch_user", "READ", "-", "get_order", "READ", "-", "list_users", "READ", "-"), reports.Warn},
		{"AX-R2-04", "search beside list", called("search_users", "READ", "-", "get_user", "READ", "-", "list_users", "READ", "-"), reports.Pass},
		{"AX-R2-04", "the same words in two categories", called("read_x", "EXECUTE", "-", "get_user", "READ", "-", "list_users", "READ", "-"), reports.Pass},
		{"INT-3.2-04", "a placeholder", called("get_user", "READ", "TODO"), reports.Warn},
		{"INT-3.2-05", "underscores apart", called("get_user", "READ", "-", "getuser", "READ", "-"), reports.Warn},
		{"INT-4.3-01", "null", called("get_user", "READ", "-"), reports.Pass},
		{"INT-8.2-07", "not listed", called("get_user", "READ", "-"), reports.Warn},
	} {
		t.Run(c.id+"/"+c.why, func(t *testing.T) {
			if got := ruled(t, c.id, c.d); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestHiddenOperations(t *testing.T) {
	refused := func(code string) string {
		return `{"success":false,"error":{"code":"` + code + `","message":"no"}}`
	}
	for _, c := range []struct {
		why, name, answer string
		anything          string
		want              reports.Verdict
	}{
		{"nothing hidden", "", "", "", reports.Pass},
		{"a forgotten dump", "debug_dump", `{"success":true,"data":{}}`, "", reports.Fail},
		{"it complains about a parameter", "count_users", refused("VALIDATION_UNKNOWN_PARAM"), "", reports.Fail},
		{"every name gets that complaint", "count_users", refused("VALIDATION_UNKNOWN_PARAM"), refused("VALIDATION_UNKNOWN_PARAM"), reports.Pass},
		{"an alias", "list_user", `{"success":true,"data":[]}`, "", reports.Warn},
		{"hidden from this identity", "count_users", refused("PERMISSION_DENIED"), "", reports.Warn},
		{"every name runs", "", "", `{"success":true,"data":{}}`, reports.NotProven},
	} {
		t.Run(c.why, func(t *testing.T) {
			d := called("introspect", "READ", "-", "list_users", "READ", "-")
			d.answers, d.anything = map[string]string{c.name: c.answer}, c.anything
			if got := ruled(t, "AQL-10.2-02", d); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
