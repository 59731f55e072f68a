package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// The answer to an update may show the object before and after it. The state after it is the one
// that the next read shows.
func TestWhereAnUpdateShowsTheObject(t *testing.T) {
	for data, want := range map[string]string{
		`{"after":{"title":"new","size":1},"before":{"title":"old","size":1}}`:         "after",
		`{"previous":{"title":"old","size":1,"x":1},"state":{"title":"new","size":1}}`: "state",
		`{"title":"new","size":1}`:    "",
		`{"title":"old","size":1}`:    "nowhere",
		`{"changed":{"title":"new"}}`: "nowhere",
		`{"old":[{"title":"old","size":1}],"new":[{"title":"new","size":1}],"count":1}`: "new/0",
	} {
		kind := &ObjectKind{AnswersAt: map[string][]string{}}
		kind.Fields = []probes.Parameter{{Name: "title"}, {Name: "size"}}
		update := probes.Call("main", "t", "update_note", map[string]any{"input": map[string]any{"title": "new"}})
		kind.learnAnswer("update_note", "title", succeeded(update, data), succeeded(update, `{"title":"new","size":1}`))
		path, known := kind.AnswersAt["update_note"]
		got := "nowhere"
		if known {
			got = strings.Join(path, "/")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", data, got, want)
		}
	}
}

// A flag with which nothing is made is that of a dry run.
func TestFlagsOfDryRuns(t *testing.T) {
	none := probes.Classify(probes.Call("main", "t", "get_plot", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{
		Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"none"}}}}`)}})
	for name, rehearsed := range map[string]any{"a dry run": true, "a store flag": false, "a field": nil} {
		kind := &ObjectKind{TestObject: TestObject{Maker: Subject{Adapter: shelves(), Name: "create_shelf", Op: shelves().Operations[0]}, Viewer: probes.Operation{Name: "get_shelf", Category: "READ"}}}
		kind.Maker.Op.Parameters = append(kind.Maker.Op.Parameters, probes.Parameter{Name: "flag", Type: "boolean"})
		kind.Subject = kind.Maker
		got := kind.madeEither(probes.Parameter{Name: "flag", Type: "boolean"}, func(steps ...Step) (probes.Observation, bool) {
			if steps[0].Params["flag"] == rehearsed {
				return none, false
			}
			return succeeded(none.Probe, `{"shelf_no":2}`), true
		})
		if got != (rehearsed == nil) {
			t.Errorf("%s: an object is made with both values: %v", name, got)
		}
	}
}

func succeeded(p probes.Probe, data string) probes.Observation {
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{
		Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":` + data + `}}}`)}})
}
