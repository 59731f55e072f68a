package export

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A key with nothing below it is null, and looks as if something were missing.
func TestEmptySectionIsAComment(t *testing.T) {
	for want, lines := range map[string][]string{
		"samples:":   {"  get_ticket:", "    ticket_id: \"t1\""},
		"# samples:": {"  # TODO no value for the parameter kind"},
		"# samples: nothing was found that the adapter does not say itself": nil,
	} {
		if got := section("samples", lines); got[0] != want || strings.Join(got[1:], "") != strings.Join(lines, "") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A list of strings that a listing shows is named, and a list of anything else is not.
func TestListShown(t *testing.T) {
	for items, want := range map[string]string{
		`[{"name":"Fern","tags":[]},{"name":"Mint","tags":["kitchen"]}]`: "tags",
		`[{"name":"Fern","care":[1]}]`:                                   "",
		`[]`:                                                             "",
	} {
		list := probes.Operation{Name: "list_plants", Category: "READ", Tool: "aql"}
		made := probes.Operation{Name: "create_plant", Category: "CREATE", Tool: "aql"}
		call := probes.Call("main", "aql", list.Name, nil)
		frame := wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":"1","result":{"structuredContent":{"success":true,"data":{"items":` + items + `}}}}`)}
		a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{list, made}}
		f := &model.Adapter{Adapter: a, Rules: gate.NewRules(a, gate.Permissions{}, model.Options{}.Hints), KnownGood: map[string]model.KnownGood{
			list.Name: {State: model.Proven, Reply: probes.Classify(call, wire.Reply{Class: wire.Answered, Received: frame})}}}
		maker := model.Subject{Adapter: f, Name: made.Name, Op: made}
		if got := listShown([]model.TestObject{{Subject: maker, Maker: maker}}); got != want {
			t.Errorf("%s: %q, want %q", items, got, want)
		}
	}
}
