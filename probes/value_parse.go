package probes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth bounds the nesting a reply may have before it counts as garbled; a
// recursive reader must not be driven by the adapter.
const maxDepth = 2000

var errDepth = errors.New("nested deeper than 2000 levels")

// ParseValue reads exactly one JSON value. Duplicate names and invalid UTF-8 are
// kept, not refused: they are for a judge to see.
func ParseValue(b []byte) (Value, error) {
	v, rest, err := parsePrefix(b)
	if err == nil && len(bytes.TrimSpace(rest)) > 0 {
		err = fmt.Errorf("text after the JSON value: %.20q", rest)
	}
	return v, err
}

// parsePrefix reads the first JSON value of b and returns what follows it.
func parsePrefix(b []byte) (Value, []byte, error) {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.begin(b)
	defer r.begin(nil) // releases b
	v, err := r.read(0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("no JSON value")
		}
		return Value{}, b, err
	}
	return v, b[r.InputOffset():], nil
}

// readers are reused: a run parses each answer several times.
var readers = sync.Pool{New: func() any { return &reader{Decoder: jsontext.NewDecoder(bytes.NewBuffer(nil))} }}

// lenient accepts what is for a judge to see.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// begin makes the reader read b, of which it keeps no copy.
func (r *reader) begin(b []byte) {
	r.source = *bytes.NewBuffer(b)
	r.Reset(&r.source, lenient...)
	r.from, r.members, r.items = b, emptied(r.members), emptied(r.items)
}

// emptied returns the stack without its values, of which there are some after an error alone; a
// large one is not kept.
func emptied[T any](stack []T) []T {
	const enough = 1024
	if cap(stack) > enough {
		return nil
	}
	clear(stack)
	return stack[:0]
}

// A reader reads a Value. What is inside of objects and arrays waits on its two
// stacks until their end is reached, so that each gets the room it needs and no
// more.
type reader struct {
	*jsontext.Decoder
	source  bytes.Buffer
	from    []byte
	members []Member
	items   []Value
	names   map[string]string // what names are, by how they are written
}

func (r *reader) read(depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, errDepth
	}
	before := r.InputOffset()
	tok, err := r.ReadToken()
	if err != nil {
		return Value{}, err
	}
	n := &node{}
	switch tok.Kind() {
	case '"':
		n.raw = r.between(before)
		if n.text = plainText(n.raw); n.text == "" {
			n.text = tok.String()
		}
		return Value{n}, nil
	case '[':
		n.inside, err = r.array(depth)
	case '{':
		n.inside, err = r.object(depth)
	}
	n.raw = r.between(before)
	return Value{n}, err
}

// between is what was read since then.
func (r *reader) between(before int64) []byte {
	return bytes.TrimLeft(r.from[before:r.InputOffset()], " \t\r\n,:")
}

// longText is the length in bytes from which on a text without escapes is not copied. A shorter one
// may be kept for long, and would keep the whole answer.
const longText = 64 << 10

// plainText is the text of a long JSON string, which is not copied where it stands as it is; empty for
// any other.
func plainText(raw []byte) string {
	switch {
	case len(raw) < longText || !utf8.Valid(raw):
		return ""
	case bytes.IndexByte(raw, '\\') < 0:
		return shared(raw[1 : len(raw)-1])
	}
	text, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), raw)
	if err != nil { // half a surrogate pair
		return ""
	}
	return shared(text)
}

// shared is the text of bytes that nobody changes any more. A copy would be as large as the answer.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf are the bytes of a text, which nobody may change.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

func (r *reader) array(depth int) (*inside, error) {
	first := len(r.items)
	for r.PeekKind() != ']' {
		item, err := r.read(depth + 1)
		if err != nil {
			return nil, err
		}
		r.items = append(r.items, item)
	}
	_, err := r.ReadToken()
	if len(r.items) == first {
		return nil, err
	}
	all := slices.Clone(r.items[first:])
	clear(r.items[first:])
	r.items = r.items[:first]
	return &inside{items: all}, err
}

func (r *reader) object(depth int) (*inside, error) {
	first := len(r.members)
	for r.PeekKind() != '}' {
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		v, err := r.read(depth + 1)
		if err != nil {
			return nil, err
		}
		r.members = append(r.members, Member{name, v})
	}
	_, err := r.ReadToken()
	if len(r.members) == first {
		return nil, err
	}
	all := slices.Clone(r.members[first:])
	clear(r.members[first:])
	r.members = r.members[:first]
	return &inside{members: all}, err
}

// plain reads a value as encoding/json does into an any, with numbers as they are written.
func (r *reader) plain() (any, error) {
	tok, err := r.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case '"':
		return tok.String(), nil
	case '0':
		return json.Number(tok.String()), nil
	case 't', 'f':
		return tok.Bool(), nil
	case '[':
		all := []any{}
		for r.PeekKind() != ']' {
			v, err := r.plain()
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		_, err = r.ReadToken()
		return all, err
	case '{':
		all := map[string]any{}
		for r.PeekKind() != '}' {
			name, err := r.name()
			if err != nil {
				return nil, err
			}
			if all[name], err = r.plain(); err != nil {
				return nil, err
			}
		}
		_, err = r.ReadToken()
		return all, err
	}
	return nil, nil
}

// maxNames and maxName bound the names that a reader knows.
const maxNames, maxName = 512, 64

// name reads the name of a member. The same names come again and again, so each has one text.
func (r *reader) name() (string, error) {
	before := r.InputOffset()
	tok, err := r.ReadToken()
	if err != nil {
		return "", err
	}
	written := bytes.TrimLeft(r.from[before:r.InputOffset()], " \t\r\n,:")
	if text, known := r.names[string(written)]; known {
		return text, nil
	}
	text := tok.String()
	if len(written) <= maxName && len(r.names) < maxNames {
		if r.names == nil {
			r.names = map[string]string{}
		}
		r.names[string(written)] = text
	}
	return text, nil
}
