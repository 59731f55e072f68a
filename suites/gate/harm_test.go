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
			`{"for":"b-200","title":"a leaflet"}`: false, `{"leaflet_id":4,"for":"b-200"}`: false, `{"group":"b-200","load":"0.000"}`: true, `{"group":"b-200","since":"2026-02-03"}`: true, `{"group":"b-200","level":"4"}`: false},
		"digits":  {`{"instrument":"7","load":"0.000"}`: true, `{"group":"7","load":"0.000"}`: false},
		"integer": {`{"instrument":7,"open":0}`: true, `{"machine":8,"open":7}`: false},
	} {
		tag := map[string]any{"string": "b-200", "digits": "7", "integer": 7}[kind]
		if kind == "digits" {
			kind = "string"
		}
		r := rulesOf(everything, operation("get_instrument", "READ", "tag*:"+kind), operation("install_instrument", "CREATE", "model*:string"),
			operation("update_instrument", "UPDATE", "tag*:"+kind, "input*:object"), operation("delete_instrument", "DELETE", "tag*:"+kind))
		for row, about := range want {
			v, _ := probes.ParseValue([]byte(row))
			if got := r.about(probes.Call("main", "aql", "delete_instrument", map[string]any{"tag": tag}), v); got != about {
				t.Errorf("%s is about %v: %v", row, tag, got)
			}
		}
	}
}

// What a listing shows no more is gone where the READ of its kind says so. A row of a log names an object, and is none of its kind.
func TestWhatIsNoLongerListed(t *testing.T) {
	list, log := operation("list_boxes", "READ"), operation("list_events", "READ")
	r := rulesOf(everything, operation("create_box", "CREATE", "title*:string"), operation("get_box", "READ", "box_id*:string"), list, log, operation("delete_box", "DELETE", "box_id*:string"))
	k, ok := r.Kind("create_box")
	if !ok || !k.listedBy(list) || k.listedBy(log) {
		t.Fatalf("known %v; boxes are listed by %v", ok, k.Lists)
	}
	for of, want := range map[string]bool{"list_boxes": true, "list_events": false} {
		o, _ := r.Operation(of)
		if got := r.viewsListed("get_box", o); got != want {
			t.Errorf("get_box shows what %s lists: %v", of, got)
		}
	}
	rows := func(texts ...string) (all []probes.Value) {
		for _, text := range texts {
			v, _ := probes.ParseValue([]byte(text))
			all = append(all, v)
		}
		return all
	}
	was, is := rows(`{"box_id":"b1"}`, `{"box_id":"b2"}`), rows(`{"box_id":"b2"}`, `{"box_id":"b3"}`)
	look := func(rows []probes.Value) []listed { return []listed{{list, listing{rows: rows, ended: true}}} }
	for _, gone := range []bool{true, false} {
		found := harm(r, "abcd1234", probes.Call("main", "aql", "create_box", nil), newOrigins(), [2][]listed{look(was), look(was)}, look(is), func(l probes.Operation, row probes.Value) bool {
			return gone && l.Name == list.Name && row.At("box_id").Text() == "b1"
		})
		if len(found) > 0 != gone {
			t.Errorf("gone %v: %v", gone, found)
		}
	}
}
