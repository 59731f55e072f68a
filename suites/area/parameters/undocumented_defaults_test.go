package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

// record is a parameter with the members of a record.
func record(name, kind string, more map[string]any) probes.Parameter {
	all := map[string]any{"name": name, "type": kind}
	for k, v := range more {
		all[k] = v
	}
	return probes.Parameter{Name: name, Type: kind, Raw: probes.ValueOf(all)}
}

func TestDefaultsInProse(t *testing.T) {
	a := &probes.Adapter{}
	color, page, text := record("color", "string", map[string]any{"enum": []any{"brown", "white"}}), record("page", "integer", nil), record("text", "string", nil)
	op := probes.Operation{Name: "list_boxes", Category: "READ", Parameters: []probes.Parameter{color, page, text}}
	f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a}}
	for _, c := range []struct {
		of   probes.Parameter
		text string
		want bool
	}{
		{page, "Number of the page; the default is 1.", true},
		{page, "For shelves whose own default is unsuitable.", false},
		{page, "Last page; defaults to page.", false},
		{page, "Defaults to 1", true},
		{color, "The default is brown.", true},
		{color, "Unless it is given, the shop default is used.", false},
		{text, "The default is 'none yet'.", false},
		{text, "The default is \"box\".", true},
		{text, "Defaults to box.", true},
		{text, "The default is kept.", false},
	} {
		if got := inProse(model.Subject{Adapter: f, Name: op.Name, Op: op, Par: c.of}, c.text); got != c.want {
			t.Errorf("%s: %s: %v", c.of.Name, c.text, got)
		}
	}
}

// A size that another parameter documents, or a page that is complete, shows no default of this one.
func TestAppliedPageSizes(t *testing.T) {
	first, last := record("first", "integer", nil), record("last", "integer", nil)
	told := record("first", "integer", map[string]any{"default": 25})
	const full, whole, echo = `{"items":[{"id":1},{"id":2}],"page_info":{"has_more":true}}`, `{"items":[{"id":1}],"page_info":{"has_more":false}}`, `{"items":[],"pageInfo":{"page_size":25}}`
	for _, c := range []struct {
		of   probes.Parameter
		all  []probes.Parameter
		data string
		want reports.Verdict
	}{
		{first, []probes.Parameter{first, last}, full, reports.Fail},
		{last, []probes.Parameter{first, last}, full, reports.NotProven},
		{last, []probes.Parameter{told, last}, full, reports.NotProven},
		{first, []probes.Parameter{first}, whole, reports.NotProven},
		{first, []probes.Parameter{first}, echo, reports.Fail},
		{last, []probes.Parameter{told, last}, echo, reports.NotProven},
	} {
		o := probes.Classify(probes.Call("main", "aql", "list_boxes", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":` + c.data + `}}}`)}})
		s := model.Subject{Adapter: &model.Adapter{}, Op: probes.Operation{Name: "list_boxes", Parameters: c.all}, Par: c.of}
		if got := appliedSize(s, o); got.Verdict != c.want {
			t.Errorf("%s of %d in %s: %s, want %s", c.of.Name, len(c.all), c.data, got.Verdict, c.want)
		}
	}
}

// A list or an object may be filled in from another object, or with the day.
func TestEmptinessSaysNothing(t *testing.T) {
	for text, want := range map[string]bool{`{"a":{"b":0}}`: false, `["x"]`: false, `""`: false, `null`: false, `0`: true, `"x"`: true} {
		v, err := probes.ParseValue([]byte(text))
		if err != nil || effective(v) != want {
			t.Errorf("%s: %v (%v)", text, effective(v), err)
		}
	}
}
