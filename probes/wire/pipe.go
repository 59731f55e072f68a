package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"sync"
	"time"
)

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
		switch {
		case err == nil || size > 0 && peek(line).valid:
			p.receive(line, size, lineNote(ended), nil)
		case size > 0: // cut off by the end of the peer, which is what became of the request
			p.rec.add(p.name, Received, line, size, lineNote(ended))
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

// StoppedReading is how the end of a peer begins that closed its standard input and lives on.
const StoppedReading = "closed its stdin"

// watch ends the connection once its streams have ended. A process that closes
// a stream usually exits next: it gets a grace to do so, because its exit status
// says more than a closed pipe does.
func (p *pipe) watch() {
	reason := ""
	select {
	case <-p.ended:
		reason = "closed its stdout"
		await(p.exited, p.grace/2) // less than the shortest patience: who asked is to hear that nobody will answer
	case err := <-p.broken:
		reason = StoppedReading + ": " + err.Error()
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

// errAborted is what an adapter inside this process reads in the place of an
// orderly end.
var errAborted = errors.New("the client is gone without a word")

// abort kills the process. An adapter inside this process cannot be killed: its
// input breaks off instead of ending.
func (p *pipe) abort(grace time.Duration) {
	p.once.Do(func() {
		close(p.closed)
		if p.cmd != nil {
			p.event("SIGKILL to the process group")
			killGroup(p.cmd)
			await(p.exited, grace)
			p.writer.close()
			return
		}
		if in, ok := p.writer.w.(interface{ CloseWithError(error) error }); ok {
			_ = in.CloseWithError(errAborted)
		}
		p.writer.close()
		p.closePipe(grace)
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
