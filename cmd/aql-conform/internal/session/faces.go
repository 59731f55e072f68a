package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// modeVariable is what an adapter reads its endpoint mode from. Section 3.3.
const modeVariable = "MCP_AQL_ENDPOINT_MODE"

// otherMode opens the adapter in the endpoint mode that main does not show, so
// that the rule of level 2 about both modes can be proven. It returns nil when
// main shows all or no other mode was found.
func (s *Session) otherMode(ctx context.Context, main *model.Adapter) *model.Adapter {
	t := s.also
	if t == nil {
		t = s.search(ctx, main)
	}
	if t == nil || ctx.Err() != nil {
		return nil
	}
	if err := s.connect(ctx, "other", *t); err != nil {
		if s.also != nil {
			s.unreachable(*t, err)
		} else {
			s.remark("the other endpoint mode was found, but opening it again failed: %v", err)
		}
		return nil
	}
	other := model.NewAdapter(ctx, s.engine, "other", s.setting())
	if !judge.Beside(main, other) {
		s.remark("%s serves the same endpoint mode as the adapter itself", s.withoutSecrets(t.shown))
		return nil
	}
	s.note(other)
	return other
}

// search relaunches a program with the mode variable set, until it shows what
// main lacks. The launches run beside each other, because an adapter may start slowly. Engines of
// their own look at them, read-only, so that they leave no trace in the record of the run.
func (s *Session) search(ctx context.Context, main *model.Adapter) *Target {
	if main.Introspect == "" || main.Mode() == "all" || s.Main.URL != "" {
		return nil
	}
	missing := map[string]string{"semantic": "single", "single": "semantic"}[main.Mode()]
	type launch struct {
		Target
		found *probes.Adapter
		err   error
	}
	launches := make([]launch, 2)
	var group sync.WaitGroup
	for i, mode := range []string{"all", missing} {
		t := s.Main
		t.Env = append(slices.Clone(t.Env), modeVariable+"="+mode)
		t.shown = modeVariable + "=" + mode
		group.Go(func() {
			found, err := s.scout(ctx, t.Target, main)
			launches[i] = launch{t, found, err}
		})
	}
	group.Wait()
	for _, l := range launches {
		if l.err != nil {
			s.remark("relaunched with %s, the adapter does not answer: %v", l.shown, l.err)
			return nil
		}
		if l.found.Introspect != "" && judge.Completes(main.Mode(), l.found.Mode()) {
			return &l.Target
		}
	}
	s.remark("%s did not change the endpoint mode; start the other mode with --also-cmd COMMAND", modeVariable)
	return nil
}

// scout looks at one launch and ends it again. A launch that lists the tools of main has the mode of main. Its operations are not introspected.
func (s *Session) scout(ctx context.Context, t wire.Target, main *model.Adapter) (*probes.Adapter, error) {
	e := s.newEngine(wire.NewRecorder(s.hidden()...))
	defer e.Close()
	if err := e.Open(ctx, "scout", t); err != nil {
		var start *wire.StartError
		if errors.As(err, &start) && start.Err != nil {
			err = start.Err
		}
		return nil, err
	}
	if listed := probes.ListTools(ctx, e, "scout"); slices.EqualFunc(listed.Tools, main.Tools, func(a, b probes.Tool) bool { return a.Name == b.Name }) {
		return main.Adapter, ctx.Err()
	}
	return probes.Discover(ctx, e, "scout"), ctx.Err()
}

func (s *Session) remark(format string, args ...any) {
	s.run.Remarks = append(s.run.Remarks, s.withoutSecrets(fmt.Sprintf(format, args...)))
}
