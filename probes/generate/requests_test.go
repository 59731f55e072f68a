package generate

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// accepts is the plainest adapter there can be: it knows names and where they
// stand, and nothing else.
func accepts(op probes.Operation, c RequestCase, top TopLevel) bool {
	given := maps.Clone(c.Params)
	if top == Read {
		maps.Copy(given, c.Top)
	}
	for name := range given {
		if !op.HasParameter(name) {
			return false
		}
	}
	return !slices.ContainsFunc(op.Parameters, func(p probes.Parameter) bool {
		_, there := given[p.Name]
		return p.Required && !there
	})
}

// Of random operations, the plainest adapter says of each case what the case says.
func TestRequestsAreWhatTheySay(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	names := strings.Fields("id ids title titles tag tags note_id body input limit q noteid name names x")
	seen := map[string]int{}
	for range 2000 {
		op := probes.Operation{Name: "create_note"}
		params := map[string]any{}
		for _, i := range rng.Perm(len(names))[:rng.IntN(6)] {
			record := map[string]any{"name": names[i], "type": "string", "required": rng.IntN(2) == 0}
			var value any = "v"
			if names[i] == "input" {
				record["type"], value = "object", map[string]any{"body": "b"}
			}
			p := probes.ReadParameters(probes.ValueOf(map[string]any{"parameters": []any{record}}))[0]
			op.Parameters = append(op.Parameters, p)
			if p.Required || rng.IntN(2) == 0 {
				params[p.Name] = value
			}
		}
		before := probes.ValueOf(params).String()
		top := TopLevel(rng.IntN(3))
		for _, c := range generator().Requests(op, params, top, true) {
			seen[c.Operator]++
			if got := accepts(op, c, top); got != c.Valid {
				t.Fatalf("%v takes %v and %v: %v, but the case %q says %v", op.Parameters, c.Params, c.Top, got, c.Sentence, c.Valid)
			}
			if top == Unasked && c.Top != nil {
				t.Fatalf("%q rests on a top level of which nothing is known", c.Sentence)
			}
		}
		if after := probes.ValueOf(params).String(); after != before {
			t.Fatalf("the valid request was changed from %s to %s", before, after)
		}
	}
	for _, operator := range strings.Fields("undocumented-name misspelt-name missing wrapped inside-input top-level") {
		if seen[operator] < 200 {
			t.Errorf("the operator %s made %d cases", operator, seen[operator])
		}
	}
}

// A misspelt name is one edit away, and none that a lenient reader takes for right.
func TestMisspeltNames(t *testing.T) {
	op := func(names ...string) (o probes.Operation) {
		for _, n := range names {
			o.Parameters = append(o.Parameters, probes.Parameter{Name: n})
		}
		return o
	}
	for _, c := range []struct {
		name string
		of   probes.Operation
		want string
	}{
		{"title", op("title"), "tittle"},
		{"title", op("title", "tittle"), "tile"},
		{"title", op("title", "tittle", "Tile"), "tiqle"},
		{"note_id", op("note_id"), "notee_id"},
		{"tags", op("tags"), "taggs"},
		{"_x", op("_x"), ""}, // names that begin so are exempt (section 4.6.1)
		{"q", op("q"), ""},
	} {
		if got := misspelt(c.name, namesTaken(c.of)); got != c.want {
			t.Errorf("%s among %d: got %q, want %q", c.name, len(c.of.Parameters), got, c.want)
		}
	}
}

// A required parameter with a default may be left out after all.
func TestRequiredWithDefaultIsNotMissed(t *testing.T) {
	op := probes.Operation{Parameters: []probes.Parameter{parameter(t, `{"name":"title","type":"string","required":true,"default":"x"}`)}}
	for _, c := range generator().Requests(op, map[string]any{"title": "y"}, Ignored, true) {
		if _, there := c.Params["title"]; !there && c.Operator != "misspelt-name" && c.Operator != "wrapped" {
			t.Errorf("%s: %s", c.Operator, c.Sentence)
		}
	}
}
