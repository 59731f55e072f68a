package schemas_test

import (
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The bundles that the report writer is held to fit the published schema, also that of
// an adapter that could not be judged; a key more or an empty path does not.
func TestEvidenceFitsItsSchema(t *testing.T) {
	schema := published(t, "evidence-v1.schema.json")
	for _, name := range []string{"report", "concluded"} {
		raw, err := os.ReadFile("../reports/testdata/" + name + ".evidence.json")
		if err != nil {
			t.Fatal(err)
		}
		for edit, wrong := range map[string]bool{"": false, `"version"`: true, `"introspection"`: true, `"data.name"`: name == "report"} {
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(string(raw), edit, `"data..other"`, min(len(edit), 1))))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); (err != nil) != wrong {
				t.Errorf("%s with %s replaced: %v", name, edit, err)
			}
		}
	}
}
