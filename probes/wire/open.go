//go:build !js

package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// A Header has the fields of an HTTP request.
type Header = http.Header

// Open starts or reaches the target and completes the handshake. name is the
// name of the connection in the record. The error is a *StartError: the program
// cannot be started, the URL cannot be reached or speaks no JSON-RPC, the peer
// exits before the handshake ends, or nothing answers within StartTimeout. A
// malformed answer to initialize is no error: Hello carries it.
func Open(ctx context.Context, t Target, name string, rec *Recorder) (Conn, error) {
	if err := t.check(); err != nil {
		return nil, &StartError{Stage: "start", Err: err}
	}
	if t.Revision == "" {
		t.Revision = DefaultRevision
	}
	if t.StartTimeout <= 0 {
		t.StartTimeout = defaultStart
	}
	if t.Grace <= 0 {
		t.Grace = defaultGrace
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.StartTimeout,
		fmt.Errorf("no answer to initialize within %v", t.StartTimeout))
	defer cancel()
	if t.URL != "" {
		return openWeb(ctx, t, newDispatcher(name, rec))
	}
	if t.Pipe != nil {
		d := newDispatcher(name, rec)
		p, err := openPipe(ctx, t, d)
		if err != nil {
			return nil, &StartError{Stage: "start", Err: err}
		}
		return openStream(ctx, t, d, p)
	}
	if spare := t.Spares.take(); spare != nil {
		d := newDispatcher(name, rec)
		if conn, err := openStream(ctx, t, d, openProcess(spare, t.Grace, d)); err == nil {
			return conn, nil
		} // it may have ended because nobody spoke to it
	}
	started, err := spawn(t)
	if err != nil {
		return nil, &StartError{Stage: "start", Err: err}
	}
	d := newDispatcher(name, rec)
	return openStream(ctx, t, d, openProcess(started, t.Grace, d))
}

// check reports what makes a target unusable before anything is started.
func (t Target) check() error {
	ways := 0
	for _, given := range []bool{len(t.Command) > 0, t.URL != "", t.Pipe != nil} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return errors.New("target: exactly one of command, url and pipe is needed")
	}
	return nil
}
