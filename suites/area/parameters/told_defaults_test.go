package parameters

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The default of a case stands beside its name. A number that stands for another case, or for none, is no default of it.
func TestDefaultsThatDependOnAnotherParameter(t *testing.T) {
	kind := probes.Parameter{Name: "kind", Type: "string"}
	kind.Raw, _ = probes.ParseValue([]byte(`{"enum":["child","adult"]}`))
	for told, want := range map[string]string{
		"Open loans. If omitted it depends on kind: child 3, adult 5.": "kind child 3 adult 5",
		"Default: 3 for child, 5 for adult.":                           "kind child 3 adult 5",
		"Default 3 for a child and 5 for an adult":                     "kind child 3 adult 5",
		"Default child (3), adult (5)":                                 "kind child 3 adult 5",
		"Defaults: 3 child, 5 adult":                                   "",
		"If omitted 5, for a child as for an adult":                    "",
		"Default child 5, adult 5":                                     "",
		"At most child 3, adult 5":                                     "",
	} {
		limit := probes.Parameter{Name: "limit", Type: "integer", Raw: probes.ValueOf(map[string]any{"description": told})}
		op := probes.Operation{Name: "create_reader", Category: "CREATE", Parameters: []probes.Parameter{kind, limit}}
		s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}}, Op: op, Par: limit}
		on, all := toldDefaultsOf(s)
		got := on
		for _, d := range all {
			got += fmt.Sprintf(" %s %v", d.when.Text(), d.value)
		}
		if got != want {
			t.Errorf("%s: %q", told, got)
		}
	}
}
