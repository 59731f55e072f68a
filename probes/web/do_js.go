package web

import (
	"context"
	"errors"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// Do fails, as wire.Open does in a browser.
func Do(context.Context, wire.Target, string, string, Request) (Answer, error) {
	return Answer{}, errors.New("a browser reaches no adapter")
}

// Sends reports that nothing is sent.
func Sends(wire.Target, Request) bool { return false }
