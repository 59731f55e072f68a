package wire

import "slices"

// receive records one frame and hands it on. size is its size on the wire when
// the reader kept only a prefix; owner, if any, is the call on whose own stream
// the frame came.
func (d *dispatcher) receive(data []byte, size int, note string, owner *call) {
	frame := d.rec.add(d.name, Received, data, size, note)
	env := peek(data)
	if env.bom || len(env.extra) > 0 {
		frame = d.trim(frame, env)
	}
	switch {
	case env.request():
		d.note(frame)
		d.question(env)
	case env.notification() && !env.foreign():
		d.note(frame)
	default:
		d.settle(frame, env, owner)
	}
}

// question queues the answer to a request of the peer.
func (d *dispatcher) question(env envelope) {
	why := "its id is too long"
	if len(env.ids[0]) <= maxID {
		select {
		case d.questions <- answerTo(env):
			return
		default:
			why = "too many wait"
		}
	}
	d.event("request %s of the peer dropped: %s", shortID(env.ids[0]), why)
}

// shortID is an id of the peer as a note names it: a note is kept beside its frame.
func shortID(id string) string { return string(prefix([]byte(id[:min(len(id), maxID+1)]), maxID)) }

// trim reduces a frame to its first message and keeps the rest as strays: a
// mark or a second message on the line is a fault of its own, and must not
// make the answer beside it unreadable.
func (d *dispatcher) trim(frame Frame, env envelope) Frame {
	d.mu.Lock()
	defer d.mu.Unlock()
	if env.bom {
		d.stray(frame, byteOrderMark, "byte order mark before a message")
	}
	if len(env.extra) > 0 {
		why := "trailing data after a message on one line"
		if more := peek(env.extra); more.reply() && len(more.ids) == 1 && env.carries(more.ids[0]) {
			why = "second answer to id " + shortID(more.ids[0])
		}
		d.stray(frame, env.extra, why)
	}
	frame.Data = d.rec.part(env.body)
	return frame
}

// note keeps what the peer said unasked.
func (d *dispatcher) note(frame Frame) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.news) < maxNews {
		d.news = append(d.news, d.rec.beside(frame))
	}
}

const unreadable = "unreadable line"

// settle finds the owner of a frame that is neither request nor notification.
func (d *dispatcher) settle(frame Frame, env envelope, owner *call) {
	d.mu.Lock()
	defer d.mu.Unlock()
	got := delivery{frame: frame, env: env, class: Answered}
	if !env.reply() {
		got.class = Garbled
	}
	for _, id := range env.ids {
		if c := d.callOf(id); c != nil {
			d.claim(c, id, got)
			return
		}
	}
	if !env.valid {
		d.hear(frame.Data)
	}
	alone := d.alone(env)
	switch {
	case alone != nil:
		d.deliver(alone, got)
	case owner != nil && owner.state == waiting && env.reply() && env.anonymous():
		d.deliver(owner, got)
	case d.thrown != nil && !d.overtaken(env) && !env.foreign():
		d.offer(d.thrown, got)
	default:
		d.stray(frame, nil, env.fault())
	}
}

// alone returns the request that a parse error without an id must answer: JSON-RPC has null there,
// and one request alone is in flight. Where an earlier frame may still be owed such an answer, it
// returns nil.
func (d *dispatcher) alone(env envelope) (c *call) {
	if d.owing || !env.reply() || len(env.ids) != 1 || env.ids[0] != "null" || string(member(member(env.body, "error"), "code")) != "-32700" {
		return nil
	}
	for _, other := range d.calls {
		switch {
		case other.state != waiting:
		case c != nil:
			return nil
		default:
			c = other
		}
	}
	return c
}

// overtaken reports whether an answer belongs to a message behind an earlier frame.
func (d *dispatcher) overtaken(env envelope) bool {
	return slices.ContainsFunc(env.ids, func(id string) bool { return d.behind[id] != nil && d.behind[id] != d.thrown })
}

// claim hands a frame to the call whose id it carries.
func (d *dispatcher) claim(c *call, id string, got delivery) {
	switch {
	case c.state == answered && c.lent:
		c.lent = false
		d.event("late answer to id %s (frame %d)", id, got.frame.Seq)
	case c.state == answered:
		d.stray(got.frame, nil, "second answer to id "+id)
	case c.state == abandoned:
		c.late, d.calls[id] = true, spent
		d.event("late answer to id %s (frame %d)", id, got.frame.Seq)
	default:
		d.deliver(c, got)
	}
}

// answeredLate reports whether an answer came to a call that nobody waited for any more.
func (d *dispatcher) answeredLate(c *call) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return c != nil && (c.late || c.state == answered)
}

// fault says why a frame answers nothing.
func (e envelope) fault() string {
	switch {
	case e.foreign():
		return "neither request nor answer"
	case e.reply() && len(e.ids) == 0:
		return "answer without an id"
	case e.valid && e.object && len(e.ids) == 0:
		return "neither request nor answer"
	case e.valid && e.array:
		return "unasked batch"
	case len(e.ids) > 0:
		return "answer to unknown id " + shortID(e.ids[0])
	}
	return unreadable
}

// offer gives a thrown frame what nobody else claims. A line that is no message is only held, because
// the answer may follow it. So is the answer to a message behind the frame: a server that answers
// concurrently may send it first.
func (d *dispatcher) offer(c *call, got delivery) {
	switch {
	case c.held == nil && !c.mute && d.answersBehind(c, got.env):
		c.held = &got
		c.heard <- struct{}{}
	case got.env.valid && (got.env.object || got.env.array):
		d.deliver(c, got)
	case c.held == nil:
		c.held = &got
		c.heard <- struct{}{}
	default:
		d.stray(got.frame, nil, unreadable)
	}
}

// answersBehind reports whether an answer belongs to a message behind the frame.
func (d *dispatcher) answersBehind(c *call, env envelope) bool {
	return slices.ContainsFunc(env.ids, func(id string) bool { return d.behind[id] == c })
}

// stray keeps a frame, or a part of it, that answered nothing.
func (d *dispatcher) stray(frame Frame, part []byte, why string) {
	if len(d.strays) == maxStrays {
		return // the record has the frame itself
	}
	if part != nil {
		frame.Data = d.rec.part(part)
	}
	d.event("stray: %s (frame %d)", why, frame.Seq)
	frame.Note = why
	d.strays = append(d.strays, d.rec.beside(frame))
}

// hear keeps the first bytes of what was no JSON at all.
func (d *dispatcher) hear(data []byte) {
	if room := maxNoise - len(d.noise); room > 0 {
		d.noise = append(append(d.noise, data[:min(len(data), room)]...), '\n')
	}
}

// answerTo is our answer to a request of the peer. We offer no capability, so
// all but ping is refused; roots are answered with none, which every client
// that has no file system may say.
func answerTo(q envelope) []byte {
	head := `{"jsonrpc":"2.0","id":` + q.ids[0]
	switch q.method {
	case "ping":
		return []byte(head + `,"result":{}}`)
	case "roots/list":
		return []byte(head + `,"result":{"roots":[]}}`)
	}
	return []byte(head + `,"error":{"code":-32601,"message":"this client offers no such method"}}`)
}
