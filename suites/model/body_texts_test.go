package model

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// A creation takes an object without documented fields. The mark of the run stands in a text that listed objects have, and each
// other text that the creation takes and shows is a field. Identifiers, times and what all objects share are none.
func TestBodiesWithoutDocumentedFields(t *testing.T) {
	for _, takesURL := range []bool{true, false} {
		may := Permissions{Create: true, Update: true, Delete: true}
		f := documented(may, fixtures.Hints{}, "READ list_projects", "CREATE add_project project", "READ get_project project_id", "UPDATE update_project project_id input", "DELETE remove_project project_id")
		f.Operations[0].Parameters, f.Operations[1].Parameters[0].Type = nil, "object"
		made := map[string]string{}
		store := func(p probes.Probe) probes.Observation {
			id := ValueIn(p, "project_id").Text()
			switch p.Operation() {
			case "list_projects":
				rows := `{"project_id":"p-1","since":"2026-01-01","state":"open","title":"Roof","url":"https://a.example"},{"project_id":"p-2","since":"2026-02-01","state":"open","title":"Wall","url":"https://b.example"}`
				for _, project := range made {
					rows += "," + project
				}
				return succeeded(p, `{"items":[`+rows+`],"has_more":false}`)
			case "add_project":
				body := ValueIn(p, "project")
				if !takesURL && body.Has("url") || body.Has("state") || body.Has("since") || body.Has("project_id") {
					return refused(p, "VALIDATION_INVALID_VALUE", "no such field", `{}`)
				}
				id = fmt.Sprintf("p-%d", len(made)+3)
				made[id] = fmt.Sprintf(`{"project_id":%q,"since":"2026-03-01","state":"open","title":%q,"url":%q}`, id, body.At("title").Text(), body.At("url").Text())
				return succeeded(p, made[id])
			case "get_project":
				if made[id] != "" {
					return succeeded(p, made[id])
				}
			}
			return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
		}
		learnedBehindGate(t, f, may, store)
		f.bodyTexts = map[string][]string{}
		if good := f.KnownGood["add_project"]; good.State != Proven || ValueIn(good.Probe, "project").At("title").Text() != "aqlc-abcd1234" {
			t.Fatalf("no project is made: %s, after %s", good.Why, good.Probe)
		}
		f.findBodyTexts(t.Context(), askerFunc(store))
		_, fields, ok := f.body(f.Operations[1])
		var names []string
		for _, p := range fields {
			names = append(names, p.Name)
		}
		want := []string{"title"}
		if takesURL {
			want = append(want, "url")
		}
		if !ok || !slices.Equal(names, want) {
			t.Errorf("the fields are %q, want %q", names, want)
		}
	}
}
