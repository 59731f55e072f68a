package parameters

import (
	"reflect"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A list of values is compared with what is near to a listed value as well.
func TestValuesNearAnEnum(t *testing.T) {
	for enum, want := range map[string][]any{
		`["open","done"]`:  {"", "pen"},
		`["","up","open"]`: {"pen"},
		`["rows","ows"]`:   {"", "ws"},
		`["a","b"]`:        {""},
		`[1,5,10]`:         {int64(0), int64(2)},
		`[1,2,3]`:          {int64(0)},
	} {
		raw, err := probes.ParseValue([]byte(`{"enum":` + enum + `}`))
		if err != nil {
			t.Fatal(err)
		}
		s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}, Nonce: "k3f9x2ab"}, Par: probes.Parameter{Name: "p", Raw: raw}}
		if got := nearby(s); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", enum, got, want)
		}
	}
}
