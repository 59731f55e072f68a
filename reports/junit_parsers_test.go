package reports_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/aql-conform/aql-conform/reports"
)

// elsewhere reads JUnit with the expat of Python, which shares nothing with the parser of
// Go: it normalizes attributes, and is as strict about characters as the standard.
const elsewhere = `
import json, sys, xml.etree.ElementTree as ET
def counted(e): return {k.capitalize(): int(e.get(k)) for k in ("tests", "failures", "errors", "skipped")}
def outcomes(e, tag): return [{"Message": o.get("message") or "", "Type": o.get("type") or "", "Text": o.text or ""} for o in e.findall(tag)]
def properties(e): return [{"Name": p.get("name"), "Value": p.get("value")} for p in e.findall("properties/property")]
def case(c):
    return {"Name": c.get("name"), "Classname": c.get("classname"), "Time": c.get("time"),
        "Failures": outcomes(c, "failure"), "Errors": outcomes(c, "error"), "Skipped": outcomes(c, "skipped"),
        "Verdict": [{"Value": p["Value"]} for p in properties(c)], "Out": c.findtext("system-out") or ""}
root = ET.fromstring(sys.stdin.buffer.read())
print(json.dumps({"XMLName": {"Local": root.tag}, **counted(root), "Suites": [
    {**counted(s), "Properties": properties(s), "Cases": [case(c) for c in s.findall("testcase")]} for s in root.findall("testsuite")]}))
`

// Two parsers that do not know each other read the same, to the last count and character.
func TestJUnitReadsTheSameElsewhere(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to read it with")
	}
	for name, r := range map[string]*reports.Report{
		"judged":     reports.Conclude(run(), rows(), findings()),
		"not judged": concluded(),
		"empty":      reports.Conclude(reports.Run{}, nil, nil),
		"hostile":    everywhere(hostile, reports.Fail),
		"markup":     everywhere("]]> <failure message='x'/> &amp; &#0; <![CDATA[ <!ENTITY x \"y\"> \ttab\r\nline\u0085\u2028", reports.Fail),
		"characters": everywhere("\x00\x01\x08\x0b\x1b\x7f\xff\xed\xa0\x80\ufffe\uffff\U0001f600", reports.NotProven),
		"two words":  everywhere("  two   blanks  ", reports.Warn),
	} {
		t.Run(name, func(t *testing.T) {
			var written bytes.Buffer
			if err := r.WriteJUnit(&written); err != nil {
				t.Fatal(err)
			}
			var complaint strings.Builder
			cmd := exec.CommandContext(t.Context(), python, "-c", elsewhere)
			cmd.Stdin, cmd.Stderr = bytes.NewReader(written.Bytes()), &complaint
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, complaint.String())
			}
			var here, there parsed
			if err := xml.Unmarshal(written.Bytes(), &here); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(out, &there); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(here, there, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("read here (-) and elsewhere (+):\n%s", diff)
			}
			if len(there.Suites) != 1 || there.Suites[0].Tests != len(there.Suites[0].Cases) {
				t.Errorf("elsewhere %+v", there)
			}
		})
	}
}
