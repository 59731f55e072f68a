package wire

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxStderr is how much of the end of stderr is kept.
const maxStderr = 64 << 10

// A process is a started program with its three streams.
type process struct {
	cmd       *exec.Cmd
	stdin     io.WriteCloser
	out, errs *os.File
}

// spawn starts the target's program in a process group of its own.
func spawn(t Target) (*process, error) {
	cmd := exec.Command(t.Command[0], t.Command[1:]...)
	cmd.Dir = t.Dir
	cmd.Env = environment(t, mark)
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, errs, err := start(cmd)
	if err != nil {
		_ = stdin.Close()
		return nil, startFailure(t.Command[0], err)
	}
	return &process{cmd, stdin, out, errs}, nil
}

// identities are the variables with which a CI job proves who it is, or may ask for a proof.
// Whoever has them can act as the job towards others, so a program gets them only from Target.Env.
var identities = []string{
	"ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "BITBUCKET_STEP_OIDC_TOKEN", "BUILDKITE_AGENT_ACCESS_TOKEN",
	"CI_JOB_JWT", "CI_JOB_JWT_V1", "CI_JOB_JWT_V2", "CIRCLE_OIDC_TOKEN", "CIRCLE_OIDC_TOKEN_V2",
}

// environment is that of a program: the checker's own without identities, then what the target names.
func environment(t Target, marked string) []string {
	inherited := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.ContainsFunc(identities, func(identity string) bool { return strings.EqualFold(identity, name) })
	})
	return append(append(inherited, t.Env...), marked)
}

// openProcess connects to a started program.
func openProcess(started *process, grace time.Duration, d *dispatcher) *pipe {
	d.event("started process %d", started.cmd.Process.Pid)
	p := newPipe(d, started.stdin, started.out, grace)
	p.cmd, p.tail = started.cmd, &ring{}
	drained := make(chan struct{})
	go func() {
		_, _ = io.Copy(p.tail, started.errs)
		close(drained)
	}()
	go p.read()
	go p.reap(started.out, started.errs, drained)
	return p
}

// start starts the program and returns what it writes to stdout and stderr.
// These are plain files instead of a StdoutPipe: Wait then returns when the
// program ends, not when the last grandchild that inherited the pipe does, and
// it does not throw away what is still in the pipe.
func start(cmd *exec.Cmd) (out, errs *os.File, err error) {
	out, outEnd, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	errs, errsEnd, err := os.Pipe()
	if err != nil {
		_, _ = out.Close(), outEnd.Close()
		return nil, nil, err
	}
	cmd.Stdout, cmd.Stderr = outEnd, errsEnd
	err = launch(cmd, true)
	_, _ = outEnd.Close(), errsEnd.Close()
	if err != nil {
		_, _ = out.Close(), errs.Close()
	}
	return out, errs, err
}

// startFailure says in one line which program could not be started, and why.
func startFailure(program string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		if path.Op == "chdir" {
			return path
		}
		err = path.Err
	}
	var lookup *exec.Error
	if errors.As(err, &lookup) {
		err = lookup.Err
	}
	return fmt.Errorf("exec %q: %w", program, err)
}

// reap waits for the process and for what it left in its pipes, then tells the
// dispatcher that the peer is gone.
func (p *pipe) reap(out, errs *os.File, drained chan struct{}) {
	go func() {
		err := p.cmd.Wait()
		killGroup(p.cmd) // children that the leader left behind in its group
		ended(p.cmd)
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			p.event("waiting for the process: %v", err)
		}
		p.event("process ended: %v", p.cmd.ProcessState)
		close(p.exited)
	}()
	defer close(p.reaped)
	p.watch()
	<-p.exited
	// A grandchild in a session of its own may hold the pipes open for ever; watch has waited
	// for stdout already.
	late := time.Now().Add(p.grace / 2)
	for _, end := range []chan struct{}{p.ended, drained} {
		await(end, time.Until(late))
	}
	_, _ = out.Close(), errs.Close()
	<-drained
}

// A ring keeps the end of what is written to it.
type ring struct {
	mu  sync.Mutex
	buf []byte
}

func (r *ring) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.buf = append(r.buf, b[max(0, len(b)-maxStderr):]...)
	if len(r.buf) > 2*maxStderr {
		r.buf = append(r.buf[:0], r.buf[len(r.buf)-maxStderr:]...)
	}
	return len(b), nil
}

func (r *ring) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.buf[max(0, len(r.buf)-maxStderr):])
}
