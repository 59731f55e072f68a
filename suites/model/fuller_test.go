package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// A listing of what belongs to one object is looked at where most is listed. Its known good request stays.
func TestFullestListing(t *testing.T) {
	f := documented(Permissions{}, fixtures.Hints{}, "READ list_boxes", "READ list_parts box_id shape")
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	f.KnownGood, f.fuller, f.scalarsFor = map[string]KnownGood{}, map[string]KnownGood{}, map[string][]int{}
	f.Operations[1].Parameters[1].Required = false
	asked := 0
	ask := askerFunc(func(p probes.Probe) probes.Observation {
		if p.Operation() == "list_boxes" {
			return succeeded(p, `{"items":[{"box_id":"b1"},{"box_id":"b2"},{"box_id":"b3"}]}`)
		}
		asked++
		rows := strings.Repeat(`,{"part_id":"p"}`, map[string]int{"b1": 1, "b2": 3, "b3": 2}[ValueIn(p, "box_id").Text()])
		return succeeded(p, fmt.Sprintf(`{"items":[%s]}`, strings.TrimPrefix(rows, ",")))
	})
	for i, id := range []any{nil, "b1"} {
		o, params := f.Operations[i], map[string]any{}
		if id != nil {
			params["box_id"] = id
		}
		probe := f.Request(o, params)
		f.KnownGood[o.Name] = KnownGood{State: Proven, Probe: probe, Reply: ask(probe)}
	}
	asked = 0
	f.findFuller(t.Context(), ask)
	s := Subject{Adapter: f, Op: f.Operations[1], Name: "list_parts"}
	full := Fullest(func(*Adapter) []Subject { return []Subject{s} })(f)[0]
	if plain, most := ValueIn(s.ValidCall(), "box_id").Text(), ValueIn(full.ValidCall(), "box_id").Text(); plain != "b1" || most == "b1" || asked == 0 || asked > maxFullerTrials {
		t.Errorf("%s and %s after %d requests", plain, most, asked)
	}
}
