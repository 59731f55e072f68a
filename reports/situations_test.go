package reports_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/reports"
)

// situations are reports as large as real ones: on an adapter that conforms, one with a fault, some with
// many, a program that is no adapter, and a run that was cut short. The catalogue is read as a file, since
// its package is not known here.
func situations(t *testing.T) map[string]*reports.Report {
	rows := catalogueRows(t)
	whole := run()
	whole.SpecVersion, whole.Remarks = "1.0.0-draft", []string{"introspect was found through mcp_aql_read"}
	whole.Routing = &reports.Routing{Endpoints: []string{"mcp_aql_create", "mcp_aql_read", "mcp_aql_update", "mcp_aql_delete", "mcp_aql_execute"}}
	for i := range 14 {
		route := reports.Route{Operation: fmt.Sprintf("operation_%02d", i)}
		for j := range 5 {
			cell := reports.Refused
			if i%5 == j {
				cell = reports.Own
			}
			route.Cells = append(route.Cells, cell)
		}
		whole.Routing.Rows = append(whole.Routing.Rows, route)
	}
	none, cut := whole, whole
	none.Routing, none.Remarks, none.Implementation = nil, nil, "weather-server"
	none.Conclusion = "not an MCP-AQL adapter: no tool has a parameter named operation"
	none.Detail = []string{"tools: get_forecast, get_alerts", "next: name the adapter's own command after --cmd"}
	cut.Interrupted = true
	made := func(r reports.Run, failed, each, judged int) *reports.Report {
		out := reports.Conclude(r, rows, outcomes(rows[:judged*len(rows)/100], failed, each))
		out.Run.Reach = &reports.Reach{Operations: 10, NotAllowed: []string{"cancel_export", "execute_export", "get_export"}, Kinds: 2}
		return out
	}
	return map[string]*reports.Report{
		"conforming": made(whole, 0, 0, 100), "one fault": made(whole, 1, 1, 100), "14 findings": made(whole, 14, 1, 100),
		"300 findings": made(whole, 100, 3, 100), "not an adapter": reports.Conclude(none, rows, nil), "interrupted": made(cut, 2, 1, 40),
	}
}

func catalogueRows(t *testing.T) (rows []reports.Requirement) {
	raw, err := os.ReadFile("../suites/catalogue/v1.0.0-draft.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Requirements []struct {
			ID, Title, Area, Authority, Keyword, Severity, Statement string
			Level                                                    int
			Core                                                     bool
			Excluded                                                 string                     `json:"excluded_reason"`
			Sources                                                  []struct{ Section string } `json:"sources"`
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	for _, r := range file.Requirements {
		row := reports.Requirement{
			ID: r.ID, Title: r.Title, Area: r.Area, Authority: r.Authority, Keyword: r.Keyword, Severity: r.Severity, Level: r.Level, Core: r.Core,
			Statement: r.Statement, Section: "companion", State: "checked",
		}
		for _, source := range r.Sources[:min(len(r.Sources), 1)] {
			row.Section = "spec " + source.Section
		}
		if r.Excluded != "" {
			row.State = "excluded"
		}
		rows = append(rows, row)
	}
	return rows
}

// outcomes has so many failed MUSTs of level 1, each in some ways, a tenth of the rest open, and what has no
// level excused or in doubt.
func outcomes(rows []reports.Requirement, failed, each int) (findings []reports.Finding) {
	for i, row := range rows {
		f := reports.Finding{Requirement: row.ID, Verdict: reports.Pass, Subject: fmt.Sprintf("operation_%02d", i%14), Evidence: exchanges(i)}
		switch {
		case row.State != "checked":
			continue
		case failed > 0 && row.Level == 1 && row.Severity == "fail":
			failed--
			for j := range each {
				findings = append(findings, failure(row, i, j))
			}
			continue
		case row.Level == 0 && i%2 == 0:
			f.Verdict, f.Evidence, f.Note = reports.NotApplicable, nil, "does not hold: an operation answers CONFIRMATION_REQUIRED with a token"
		case row.Level == 0 && i%9 == 0:
			f.Verdict, f.Evidence, f.Want, f.Got = reports.NotProven, nil, "a call that takes long", "operation not called"
			f.Fix, f.Add = fmt.Sprintf("add hint_%d to the hints file: a call that takes long", i%7), "hint:\n  operation: NAME"
		case row.Severity == "warn" && i%40 == 1:
			f.Verdict, f.Want, f.Got, f.Fix = reports.Warn, "a description", "no description", "describe each field"
		}
		findings = append(findings, f)
	}
	return findings
}

func failure(row reports.Requirement, i, j int) reports.Finding {
	subject := fmt.Sprintf("operation_%02d", (i+j)%14)
	return reports.Finding{
		Requirement: row.ID, Verdict: reports.Fail, Subject: subject, Instances: []string{subject, "all: " + subject},
		Want: "error VALIDATION_UNKNOWN_PARAM", Got: "success, of the kind " + strings.Repeat("i", j+1),
		Fix:      "refuse parameters that the operation does not document; list them in details.unknown_params",
		Again:    "aql-conform --cmd './my-adapter --mode all' --seed 907763317 --run " + row.ID + " --subject '" + subject + "'",
		Replay:   "aql-conform replay v1:" + strings.Repeat("cGxhY2Vob2xkZXI", 6) + " --cmd ./my-adapter",
		Raw:      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mcp_aql_delete","arguments":{"operation":"` + subject + `"}}}`,
		Evidence: exchanges(i),
	}
}

func exchanges(i int) (out []reports.Exchange) {
	for j, params := range []string{`{"folder_id":"folder_8"}`, `{"aqlx_unknown_ddmri5cz":1,"folder_id":"folder_8"}`} {
		arguments := fmt.Sprintf(`{"operation":"operation_%02d","params":%s}`, i%14, params)
		reply := fmt.Sprintf(`{"data":{"deleted":true,"folder_id":"folder_8","remark":%q},"success":true}`, strings.Repeat("as was asked for ", i%20))
		out = append(out, reports.Exchange{
			Frames: []int{4*i + 2*j, 4*i + 2*j + 1}, Conn: "main", Outcome: "success", Elapsed: time.Duration(i+1) * 37 * time.Microsecond,
			Asked: []byte("mcp_aql_delete " + arguments), Said: []byte(reply),
			Sent:  []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"mcp_aql_delete","arguments":` + arguments + `}}`),
			Reply: []byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":` + fmt.Sprintf("%q", reply) + `}]}}`),
		})
	}
	return out
}
