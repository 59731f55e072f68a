package descriptions

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A description that names another parameter states a rule on both only where the refusal is about the other one, too.
func TestRulesOnTwoParameters(t *testing.T) {
	for _, c := range []struct {
		told, message string
		want          bool
	}{
		{"Name of the variant, one of variants", "default 'x1' is not one of calm, loud", true},
		{"Name der Variante, siehe variants", "Vorgabe und variants passen nicht zusammen", true},
		{"Human title; the variants say more", "title must have at least three letters", false},
		{"Human title", "title is not one of calm, loud", false},
	} {
		raw := probes.ValueOf(map[string]any{"description": c.told})
		p := probes.Parameter{Name: "title", Type: "string", Raw: raw}
		s := model.Subject{Op: probes.Operation{Name: "create_flag", Parameters: []probes.Parameter{p, {Name: "variants", Type: "object"}}}}
		call := probes.Call("main", "aql", "create_flag", map[string]any{"title": "x1", "variants": map[string]any{"calm": 1, "loud": 2}})
		o := probes.Classify(call, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: fmt.Appendf(nil,
			`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":false,"error":{"code":"VALIDATION_BUSINESS_RULE","message":%q}}}}`, c.message)}})
		if got := tellsAnother(s, p, o); got != c.want {
			t.Errorf("%s: %s: %t", c.told, c.message, got)
		}
	}
}

// A warning speaks of circumstances in words of its own, not in parts of others.
func TestCircumstances(t *testing.T) {
	for message, want := range map[string]bool{
		"download the list instead": false, "the warmth of the room is not kept": false, "uploading ends": false,
		"The index is loading.": true, "served from a stale copy": true, "warmed up": true, "reloaded": true, "the cache was cold": true,
	} {
		warnings := probes.ValueOf([]any{map[string]any{"code": "OLD", "message": message}})
		if got := circumstantial(warnings); got != want {
			t.Errorf("%s: %t, want %t", message, got, want)
		}
	}
	if !circumstantial(probes.ValueOf([]any{map[string]any{"code": "CACHE_MISS", "message": "first read"}})) {
		t.Error("a code of circumstances is overlooked")
	}
}
