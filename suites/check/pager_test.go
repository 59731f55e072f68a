package check

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// How a listing pages is learned by trial, whatever its parameters are called. A filter by a number is no page.
func TestPagersAreLearned(t *testing.T) {
	number := func(params map[string]any, name string, otherwise int) int {
		if n, ok := params[name].(int); ok {
			return n
		}
		return otherwise
	}
	cut := func(all []any, from, n int) []any { from = min(from, len(all)); return all[from:min(from+n, len(all))] }
	var rooms []any
	for i := range 7 {
		rooms = append(rooms, map[string]any{"code": fmt.Sprintf("r%c", 'a'+i), "level": i/2 + 1})
	}
	for name, c := range map[string]struct {
		parameters []string
		list       func(params map[string]any) any
		want       string
	}{
		"by item": {[]string{"menge:integer", "ab:integer"}, func(p map[string]any) any { return cut(rooms, number(p, "ab", 0), number(p, "menge", 9)) }, "menge ab offset"},
		"by page": {[]string{"blatt:integer", "menge:integer"}, func(p map[string]any) any {
			return cut(rooms, (number(p, "blatt", 1)-1)*number(p, "menge", 9), number(p, "menge", 9))
		}, "menge blatt page 1"},
		"by page from zero": {[]string{"blatt:integer", "menge:integer"}, func(p map[string]any) any {
			return cut(rooms, number(p, "blatt", 0)*number(p, "menge", 9), number(p, "menge", 9))
		}, "menge blatt page 0"},
		"by page, told where the page begins at the wrong item": {[]string{"blatt:integer", "menge:integer"}, func(p map[string]any) any {
			n, size := number(p, "blatt", 1), number(p, "menge", 5)
			return map[string]any{"zimmer": cut(rooms, (n-1)*5, size), "blaetter": map[string]any{"blatt": n, "zahl": 7, "blaetter": (7 + size - 1) / size}}
		}, "menge blatt page 1"},
		"a filter that leaves nothing out, which the answer repeats beside the pages": {[]string{"ab:integer", "menge:integer"}, func(p map[string]any) any {
			size := number(p, "menge", 5)
			return map[string]any{"zimmer": cut(rooms, 0, size), "blaetter": map[string]any{"ab": number(p, "ab", 0), "zahl": 7, "blaetter": (7 + size - 1) / size}}
		}, ""},
		"a filter that parts the listing, which the answer repeats beside the pages": {[]string{"stock:integer", "menge:integer"}, func(p map[string]any) any {
			size, kept := number(p, "menge", 5), rooms
			if floor := number(p, "stock", 0); floor > 0 {
				kept = rooms[min(2*(floor-1), 4):][:3]
			}
			return map[string]any{"zimmer": cut(kept, 0, size), "blaetter": map[string]any{"stock": number(p, "stock", 0), "zahl": len(kept), "blaetter": (len(kept) + size - 1) / size}}
		}, ""},
		"a filter that the answer repeats": {[]string{"ab:integer", "menge:integer"}, func(p map[string]any) any {
			size := number(p, "menge", 5)
			return map[string]any{"zimmer": cut(rooms, 0, size), "filter": map[string]any{"ab": number(p, "ab", 0)}, "blaetter": map[string]any{"zahl": 7, "blaetter": (7 + size - 1) / size}}
		}, ""},
		"by cursor": {[]string{"menge:integer", "marke:string"}, func(p map[string]any) any {
			from := 0
			if text, ok := p["marke"].(string); ok {
				_, _ = fmt.Sscanf(text, "m%d", &from)
			}
			return map[string]any{"items": cut(rooms, from, number(p, "menge", 9)), "weiter": fmt.Sprintf("m%d", from+number(p, "menge", 9))}
		}, "menge marke cursor [weiter]"},
		"by cursor to a page in another order": {[]string{"menge:integer", "marke:string"}, func(p map[string]any) any {
			text, ok := p["marke"].(string)
			from := 0
			if _, err := fmt.Sscanf(text, "m%d", &from); ok && err == nil {
				return map[string]any{"items": []any{rooms[from+1], rooms[from]}, "weiter": ""}
			}
			return map[string]any{"items": cut(rooms, 0, number(p, "menge", 9)), "weiter": fmt.Sprintf("m%d", number(p, "menge", 9))}
		}, "menge marke cursor [weiter]"},
		"by cursor beside a search": {[]string{"menge:integer", "suche:string", "marke:string"}, func(p map[string]any) any {
			if p["suche"] != nil {
				return map[string]any{"items": rooms[5:], "anzahl": "2"}
			}
			from := 0
			if text, ok := p["marke"].(string); ok {
				_, _ = fmt.Sscanf(text, "m%d", &from)
			}
			return map[string]any{"anzahl": "7", "items": cut(rooms, from, number(p, "menge", 9)), "weiter": fmt.Sprintf("m%d", from+number(p, "menge", 9))}
		}, "menge marke cursor [weiter]"},
		"by cursor behind rows by key": {[]string{"haus:string", "menge:integer", "marke:string"}, func(p map[string]any) any {
			from := 0
			if text, ok := p["marke"].(string); ok {
				_, _ = fmt.Sscanf(text, "m%d", &from)
			}
			rows, order := map[string]any{}, []any{}
			for _, room := range cut(rooms, from, number(p, "menge", 9)) {
				code := room.(map[string]any)["code"]
				rows[code.(string)], order = map[string]any{"code": code, "haus": "h", "stock": "s"}, append(order, code)
			}
			return map[string]any{"ordnung": order, "raeume": rows, "seite": map[string]any{"weiter": fmt.Sprintf("m%d", from+number(p, "menge", 9))}}
		}, "menge marke cursor [seite weiter]"},
		"a search for what follows": {[]string{"menge:integer", "suche:string"}, func(p map[string]any) any {
			switch p["suche"] {
			case nil:
				return map[string]any{"anzahl": "7", "items": cut(rooms, 0, number(p, "menge", 9))}
			case "7":
				return map[string]any{"items": rooms[2:4], "anzahl": "2"}
			}
			return map[string]any{"items": []any{}, "anzahl": "0"}
		}, ""},
		"a search": {[]string{"menge:integer", "suche:string"}, func(p map[string]any) any {
			if p["suche"] != nil {
				return map[string]any{"items": rooms[5:], "anzahl": "2"}
			}
			return map[string]any{"anzahl": "7", "items": cut(rooms, 0, number(p, "menge", 9))}
		}, ""},
		"a filter": {[]string{"menge:integer", "ab:integer"}, func(p map[string]any) any {
			var kept []any
			for i, room := range rooms {
				if i/2+1 > number(p, "ab", 0) {
					kept = append(kept, room)
				}
			}
			return cut(kept, 0, number(p, "menge", 9))
		}, ""},
		"a size alone": {[]string{"menge:integer", "ab:integer"}, func(p map[string]any) any { return cut(rooms, 0, number(p, "menge", 9)) }, ""},
		"no effect":    {[]string{"menge:integer", "ab:integer"}, func(map[string]any) any { return rooms }, ""},
	} {
		var parameters []probes.Parameter
		for _, p := range c.parameters {
			var one probes.Parameter
			for i := range p {
				if p[i] == ':' {
					one = probes.Parameter{Name: p[:i], Type: p[i+1:], Raw: probes.ValueOf(map[string]any{"name": p[:i], "type": p[i+1:]})}
				}
			}
			parameters = append(parameters, one)
		}
		op := probes.Operation{Name: "zimmer", Category: "READ", Tool: "read", Parameters: parameters}
		plain := probes.Call("main", "read", "zimmer", nil)
		f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Introspect: "read", Operations: []probes.Operation{op}},
			KnownGood: map[string]model.KnownGood{"zimmer": {State: model.Proven, Probe: plain}}}
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "k3f9x2ab"}
		ask := func(p probes.Probe) probes.Observation {
			message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":%s}}}`, probes.ValueOf(c.list(p.Params())).Raw())
			return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(message)}})
		}
		got := ""
		if p, why := LearnPager(model.Subject{Adapter: f, Name: "zimmer", Op: op}, ask); why == nil {
			switch {
			case p.Cursor != nil:
				got = fmt.Sprint(p.Size, " ", p.From, " cursor ", p.Cursor)
			case p.Numbered:
				got = fmt.Sprint(p.Size, " ", p.From, " page ", p.First)
			default:
				got = p.Size + " " + p.From + " offset"
			}
		}
		if got != c.want {
			t.Errorf("%s: learned %q, want %q", name, got, c.want)
		}
	}
}
