package adapter

import (
	"context"
	"io"
)

// A Door is where clients find an adapter: a URL, or a pipe for each session.
type Door struct {
	URL  string
	Pipe func(context.Context) (io.WriteCloser, io.Reader, error)
}

// Door is the way to sessions with the adapter in this process, framed as on stdio.
func (a *Adapter) Door() Door {
	return Door{Pipe: func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
		fromClient, in := io.Pipe()
		out, toClient := io.Pipe()
		go func() {
			toClient.CloseWithError(a.Serve(ctx, fromClient, toClient))
			fromClient.Close()
		}()
		return in, out, nil
	}}
}
