package suites

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/schemas"
)

// evidential are the requirements whose probes a bundle is made of.
var evidential = strings.Fields(`AQL-4.6-01 AQL-4.6-09 OPS-9.2-06 OPS-5.4-01 AQL-5.3-01 OPS-5.4-04 OPS-5.4-05 OPS-5.4-07 OPS-5.4-08 OPS-5.4-09
	AQL-4.3-02 INT-8.1.1-02 AQL-4.5.1-04 INT-4.1.1-12 OPS-7.2-01 OPS-8.1-02 OPS-8.1-03 OPS-8.1-04 INT-8.1.3-*`)

// bundleOf judges a reference adapter and returns its evidence as it is written.
func bundleOf(t *testing.T, cfg adapter.Config) []byte {
	t.Helper()
	r := judgedAs(t, cfg, inProcess, Selection{Run: evidential}, fixtures.Hints{})
	report := reports.Conclude(reports.Run{Implementation: "reference", Version: "1", SpecVersion: SpecVersion, Level: 2}, Rows(), r.findings)
	report.Evidence = r.plan.Evidence(r.record)
	var b bytes.Buffer
	if err := report.WriteEvidence(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A bundle is read here by somebody who knows the form alone, and draws the conclusions
// that the form is for: the complaints by the test that has them.
type bundleReader struct {
	bundle     map[string]any
	complaints map[string][]string
}

func readBundle(t *testing.T, raw []byte) map[string][]string {
	t.Helper()
	r := bundleReader{complaints: map[string][]string{}}
	if err := json.Unmarshal(raw, &r.bundle); err != nil {
		t.Fatal(err)
	}
	r.introspection(t)
	r.parameters()
	r.errors(t)
	for _, kind := range [][2]string{{"round_trip_tests", "expected_fields"}, {"update_preservation_tests", "preserved_fields"}} {
		for _, test := range r.list(kind[0]) {
			for path, want := range along(test, kind[1]).(map[string]any) {
				if got := along(along(test, "read_response"), path); !reflect.DeepEqual(got, want) {
					r.complain(kind[0], "%s %s: want %v, got %v", along(test, "name"), path, want, got)
				}
			}
		}
	}
	for _, test := range r.list("constraint_tests") {
		if along(test, "response.success") != false || along(test, "documented") != true {
			r.complain("constraint_tests", "%s", along(test, "name"))
		}
	}
	return r.complaints
}

func (r bundleReader) complain(test, format string, args ...any) {
	r.complaints[test] = append(r.complaints[test], fmt.Sprintf(format, args...))
}

func (r bundleReader) list(path string) []any { all, _ := along(r.bundle, path).([]any); return all }

// along follows a path of names and positions; nil when it ends.
func along(v any, path string) any {
	for _, name := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// fits says where a part of the bundle departs from a schema.
func (r bundleReader) fits(t *testing.T, test, schema, def string, part any) {
	t.Helper()
	raw, err := json.Marshal(part)
	if err != nil {
		t.Fatal(err)
	}
	departures, err := schemas.Check(schema, def, raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range departures {
		r.complain(test, "%s%s: %v", schema, def, d)
	}
}

func (r bundleReader) introspection(t *testing.T) {
	for list, def := range map[string]string{"operations_list": "OperationsListData", "types_list": "TypesListData"} {
		answer := along(r.bundle, "introspection."+list)
		if along(answer, "success") != true {
			r.complain("introspection", "%s: no success", list)
		}
		r.fits(t, "introspection", "introspection-response", def, along(answer, "data"))
	}
	for _, detail := range r.list("introspection.operation_details") {
		name := along(detail, "name").(string)
		accepted, _ := along(r.bundle, "accepted_parameters").(map[string]any)[name].([]any)
		var documented []any
		for _, p := range along(detail, "parameters").([]any) {
			documented = append(documented, along(p, "name"))
		}
		for _, p := range accepted {
			if !slices.Contains(documented, p) {
				r.complain("accepted_parameters", "%s.%s", name, p)
			}
		}
	}
}

func (r bundleReader) parameters() {
	for _, detail := range r.list("introspection.operation_details") {
		for _, p := range along(detail, "parameters").([]any) {
			if along(p, "required") == true {
				r.required(along(detail, "name").(string), along(p, "name").(string))
			}
		}
	}
	for _, test := range r.list("parameter_tests.unknown_parameter") {
		message, _ := along(test, "response.error.message").(string)
		if along(test, "response.success") != false || !strings.Contains(message, along(test, "parameter").(string)) {
			r.complain("unknown_parameter", "%s", along(test, "operation"))
		}
	}
	for _, test := range r.list("parameter_tests.optional_defaults") {
		if got := along(along(test, "response"), along(test, "expected_value_path").(string)); got != along(test, "expected_value") {
			r.complain("optional_defaults", "%s.%s %v", along(test, "operation"), along(test, "parameter"), got)
		}
	}
}

func (r bundleReader) required(operation, parameter string) {
	for _, test := range r.list("parameter_tests.missing_required") {
		if along(test, "operation") != operation || along(test, "parameter") != parameter {
			continue
		}
		message, _ := along(test, "response.error.message").(string)
		if along(test, "response.success") != false || !strings.Contains(message, parameter) {
			r.complain("missing_required", "%s.%s", operation, parameter)
		}
		return
	}
	r.complain("not shown", "%s.%s", operation, parameter)
}

var leaking = regexp.MustCompile(`TypeError|#<Object>|\.js:|\.ts:|at Function|at Module|/src/|/node_modules/|goroutine \d+|\.go:\d+|Traceback|/srv/`)

func (r bundleReader) errors(t *testing.T) {
	for _, test := range r.list("error_tests") {
		r.fits(t, "error_tests", "operation-result", "", along(test, "response"))
		message, _ := along(test, "response.error.message").(string)
		if leaking.MatchString(message) {
			r.complain("leaks", "%s: %s", along(test, "name"), message)
		}
		for _, word := range along(test, "must_mention").([]any) {
			if !strings.Contains(message, word.(string)) {
				r.complain("must_mention", "%s", along(test, "name"))
			}
		}
	}
	if batch := along(r.bundle, "batch_example"); batch != nil {
		r.fits(t, "batch_example", "operation-result", "", batch)
	}
}

// fitsForm holds a bundle against the published schema.
func fitsForm(t *testing.T, raw []byte) {
	t.Helper()
	text, err := os.ReadFile("../schemas/evidence-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	form, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("evidence", form); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("evidence")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(bundle); err != nil {
		t.Error(err)
	}
}

// Of a healthy adapter a reader of the bundle has nothing to complain of, but that
// nobody left out what identifies the target of a removal or an execution.
func TestEvidenceOfAHealthyAdapter(t *testing.T) {
	raw := bundleOf(t, adapter.Config{Mode: "all"})
	fitsForm(t, raw)
	complaints := readBundle(t, raw)
	unshown := []string{ // the last two by other requirements than these
		"delete_note.note_id", "delete_folder.folder_id", "execute_export.folder_id", "cancel_export.execution_id", "update_note.note_id", "update_note.input",
	}
	if got := complaints["not shown"]; !slices.Equal(byName(got), byName(unshown)) {
		t.Errorf("not shown: %q", got)
	}
	delete(complaints, "not shown")
	if len(complaints) > 0 {
		t.Errorf("complaints: %q", complaints)
	}
	r := bundleReader{}
	if err := json.Unmarshal(raw, &r.bundle); err != nil {
		t.Fatal(err)
	}
	for path, least := range map[string]int{
		"endpoint_modes": 2, "introspection.operation_details": 14, "parameter_tests.missing_required": 8, "parameter_tests.unknown_parameter": 11,
		"parameter_tests.optional_defaults": 3, "error_tests": 30, "round_trip_tests": 1, "update_preservation_tests": 1, "constraint_tests": 15,
	} {
		if n := len(r.list(path)); n < least {
			t.Errorf("%s: %d, want %d at least", path, n, least)
		}
	}
	for _, capability := range []string{"capabilities.field_selection", "capabilities.batch_operations"} {
		if along(r.bundle, capability) != true {
			t.Errorf("%s is %v", capability, along(r.bundle, capability))
		}
	}
}

func byName(list []string) []string { return slices.Sorted(slices.Values(list)) }

// Whoever reads the bundle of a faulty adapter finds the fault in it.
func TestEvidenceShowsTheFault(t *testing.T) {
	for fault, test := range map[string]string{
		"AQL-4.6-01.unknown-params-dropped":    "unknown_parameter",
		"AQL-4.6-09.hidden-limit":              "accepted_parameters",
		"OPS-5.4-01.absent-params-unvalidated": "missing_required",
		"OPS-5.4-01.required-flag-wrong":       "missing_required",
		"OPS-5.4-04.enum-not-enforced":         "constraint_tests",
		"OPS-5.4-05.maximum-not-enforced":      "constraint_tests",
		"OPS-5.4-07.pattern-not-enforced":      "constraint_tests",
		"OPS-5.4-08.length-not-enforced":       "constraint_tests",
		"OPS-5.4-09.default-not-applied":       "optional_defaults",
		"AQL-4.5.1-04.put-semantics":           "update_preservation_tests",
		"AQL-5.1-01.failure-without-success":   "error_tests",
		"AQL-5.1-04.error-as-text":             "error_tests",
		"INT-8.1.3-04.path-in-message":         "leaks",
	} {
		t.Run(fault, func(t *testing.T) {
			raw := bundleOf(t, adapter.Config{Mode: "all", Fault: fault})
			fitsForm(t, raw)
			complaints := readBundle(t, raw)
			if len(complaints[test]) == 0 {
				t.Errorf("no complaint about %s, but about %q", test, slices.Sorted(maps.Keys(complaints)))
			}
		})
	}
}
