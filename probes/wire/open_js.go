package wire

import (
	"context"
	"errors"
)

// A Header has the fields of an HTTP request.
type Header = map[string][]string

// Open fails: the judge in a browser reaches no adapter. The files that do are marked !js, because
// what they import is a fifth of all that a reader would load.
func Open(context.Context, Target, string, *Recorder) (Conn, error) {
	return nil, &StartError{Stage: "start", Err: errors.New("a browser reaches no adapter")}
}
