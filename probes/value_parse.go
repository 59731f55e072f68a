package probes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

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
	r := reader{Decoder: jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), from: b}
	v, err := r.read(0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("no JSON value")
		}
		return Value{}, b, err
	}
	return v, b[r.InputOffset():], nil
}

// A reader reads a Value. What is inside of objects and arrays waits on its two
// stacks until their end is reached, so that each gets the room it needs and no
// more.
type reader struct {
	*jsontext.Decoder
	from    []byte
	members []Member
	items   []Value
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
	case 'n':
		n.kind = Null
	case 't', 'f':
		n.kind, n.yes = Boolean, tok.Bool()
	case '0':
		n.kind = Number
	case '"':
		n.kind, n.text = String, tok.String()
	case '[':
		n.kind = Array
		n.items, err = r.array(depth)
	case '{':
		n.kind = Object
		n.members, err = r.object(depth)
	}
	n.raw = bytes.TrimLeft(r.from[before:r.InputOffset()], " \t\r\n,:")
	return Value{n}, err
}

func (r *reader) array(depth int) ([]Value, error) {
	first := len(r.items)
	for r.PeekKind() != ']' {
		item, err := r.read(depth + 1)
		if err != nil {
			return nil, err
		}
		r.items = append(r.items, item)
	}
	all := slices.Clone(r.items[first:])
	r.items = r.items[:first]
	_, err := r.ReadToken()
	return all, err
}

func (r *reader) object(depth int) ([]Member, error) {
	first := len(r.members)
	for r.PeekKind() != '}' {
		name, err := r.ReadToken()
		if err != nil {
			return nil, err
		}
		text := name.String()
		v, err := r.read(depth + 1)
		if err != nil {
			return nil, err
		}
		r.members = append(r.members, Member{text, v})
	}
	all := slices.Clone(r.members[first:])
	r.members = r.members[:first]
	_, err := r.ReadToken()
	return all, err
}
