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

func succeeded(p probes.Probe, data string) probes.Observation {
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{
		Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":` + data + `}}}`)}})
}
