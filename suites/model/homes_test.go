package model

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// Comments are seen in the pages of their ticket alone, so those of a case lie in a ticket of their own. A case that
// looked at the ticket of the valid request before compares later answers with that.
func TestObjectsOfACaseGetAHome(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{}, "CREATE create_ticket title", "READ get_ticket ticket_id", "DELETE delete_ticket ticket_id",
		"CREATE create_comment ticket_id text", "READ list_comments ticket_id", "DELETE delete_comment ticket_id comment_id")
	f.Operations[4].Parameters = append(f.Operations[4].Parameters, probes.Parameter{Name: "page", Type: "integer"})
	f.Rules = gate.NewRules(f.Adapter, Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{})
	f.Nonce, f.explored, f.Gen = "abcd1234", true, &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	tickets := 0
	ask := func(p probes.Probe) probes.Observation {
		if p.Operation() == "create_ticket" {
			tickets++
			return succeeded(p, fmt.Sprintf(`{"ticket_id":"t%d","title":%q}`, tickets, ValueIn(p, "title").Text()))
		}
		return succeeded(p, fmt.Sprintf(`{"ticket_id":%q,"comment_id":"c1","text":%q}`, ValueIn(p, "ticket_id").Text(), ValueIn(p, "text").Text()))
	}
	f.KnownGood = map[string]KnownGood{}
	for i, params := range map[int]map[string]any{0: {"title": "aqlc-abcd1234"}, 3: {"ticket_id": "t1", "text": "aqlc-abcd1234"}} {
		p := f.Request(f.Operations[i], params)
		f.KnownGood[f.Operations[i].Name] = KnownGood{State: Proven, Probe: p, Reply: ask(p)}
	}
	comment := Subject{Adapter: f, Name: "create_comment", Op: f.Operations[3]}
	list := f.Request(f.Operations[4], map[string]any{"ticket_id": "t1"})
	for name, c := range map[string]struct {
		asked []probes.Probe
		want  []string
	}{
		"made first":        {[]probes.Probe{comment.FreshCall("one"), comment.FreshCall("two"), list}, []string{"t2", "t2", "t2"}},
		"listed first":      {[]probes.Probe{list, comment.FreshCall("one"), list}, []string{"t1", "t1", "t1"}},
		"the valid request": {[]probes.Probe{comment.ValidCall(), list}, []string{"t1", "t1"}},
	} {
		tickets = 1
		var parents OwnParents
		var in []string
		for _, p := range c.asked {
			in = append(in, ValueIn(parents.Ask(f, p, ask).Probe, "ticket_id").Text())
		}
		if !slices.Equal(in, c.want) {
			t.Errorf("%s: the requests name %q, want %q", name, in, c.want)
		}
	}
}
