package reports_test

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// A verdict that turned is a regression, mended or neither, and what makes two runs hard
// to compare is said first.
func TestCompare(t *testing.T) {
	conclude := func(spec string, v reports.Verdict) *reports.Report {
		return reports.Conclude(reports.Run{SpecVersion: spec, Basis: "all"}, []reports.Requirement{core1, should}, []reports.Finding{on(core1, reports.Pass), on(should, v)})
	}
	for _, tc := range []struct {
		old, now   reports.Verdict
		kind       string
		regression bool
	}{
		{reports.Pass, reports.Warn, "regression", true},
		{reports.NotProven, reports.Warn, "regression", true},
		{reports.Warn, reports.Pass, "fixed", false},
		{reports.Warn, reports.NotApplicable, "fixed", false},
		{reports.Warn, reports.NotProven, "other", false},
		{reports.Pass, reports.NotProven, "other", false},
		{reports.NotProven, reports.Pass, "other", false},
		{reports.Pass, reports.Pass, "", false},
	} {
		d, err := reports.Compare(conclude("1", tc.old), conclude("1", tc.now))
		if err != nil {
			t.Fatal(err)
		}
		kind := ""
		if len(d.Turns) > 0 {
			kind = d.Turns[0].Kind
		}
		if kind != tc.kind || d.Has("regression") != tc.regression || len(d.Before) > 0 {
			t.Errorf("%s to %s: %+v", tc.old, tc.now, d)
		}
	}
	d, err := reports.Compare(conclude("1", reports.Pass), conclude("2", reports.Pass))
	if err != nil || len(d.Before) != 1 || d.Before[0] != "another specification: 1, then 2" {
		t.Errorf("%v %+v", err, d)
	}
	other := reports.Conclude(reports.Run{}, []reports.Requirement{core2}, nil)
	if _, err := reports.Compare(conclude("1", reports.Pass), other); err == nil {
		t.Error("two reports without a common requirement are compared")
	}
}

// The words of an adapter play in no format.
func TestDifferencesAreInert(t *testing.T) {
	d := &reports.Difference{Before: []string{"another adapter: \x1b[2J, then x"}, Turns: []reports.Turn{{Requirement: "A-1", Subject: "<b>\n# x", Kind: reports.Regression, New: reports.Fail, Got: "\x1b]0;"}}}
	d.Told([]reports.Change{{Where: "late", What: "added"}, {Where: "`a`\n::error::x", What: "removed", Breaking: true, Why: "gone"}})
	if !d.Has("breaking") || d.Changes[0].Why != "gone" {
		t.Errorf("breaking changes come first: %+v", d.Changes)
	}
	for _, format := range reports.DifferenceFormats() {
		var out strings.Builder
		if err := d.Write(format, &out); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); strings.Contains(s, "\x1b") || strings.Contains(s, "\n::") || strings.Contains(s, "\n# x") {
			t.Errorf("%s: %q", format, s)
		}
	}
}
