package classification

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// Random keys have no common beginning. Then that of two listed ones is asked for.
func TestTextsOfRandomKeys(t *testing.T) {
	random := [2]string{"a94f80ec-23a5", "e49aba45-a94d"}
	for name, c := range map[string]struct {
		couple couple
		asked  string
		not    string
	}{
		"keys that begin alike":    {couple{keys: [2]string{"note_12345678", "note_9876543"}}, "note_", "n"},
		"random keys":              {couple{keys: random}, "%", "a"},
		"random keys, with others": {couple{keys: random, listed: "8c"}, "8c", "a"},
	} {
		texts := c.couple.texts()
		if !slices.Contains(texts, c.asked) || slices.Contains(texts, c.not) {
			t.Errorf("%s: %q, want %q and not %q", name, texts, c.asked, c.not)
		}
	}
}

// The listed keys are those of the script, and the longest beginning of two counts.
func TestBeginningOfListedKeys(t *testing.T) {
	listing := func(ids string) probes.Answers {
		call := probes.Call("main", "t", "list_notes", nil).As("s: listing 1")
		return probes.Answers{probes.Classify(call, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"success":true,"data":{"items":[` + ids + `]}}}}`)}})}
	}
	for ids, want := range map[string]string{
		`{"id":"8cbb"},{"id":"85e3"},{"id":"8cff"}`: "8c",
		`{"id":"8cbb"},{"id":"f5e3"}`:               "",
		`{"id":"8c"},{"id":"8cff"}`:                 "",
	} {
		if got := listedBeginning(listing(ids), "s", "id"); got != want {
			t.Errorf("%s: %q, want %q", ids, got, want)
		}
	}
}
