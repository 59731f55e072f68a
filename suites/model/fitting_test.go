package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// An invoice belongs to a customer, whose name has the mark of the run as well. A new invoice keeps
// that name and carries the mark in another text.
func TestNewObjectKeepsTheNameOfItsParent(t *testing.T) {
	f := documented(Permissions{Create: true}, fixtures.Hints{}, "CREATE create_invoice customer number reference", "READ get_invoice customer number")
	f.Operations[0].Parameters[2].Required = false
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	f.parents = map[string]bool{}
	mark := f.Gen.Marker("")
	valid := probes.Call("main", "aql", "create_invoice", map[string]any{"customer": mark, "number": mark})
	f.KnownGood = map[string]KnownGood{"create_invoice": {Probe: valid, State: Proven}}
	s := Subject{Adapter: f, Name: "create_invoice", Op: f.Operations[0]}
	if got := strings.Join(s.renewed("step"), " "); got != "customer number" {
		t.Errorf("renewed %q", got)
	}
	f.parents["create_invoice.customer"] = true
	fresh := s.FreshCall("step")
	if ValueIn(fresh, "customer").Text() != mark || !strings.HasPrefix(ValueIn(fresh, "number").Text(), mark+"-") {
		t.Errorf("got %v", fresh.Params())
	}
	f.KnownGood["create_invoice"] = KnownGood{Probe: valid.With("number", 7), State: Proven}
	if reference := ValueIn(s.FreshCall("step"), "reference").Text(); !strings.HasPrefix(reference, mark+"-") {
		t.Errorf("no mark of its own in %v", s.FreshCall("step").Params())
	}
}
