package suites

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/schemas"
)

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
		if leaking.MatchString(message) || regexp.MustCompile(`(?i)at\s+\S+`).MatchString(message) {
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
