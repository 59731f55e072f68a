package stand

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// A Stand is an adapter in this process with what stands beside a real one: its
// operator, other launches of it, and time that passes as soon as somebody waits.
type Stand struct {
	*adapter.Adapter
	cfg    Config
	folder string       // of its own, for its state
	ahead  atomic.Int64 // of the real clock, in nanoseconds

	mu      sync.Mutex
	servers []*http.Server
}

// NewStand builds an adapter with a state and a clock of its own. Whoever has it
// closes it.
func NewStand(cfg Config) (*Stand, error) {
	folder, err := os.MkdirTemp("", "reference-adapter-")
	if err != nil {
		return nil, fmt.Errorf("a folder for the state: %w", err)
	}
	s := &Stand{cfg: cfg, folder: folder}
	s.cfg.State, s.cfg.Clock = folder, func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }
	if s.Adapter, err = New(s.cfg); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close ends what serves the adapter over HTTP and removes its state.
func (s *Stand) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, server := range s.servers {
		_ = server.Close()
	}
	_ = os.RemoveAll(s.folder) // a folder for temporary files is cleared by others, too
}

// Wait lets time pass without waiting for it.
func (s *Stand) Wait(_ context.Context, d time.Duration) { s.ahead.Add(int64(d)) }

// operatorWords are what the operator is told for each command of a hints file.
var operatorWords = map[string]string{
	"safety.code_cmd": "code", "safety.approve_cmd": "approve", "safety.admin_unblock_cmd": "unblock",
	"tool_change_cmd": "change-tools", "reconfigure_cmd": "reconfigure", "audit_cmd": "audit",
}

// lentTokens are the kinds of tokens that commands of a hints file print.
var lentTokens = map[string]string{"narrow_token_cmd": "narrow", "foreign_token_cmd": "foreign"}

// Command does what a command of the hints file does.
func (s *Stand) Command(_ context.Context, hint string, about map[string]string) (string, error) {
	if kind := lentTokens[hint]; kind != "" {
		if lend := seam.Aside(s.Adapter).Lend; lend != nil {
			return lend(kind), nil
		}
		return "", errors.New("the adapter wants no token")
	}
	if words := seam.Aside(s.Adapter).Words; words != nil && about["operation"] != "" {
		about = maps.Clone(about)
		about["operation"] = words.ToHeart(about["operation"])
	}
	return adapter.Operate(s.folder, operatorWords[hint], about)
}

// Main is the way to the adapter itself.
func (s *Stand) Main(overHTTP bool) (adapter.Door, error) {
	return s.door(overHTTP, func() (*adapter.Adapter, error) { return s.Adapter, nil })
}

// Restarted is the way to an adapter that is started on the same state when somebody
// first connects.
func (s *Stand) Restarted(overHTTP bool) (adapter.Door, error) {
	return s.door(overHTTP, sync.OnceValues(func() (*adapter.Adapter, error) { return New(s.cfg) }))
}

// Limited is the way to another launch, with a rate limit that is soon met.
func (s *Stand) Limited(overHTTP bool) (adapter.Door, error) {
	cfg := s.cfg
	cfg.Rate = 5
	return s.door(overHTTP, sync.OnceValues(func() (*adapter.Adapter, error) { return New(cfg) }))
}

// door opens a way to what begin starts.
func (s *Stand) door(overHTTP bool, begin func() (*adapter.Adapter, error)) (adapter.Door, error) {
	if !overHTTP {
		return adapter.Door{Pipe: func(ctx context.Context) (io.WriteCloser, io.Reader, error) {
			a, err := begin()
			if err != nil {
				return nil, nil, err
			}
			return a.Door().Pipe(ctx)
		}}, nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return adapter.Door{}, fmt.Errorf("serving on this machine: %w", err)
	}
	door := adapter.Door{URL: "http://" + listener.Addr().String() + "/mcp"}
	if seam.Aside(s.Adapter).Grant != nil {
		door.Token = func() string {
			a, err := begin()
			if err != nil {
				return ""
			}
			return seam.Aside(a).Grant(door.URL)
		}
	}
	handler := sync.OnceValue(func() http.Handler {
		a, err := begin()
		if err != nil {
			panic(err) // the same configuration has worked before
		}
		return a.Handler()
	})
	server := &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler().ServeHTTP(w, r) }),
		ReadHeaderTimeout: time.Minute,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.servers = append(s.servers, server)
	go func() { _ = server.Serve(listener) }() // ends when it is closed
	return door, nil
}

// Effects are what a client has done that was not its own to do, and how many objects it
// left: foreign names the seeds that changed or are gone. What others write is neither.
func (s *Stand) Effects() (foreign []string, left int) {
	s.Adapter.Mu.Lock()
	defer s.Adapter.Mu.Unlock()
	for id, was := range seam.Aside(s.Adapter).Seeds {
		now := s.Store.Notes[id]
		if now == nil {
			now = s.Store.Folders[id]
		}
		if !reflect.DeepEqual(adapter.Plain(was), adapter.Plain(now)) {
			foreign = append(foreign, id)
		}
	}
	slices.Sort(foreign)
	for _, id := range s.Store.Ids() {
		if _, seed := seam.Aside(s.Adapter).Seeds[id]; !seed && id != seam.Aside(s.Adapter).Theirs {
			left++
		}
	}
	return foreign, left
}
