//go:build js

// Command browser is the judge for a page of a board: it holds a report against its transcript and
// its seal, on the machine of a reader. It neither starts nor reaches anything.
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
)

// main obeys one input of the worker, and answers once.
func main() {
	in := js.Global().Get("aqlInput")
	got := judge.Recompute(judge.Submission{
		Report: taken(in.Get("report")), Transcript: taken(in.Get("transcript")), Name: in.Get("name").String(),
		Sealed: taken(in.Get("sealed")), Keys: []byte(in.Get("keys").String()),
	})
	text, err := json.Marshal(got)
	if err != nil {
		text = []byte(`{"broken":"the outcome has no form"}`)
	}
	js.Global().Call("aqlOutput", string(text))
}

func taken(v js.Value) []byte {
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}
