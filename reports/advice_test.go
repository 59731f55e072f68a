package reports_test

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// barredCreation is a run in which one value kept a creation back, and with it the core.
func barredCreation() *reports.Report {
	open := func(row reports.Requirement, subject, fix, add string) reports.Finding {
		return reports.Finding{Requirement: row.ID, Verdict: reports.NotProven, Subject: subject, Want: "an object of our own made by create_ticket",
			Got: "barred: the value 3 of priority is that of another object", Fix: fix, Add: add}
	}
	const flag, sample = "--allow create:create_ticket", "samples: {create_ticket: {priority: VALUE}}"
	return reports.Conclude(reports.Run{}, []reports.Requirement{core1, must1, feature}, []reports.Finding{
		open(core1, "create_ticket", flag, sample), open(core1, "delete_ticket", flag, ""), open(must1, "update_ticket", flag, sample),
		{Requirement: feature.ID, Verdict: reports.NotProven, Subject: "adapter", Want: "the hint credentials", Got: "none", Fix: "add credentials to the hints file: a call"},
	})
}

// The reader of "add resources to the hints file" filled it in and got the same advice again: a value of
// a creation was the cause.
func TestFirstAdviceIsTheCause(t *testing.T) {
	out := strings.Join(strings.Fields(text(t, barredCreation(), reports.TextOptions{})), " ")
	want := "next create_ticket was not called: the value 3 of priority is that of another object. Add samples: {create_ticket: " +
		"{priority: VALUE}} to the hints file, or --allow create:create_ticket (settles 2 requirements)"
	if !strings.Contains(out, want) {
		t.Errorf("no %q in:\n%s", want, out)
	}
	var agent strings.Builder
	if err := barredCreation().WriteAgent(&agent); err != nil || !strings.Contains(agent.String(), "create_ticket was not called: the value 3") {
		t.Errorf("%v\n%s", err, agent.String())
	}
}

// What is to be pasted is whole where all is asked for, and so is what was got.
func TestVerboseCutsNothingThatIsOpen(t *testing.T) {
	r := barredCreation()
	long := strings.Repeat("a long part of it ", 6) + "end"
	for i := range r.Findings {
		r.Findings[i].Got, r.Findings[i].Add = long, "fields: {"+strings.Repeat("text: FIELD, ", 9)+"number: FIELD}"
	}
	out := text(t, r, reports.TextOptions{Verbose: true})
	if strings.Contains(out, "…") || !strings.Contains(out, "number: FIELD}") {
		t.Errorf("cut:\n%s", out)
	}
}
