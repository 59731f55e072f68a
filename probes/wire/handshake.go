//go:build !js

package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Who we are to the peer.
const (
	clientName    = "aql-conform"
	clientVersion = "0.1.0"
)

func newClient(name string) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: cmp.Or(name, clientName), Version: clientVersion}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{}, // we offer nothing, so nothing may be asked of us
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
}

// connectSDK lets the go-sdk client complete the handshake and ends its session
// again: what follows is ours alone. The client dies on odd answers, hangs on
// silence and might panic on hostile ones; none of that reaches the caller.
func connectSDK(ctx context.Context, t mcp.Transport, client, revision string) (revisionGot string, err error) {
	type outcome struct {
		revision string
		err      error
	}
	result := make(chan outcome, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				result <- outcome{err: fmt.Errorf("go-sdk client panicked: %v", r)}
			}
		}()
		session, err := newClient(client).Connect(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: revision})
		if err != nil {
			result <- outcome{err: err}
			return
		}
		got := session.InitializeResult().ProtocolVersion
		result <- outcome{revision: got}
		_ = session.Close()
	}()
	select {
	case got := <-result:
		return got.revision, got.err
	case <-ctx.Done():
	}
	// The client may need a moment to notice, or never do.
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case got := <-result:
		return got.revision, got.err
	case <-timer.C:
		return "", context.Cause(ctx)
	}
}

// A greeting is what went over the wire while the go-sdk client shook hands.
type greeting struct {
	mu          sync.Mutex
	method      string // of the last request
	asked       Frame
	got         *delivery // the answer to it
	initialized bool      // notifications/initialized went out
	unheard     bool      // the wait for an answer to server/discover is over
	discover    *call     // that request; nil over HTTP
}

// giveUpOn notes that server/discover was not answered in its time.
func (g *greeting) giveUpOn(discover *call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.unheard, g.discover = true, discover
}

// ask notes a request of the client, or that it said initialized.
func (g *greeting) ask(env envelope, sent Frame) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if env.request() {
		g.method, g.asked, g.got = env.method, sent, nil
	}
	g.initialized = g.initialized || env.method == methodInitialized
}

func (g *greeting) answer(got delivery) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.got = &got
}

// greeted fills in Hello from a greeting and finishes by hand what the go-sdk
// client could not. It reports whether there was an answer at all.
func (s *stream) greeted(ctx context.Context, g *greeting, revision string, err error) bool {
	g.mu.Lock()
	got, method, asked, initialized := g.got, g.method, g.asked, g.initialized
	unheard, late := g.unheard, s.answeredLate(g.discover)
	g.mu.Unlock()
	if got == nil {
		return false
	}
	s.hello = Hello{Revision: revision, Asked: asked, Answer: got.frame, Unheard: unheard && !late, Late: late}
	if err == nil {
		s.hello.Modern = method == methodDiscover
	} else {
		s.hello.SDKError = string(s.rec.mask([]byte(err.Error())))
		s.event("go-sdk session failed: %v", err)
		s.finish(ctx, method, initialized)
	}
	if s.hello.Modern {
		s.meta = metaMembers(s.hello.Revision)
	}
	s.agree(s.hello.Revision)
	return true
}

func (s *stream) agree(revision string) {
	if s.agreed != nil {
		s.agreed(revision)
	}
}

// finish completes by hand what the go-sdk client left undone.
func (s *stream) finish(ctx context.Context, method string, initialized bool) {
	if ctx.Err() != nil { // the client used up the time on an answer it could not read
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(s.life, 2*s.grace)
		defer cancel()
	}
	result := s.hello.Result()
	switch {
	case wantsModern(s.hello.Answer):
		revision := modernRevision(s.hello.Answer)
		s.meta = metaMembers(revision)
		reply := s.Ask(ctx, methodDiscover, nil)
		s.meta = nil
		if result := resultOf(reply.Received); reply.Class == Answered && result != nil {
			s.hello.Asked, s.hello.Answer = reply.Sent, reply.Received
			s.hello.Modern, s.hello.Revision = true, discovered(result, revision)
		}
	case result != nil && method == methodInitialize:
		s.hello.Revision = revisionOf(result)
		s.agree(s.hello.Revision)
		if !initialized {
			s.carrier.send(ctx, []byte(`{"jsonrpc":"2.0","method":"`+methodInitialized+`"}`), nil)
		}
	case result != nil:
		s.hello.Modern, s.hello.Revision = true, discovered(result, firstModern)
	}
}

// noAnswer says why nothing answered.
func (s *stream) noAnswer(ctx context.Context, err error) *StartError {
	if ctx.Err() == nil {
		await(s.gone, s.grace) // a failed write comes before the exit that explains it
	}
	e := &StartError{Stage: "handshake", Err: err}
	switch {
	case !s.alive():
		e.Exit = s.exit
		e.Err = fmt.Errorf("adapter %s before initialize was answered", ending(s.exit))
	case ctx.Err() != nil:
		e.Err, e.Hung = context.Cause(ctx), true
	}
	return e
}

// ending puts how a peer ended into a sentence about it.
func ending(exit string) string {
	if status, ok := strings.CutPrefix(exit, "exit status "); ok {
		return "exited with status " + status
	}
	if signal, ok := strings.CutPrefix(exit, "signal: "); ok {
		return "was ended by signal " + signal
	}
	return exit
}

// metaMembers returns the members of _meta that a request of a modern revision
// owes, without the braces.
func metaMembers(revision string) []byte {
	b, err := json.Marshal(map[string]any{
		mcp.MetaKeyProtocolVersion:    revision,
		mcp.MetaKeyClientInfo:         map[string]string{"name": clientName, "version": clientVersion},
		mcp.MetaKeyClientCapabilities: struct{}{},
	})
	if err != nil {
		return nil
	}
	return b[1 : len(b)-1]
}
