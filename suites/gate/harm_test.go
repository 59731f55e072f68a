package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A summary may name the object that was removed under a word of its own. A number that is equal by chance is another one's,
// and a row with another text or an identifier is another object.
func TestRowsAboutTheObjectOfACall(t *testing.T) {
	for kind, want := range map[string]map[string]bool{
		"string": {`{"instrument":"b-200","open":0}`: true, `{"machine":"b-200","open":0}`: true, `{"instrument":"b-201","open":0}`: false,
			`{"for":"b-200","title":"a leaflet"}`: false, `{"leaflet_id":4,"for":"b-200"}`: false},
		"integer": {`{"instrument":7,"open":0}`: true, `{"machine":8,"open":7}`: false},
	} {
		r := rulesOf(everything, operation("get_instrument", "READ", "tag*:"+kind), operation("install_instrument", "CREATE", "model*:string"),
			operation("update_instrument", "UPDATE", "tag*:"+kind, "input*:object"), operation("delete_instrument", "DELETE", "tag*:"+kind))
		tag := map[string]any{"string": "b-200", "integer": 7}[kind]
		for row, about := range want {
			v, _ := probes.ParseValue([]byte(row))
			if got := r.about(probes.Call("main", "aql", "delete_instrument", map[string]any{"tag": tag}), v); got != about {
				t.Errorf("%s is about %v: %v", row, tag, got)
			}
		}
	}
}
