package reports

import "testing"

// What fails alike on several subjects is one finding, though each answer has values of its own.
// What fails in another way is another finding.
func TestFailingAlikeIsOneFinding(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		alike bool
	}{
		{"error NOT_FOUND_RESOURCE", "error CONFLICT_LOCKED", true},
		{`"5"`, `"false"`, true},
		{`{"a":1}`, `{"b":[]}`, true},
		{"data.budget 9007199254740993000", "data.items[0].budget 12", true},
		{"results[1].result.data.budget 9", "data.budget 9", true},
		{"the members note_id, folder_id", "the members _meta, note_id and due_date", true},
		{"success", "error VALIDATION_UNKNOWN_PARAM", false},
		{"an empty list", "a list of 3", false},
		{"the adapter gone", "no answer within the deadline", false},
	} {
		x := kindOf(Finding{Requirement: "C-1", Verdict: Fail, Subject: "get_note", Want: "as documented", Got: c.a})
		y := kindOf(Finding{Requirement: "C-1", Verdict: Fail, Subject: "get_folder", Want: "as documented", Got: c.b})
		if (x == y) != c.alike {
			t.Errorf("%q and %q: %q and %q", c.a, c.b, x.got, y.got)
		}
	}
}
