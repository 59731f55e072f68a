package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An envelope that every call broke was shown under a request with an invented parameter.
func TestPlainestRequestShowsAViolation(t *testing.T) {
	w := newMonitorState(&Case{})
	for _, key := range []string{`{"aqlx_extra":1,"book_id":"b1"}`, `{"book_id":"b2"}`, `{"book_id":"b1"}`, `{"a":1,"book_id":"b1"}`} {
		w.add("delete_book", newAmbientRuling(ruling.Violates("an envelope", "none"), &probes.Kept{}, key))
	}
	if got := w.worst["delete_book"]; got.key != `{"book_id":"b1"}` || got.Verdict != reports.Fail {
		t.Errorf("%s", got.key)
	}
}
