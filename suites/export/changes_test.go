package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// adapterFrom returns an adapter with the operation and type in the JSON texts.
func adapterFrom(t *testing.T, operation, typ string) *probes.Adapter {
	t.Helper()
	parse := func(text string) probes.Value {
		v, err := probes.ParseValue([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return v
	}
	a := &probes.Adapter{}
	if operation != "" {
		d := parse(operation)
		o := probes.Operation{Name: d.At("name").Text(), Category: d.At("category").Text(), Endpoint: d.At("endpoint").Text(), Details: d}
		for _, p := range d.At("parameters").Items() {
			o.Parameters = append(o.Parameters, probes.Parameter{Name: p.At("name").Text(), Type: p.At("type").Text(), Required: p.At("required").True(), Raw: p})
		}
		a.Operations = append(a.Operations, o)
	}
	if typ != "" {
		d := parse(typ)
		a.Types = append(a.Types, probes.Type{Name: d.At("name").Text(), Kind: d.At("kind").Text(), Details: d})
	}
	return a
}

// Each change is found, and is breaking if it breaks an existing client.
func TestChanges(t *testing.T) {
	operation := func(members string) string {
		return `{"name":"find","category":"READ","endpoint":"READ","parameters":[{"name":"q","type":"string","required":true}]` + members + `}`
	}
	parameter := func(members string) string {
		return `{"name":"find","category":"READ","endpoint":"READ","parameters":[{"name":"q","type":"integer"` + members + `}]}`
	}
	const plain = `{"name":"find","category":"READ","endpoint":"READ"`
	for _, tc := range []struct{ old, now, want string }{
		{operation(""), operation(""), ""},
		{operation(`,"description":"a"`), operation(`,"description":"b"`), ""},
		{operation(""), "", "! find: operation removed"},
		{"", operation(""), "find: operation added"},
		{operation(""), strings.Replace(operation(""), "find", "seek", 1), "! find: operation renamed to seek"},
		{operation(""), strings.Replace(operation(""), `"category":"READ"`, `"category":"EXECUTE"`, 1), "! find: category READ is EXECUTE now"},
		{operation(""), strings.Replace(operation(""), `"endpoint":"READ"`, `"endpoint":"EXECUTE"`, 1), "! find: endpoint READ is EXECUTE now"},
		{operation(`,"returns":{"name":"Note"}`), operation(`,"returns":{"name":"Note[]"}`), "! find: returns Note[], was Note"},
		{operation(`,"danger_level":"safe"`), operation(`,"danger_level":"destructive"`), "! find: danger level safe is destructive now"},
		{operation(""), operation(`,"danger_level":"dangerous"`), "! find: danger level none is dangerous now"},
		{operation(`,"danger_level":"destructive"`), operation(`,"danger_level":"safe"`), "find: danger level destructive is safe now"},
		{operation(""), plain + "}", "! find.q: parameter removed"},
		{operation(""), strings.Replace(operation(""), `"q"`, `"text"`, 1), "! find.q: parameter renamed to text"},
		{plain + "}", operation(""), "! find.q: required parameter added"},
		{plain + "}", parameter(""), "find.q: optional parameter added"},
		{parameter(""), parameter(`,"required":true`), "! find.q: parameter became required"},
		{parameter(`,"required":true`), parameter(""), "find.q: parameter became optional"},
		{parameter(""), strings.Replace(parameter(""), "integer", "string", 1), "! find.q: type integer is string now"},
		{parameter(""), strings.Replace(parameter(""), "integer", "number", 1), "find.q: type integer is number now"},
		{strings.Replace(parameter(""), "integer", "number", 1), parameter(""), "! find.q: type number is integer now"},
		{parameter(`,"default":1`), parameter(`,"default":2`), "! find.q: default 1 is 2 now"},
		{parameter(`,"default":1`), parameter(""), "! find.q: default 1 removed"},
		{parameter(""), parameter(`,"default":1`), "find.q: default 1 added"},
		{parameter(`,"enum":[1,2]`), parameter(`,"enum":[1,3]`), "! find.q: value 2 removed / find.q: value 3 added"},
		{parameter(""), parameter(`,"enum":[1]`), "! find.q: only [1] allowed now"},
		{parameter(`,"enum":[1]`), parameter(""), "find.q: any value allowed now"},
		{parameter(`,"minimum":1`), parameter(`,"minimum":2`), "! find.q: minimum is 2 now, was 1"},
		{parameter(`,"minimum":2`), parameter(`,"minimum":1`), "find.q: minimum is 1 now, was 2"},
		{parameter(""), parameter(`,"maximum":9`), "! find.q: maximum is 9 now, was none"},
		{parameter(`,"maximum":9`), parameter(""), "find.q: maximum is none now, was 9"},
		{parameter(`,"maxLength":9`), parameter(`,"maxLength":10`), "find.q: maxLength is 10 now, was 9"},
		{parameter(`,"pattern":"^a"`), parameter(`,"pattern":"^b"`), "! find.q: pattern is ^b now"},
		{parameter(`,"pattern":"^a"`), parameter(""), "find.q: pattern removed"},
	} {
		if got := changesIn(adapterFrom(t, tc.old, ""), adapterFrom(t, tc.now, "")); got != tc.want {
			t.Errorf("%s to %s:\ngot  %s\nwant %s", tc.old, tc.now, got, tc.want)
		}
	}
	object := func(fields string) string { return `{"name":"Note","kind":"object","fields":[` + fields + `]}` }
	const title = `{"name":"title","type":"string"}`
	for _, tc := range []struct{ old, now, want string }{
		{object(title), "", "! type Note: type removed"},
		{"", object(title), "type Note: type added"},
		{object(title), strings.Replace(object(title), `"object"`, `"enum"`, 1), "! type Note: kind object is enum now"},
		{object(title), object(""), "! type Note.title: field removed"},
		{object(""), object(title), "type Note.title: field added"},
		{object(title), object(strings.Replace(title, "string", "integer", 1)), "! type Note.title: type string is integer now"},
		{`{"name":"E","kind":"enum","values":["a"]}`, `{"name":"E","kind":"enum","values":["b"]}`, `! type E: value "a" removed / type E: value "b" added`},
	} {
		if got := changesIn(adapterFrom(t, "", tc.old), adapterFrom(t, "", tc.now)); got != tc.want {
			t.Errorf("%s to %s:\ngot  %s\nwant %s", tc.old, tc.now, got, tc.want)
		}
	}
}

// A shared type that went while something named it is told with its requirement.
func TestChangesOfSharedTypes(t *testing.T) {
	const (
		named  = `{"name":"find","category":"READ","endpoint":"READ","returns":{"name":"Note[]"},"parameters":[{"name":"q","type":"array","items":{"type":"Note"}}]}`
		alone  = `{"name":"find","category":"READ","endpoint":"READ"}`
		note   = `{"name":"Note","kind":"object","fields":[{"name":"title","type":"string"},{"name":"next","type":"Note"}]}`
		record = `{"name":"Entry","kind":"object","fields":[{"name":"title","type":"string"},{"name":"next","type":"Entry"}]}`
		alias  = `{"name":"Entry","aliases":["Note"],"kind":"object","fields":[{"name":"title","type":"string"},{"name":"next","type":"Entry"}]}`
	)
	const places = "named by find.q, find (answer)"
	for _, tc := range []struct{ operation, now, what, why string }{
		{named, "", "type removed", places},
		{named, record, "type renamed to Entry", places},
		{named, alias, "type renamed to Entry, which names it as an alias", ""},
		{alone, "", "type removed", ""},
		{alone, record, "type renamed to Entry", ""},
	} {
		all := Changes(adapterFrom(t, tc.operation, note), adapterFrom(t, tc.operation, tc.now))
		c := all[len(all)-1]
		if len(all) != 1 || c.What != tc.what || strings.Contains(c.Why, "OPS-4.4.2-02") != (tc.why != "") || !strings.Contains(c.Why, tc.why) {
			t.Errorf("%s: %+v", tc.now, all)
		}
	}
}

func changesIn(old, now *probes.Adapter) string {
	var all []string
	for _, c := range Changes(old, now) {
		line := fmt.Sprintf("%s: %s", c.Where, c.What)
		if c.Breaking {
			line = "! " + line
		}
		if c.Breaking != (c.Why != "") {
			line += " without a reason"
		}
		all = append(all, line)
	}
	return strings.Join(all, " / ")
}
