package suites

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/area/lifecycle"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A description may tell the client to ask a person: that is no promise of a gate.
func TestSaysGuarded(t *testing.T) {
	for _, c := range []struct {
		details    string
		says, sure bool
	}{
		{`{"description":"Delete a folder. Requires confirmation","parameters":[{"name":"confirmation_token","type":"string"}]}`, true, true},
		{`{"description":"Delete a folder. Requires user confirmation before it is called"}`, true, false},
		{`{"description":"Delete a folder","danger":{"requires_confirmation":true}}`, true, true},
		{`{"description":"Send a confirmation to the customer"}`, false, false},
		{`{"description":"Confirm a booking that needs no payment"}`, false, false},
	} {
		v, err := probes.ParseValue([]byte(c.details))
		if err != nil {
			t.Fatal(err)
		}
		o := probes.Operation{Details: v, Parameters: probes.ReadParameters(v)}
		if says, sure := check.DocumentsConfirmation(o); says != c.says || sure != c.sure {
			t.Errorf("%s: says %t, sure %t", c.details, says, sure)
		}
	}
}

func TestForgedTokensKeepTheirShape(t *testing.T) {
	for _, token := range []string{"conf_a8f3k2m9x7q4", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "KQ7XW2ZC"} {
		forged := check.ForgeTokenFrom(token, 41)
		if forged == token || len(forged) != len(token) || forged[:1] == "c" && forged[:5] != "conf_" {
			t.Errorf("%s is forged as %s", token, forged)
		}
	}
}

func TestCoreStates(t *testing.T) {
	for word, want := range map[string]struct {
		state   string
		spelled bool
	}{
		"running": {"running", true}, "Running": {"running", false}, "canceled": {"cancelled", false}, "done": {"completed", false},
		"paused": {"", false}, "": {"", false},
	} {
		if state, spelled := check.CoreState(word); state != want.state || spelled != want.spelled {
			t.Errorf("%q is %q, spelled as defined: %t", word, state, spelled)
		}
	}
}

// A state counts as documented however its words are joined.
func TestDocumentedStates(t *testing.T) {
	said, _ := probes.ParseValue([]byte(`{"description":"Start a job; it may wait in review before it runs"}`))
	f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{{Details: said}}}}
	for word, want := range map[string]bool{"in_review": true, "inReview": true, "review": true, "run": false, "held": false} {
		if got := lifecycle.DocumentsState(f, word); got != want {
			t.Errorf("%s is documented: %t", word, got)
		}
	}
}

// What ran on without its session being able to end is no fault of the adapter.
func TestASessionThatCannotEndProvesNothing(t *testing.T) {
	at := func(step string, status int, session string) probes.Observation {
		return probes.Observation{Probe: probes.Request("main", "x", nil).As(step), Status: status, Session: session}
	}
	for name, c := range map[string]struct {
		got  probes.Answers
		want bool
	}{
		"stdio":                 {probes.Answers{at("end", 0, "")}, true},
		"HTTP with sessions":    {probes.Answers{at("call", 200, ""), at("end", 0, "s1")}, true},
		"HTTP without sessions": {probes.Answers{at("call", 200, ""), at("end", 0, "")}, false},
	} {
		if _, ok := check.SessionEnded(c.got, "end"); ok != c.want {
			t.Errorf("%s: ended %t", name, ok)
		}
	}
}
