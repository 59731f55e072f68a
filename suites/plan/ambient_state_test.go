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

// An error that passes strikes any operation, so what it shows is said of the adapter.
func TestPassingErrorsAreOfTheAdapter(t *testing.T) {
	accused, praised := newAmbientRuling(ruling.Violates("a code", "another"), nil, ""), newAmbientRuling(ruling.Conforms(), nil, "")
	for name, c := range map[string]struct {
		passing map[struck]ambientRuling
		worst   map[string]ambientRuling
		want    map[string]reports.Verdict
	}{
		"it passed":                 {map[struck]ambientRuling{{"BUSY", "get_note"}: accused}, nil, map[string]reports.Verdict{"adapter": reports.Fail}},
		"it did not pass":           {map[struck]ambientRuling{{"AWAY", "get_note"}: accused}, nil, map[string]reports.Verdict{"get_note": reports.Fail}},
		"it passed and is right":    {map[struck]ambientRuling{{"BUSY", "get_note"}: praised}, nil, map[string]reports.Verdict{}},
		"another answer is accused": {map[struck]ambientRuling{{"BUSY", "get_note"}: accused}, map[string]ambientRuling{"add_note": accused}, map[string]reports.Verdict{"add_note": reports.Fail}},
	} {
		w := newMonitorState(&Case{})
		w.passing, w.cured = c.passing, map[string]bool{"BUSY": true}
		for operation, i := range c.worst {
			w.add(operation, i)
		}
		w.place()
		for operation, want := range c.want {
			if got, known := w.worst[operation]; !known || got.Verdict != want || len(w.worst) != len(c.want) {
				t.Errorf("%s: %v", name, w.worst)
			}
		}
		if len(w.worst) != len(c.want) {
			t.Errorf("%s: %d rulings", name, len(w.worst))
		}
	}
}
