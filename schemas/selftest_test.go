package schemas_test

import (
	"encoding/json"
	"os"
	"testing"
)

// goldenSelftest is a document that the writer of selftests is held to.
func goldenSelftest(t *testing.T, name string) map[string]any {
	t.Helper()
	raw, err := os.ReadFile("../reports/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// A selftest fits its schema, and a key more or less in any of its objects does not.
func TestSelftestsFitTheirSchema(t *testing.T) {
	schema := published(t, "selftest-v1.schema.json")
	for _, name := range []string{"selftest.json", "refuted.json"} {
		doc := goldenSelftest(t, name)
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		eachObject(doc, func(object map[string]any) {
			object["surprise"] = true
			if schema.Validate(doc) == nil {
				t.Errorf("%s: an unknown key is accepted in %v", name, object)
			}
			delete(object, "surprise")
			for key, value := range object {
				delete(object, key)
				if schema.Validate(doc) == nil && key != "trouble" {
					t.Errorf("%s: nobody misses %q in %v", name, key, object)
				}
				object[key] = value
			}
		})
	}
}

func TestSelftestSchemaRefuses(t *testing.T) {
	schema := published(t, "selftest-v1.schema.json")
	row := func(doc map[string]any) map[string]any { return doc["rows"].([]any)[0].(map[string]any) }
	for name, edit := range map[string]func(doc map[string]any){
		"another major version":        func(d map[string]any) { d["selftestVersion"] = "2.0" },
		"a digest that is none":        func(d map[string]any) { d["digest"] = "sha256" },
		"more than all":                func(d map[string]any) { d["counts"].(map[string]any)["percent"] = 101.0 },
		"caught, and missing":          func(d map[string]any) { row(d)["missing"] = []any{"AQL-4.6-01"} },
		"nothing wanted":               func(d map[string]any) { row(d)["want"] = []any{} },
		"a transport that none speaks": func(d map[string]any) { row(d)["transport"] = "pigeon" },
		"no word of why":               func(d map[string]any) { row(d)["trouble"] = "" },
	} {
		doc := goldenSelftest(t, "selftest.json")
		if edit(doc); schema.Validate(doc) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
