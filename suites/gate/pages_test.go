package gate

import (
	"fmt"
	"strings"
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
		{params("page"), `{"items":[1],"pagination":{"page":1}}`, `{"page":2}`},
		{params("page"), `{"items":[{"page":7}],"page":0}`, `{"page":1}`},
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

// A listing is walked to its end whether its first page is number 0 or 1, and whether or
// not its answers say so; no row is taken twice.
func TestEveryPageIsWalkedOnce(t *testing.T) {
	op := probes.Operation{Name: "list_x", Parameters: []probes.Parameter{{Name: "page", Type: "integer"}}}
	pages := []string{`[{"id":1},{"id":2}]`, `[{"id":3}]`, `[{"id":4}]`, `[]`}
	for _, first := range []int{0, 1} {
		for _, tells := range []bool{false, true} {
			l := walk(probes.Call("main", "t", op.Name, map[string]any{}), op, func(p probes.Probe) probes.Observation {
				at, asked := p.Params()["page"].(int)
				if !asked {
					at = first
				}
				said := fmt.Sprintf(`{"items":%s}`, pages[min(max(at-first, 0), len(pages)-1)])
				if tells {
					said = strings.TrimSuffix(said, "}") + fmt.Sprintf(`,"pagination":{"page":%d}}`, at)
				}
				return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{
					Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":` + said + `}}}`)}})
			})
			if len(l.rows) != 4 || !l.ended {
				t.Errorf("first page %d, told %v: %d rows, ended %v", first, tells, len(l.rows), l.ended)
			}
		}
	}
}

// A page that is as long as a parameter says may hide more. The parameter is asked for a longer page, and for
// a shorter one where that shows nothing more: it may be no size at all.
func TestPagesOfUnknownNames(t *testing.T) {
	size, _ := probes.ParseValue([]byte(`{"name":"portion","type":"integer","default":3,"maximum":6}`))
	op := probes.Operation{Name: "list_x", Parameters: []probes.Parameter{{Name: "portion", Type: "integer", Raw: size}}}
	for name, c := range map[string]struct {
		rows  func(portion int) int
		shown int
		ended bool
	}{
		"fewer than a page":      {func(p int) int { return min(p, 2) }, 2, true},
		"a page to the row":      {func(p int) int { return min(p, 3) }, 3, true},
		"more than a page":       {func(p int) int { return min(p, 5) }, 5, true},
		"more than can be asked": {func(p int) int { return min(p, 9) }, 6, false},
		"a number without sense": {func(int) int { return 3 }, 3, false},
		"a least value":          {func(p int) int { return 6 - p }, 3, false},
	} {
		l := walk(probes.Call("main", "t", "list_x", map[string]any{}), op, func(p probes.Probe) probes.Observation {
			portion, sent := probes.ValueOf(p.Params()["portion"]).Float()
			if !sent {
				portion = 3
			}
			rows := strings.TrimSuffix(strings.Repeat(`{"id":1},`, c.rows(int(portion))), ",")
			return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{
				Data: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":[%s]}}}`, rows)}})
		})
		if len(l.rows) != c.shown || l.ended != c.ended {
			t.Errorf("%s: %d rows, at the end %v", name, len(l.rows), l.ended)
		}
	}
}
