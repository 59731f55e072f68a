package reports_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// parsed is JUnit as a CI server reads it: written apart from the writer.
type parsed struct {
	XMLName xml.Name `xml:"testsuites"`
	Counted
	Suites []struct {
		Counted
		Properties []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
		} `xml:"properties>property"`
		Cases []struct {
			Name      string    `xml:"name,attr"`
			Classname string    `xml:"classname,attr"`
			Time      string    `xml:"time,attr"`
			Failures  []Outcome `xml:"failure"`
			Errors    []Outcome `xml:"error"`
			Skipped   []Outcome `xml:"skipped"`
			Verdict   []struct {
				Value string `xml:"value,attr"`
			} `xml:"properties>property"`
			Out string `xml:"system-out"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type Counted struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

type Outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func junit(t *testing.T, r *reports.Report) parsed {
	t.Helper()
	var buf bytes.Buffer
	if err := r.WriteJUnit(&buf); err != nil {
		t.Fatal(err)
	}
	var out parsed
	dec := xml.NewDecoder(&buf)
	dec.Strict = true
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	if len(out.Suites) != 1 {
		t.Fatalf("%d suites", len(out.Suites))
	}
	return out
}

// A report with 867 failures and no failure element has been seen in the field:
// every count is compared with the elements, and these with the findings.
func TestJUnitCountsAreTrue(t *testing.T) {
	for name, r := range map[string]*reports.Report{
		"judged":      reports.Conclude(run(), rows(), findings()),
		"not judged":  concluded(),
		"empty":       reports.Conclude(reports.Run{}, nil, nil),
		"unproven":    reports.Conclude(run(), rows(), nil),
		"interrupted": reports.Conclude(reports.Run{Interrupted: true}, rows(), findings()),
		"faulty":      reports.Conclude(run(), rows(), []reports.Finding{{Requirement: "NO-1", Verdict: reports.Pass}}),
		"hostile":     everywhere(hostile, reports.Fail),
		"two of each": everywhere("]]> <failure/> &amp;", reports.Warn),
	} {
		t.Run(name, func(t *testing.T) {
			out := junit(t, r)
			var found Counted
			for _, c := range out.Suites[0].Cases {
				found.Tests++
				found.Failures += len(c.Failures)
				found.Errors += len(c.Errors)
				found.Skipped += len(c.Skipped)
			}
			if out.Counted != found || out.Suites[0].Counted != found {
				t.Errorf("attributes %+v and %+v, elements %+v", out.Counted, out.Suites[0].Counted, found)
			}
			want := Counted{Tests: len(r.Findings)}
			for _, f := range r.Findings {
				switch f.Verdict {
				case reports.Fail:
					want.Failures++
				case reports.NotApplicable, reports.Skipped, reports.NotProven:
					want.Skipped++
				}
			}
			if r.ExitCode > 2 {
				want.Tests++
				want.Errors++
			}
			if found != want {
				t.Errorf("elements %+v, findings %+v", found, want)
			}
		})
	}
}

func TestJUnitCases(t *testing.T) {
	r := reports.Conclude(run(), rows(), findings())
	type view struct{ class, time, failure, skipped, verdict string }
	seen := map[string]view{}
	for _, c := range junit(t, r).Suites[0].Cases {
		v := view{class: c.Classname, time: c.Time}
		for _, o := range c.Failures {
			v.failure = o.Type + " " + o.Message
			if !strings.Contains(o.Text, "want   ") || !strings.Contains(o.Text, "spec") && !strings.Contains(o.Text, "introspection") {
				t.Errorf("%s: thin failure text %q", c.Name, o.Text)
			}
		}
		for _, o := range c.Skipped {
			v.skipped = o.Message
		}
		for _, p := range c.Verdict {
			v.verdict = p.Value + " " + strings.Split(c.Out, "\n")[2]
		}
		seen[c.Name] = v
	}
	for name, want := range map[string]view{
		"AQL-4.1-01 request without operation is refused [adapter]":                            {"level1.request", "0.004", "", "", ""},
		"AQL-4.6-01 unknown parameter is refused [list_widgets_00]":                            {"level1.parameters", "0.020", "FAIL want error VALIDATION_UNKNOWN_PARAM, got success", "", ""},
		"AQL-8.7-01 batch keeps the order of its items [adapter]":                              {"advisory.batch", "0.003", "FAIL want results in the order of the items, got results by operation name", "", ""},
		"AQL-8.6-02 confirmation token is used once [adapter]":                                 {"advisory.confirmation", "0.000", "", "NOT-APPLICABLE: no operation asks for confirmation", ""},
		"AQL-4.3-01 parameter names are snake_case [adapter]":                                  {"level1.naming", "0.000", "", "SKIPPED: skipped by --skip AQL-4.3-01", ""},
		"AQL-10.1-08 level 2 supports both endpoint modes [adapter]":                           {"level2.levels", "0.000", "", "NOT-PROVEN: one endpoint mode only; to prove it: the adapter in its other endpoint mode: --also-cmd", ""},
		"INT-3.4-05 type fields are described [Widget]":                                        {"advisory.types", "0.001", "", "", "WARN got    no description on size, colour"},
		`INT-8.1-01 error text does not leak the implementation [find_\u001b[31mwidget\u202e]`: {"level1.leaks", "0.007", `FAIL want a message for the caller, got a stack trace: "TypeError: Cannot read properties of undefined (reading 'x')\n    at Object.find (widgets.js:12:9)\u001b[0m"`, "", ""},
	} {
		if seen[name] != want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, seen[name], want)
		}
	}
}

func TestJUnitProperties(t *testing.T) {
	r := reports.Conclude(run(), rows(), findings())
	got := map[string]string{}
	for _, p := range junit(t, r).Suites[0].Properties {
		got[p.Name] = p.Value
	}
	for name, want := range map[string]string{
		"seed": "41", "requestedLevel": "1", "conformanceLevel": "0", "exitCode": fmt.Sprint(r.ExitCode), "tool": "aql-conform 0.1.0",
		"adapter": "./my-adapter --mode all", "digest": r.Digest, "level1": "nonconformant",
	} {
		if got[name] != want {
			t.Errorf("property %s is %q, want %q", name, got[name], want)
		}
	}
}

func TestJUnitNotJudged(t *testing.T) {
	c := junit(t, concluded()).Suites[0].Cases[0]
	if c.Name != "adapter could be judged" || len(c.Errors) != 1 || !strings.Contains(c.Errors[0].Message, "ended before") ||
		!strings.Contains(c.Errors[0].Text, "Cannot find module") {
		t.Errorf("first case %+v", c)
	}
}

// A run that gave no verdict must not look like one that found nothing: each CI server
// takes a file without failures and errors for a success.
func TestJUnitWithoutAVerdictIsAnError(t *testing.T) {
	for kind, r := range map[string]*reports.Report{
		"NOT-PROVEN":    reports.Conclude(run(), rows(), nil),
		"INTERRUPTED":   reports.Conclude(reports.Run{Interrupted: true}, rows(), nil),
		"CHECKER-FAULT": reports.Conclude(run(), rows(), []reports.Finding{{Requirement: "NO-1", Verdict: reports.Pass}}),
		"NOT-JUDGED":    concluded(),
	} {
		out := junit(t, r)
		if c := out.Suites[0].Cases[0]; out.Errors != 1 || len(c.Errors) != 1 || c.Errors[0].Type != kind || c.Errors[0].Message == "" {
			t.Errorf("%s: %d errors, first case %+v", kind, out.Errors, c)
		}
	}
}
