package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Limits bound what one request and one answer may hold (spec 4.7.5).
type Limits struct {
	Request  int // bytes of one request
	Response int // bytes of one answer
	Text     int // bytes of one string
	Elements int // Elements of one array
	Depth    int // nested objects and arrays; the arguments object is level 1
}

// byDefault are the defaults of the specification, but for requests and strings: no
// note needs as much. A request has room for the longest array that a limit may
// allow. They are shown in _protocol and enforced here, before any other rule looks at
// a request.
var byDefault = Limits{Request: 640 << 10, Response: 10 << 20, Text: 64 << 10, Elements: 10_000, Depth: 32}

// Decode reads exactly one JSON value and keeps numbers as they are written.
func Decode(raw []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	if decoder.More() {
		return nil, errors.New("read JSON: text after the value")
	}
	return value, nil
}

// scan checks encoding and size of the raw arguments. The bytes are well-formed
// JSON already; what a decoder would silently repair is looked for here, because
// repaired text is text that nobody sent (spec 4.7.1). It returns nil if all is
// well.
func (l Limits) scan(raw []byte) Envelope {
	if len(raw) > l.Request {
		return tooLarge("request_size", l.Request, len(raw), "bytes")
	}
	if !utf8.Valid(raw) {
		return badEncoding("Request is not valid UTF-8; send text as UTF-8", invalidAt(raw))
	}
	var open []level
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			end, problem := l.scanString(raw, i)
			if problem != nil {
				return problem
			}
			i = end
		case '{', '[':
			open = append(open, level{array: raw[i] == '['})
			if len(open) > l.Depth {
				return tooLarge("nesting_depth", l.Depth, Depth(raw), "levels")
			}
		case ',':
			top := &open[len(open)-1]
			top.commas++
			if top.array && top.commas >= l.Elements {
				return tooLarge("array_elements", l.Elements, top.commas+1, "elements")
			}
		case '}', ']':
			open = open[:len(open)-1]
		}
	}
	return nil
}

// level is one open object or array; it counts the commas seen in it.
type level struct {
	array  bool
	commas int
}

// scanString walks the string that opens at start and returns where it closes.
func (l Limits) scanString(raw []byte, start int) (int, Envelope) {
	i := start + 1
	for ; i < len(raw) && raw[i] != '"'; i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if i >= len(raw) || raw[i] != 'u' {
			continue
		}
		unit := escape(raw, i)
		switch {
		case unit == 0:
			return 0, badEncoding("Strings must not hold the null character U+0000", i-1)
		case unit >= 0xD800 && unit < 0xDC00: // a high half needs its low half
			low := escape(raw, i+6)
			if i+6 >= len(raw) || raw[i+5] != '\\' || raw[i+6] != 'u' || low < 0xDC00 || low > 0xDFFF {
				return 0, badEncoding("Strings must not hold an unpaired surrogate", i-1)
			}
			i += 6
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return 0, badEncoding("Strings must not hold an unpaired surrogate", i-1)
		}
		i += 4
	}
	if length := i - start - 1; length > l.Text {
		return 0, tooLarge("string_length", l.Text, length, "bytes")
	}
	return i, nil
}

// escape returns the code unit of the escape whose 'u' stands at i, or -1.
func escape(raw []byte, i int) int64 {
	if i+5 > len(raw) {
		return -1
	}
	unit, err := strconv.ParseUint(string(raw[i+1:i+5]), 16, 16)
	if err != nil {
		return -1
	}
	return int64(unit)
}

// Depth returns the deepest nesting of well-formed JSON.
func Depth(raw []byte) int {
	now, deepest, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

func invalidAt(raw []byte) int {
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(raw)
}

func badEncoding(message string, offset int) Envelope {
	return Failure("VALIDATION_INVALID_ENCODING", message, map[string]any{"location": "arguments", "byte_offset": offset})
}

func tooLarge(kind string, limit, actual int, unit string) Envelope {
	return Failure("VALIDATION_PAYLOAD_TOO_LARGE",
		fmt.Sprintf("Limit '%s' exceeded: %d %s given, at most %d allowed; send a smaller request", kind, actual, unit, limit),
		map[string]any{"limit_type": kind, "limit_value": limit, "actual_value": actual, "unit": unit})
}
