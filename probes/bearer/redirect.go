//go:build !js

package bearer

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// A redirect is where the browser comes back to with a code. RFC 8252, section 7.3.
type redirect struct {
	address  string
	listener net.Listener
	server   *http.Server
}

func listen() (*redirect, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the redirect: %w", err)
	}
	return &redirect{address: "http://" + l.Addr().String() + "/callback", listener: l}, nil
}

// wait returns what the browser brings with the state that was sent; other visitors get nothing.
func (r *redirect) wait(ctx context.Context, state string) (*auth.AuthorizationResult, error) {
	type arrival struct {
		result *auth.AuthorizationResult
		err    error
	}
	arrived := make(chan arrival, 1)
	routes := http.NewServeMux()
	routes.HandleFunc("GET /callback", func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		if state == "" || q.Get("state") != state {
			http.NotFound(w, req)
			return
		}
		a := arrival{result: &auth.AuthorizationResult{Code: q.Get("code"), State: state, Iss: q.Get("iss")}}
		said := "You are signed in. You can close this page."
		if q.Get("code") == "" {
			a = arrival{err: fmt.Errorf("the authorization server answers %q", q.Get("error"))}
			said = "You are not signed in. You can close this page."
		}
		_, _ = fmt.Fprintln(w, said)
		select {
		case arrived <- a:
		default:
		}
	})
	r.server = &http.Server{Handler: routes, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = r.server.Serve(r.listener) }() // ends when it is closed
	select {
	case a := <-arrived:
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = r.server.Shutdown(ending) // the browser gets its page
		return a.result, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (r *redirect) close() {
	if r.server != nil {
		_ = r.server.Close()
	}
	_ = r.listener.Close()
}
