//go:build !js

package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// maxFarewell is how much is read of an answer in which nobody looks for anything.
const maxFarewell = 64 << 10

// readCapped reads a body up to the cap of a message and closes it.
func readCapped(body io.ReadCloser) (data []byte, size int, err error) {
	return readUpTo(maxLine, body)
}

func readUpTo(limit int, body io.ReadCloser) (data []byte, size int, err error) {
	defer func() { _ = body.Close() }()
	var long pieces
	b := make([]byte, 32<<10)
	for err == nil && long.n < limit {
		var n int
		n, err = body.Read(b[:min(len(b), limit-long.n)])
		long.add(b[:n])
	}
	if err == io.EOF {
		err = nil
	}
	data = long.join()
	size = len(data)
	if err == nil && size == limit {
		more, _ := io.CopyN(io.Discard, body, 1)
		size += int(more) // one byte too many is proof enough; nobody drains an endless body
	}
	return data, size, err
}

// readBody takes a whole response that is no event stream as the answer to c.
func (w *web) readBody(resp *http.Response, c *call) delivery {
	data, size, err := readCapped(resp.Body)
	frame := w.rec.add(w.name, Received, data, size, responseNote(resp))
	if err != nil {
		w.event("reading the response: %v", err)
		return delivery{class: Gone, status: resp.StatusCode, exit: err.Error()}
	}
	got := delivery{frame: frame, env: peek(data), status: resp.StatusCode, after: resp.Header.Get(headerAfter)}
	if got.env.bom || len(got.env.extra) > 0 {
		got.frame = w.trim(frame, got.env)
	}
	got.class = w.classify(got, c)
	return got
}

// classify says what a whole response is as the answer to c. Over HTTP the
// exchange itself tells whose answer it is, so an error without an id counts.
func (w *web) classify(got delivery, c *call) Class {
	env, refused := got.env, got.status >= 300
	switch {
	case c == nil:
		return Rejected // nothing was asked
	case got.status < http.StatusOK:
		return Rejected // what follows the switch to another protocol is no body
	case refused && member(env.body, "jsonrpc") == nil && !env.carries(c.id):
		return Rejected // {"error":"invalid_token"} is no JSON-RPC
	case env.reply() && (c.id == "" || env.carries(c.id) || env.anonymous()):
		return Answered
	case env.valid && env.array && c.id == "":
		return Answered
	case env.reply():
		w.mu.Lock()
		defer w.mu.Unlock()
		w.stray(got.frame, nil, env.fault())
		return Garbled
	case refused || got.status == http.StatusAccepted || got.status == http.StatusNoContent || len(bytes.TrimSpace(env.body)) == 0:
		return Rejected
	}
	return Garbled
}

// followStream reads an event stream until it ends, is resumed in vain, or the
// exchange is over and what follows the answer had its time.
func (w *web) followStream(ctx context.Context, cancel context.CancelFunc, stop func() bool, resp *http.Response, c *call) {
	defer cancel()
	defer stop()
	parser := &eventParser{}
	for range maxResumes {
		status := resp.StatusCode
		err := w.readEvents(resp, parser, c, func() {
			stop()
			time.AfterFunc(linger, cancel)
		})
		switch {
		case w.over(c):
			return
		case ctx.Err() != nil:
			w.conclude(c, delivery{class: Silent, status: status})
			return
		case parser.lastID == "" && err != nil:
			w.conclude(c, delivery{class: Gone, status: status, exit: err.Error()})
			return
		case parser.lastID == "":
			w.event("the event stream ended without an answer")
			w.conclude(c, delivery{class: Rejected, status: status})
			return
		}
		if resp = w.resume(ctx, parser, c); resp == nil {
			return
		}
	}
	w.conclude(c, delivery{class: Rejected, status: http.StatusOK})
}

// resume reopens an event stream behind the last event that had an id.
func (w *web) resume(ctx context.Context, p *eventParser, c *call) *http.Response {
	if p.retry > 0 {
		timer := time.NewTimer(p.retry)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	last := p.lastID
	p.lastID = "" // without progress there is no second time
	w.rec.Add(w.name, Sent, nil, "GET "+w.url.EscapedPath()+" resuming after event "+last)
	resp, err := w.do(ctx, http.MethodGet, nil, last)
	if err != nil {
		w.conclude(c, w.failure(ctx, err))
		return nil
	}
	if !isEventStream(resp) {
		w.conclude(c, w.readBody(resp, c))
		return nil
	}
	return resp
}

// readEvents hands every event to the dispatcher; answered is called once, when
// the call has its answer.
func (w *web) readEvents(resp *http.Response, p *eventParser, c *call, answered func()) error {
	defer func() { _ = resp.Body.Close() }()
	w.setStatus(c, resp.StatusCode)
	note := responseNote(resp)
	told := false
	b := make([]byte, 32<<10)
	for {
		n, err := resp.Body.Read(b)
		p.feed(b[:n], func(e event) {
			if e.name != "" && e.name != "message" {
				w.rec.add(w.name, Received, e.data, e.size, note+" event "+e.name)
				return
			}
			w.receive(e.data, e.size, note, c)
		})
		if !told && w.over(c) {
			told = true
			answered()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
