package wire

import (
	"bytes"
	"encoding/json"
	"slices"
)

// maxDepth is below where encoding/json gives up on nesting that JSON allows.
const maxDepth = 9_990

var byteOrderMark = []byte("\xef\xbb\xbf")

// An envelope is what a frame shows of itself without being understood. It is
// read leniently, so that a frame which is cut or broken further inside can
// still be matched to the request it answers.
type envelope struct {
	body     []byte   // the first JSON value, alone
	extra    []byte   // what follows it and is no white space
	bom      bool     // a byte order mark preceded it
	valid    bool     // body is JSON
	object   bool     // body is an object
	array    bool     // body is an array, a batch
	method   string   // of the only message; empty if it has none
	called   bool     // a method member is present
	response bool     // a result or error member is present, or an id and no method
	rpc      bool     // a jsonrpc member is present
	outcome  bool     // a result is present, or an error with a number for its code
	ids      []string // exact text of the ids; of a batch, those of all its messages
}

// peek reads the envelope of one frame.
func peek(frame []byte) envelope {
	var e envelope
	frame, e.bom = bytes.CutPrefix(frame, byteOrderMark)
	c := &cursor{b: frame}
	c.space()
	start := c.i
	switch c.at() {
	case '{':
		e.object = true
		c.message(&e)
	case '[':
		e.array = true
		c.elements(func() { c.message(&e) })
	default:
		c.value()
	}
	e.body = frame[start:c.i]
	e.extra = bytes.TrimSpace(frame[c.i:])
	e.valid = len(e.body) > 0 && !c.broken && (c.deepest >= maxDepth || json.Valid(e.body))
	if !e.object && !e.array && len(e.extra) > 0 {
		e.valid = false // "3 tools loaded" is a banner, not a number with trailing data
	}
	if !e.valid { // where a broken value ends is anybody's guess: keep it whole
		e.body, e.extra = frame[start:], nil
	}
	return e
}

// request reports whether the frame is a request that wants an answer.
func (e envelope) request() bool {
	return e.valid && e.object && e.called && !e.response && len(e.ids) == 1
}

// notification reports whether the frame is a request that wants none.
func (e envelope) notification() bool {
	return e.valid && e.object && e.called && !e.response && len(e.ids) == 0
}

// reply reports whether the frame is one readable JSON-RPC response.
func (e envelope) reply() bool { return e.valid && e.object && e.response }

// foreign reports whether the frame is an object and no JSON-RPC message, such as a line of a log. Such lines may have a
// method or an error of their own; a message that lacks jsonrpc alone is still read.
func (e envelope) foreign() bool {
	return e.valid && e.object && !e.rpc && !e.outcome && len(e.ids) == 0
}

// carries reports whether one of the ids has this exact text.
func (e envelope) carries(id string) bool { return id != "" && slices.Contains(e.ids, id) }

// anonymous reports whether the frame names no request that it could answer.
func (e envelope) anonymous() bool {
	return len(e.ids) == 0 || (len(e.ids) == 1 && e.ids[0] == "null")
}

// message reads the members of one message that matter here.
func (c *cursor) message(e *envelope) {
	var id []byte
	var called, answer bool
	if c.at() != '{' {
		c.value()
		return
	}
	c.members(func(key string, value []byte) {
		switch key {
		case "id":
			id = value
		case "method":
			called = true
			e.method = ""
			_ = json.Unmarshal(value, &e.method) // a method that is no string stays empty
		case "jsonrpc":
			e.rpc = true
		case "result":
			answer, e.outcome = true, true
		case "error":
			var code json.Number
			answer = true
			e.outcome = e.outcome || json.Unmarshal(member(value, "code"), &code) == nil && code != ""
		}
	})
	if id != nil {
		e.ids = append(e.ids, string(id))
	}
	e.called = e.called || called
	e.response = e.response || answer || (id != nil && !called)
}

// member returns the exact text of a member of a JSON object, nil if absent.
func member(object []byte, key string) []byte {
	var found []byte
	c := &cursor{b: object}
	c.space()
	c.members(func(k string, value []byte) {
		if k == key {
			found = value
		}
	})
	return found
}

// A cursor walks JSON text without recursion and without judging it.
type cursor struct {
	b       []byte
	i       int
	deepest int
	broken  bool // the text ended or departed from JSON's structure
}

func (c *cursor) at() byte {
	if c.i < len(c.b) {
		return c.b[c.i]
	}
	return 0
}

func (c *cursor) space() {
	for c.i < len(c.b) && (c.b[c.i] == ' ' || c.b[c.i] == '\t' || c.b[c.i] == '\r' || c.b[c.i] == '\n') {
		c.i++
	}
}

// members calls f with the key and the exact value text of each member of the
// object at the cursor and leaves the cursor behind the object.
func (c *cursor) members(f func(key string, value []byte)) {
	c.elements(func() {
		start := c.i
		if !c.text() {
			return
		}
		key := string(c.b[start+1 : c.i-1])
		c.space()
		if c.at() != ':' {
			return
		}
		c.i++
		c.space()
		start = c.i
		if c.value() {
			f(key, c.b[start:c.i])
		}
	})
}

// elements calls f at each element of the array or object at the cursor. It
// stops early, inside the value, where f makes no progress.
func (c *cursor) elements(f func()) {
	if c.at() != '{' && c.at() != '[' {
		c.value()
		return
	}
	end := c.at() + 2 // the closing bracket in ASCII
	for c.i++; c.i < len(c.b); {
		c.space()
		if c.at() == end {
			c.i++
			return
		}
		if c.at() == ',' {
			c.i++
			continue
		}
		before := c.i
		f()
		if c.i == before {
			break
		}
	}
	c.broken = true
}

// text moves behind the string at the cursor.
func (c *cursor) text() bool {
	if c.at() != '"' {
		return false
	}
	for i := c.i + 1; i < len(c.b); i++ {
		switch c.b[i] {
		case '\\':
			i++
		case '"':
			c.i = i + 1
			return true
		}
	}
	c.i, c.broken = len(c.b), true
	return false
}

// value moves behind the value at the cursor; false if there is no whole one.
func (c *cursor) value() bool {
	switch c.at() {
	case '"':
		return c.text()
	case '{', '[':
		return c.nested()
	}
	start := c.i
	for c.i < len(c.b) && !bytes.ContainsRune([]byte(",]} \t\r\n:\"{["), rune(c.b[c.i])) {
		c.i++
	}
	return c.i > start
}

func (c *cursor) nested() bool {
	depth := 0
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case '"':
			if !c.text() {
				return false
			}
			continue
		case '{', '[':
			depth++
			c.deepest = max(c.deepest, depth)
		case '}', ']':
			depth--
		}
		c.i++
		if depth == 0 {
			return true
		}
	}
	c.broken = true
	return false
}
