package parameters

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The fields of an object of any name may leave out or prefer. Nothing is held against one whose values do not choose items.
func TestFieldsOfAnObjectThatDoNotChoose(t *testing.T) {
	listing := func(rows ...string) probes.Observation {
		return probes.Classify(probes.Call("main", "aql", "list_flags", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: fmt.Appendf(nil,
			`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":{"items":[%s]}}}}`, strings.Join(rows, ","))}})
	}
	live, old := `{"id":"a","archived":false}`, `{"id":"b","archived":true}`
	for _, c := range []struct {
		name      string
		inside    string
		yes, no   probes.Observation
		violation bool
	}{
		{"both choose", "where", listing(old), listing(live), false},
		{"false is overlooked", "where", listing(old), listing(live, old), true},
		{"true leaves out", "skip", listing(live), listing(live, old), false},
		{"all of it", "include", listing(live, old), listing(live), false},
		{"nothing in an object", "omit", listing(live, old), listing(live, old), false},
		{"nothing in filter", "filter", listing(live, old), listing(live, old), true},
	} {
		field := probes.Parameter{Name: "archived", Type: "boolean"}
		s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, Name: "list_flags"}
		s.Op = probes.Operation{Name: "list_flags", Category: "READ", Parameters: []probes.Parameter{{Name: c.inside, Type: "object"}}}
		raw, _ := probes.ParseValue([]byte(`{"fields":[{"name":"archived","type":"boolean"}]}`))
		s.Op.Parameters[0].Raw = raw
		p := promise{filter: filter{field, c.inside}, tried: []map[string]any{{"archived": true}, {"archived": false}}, want: "items that meet archived"}
		got := p.judge(s, listing(live, old), probes.Answers{c.yes, c.no})
		if violated := got.Verdict == reports.Fail; violated != c.violation {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
