package parameters

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A request that met an error which may pass may have been carried out. It is the first suspect, whether it was sent
// before the refused one or after it, so that the accusation is taken back where errors do pass.
func TestErrorsThatMayPassAreSuspectedFirst(t *testing.T) {
	a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{{Name: "create_note", Category: "CREATE", Tool: "create", Parameters: []probes.Parameter{{Name: "title", Type: "string"}, {Name: "rank", Type: "integer"}}}}}
	f := &model.Adapter{Adapter: a, Nonce: "x", Gen: &generate.Generator{Adapter: a, Nonce: "x"}}
	answer := func(rank int, code string) *probes.Kept {
		p := probes.Call("main", "create", "create_note", map[string]any{"title": "aqlc-x-1", "rank": rank})
		return probes.Keep(probes.Classify(p, wire.Reply{Class: wire.Answered, Sent: wire.Frame{Seq: 1, Dir: wire.Sent, Data: p.Payload()}, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":false,"error":{"code":"` + code + `","message":"no"}}}}`)}}))
	}
	passing, refused := answer(1, "INTERNAL_ERROR"), answer(2, "CONFLICT_ALREADY_EXISTS")
	for _, order := range [][]*probes.Kept{{passing, refused}, {refused, passing}} {
		if got := refusedMarks(f, probes.Record{Observations: order})["aqlc-x-1"].kept.Observation().Code(); got != "INTERNAL_ERROR" {
			t.Errorf("suspects %q", got)
		}
	}
}

// The texts of a message are those that begin with the mark, each to its end.
func TestTextsOfTheRunAreRead(t *testing.T) {
	for message, want := range map[string][]string{
		`{"title":"aqlc-x-1","body":"see aqlc-x-2"}`: {"aqlc-x-1"},
		`["aqlc-x-1","aqlc-x-10"]`:                   {"aqlc-x-1", "aqlc-x-10"},
		`{"title":"aqlc-x-1\n"}`:                     {"aqlc-x-1"},
		`{"title":"aqlc-x-1`:                         nil,
		`{"title":"plain"}`:                          nil,
	} {
		if got := ownTexts([]byte(message), "aqlc-x"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}

// An answer that may hold the text of a refused creation is taken apart, however it writes the text.
func TestAnswersThatMayShowARefusalAreRead(t *testing.T) {
	texts := map[string]valueRefusal{"aqlc-n0 7": {}, "aqlc-n0 caf\u00e9": {}}
	for answer, want := range map[string]bool{
		`{"title":"aqlc-n0 7"}`: true, `"{\"title\":\"aqlc-n0 7\"}"`: true, `{"title":"aqlc-n0 caf\u00e9"}`: true, // é as an escape
		`["aqlc-n0 1","aqlc-n0 7"]`: true, `{"cut":"aqlc-n0`: true,
		`{"title":"aqlc-n0 71"}`: false, `"{\"title\":\"aqlc-n0 8\"}"`: false, `{"title":"other"}`: false, `{}`: false,
	} {
		if got := mayShow([]byte(answer), []byte("aqlc-n0"), texts); got != want {
			t.Errorf("%s: %v", answer, got)
		}
	}
}
