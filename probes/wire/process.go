package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"time"
)

// maxStderr is how much of the end of stderr is kept.
const maxStderr = 64 << 10

// A pipe is a carrier over a pair of byte streams with one message per line:
// those of a child process, or of an adapter inside this process.
type pipe struct {
	*dispatcher
	writer *lineWriter
	out    io.Reader
	grace  time.Duration

	cmd    *exec.Cmd     // nil for an adapter inside this process
	stop   func()        // ends an adapter inside this process
	tail   *ring         // of stderr
	ended  chan struct{} // closed when stdout has ended
	exited chan struct{} // closed when the process has been reaped
	broken chan error    // the first write error
	closed chan struct{} // closed when close was called
	reaped chan struct{} // closed when nothing of the process is left to wait for
	once   sync.Once
}

// openCommand starts the target's program in a process group of its own.
func openCommand(t Target, d *dispatcher) (*pipe, error) {
	cmd := exec.Command(t.Command[0], t.Command[1:]...)
	cmd.Dir = t.Dir
	cmd.Env = append(os.Environ(), t.Env...)
	ownGroup(cmd)
	// Plain files instead of StdoutPipe: Wait then returns when the program ends,
	// not when the last grandchild that inherited the pipe does, and it does not
	// throw away what is still in the pipe.
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, outEnd, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	errs, errsEnd, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, out.Close(), outEnd.Close())
	}
	cmd.Stdout, cmd.Stderr = outEnd, errsEnd
	err = cmd.Start()
	_, _ = outEnd.Close(), errsEnd.Close()
	if err != nil {
		_, _, _ = stdin.Close(), out.Close(), errs.Close()
		return nil, startFailure(t.Command[0], err)
	}
	d.event("started process %d", cmd.Process.Pid)
	p := newPipe(d, stdin, out, t.Grace)
	p.cmd, p.tail = cmd, &ring{}
	drained := make(chan struct{})
	go func() {
		_, _ = io.Copy(p.tail, errs)
		close(drained)
	}()
	go p.read()
	go p.reap(out, errs, drained)
	return p, nil
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

// openPipe connects to an adapter inside this process.
func openPipe(ctx context.Context, t Target, d *dispatcher) (*pipe, error) {
	// The adapter outlives the handshake: only Close ends it.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	in, out, err := t.Pipe(ctx)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("pipe: %w", err)
	}
	p := newPipe(d, in, out, t.Grace)
	p.stop = cancel
	close(p.exited)
	go p.read()
	go func() {
		p.watch()
		close(p.reaped)
	}()
	return p, nil
}

func newPipe(d *dispatcher, in io.WriteCloser, out io.Reader, grace time.Duration) *pipe {
	p := &pipe{dispatcher: d, out: out, grace: grace, ended: make(chan struct{}), exited: make(chan struct{}),
		broken: make(chan error, 1), closed: make(chan struct{}), reaped: make(chan struct{})}
	p.writer = newLineWriter(in, func(err error) { p.broken <- err })
	return p
}

// read hands every line to the dispatcher until the stream ends.
func (p *pipe) read() {
	defer close(p.ended)
	r := bufio.NewReaderSize(p.out, 64<<10)
	for {
		line, size, ended, err := readLine(r, maxLine)
		if err == nil || size > 0 {
			p.receive(line, size, lineNote(ended), nil)
		}
		if err != nil {
			if err != io.EOF && !errors.Is(err, fs.ErrClosed) {
				p.event("reading stdout: %v", err)
			}
			return
		}
	}
}

func lineNote(ended string) string {
	switch ended {
	case "\r\n":
		return "line ended with CRLF"
	case "":
		return "line without an end"
	}
	return ""
}

// send puts one frame on the wire as one line.
func (p *pipe) send(ctx context.Context, frame []byte, _ *call) (sent Frame, refusal *Reply) {
	ok := p.writer.write(ctx, p.gone, frame, func() {
		sent = p.rec.Add(p.name, Sent, frame, "")
	})
	switch {
	case ok:
		return sent, nil
	case !p.alive():
		return p.rec.Add(p.name, Event, frame, "not sent: the peer is gone"), &Reply{Class: Gone, Exit: p.exit}
	default:
		return p.rec.Add(p.name, Event, frame, "not sent: the peer does not read"), &Reply{Class: Silent}
	}
}

// reap waits for the process and for what it left in its pipes, then tells the
// dispatcher that the peer is gone.
func (p *pipe) reap(out, errs *os.File, drained chan struct{}) {
	go func() {
		err := p.cmd.Wait()
		killGroup(p.cmd) // children that the leader left behind in its group
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
	// A grandchild in a session of its own may hold the pipes open for ever.
	for _, end := range []chan struct{}{p.ended, drained} {
		await(end, p.grace)
	}
	_, _ = out.Close(), errs.Close()
	<-drained
}

// watch ends the connection once its streams have ended. A process that closes
// a stream usually exits next: it gets a grace to do so, because its exit status
// says more than a closed pipe does.
func (p *pipe) watch() {
	reason := ""
	select {
	case <-p.ended:
		reason = "closed its stdout"
		await(p.exited, p.grace)
	case err := <-p.broken:
		reason = "closed its stdin: " + err.Error()
		if !done(p.closed) {
			p.event("writing stdin: %v", err)
		}
		await(p.exited, p.grace)
		await(p.ended, p.grace)
	case <-p.exitedProcess():
		await(p.ended, p.grace)
	case <-p.gone:
	}
	if p.cmd != nil && done(p.exited) {
		reason = p.cmd.ProcessState.String()
	}
	p.end(reason)
}

// exitedProcess is the end of the process; it never comes where there is none.
func (p *pipe) exitedProcess() <-chan struct{} {
	if p.cmd == nil {
		return nil
	}
	return p.exited
}

func (p *pipe) stderr() string {
	if p.tail == nil {
		return ""
	}
	return p.tail.String()
}

// close climbs the ladder: stdin closed, SIGTERM, SIGKILL, each after grace.
func (p *pipe) close(grace time.Duration) {
	p.once.Do(func() {
		close(p.closed)
		p.writer.close()
		if p.cmd == nil {
			p.closePipe(grace)
			return
		}
		if await(p.exited, grace) {
			return
		}
		p.event("SIGTERM to the process group")
		termGroup(p.cmd)
		if await(p.exited, grace) {
			return
		}
		p.event("SIGKILL to the process group")
		killGroup(p.cmd)
		await(p.exited, grace)
	})
	await(p.reaped, 4*p.grace)
}

func (p *pipe) closePipe(grace time.Duration) {
	if !await(p.ended, grace) {
		p.event("the adapter ignored its closed input")
	}
	p.stop()
	if c, ok := p.out.(io.Closer); ok {
		_ = c.Close()
	}
	await(p.ended, grace)
	p.end("closed")
}

// await waits for c, at most d.
func await(c <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		return done(c)
	}
}

func done(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
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
