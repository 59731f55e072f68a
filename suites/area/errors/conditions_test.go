package errors

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An answer that comes before the internal fault says nothing about the code of the fault.
func TestFaultsThatWereNotReached(t *testing.T) {
	for code, want := range map[string]reports.Verdict{
		"INTERNAL_ERROR": reports.Pass, "INTERNAL_TIMEOUT": reports.Warn, "ERROR": reports.Fail, "CONFLICT_STATE": reports.Fail,
		"CONFIRMATION_REQUIRED": reports.NotProven, "RATE_LIMIT_EXCEEDED": reports.NotProven, "NOT_FOUND_RESOURCE": reports.NotProven, "VALIDATION_MISSING_PARAM": reports.NotProven,
	} {
		o := checktest.AnswerWithEnvelope(t, probes.Call("main", "t", "break_note", nil), `{"success":false,"error":{"code":"`+code+`","message":"it failed"}}`)
		if r := checktest.JudgeOf(t, Checks, "OPS-8.1-07")(model.Subject{}, probes.Answers{o}); r.Verdict != want {
			t.Errorf("%s: ruled %s, want %s", code, r.Verdict, want)
		}
	}
}
