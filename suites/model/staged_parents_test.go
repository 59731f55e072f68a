package model

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// A delivery takes a packaged brew alone, and a brew is packaged after two other stages. A brew holds one delivery, and each new brew goes
// through the stages.
func TestAStateIsReachedStepByStep(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{},
		"CREATE add_brew title", "READ get_brew brew_id", "UPDATE edit_brew brew_id input", "DELETE delete_brew brew_id",
		"CREATE add_delivery brew_id note", "READ get_delivery delivery_id", "DELETE delete_delivery delivery_id")
	stage := map[string]any{"name": "stage", "type": "string", "enum": []any{"planned", "mashing", "fermenting", "packaged"}}
	for i, o := range f.Operations {
		if o.Name == "edit_brew" {
			f.Operations[i].Parameters[1].Raw = probes.ValueOf(map[string]any{"name": "input", "type": "object", "required": true, "fields": []any{stage}})
		}
	}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
	unlearned(f)
	next := map[string]string{"planned": "mashing", "mashing": "fermenting", "fermenting": "packaged"}
	objects, holds := map[string]map[string]any{}, map[string]bool{}
	ask := func(p probes.Probe) probes.Observation {
		text := func(name string) string { return ValueIn(p, name).Text() }
		show := func(key string) probes.Observation {
			if objects[key] == nil {
				return refused(p, "NOT_FOUND_RESOURCE", "none", `{}`)
			}
			return succeeded(p, string(probes.ValueOf(objects[key]).Raw()))
		}
		key := fmt.Sprintf("k-%d", len(objects)+1)
		switch p.Operation() {
		case "add_brew":
			objects[key] = map[string]any{"brew_id": key, "title": text("title"), "stage": "planned"}
			return show(key)
		case "edit_brew":
			brew, to := objects[text("brew_id")], ValueIn(p, "input").At("stage").Text()
			if brew == nil || to != brew["stage"] && to != next[brew["stage"].(string)] {
				return refused(p, "CONFLICT_STATE", fmt.Sprintf("a brew does not become %s so", to), `{}`)
			}
			brew["stage"] = to
			return show(text("brew_id"))
		case "add_delivery":
			in := text("brew_id")
			switch {
			case objects[in] == nil:
				return refused(p, "NOT_FOUND_RESOURCE", "no brew", `{}`)
			case objects[in]["stage"] != "packaged":
				return refused(p, "CONFLICT_STATE", "only a packaged brew is delivered", `{}`)
			case holds[in]:
				return refused(p, "CONFLICT_CAPACITY", "nothing is left", `{}`)
			}
			holds[in] = true
			objects[key] = map[string]any{"delivery_id": key, "brew_id": in, "note": text("note")}
			return show(key)
		case "get_brew":
			return show(text("brew_id"))
		case "get_delivery":
			return show(text("delivery_id"))
		}
		return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
	}
	f.findKnownGood(t.Context(), askerFunc(ask))
	if good := f.KnownGood["add_delivery"]; good.State != Proven {
		t.Fatalf("no delivery: %s", good.Why)
	}
	f.explored = true
	s := Subject{Adapter: f, Name: "add_delivery", Op: f.Operations[4]}
	for i := range 3 {
		step := fmt.Sprint("another delivery ", i)
		if o := f.Elsewhere(ask(s.FreshCall(step).Anew(step)), ask); !o.Succeeded() {
			t.Errorf("delivery %d: %s", i, o.Brief())
		}
	}
}
