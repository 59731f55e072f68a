package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// A trial may show that the only text of a creation names another object. What it makes has no mark of
// its own then, also where the list of makers was read before.
func TestMakersFollowTheTrials(t *testing.T) {
	f := documented(Permissions{Create: true}, fixtures.Hints{}, "CREATE create_ticket title", "READ get_ticket ticket_id")
	f.Nonce, f.explored, f.Gen = "abcd1234", true, &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	p := f.Request(f.Operations[0], map[string]any{"title": "aqlc-abcd1234"})
	f.KnownGood = map[string]KnownGood{"create_ticket": {State: Proven, Probe: p, Reply: succeeded(p, `{"ticket_id":"t1","title":"aqlc-abcd1234"}`)}}
	if all := f.Makers(); len(all) != 1 || all[0].Ruling != nil {
		t.Fatalf("before the trials: %v", all)
	}
	f.parents = map[string]bool{"create_ticket.title": true}
	if f.Makers()[0].Ruling == nil {
		t.Error("after a trial: the maker of an object without a mark")
	}
	f.tried = true
	if first, second := f.Makers(), f.Makers(); first[0].Ruling == nil || &first[0] != &second[0] {
		t.Error("after all trials: the list is another one, or made anew")
	}
}
