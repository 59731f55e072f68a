package wire

import (
	"bytes"
	"strconv"
	"time"
)

// An event is one server-sent event.
type event struct {
	name string // "" means message
	id   string
	data []byte
	size int // of the data on the wire; larger than len(data) when cut
}

// An eventParser cuts a byte stream into server-sent events as the bytes come,
// so that each event is recorded when it happened. Its zero value is ready.
type eventParser struct {
	line    pieces
	current event
	some    bool // current has a data line
	skipLF  bool // the last line ended with CR; an LF belongs to it

	lastID string        // to resume the stream from
	retry  time.Duration // how long the server wants us to wait before that
}

// feed parses the next bytes and calls emit for each event that is complete. An
// event without data, which only carries an id, is not emitted.
func (p *eventParser) feed(b []byte, emit func(event)) {
	for len(b) > 0 {
		if p.skipLF {
			p.skipLF = false
			if b[0] == '\n' {
				b = b[1:]
				continue
			}
		}
		i := bytes.IndexAny(b, "\r\n")
		if i < 0 {
			p.extend(b)
			return
		}
		p.extend(b[:i])
		p.skipLF = b[i] == '\r'
		b = b[i+1:]
		p.field(emit)
	}
}

// extend lengthens the current line up to the cap of a message and counts on.
func (p *eventParser) extend(b []byte) {
	room := maxLine + 16 - p.line.n
	p.line.add(b[:max(0, min(len(b), room))])
	if lost := len(b) - max(0, room); lost > 0 {
		p.current.size += lost
	}
}

// field takes one whole line; an empty one ends the event.
func (p *eventParser) field(emit func(event)) {
	line := p.line.join()
	if len(line) == 0 {
		if len(p.current.data) > 0 { // an empty one primes the stream for resumption
			emit(p.current)
		}
		p.current, p.some = event{}, false
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		p.current.name = string(value)
	case "id":
		p.current.id = string(value)
		p.lastID = p.current.id
	case "retry":
		if ms, err := strconv.Atoi(string(value)); err == nil && ms >= 0 {
			p.retry = time.Duration(ms) * time.Millisecond
		}
	case "data":
		p.data(value)
	}
}

func (p *eventParser) data(value []byte) {
	if p.some {
		value = append([]byte("\n"), value...)
	}
	p.some = true
	p.current.size += len(value)
	if room := maxLine - len(p.current.data); room < len(value) {
		value = value[:max(0, room)]
	}
	if p.current.data == nil {
		p.current.data = value // the line is ours and not used again
		return
	}
	p.current.data = append(p.current.data, value...)
}
