package reports_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// trustSchema is the tables of section 3.2 of the companion document on trust levels.
const trustSchema = `{
	"$defs": {
		"level": {"enum": ["untested", "generated", "validated", "community_reviewed", "certified"]},
		"time": {"type": "string", "format": "date-time"}
	},
	"type": "object", "required": ["trust"], "additionalProperties": false,
	"properties": {"trust": {
		"type": "object", "required": ["level"], "additionalProperties": false,
		"properties": {
			"level": {"$ref": "#/$defs/level"},
			"validated_at": {"$ref": "#/$defs/time"},
			"validated_by": {"type": "string"},
			"validation_report": {
				"type": "object", "additionalProperties": false,
				"properties": {
					"tests_passed": {"type": "integer"}, "tests_total": {"type": "integer"}, "endpoints_verified": {"type": "integer"},
					"coverage_percent": {"type": "number"}, "last_api_response": {"$ref": "#/$defs/time"}
				}
			},
			"promoted_from": {"$ref": "#/$defs/level"},
			"promotion_history": {"type": "array", "items": {
				"type": "object", "required": ["from", "to", "at", "by"], "additionalProperties": false,
				"properties": {
					"from": {"$ref": "#/$defs/level"}, "to": {"$ref": "#/$defs/level"}, "at": {"$ref": "#/$defs/time"},
					"by": {"type": "string"}, "reason": {"type": "string"}
				}
			}},
			"certification": {"type": ["object", "null"]}
		}
	}}
}`

// trustBlocks reads the documents of a stream and holds each to the tables.
func trustBlocks(t *testing.T, write func(io.Writer) error) []map[string]any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(trustSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("trust.json", doc); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	var blocks []map[string]any
	for d := yaml.NewDecoder(&out); ; {
		var block map[string]any
		if err := d.Decode(&block); errors.Is(err, io.EOF) {
			return blocks
		} else if err != nil {
			t.Fatal(err)
		}
		if err := c.MustCompile("trust.json").Validate(block); err != nil {
			t.Errorf("%v: %v", block, err)
		}
		blocks = append(blocks, block["trust"].(map[string]any))
	}
}

// The block of a run is one of the specification. A run that claims nothing grants nothing.
func TestTrustBlock(t *testing.T) {
	r := run()
	r.Tool, r.Reach = "aql-conform 1.0.0 "+hostile, &reports.Reach{Operations: 8, NotReached: []string{"a"}, NotAllowed: []string{"b", "c"}}
	passed := allPass()
	block := trustBlocks(t, reports.Conclude(r, rows(), passed).WriteTrust)[0]
	report := block["validation_report"].(map[string]any)
	if block["level"] != "validated" || block["promoted_from"] != "generated" || report["tests_passed"] != len(passed) || report["tests_total"] != len(passed) ||
		report["endpoints_verified"] != 7 || report["coverage_percent"] != 70 {
		t.Errorf("got %v", block)
	}
	passed[0].Verdict = reports.NotProven
	report = trustBlocks(t, reports.Conclude(r, rows(), passed).WriteTrust)[0]["validation_report"].(map[string]any)
	if report["tests_passed"] != len(passed)-1 || report["tests_total"] != len(passed) {
		t.Errorf("what is not proven has not passed: %v", report)
	}
	block = trustBlocks(t, reports.Conclude(r, rows(), findings()).WriteTrust)[0]
	if len(block) != 1 || block["level"] != "untested" {
		t.Errorf("without a claim: %v", block)
	}
}

// The blocks of a registry have each promotion and demotion, with its reason. What could not be verified,
// or was narrowed, changes nothing.
func TestTrustBlocksOfARegistry(t *testing.T) {
	forged := levels(8, nil, allPass()...)
	forged.Problem = "forged"
	g := &reports.Registry{Submissions: []reports.Submission{
		levels(1, nil, allPass()...), levels(2, nil, allPass()...), levels(3, nil, allPass("AQL-4.6-01")...), levels(4, narrow, allPass()...), forged,
	}}
	write := func(w io.Writer) error { return reports.WriteRegistry("trust", w, g) }
	block := trustBlocks(t, write)[0]
	history := block["promotion_history"].([]any)
	if block["level"] != "generated" || block["validated_at"] != "2026-11-02T08:00:00Z" || block["promoted_from"] != "validated" || len(history) != 2 {
		t.Fatalf("got %v", block)
	}
	if lost := history[1].(map[string]any); lost["at"] != "2026-11-03T08:00:00Z" || lost["reason"] != "level 1 is nonconformant" {
		t.Errorf("the demotion: %v", lost)
	}
	g.Submissions = append(g.Submissions, levels(5, nil, allPass()...))
	if block = trustBlocks(t, write)[0]; block["level"] != "validated" || len(block["promotion_history"].([]any)) != 3 {
		t.Errorf("promoted again: %v", block)
	}
	g.Submissions = []reports.Submission{forged}
	if block = trustBlocks(t, write)[0]; len(block) != 1 || block["level"] != "untested" {
		t.Errorf("never validated: %v", block)
	}
}
