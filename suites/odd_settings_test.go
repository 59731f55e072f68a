package suites

import (
	"maps"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A profile is a thing of which there is one, without an identifier.
type profile struct {
	lax     string // the operation that takes undocumented parameters; empty for none
	details map[string]any
	changed int
	removed int
}

// join adds the operations on the profile to the reference adapter.
func (s *profile) join(a *adapter.Adapter) wire.Target {
	s.details = map[string]any{"name": "Not of the run"}
	details := adapter.Parameter{Name: "details", Type: "object", Required: true, Description: "What is to be known about the owner"}
	a.Types = append(a.Types, adapter.TypeInfo{Name: "Profile", Kind: "object", Description: "The profile of the owner", Fields: []adapter.Parameter{details}})
	operation := offering(a, "The owner")
	operation("get_profile", "READ", "Show the profile of the owner", "Profile", map[string]any{}, func(adapter.Task) adapter.Envelope {
		return adapter.Success(map[string]any{"details": maps.Clone(s.details)})
	})
	operation("delete_profile", "DELETE", "Delete the profile of the owner; succeeds where there is none", "Deletion", map[string]any{}, func(adapter.Task) adapter.Envelope {
		s.removed++
		s.details = map[string]any{}
		return adapter.Success(map[string]any{"deleted": true})
	})
	input := adapter.Parameter{Name: "input", Type: "object", Required: true, Description: "Details to change; what is absent stays as it is"}
	operation("update_profile", "UPDATE", "Change details of the owner", "Profile", map[string]any{"input": map[string]any{"name": "Ada"}}, func(t adapter.Task) adapter.Envelope {
		in := adapter.Object(t.Params["input"])
		if name, _ := in["name"].(string); name == "" {
			return adapter.Failure("VALIDATION_MISSING_PARAM", "input.name is required", map[string]any{"param_name": "input"})
		}
		s.changed++
		s.details = adapter.Merge(s.details, in)
		return adapter.Success(map[string]any{"details": maps.Clone(s.details)})
	}, input)
	a.Hooks = seam.Before(seam.Named(s.lax), func(c adapter.Call, op adapter.Operation) adapter.Call {
		return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
	})
	return inProcess(a)
}

// What has no identifier is changed with a permission by name alone, and then judged as other operations are. It is not
// removed: other operations would miss it.
func TestThingsWithoutIdentifier(t *testing.T) {
	portion.InTurn(t)
	for i, c := range []struct {
		name    string
		s       profile
		allowed bool
		found   string
	}{
		{name: "without permission"},
		{name: "with permission", allowed: true},
		{name: "a lax change", s: profile{lax: "update_profile"}, allowed: true, found: "AQL-4.6-01 update_profile"},
	} {
		if !portion.OneOf(i, 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var told fixtures.Hints
			if c.allowed {
				told.Permissions.Operations = map[string]string{"update_profile": "allow", "delete_profile": "allow"}
			}
			r := judgedAs(t, stand.Config{Mode: "all"}, c.s.join, plan.Selection{Checks: All()}, told)
			r.accusesOf(t, c.found)
			if (c.s.changed > 0) != c.allowed || c.s.removed > 0 {
				t.Errorf("changed %d times, removed %d times", c.s.changed, c.s.removed)
			}
		})
	}
}
