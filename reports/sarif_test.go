package reports_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aql-conform/aql-conform/reports"
)

// sarif is the document as a viewer reads it: written apart from the writer.
type sarif struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct{ ID string }
			}
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		Results []struct {
			RuleID       string
			RuleIndex    int
			Level        string
			Message      struct{ Text string }
			Fingerprints map[string]string
			Locations    []struct{ LogicalLocations []struct{ Name string } }
		}
	}
}

func readSARIF(t *testing.T, r *reports.Report) (raw []byte, doc sarif) {
	t.Helper()
	var buf bytes.Buffer
	if err := r.WriteSARIF(&buf); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(buf.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), doc
}

// The official schema may not stand here; SARIF_SCHEMA names a copy to try as well, and
// .ci/run has one.
func TestSARIFKeepsToTheStandard(t *testing.T) {
	schemas := []string{"testdata/sarif.schema.json"}
	if official := os.Getenv("SARIF_SCHEMA"); official != "" {
		schemas = append(schemas, official)
	}
	for _, path := range schemas {
		schema, err := jsonschema.NewCompiler().Compile(path)
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]*reports.Report{
			"judged":     reports.Conclude(run(), rows(), findings()),
			"not judged": concluded(),
			"empty":      reports.Conclude(reports.Run{}, nil, nil),
			"hostile":    everywhere(hostile, reports.Fail),
			"unknown":    reports.Conclude(run(), rows(), []reports.Finding{{Requirement: "AQL-0-00", Verdict: reports.Warn}}),
		} {
			raw, _ := readSARIF(t, r)
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s by %s: %v", name, path, err)
			}
		}
	}
}

func TestSARIFResults(t *testing.T) {
	r := reports.Conclude(run(), rows(), findings())
	_, doc := readSARIF(t, r)
	want, got := []string{}, []string{}
	for _, f := range r.Findings {
		if f.Verdict != reports.Fail && f.Verdict != reports.Warn {
			continue
		}
		for _, subject := range named(f.Instances, f.Subject) {
			if !strings.ContainsFunc(subject, unicode.IsControl) {
				want = append(want, string(f.Verdict)+" "+f.Requirement+" "+subject)
			}
		}
	}
	prints := map[string]bool{}
	for _, res := range doc.Runs[0].Results {
		verdict := map[string]string{"error": "FAIL", "warning": "WARN"}[res.Level]
		subject := res.Locations[0].LogicalLocations[0].Name
		if !strings.Contains(subject, `\u001b`) {
			got = append(got, verdict+" "+res.RuleID+" "+subject)
		}
		if id := doc.Runs[0].Tool.Driver.Rules[res.RuleIndex].ID; id != res.RuleID {
			t.Errorf("ruleIndex of %s leads to %s", res.RuleID, id)
		}
		for _, p := range res.Fingerprints {
			if prints[p] {
				t.Errorf("%s on %s has the fingerprint of another result", res.RuleID, subject)
			}
			prints[p] = true
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("results\n%q\nfindings\n%q", got, want)
	}
}

func named(instances []string, subject string) []string {
	if len(instances) > 0 {
		return instances
	}
	return []string{subject}
}

// Code scanning of GitHub takes a file only if each rule has three texts, each result a message and a
// place in a file of the repository with all four bounds, and no list is too long. It tells results
// at one place apart by one of the partial fingerprints.
func TestSARIFIsTakenByGitHub(t *testing.T) {
	said := run()
	said.Source = "adapters/a b/package.json"
	raw, _ := readSARIF(t, reports.Conclude(said, rows(), findings()))
	var doc struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct {
						ID                                      string
						ShortDescription, FullDescription, Help struct{ Text string }
						Properties                              struct{ Tags []string }
					}
				}
			}
			Results []struct {
				RuleID              string
				Message             struct{ Text string }
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil || doc.Version != "2.1.0" || doc.Schema == "" || len(doc.Runs) != 1 || doc.Runs[0].Tool.Driver.Name == "" {
		t.Fatalf("%v: %.300s", err, raw)
	}
	const mostRules, mostResults, mostTags, longest = 25_000, 25_000, 20, 1024
	known, prints, r := map[string]bool{}, map[string]bool{}, doc.Runs[0]
	for _, rule := range r.Tool.Driver.Rules {
		known[rule.ID] = true
		for _, text := range []string{rule.ID, rule.ShortDescription.Text, rule.FullDescription.Text, rule.Help.Text} {
			if text == "" || len(text) > longest {
				t.Errorf("rule %s: a text of %d bytes", rule.ID, len(text))
			}
		}
		if len(rule.Properties.Tags) > mostTags {
			t.Errorf("rule %s: %d tags", rule.ID, len(rule.Properties.Tags))
		}
	}
	for _, res := range r.Results {
		place := res.Locations[0].PhysicalLocation
		if !known[res.RuleID] || res.Message.Text == "" || place.ArtifactLocation.URI != "adapters/a%20b/package.json" {
			t.Errorf("result %+v", res)
		}
		if g := place.Region; g.StartLine < 1 || g.StartColumn < 1 || g.EndLine < g.StartLine || g.EndColumn <= g.StartColumn {
			t.Errorf("region %+v", g)
		}
		print := res.PartialFingerprints["primaryLocationLineHash"]
		if print == "" || prints[print] {
			t.Errorf("%s: the fingerprint %q is none, or that of another result", res.RuleID, print)
		}
		prints[print] = true
	}
	if len(r.Results) == 0 || len(r.Results) > mostResults || len(known) > mostRules {
		t.Errorf("%d results and %d rules", len(r.Results), len(known))
	}
}

// Who follows a result over time needs one name for it, whatever this run's values
// were and whatever else is wrong.
func TestSARIFFingerprintsLast(t *testing.T) {
	print := func(findings ...reports.Finding) string {
		_, doc := readSARIF(t, reports.Conclude(run(), rows(), findings))
		return doc.Runs[0].Results[0].Fingerprints["requirementSubjectKind/v1"]
	}
	one := reports.Finding{Requirement: "AQL-4.6-01", Verdict: reports.Fail, Subject: "get_note", Want: "a refusal", Got: `success with "aqlc-1" after 3 ms`}
	again, other, elsewhere, besides := one, one, one, one
	again.Got = `success with "aqlc-2" after 17 ms`
	other.Got = "silence"
	elsewhere.Subject = "set_note"
	besides.Subject = "zap_note"
	if print(one) != print(again) || print(one) != print(one, besides) {
		t.Error("the same thing goes by another name")
	}
	if print(one) == print(other) || print(one) == print(elsewhere) {
		t.Error("two things go by one name")
	}
}

func TestSARIFNotJudged(t *testing.T) {
	_, doc := readSARIF(t, concluded())
	in := doc.Runs[0].Invocations[0]
	if in.ExecutionSuccessful || len(in.ToolExecutionNotifications) == 0 ||
		!strings.Contains(in.ToolExecutionNotifications[0].Message.Text, "ended before") {
		t.Errorf("invocation %+v", in)
	}
}
