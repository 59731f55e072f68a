package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// The headline of a core that is not proven names what is open and what would prove it.
func TestHeadlineOfAnOpenCore(t *testing.T) {
	rows := []reports.Requirement{
		{ID: "A-1", Title: "create adds", Level: 1, Severity: "fail", Core: true, State: "checked"},
		{ID: "A-2", Title: "update changes", Level: 1, Severity: "fail", Core: true, State: "checked"},
		{ID: "A-3", Title: "delete removes", Level: 1, Severity: "fail", Core: true, State: "checked"},
		{ID: "A-4", Title: "names are words", Level: 1, Severity: "fail", State: "checked"},
	}
	for _, c := range []struct{ create, update, want string }{
		{"--allow create,delete", "--allow update", ": create adds, update changes, delete removes; add --allow create,delete,update; level reached"},
		{"--allow create:put_note", "--allow update", "; add --allow create:put_note; level reached"},
		{"samples in the hints file", "--allow update", "; samples in the hints file; level reached"},
	} {
		found := []reports.Finding{
			{Requirement: "A-1", Verdict: reports.NotProven, Fix: c.create}, {Requirement: "A-2", Verdict: reports.NotProven, Fix: c.update},
			{Requirement: "A-3", Verdict: reports.NotProven, Fix: "--allow delete"}, {Requirement: "A-4", Verdict: reports.Pass},
		}
		var out bytes.Buffer
		r := reports.Conclude(reports.Run{Level: 1, SpecVersion: "v1"}, rows, found)
		if err := r.WriteText(&out, reports.TextOptions{Width: 400}); err != nil || r.ExitCode != 5 || !strings.Contains(out.String(), c.want) {
			t.Errorf("exit code %d, %v, no %q in %s", r.ExitCode, err, c.want, out.String())
		}
	}
}

// Of the permissions that would prove something of the core, the headline names the one that proves most of it.
func TestHeadlineNamesThePermissionThatProvesMost(t *testing.T) {
	var rows []reports.Requirement
	for _, row := range []string{"create", "update", "delete"} {
		rows = append(rows, reports.Requirement{ID: row, Title: row, Level: 1, Severity: "fail", Core: true, State: "checked"})
	}
	var found []reports.Finding
	for _, f := range [][2]string{
		{"create", "--allow create:create_comment"}, {"create", "--allow create:create_issue"}, {"create", "--allow create:create_project"},
		{"update", "--allow create:create_project"}, {"update", "--allow create:create_issue"},
		{"delete", "--allow delete:delete_comment"}, {"delete", "--allow create:create_issue"},
	} {
		found = append(found, reports.Finding{Requirement: f[0], Subject: f[1], Verdict: reports.NotProven, Fix: f[1]})
	}
	var out bytes.Buffer
	r := reports.Conclude(reports.Run{Level: 1, SpecVersion: "v1"}, rows, found)
	if err := r.WriteText(&out, reports.TextOptions{Width: 400}); err != nil || !strings.Contains(out.String(), "; add --allow create:create_issue; level reached") {
		t.Errorf("%v in %s", err, out.String())
	}
}
