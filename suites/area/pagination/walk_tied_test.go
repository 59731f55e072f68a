package pagination

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// Neighbours are equal in the member by which a listing is ordered, where the request names it. A member that all items share counts
// there alone.
func TestNeighboursThatAreEqual(t *testing.T) {
	for _, c := range []struct {
		by, rows string
		want     float64
	}{
		{"mass", `{"mass":1,"kind":"a"} {"mass":1,"kind":"b"} {"mass":1,"kind":"a"} {"mass":2,"kind":"a"} {"mass":3,"kind":"a"}`, 0.5},
		{"-mass", `{"mass":3,"kind":"a"} {"mass":1,"kind":"b"} {"mass":1,"kind":"a"}`, 0.5},
		{"name", `{"mass":1,"name":"a"} {"mass":1,"name":"b"} {"mass":2,"name":"c"}`, 0},
		{"age", `{"mass":1,"name":"a"} {"mass":1,"name":"b"} {"mass":2,"name":"c"}`, 0.5},
		{"mass", `{"mass":1} {"mass":1} {"mass":1}`, 1},
		{"age", `{"mass":1} {"mass":1} {"mass":1}`, 0},
		{"mass", `{"mass":1} {"mass":3} {"mass":1} {"mass":1}`, 0},
		{"mass", `{"mass":1} {"mass":null} {"mass":1}`, 0},
		{"mass", `{"mass":1} {"mass":1}`, 0},
	} {
		rows, err := probes.ParseValue([]byte("[" + strings.ReplaceAll(c.rows, "} {", "},{") + "]"))
		if err != nil {
			t.Fatal(err)
		}
		o := checktest.AnswerWithData(probes.Call("main", "read", "list_seeds", map[string]any{"order": c.by}), map[string]any{"items": rows.Go()})
		if got := ties(o); got != c.want {
			t.Errorf("%s of %s: %v, want %v", c.by, c.rows, got, c.want)
		}
	}
}
