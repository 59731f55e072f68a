package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// hookTime bounds a hook that says nothing else.
const hookTime = 30 * time.Second

// hooks are the commands around a run, split and ready; nil where there is none.
type hooks struct {
	before, after []string
	timeout       time.Duration
}

// hooks splits the hooks of the hints file.
func (t told) hooks() (hooks, error) {
	h := hooks{timeout: cmp.Or(t.Hooks.Timeout, hookTime)}
	var err, problem error
	if t.Hooks.Before != "" {
		h.before, err = console.Split(t.file+": hooks.before", t.Hooks.Before)
	}
	if t.Hooks.After != "" {
		h.after, problem = console.Split(t.file+": hooks.after", t.Hooks.After)
	}
	return h, cmp.Or(err, problem)
}

// prepare runs the hook before the run. Without what it prepares nothing could be
// judged, so its failure is a conclusion.
func (s *Session) prepare(ctx context.Context) (ok bool) {
	out, err := s.hook(ctx, s.around.before)
	switch {
	case ctx.Err() != nil:
		s.run.Interrupted = true
		return false
	case err != nil:
		s.run.Conclusion = s.withoutSecrets(fmt.Sprintf("hooks.before of %s failed: %v", s.hints.file, err))
		s.quote("it ended with:", lastLines(s.withoutSecrets(out), shownStderr))
	}
	return err == nil
}

// tidy runs the hook after the run, also after an interrupt or a failure: what was
// begun has to be ended. The verdict stands whatever becomes of it.
func (s *Session) tidy(ctx context.Context) {
	out, err := s.hook(context.WithoutCancel(ctx), s.around.after)
	if err == nil {
		return
	}
	s.remark("hooks.after of %s failed: %v", s.hints.file, err)
	for _, line := range lastLines(s.withoutSecrets(out), shownStdout) {
		s.remark("hooks.after: %s", line)
	}
}

// hook runs one command, if there is one, and returns all that it wrote.
func (s *Session) hook(ctx context.Context, command []string) (output string, err error) {
	if command == nil {
		return "", nil
	}
	output, problems, err := s.alongside(ctx, command, s.around.timeout)
	return output + problems, err
}

// alongside runs a command of the hints file, in the folder and environment of the
// adapter and with the variables given, for no longer than the limit.
func (s *Session) alongside(ctx context.Context, command []string, limit time.Duration, variables ...string) (output, problems string, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	output, problems, err = wire.Once(ctx, wire.Target{Command: command, Dir: s.Main.Dir, Env: slices.Concat(s.Main.Env, variables)})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("not done within %s", limit)
	}
	return output, problems, err
}
