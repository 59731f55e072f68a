package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// What a page repeats of the request is no object of ours; what it lists is, in
// whatever form.
func TestWhatAPageShows(t *testing.T) {
	const mark = "aqlc-k3f9"
	for data, want := range map[string]int{
		`{"notes":[{"id":1,"title":"aqlc-k3f9"}]}`:                                                                 1,
		`[{"id":1,"title":"aqlc-k3f9"},{"id":2,"title":"other"}]`:                                                  1,
		`{"notes":[{"note":{"id":1,"title":"aqlc-k3f9"},"score":1}]}`:                                              1,
		`{"folders":[{"id":1,"title":"aqlc-k3f9"}],"notes":[{"id":2,"title":"aqlc-k3f9"}]}`:                        2,
		`{"found":{"folders":[{"id":1,"title":"aqlc-k3f9"}],"notes":[]},"query":"aqlc-k3f9"}`:                      1,
		`{"id":1,"title":"aqlc-k3f9","tags":[]}`:                                                                   1,
		`{"note_id":1,"title":"aqlc-k3f9","tags":["a"]}`:                                                           1,
		`{"note":{"note_id":1,"title":"aqlc-k3f9"}}`:                                                               1,
		`{"notes":{"n1":{"title":"aqlc-k3f9"},"n2":{"title":"other"}}}`:                                            1,
		`{"query":"aqlc-k3f9","notes":[]}`:                                                                         0,
		`{"query":"aqlc-k3f9","notes":[],"best_match":{"id":7,"title":"other"}}`:                                   0,
		`{"query":"aqlc-k3f9","total":0}`:                                                                          0,
		`{"request_id":"r1","term":"aqlc-k3f9","notes":[]}`:                                                        0,
		`{"id":"s1","term":"aqlc-k3f9","notes":[{"id":7,"title":"other"}]}`:                                        0,
		`{"request":{"id":"r1","query":"aqlc-k3f9"},"notes":[{"id":7,"title":"other"}]}`:                           0,
		`{"filters":{"text":"aqlc-k3f9"},"message":"aqlc-k3f9: nothing found","notes":[{"id":7,"title":"other"}]}`: 0,
	} {
		v, err := probes.ParseValue([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(model.ItemsWith(v, mark)); got != want {
			t.Errorf("%s: %d objects of ours, want %d", data, got, want)
		}
		if got := check.ListsMark(v, mark); got != (want > 0) {
			t.Errorf("%s: shown %v, want %v", data, got, want > 0)
		}
	}
}

// An object that a listing does not show may be on the next page, or nobody has looked.
func TestNotListedNeedsAWholeListing(t *testing.T) {
	ask := probes.Call("main", "mcp_aql", "list_notes", nil)
	page := func(n int, more any) map[string]any {
		data := map[string]any{"items": make([]any, n)}
		if more != nil {
			data["pagination"] = map[string]any{"has_more": more}
		}
		return data
	}
	for name, c := range map[string]struct {
		look probes.Observation
		want reports.Verdict
	}{
		"a whole listing":        {checktest.AnswerWithData(ask, page(3, nil)), reports.Pass},
		"full, and says the end": {checktest.AnswerWithData(ask, page(20, false)), reports.Pass},
		"a full page":            {checktest.AnswerWithData(ask, page(20, nil)), reports.NotProven},
		"says that more follows": {checktest.AnswerWithData(ask, page(3, true)), reports.NotProven},
		"refused":                {probes.Observation{Probe: ask, Outcome: probes.Failure}, reports.NotProven},
	} {
		if got := check.RequireCompleteListings([]probes.Observation{checktest.AnswerWithData(ask, page(1, nil)), c.look}, nil); got.Verdict != c.want {
			t.Errorf("%s: ruled %s, want %s", name, got.Verdict, c.want)
		}
	}
	full := []probes.Observation{checktest.AnswerWithData(ask, page(20, nil))}
	for n, want := range map[int]reports.Verdict{20: reports.NotProven, 21: reports.Pass} {
		if got := check.RequireCompleteListings(full, []probes.Observation{checktest.AnswerWithData(ask, page(n, nil))}); got.Verdict != want {
			t.Errorf("20 items, and %d with one more: ruled %s, want %s", n, got.Verdict, want)
		}
	}
}

// What a rehearsal would write carries our mark: one that is none must not leave an
// object behind that nobody can tell from others.
func TestRehearsalsCarryTheMark(t *testing.T) {
	a := &probes.Adapter{}
	input := probes.Parameter{Name: "input", Type: "object", Required: true}
	op := probes.Operation{Name: "update_note", Category: "UPDATE", Parameters: []probes.Parameter{input}}
	s := model.Subject{Adapter: &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}}, Name: op.Name, Op: op}
	sp := model.TestObject{Subject: s, Maker: s, Fields: []probes.Parameter{{Name: "title", Type: "string"}}}
	want := sp.ScriptMark("rehearsal") + "-new"
	if got := model.ValueIn(rehearsed(sp), "input").At("title").Text(); got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}
