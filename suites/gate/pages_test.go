package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

func TestNextPage(t *testing.T) {
	params := func(names ...string) probes.Operation {
		o := probes.Operation{Name: "list_x"}
		for _, n := range names {
			o.Parameters = append(o.Parameters, probes.Parameter{Name: n, Type: "string"})
		}
		return o
	}
	for _, c := range []struct {
		op   probes.Operation
		said string
		want string // params of the next request; empty at the end
	}{
		{params("after"), `{"items":[1],"pageInfo":{"hasNextPage":true,"endCursor":"c1"}}`, `{"after":"c1"}`},
		{params("after"), `{"items":[1],"pageInfo":{"hasNextPage":false,"endCursor":"c1"}}`, ""},
		{params("cursor"), `{"items":[1],"next_cursor":"c2"}`, `{"cursor":"c2"}`},
		{params("cursor"), `{"items":[1],"next_cursor":null}`, ""},
		{params("page"), `{"items":[1]}`, `{"page":1}`},
		{params("offset"), `{"items":[1,2,3]}`, `{"offset":3}`},
		{params("offset"), `{"items":[]}`, ""},
		{params(), `{"items":[1]}`, ""},
	} {
		ask := probes.Call("main", "t", "list_x", map[string]any{})
		o := probes.Classify(ask, wire.Reply{Class: wire.Answered, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":` + c.said + `}}}`)}})
		next, more := NextPage(c.op, ask, o)
		got := ""
		if more {
			got = string(probes.ValueOf(next.Params()).Raw())
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.said, got, c.want)
		}
	}
}
