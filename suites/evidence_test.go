package suites

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/plan"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// evidential are the requirements whose probes a bundle is made of.
var evidential = strings.Fields(`AQL-4.6-01 AQL-4.6-09 OPS-9.2-06 OPS-5.4-01 AQL-5.3-01 OPS-5.4-04 OPS-5.4-05 OPS-5.4-07 OPS-5.4-08 OPS-5.4-09
	AQL-4.3-02 INT-8.1.1-02 AQL-4.5.1-04 INT-4.1.1-12 OPS-7.2-01 OPS-8.1-02 OPS-8.1-03 OPS-8.1-04 INT-8.1.3-*`)

// bundleOf judges a reference adapter and returns its evidence as it is written.
func bundleOf(t *testing.T, cfg stand.Config) []byte {
	t.Helper()
	r := judgedAs(t, cfg, inProcess, plan.Selection{Checks: All(), Run: evidential}, fixtures.Hints{})
	report := reports.Conclude(reports.Run{Implementation: "reference", Version: "1", SpecVersion: catalogue.SpecVersion, Level: 2}, catalogue.Rows(), r.Findings)
	report.Evidence = export.Evidence(r.Plan, r.Record)
	var b bytes.Buffer
	if err := report.WriteEvidence(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
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

// Of a healthy adapter a reader of the bundle has nothing to complain of. Records of operations that
// were not tried without what identifies their target are left out.
func TestEvidenceOfAHealthyAdapter(t *testing.T) {
	raw := bundleOf(t, stand.Config{Mode: "all"})
	fitsForm(t, raw)
	complaints := readBundle(t, raw)
	if len(complaints) > 0 {
		t.Errorf("complaints: %q", complaints)
	}
	r := bundleReader{}
	if err := json.Unmarshal(raw, &r.bundle); err != nil {
		t.Fatal(err)
	}
	for path, least := range map[string]int{
		"endpoint_modes": 2, "introspection.operation_details": 10, "parameter_tests.missing_required": 8, "parameter_tests.unknown_parameter": 11,
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

// Ordinary prose is kept from a reader who would take it for a stack trace; a stack trace
// is not.
func TestMisreadMessages(t *testing.T) {
	for message, want := range map[string]bool{
		"Text of at most 200 characters":                                           true,
		"Expected: string (what to look for)":                                      true,
		"Unknown parameter 'x'":                                                    false,
		"TypeError: x is undefined\n    at Object.<anonymous> (/app/src/x.js:3:9)": false,
		"failed\n\tat com.acme.ItemRepository.save(ItemRepository.java:41)":        false,
	} {
		if got := export.MisreadAsStackTrace(message); got != want {
			t.Errorf("%q: %t", message, got)
		}
	}
}

// Whoever reads the bundle of a faulty adapter finds the fault in it.
func TestEvidenceShowsTheFault(t *testing.T) {
	portion.Long(t)
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
			raw := bundleOf(t, stand.Config{Mode: "all", Fault: fault})
			fitsForm(t, raw)
			complaints := readBundle(t, raw)
			if len(complaints[test]) == 0 {
				t.Errorf("no complaint about %s, but about %q", test, slices.Sorted(maps.Keys(complaints)))
			}
		})
	}
}
