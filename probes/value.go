package probes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Kind is the JSON type of a Value.
type Kind string

// The kinds of a Value. Absent is the kind of a member that is not there, which
// is another thing than a member that is null.
const (
	Absent  Kind = "absent"
	Null    Kind = "null"
	Boolean Kind = "boolean"
	Number  Kind = "number"
	String  Kind = "string"
	Array   Kind = "array"
	Object  Kind = "object"
)

// A Value is one JSON value as it stood on the wire: members in order,
// duplicates kept, numbers unparsed. The zero Value is absent. Judges read
// Values because a typed decoder hides duplicate keys, null fillers, missing
// members and numbers beyond 2^53.
type Value struct {
	raw     []byte
	kind    Kind
	text    string
	yes     bool
	members []Member
	items   []Value
}

// A Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

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
	dec := jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := read(dec, b, 0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("no JSON value")
		}
		return Value{}, b, err
	}
	return v, b[dec.InputOffset():], nil
}

func read(dec *jsontext.Decoder, b []byte, depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, errDepth
	}
	before := dec.InputOffset()
	tok, err := dec.ReadToken()
	if err != nil {
		return Value{}, err
	}
	v := Value{}
	switch tok.Kind() {
	case 'n':
		v.kind = Null
	case 't', 'f':
		v.kind, v.yes = Boolean, tok.Bool()
	case '0':
		v.kind = Number
	case '"':
		v.kind, v.text = String, tok.String()
	case '[':
		v.kind = Array
		for dec.PeekKind() != ']' {
			item, err := read(dec, b, depth+1)
			if err != nil {
				return v, err
			}
			v.items = append(v.items, item)
		}
		_, err = dec.ReadToken()
	case '{':
		v.kind = Object
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return v, err
			}
			member := Member{Name: name.String()}
			if member.Value, err = read(dec, b, depth+1); err != nil {
				return v, err
			}
			v.members = append(v.members, member)
		}
		_, err = dec.ReadToken()
	}
	v.raw = bytes.TrimLeft(b[before:dec.InputOffset()], " \t\r\n,:")
	return v, err
}

// ValueOf encodes a Go value; it is for literals in checks and cannot fail on them.
func ValueOf(x any) Value {
	v, _ := ParseValue(printed(x))
	return v
}

// printed is the JSON of a literal in a check.
func printed(x any) []byte {
	b, err := json.Marshal(x)
	if err != nil {
		panic(fmt.Sprintf("probes: JSON of %T: %v", x, err))
	}
	return b
}

// Kind returns the JSON type, Absent for the zero Value.
func (v Value) Kind() Kind {
	if v.kind == "" {
		return Absent
	}
	return v.kind
}

// Is reports whether the value is of the kind.
func (v Value) Is(k Kind) bool { return v.Kind() == k }

// Raw returns the bytes of the value as received; nil when absent.
func (v Value) Raw() []byte { return v.raw }

// Text returns the string; empty for any other kind.
func (v Value) Text() string { return v.text }

// True reports whether the value is the literal true.
func (v Value) True() bool { return v.kind == Boolean && v.yes }

// False reports whether the value is the literal false.
func (v Value) False() bool { return v.kind == Boolean && !v.yes }

// Float returns the number as a float64, which may round; ok is false for any
// other kind and for numbers beyond its range.
func (v Value) Float() (f float64, ok bool) {
	if v.kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	return f, err == nil
}

// Whole reports whether the value is a number without a fraction (1.0 is whole).
func (v Value) Whole() bool {
	f, ok := v.Float()
	return ok && f == math.Trunc(f)
}

// Items returns the elements of an array.
func (v Value) Items() []Value { return v.items }

// Members returns the members of an object in order, duplicates included.
func (v Value) Members() []Member { return v.members }

// Names returns the member names of an object in order.
func (v Value) Names() []string {
	names := make([]string, 0, len(v.members))
	for _, m := range v.members {
		names = append(names, m.Name)
	}
	return names
}

// Has reports whether the object has the member, also when it is null.
func (v Value) Has(name string) bool { return !v.At(name).Is(Absent) }

// At follows member names (or array indexes written as numbers) and returns
// what it finds, absent when the way ends. The last of duplicate names wins.
func (v Value) At(path ...string) Value {
	for _, step := range path {
		switch v.kind {
		case Object:
			i := slices.IndexFunc(v.members, func(m Member) bool { return m.Name == step })
			if i < 0 {
				return Value{}
			}
			for j := i + 1; j < len(v.members); j++ {
				if v.members[j].Name == step {
					i = j
				}
			}
			v = v.members[i].Value
		case Array:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v.items) {
				return Value{}
			}
			v = v.items[i]
		default:
			return Value{}
		}
	}
	return v
}

// Scalars returns the texts of all strings and numbers below v, in order.
func (v Value) Scalars() []string {
	switch v.kind {
	case String:
		return []string{v.text}
	case Number:
		return []string{string(v.raw)}
	}
	var all []string
	for _, item := range v.items {
		all = append(all, item.Scalars()...)
	}
	for _, m := range v.members {
		all = append(all, m.Value.Scalars()...)
	}
	return all
}

// Canonical returns a text that is equal for values that are equal as JSON:
// members sorted, numbers by value. Members for which drop returns true are left
// out at every depth; drop may be nil.
func (v Value) Canonical(drop func(name string) bool) string {
	var b strings.Builder
	v.canonical(&b, drop)
	return b.String()
}

func (v Value) canonical(b *strings.Builder, drop func(string) bool) {
	switch v.Kind() {
	case Object:
		members := slices.Clone(v.members)
		slices.SortStableFunc(members, func(x, y Member) int { return strings.Compare(x.Name, y.Name) })
		b.WriteByte('{')
		for _, m := range members {
			if drop != nil && drop(m.Name) {
				continue
			}
			b.WriteString(strconv.Quote(m.Name) + ":")
			m.Value.canonical(b, drop)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case Array:
		b.WriteByte('[')
		for _, item := range v.items {
			item.canonical(b, drop)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case String:
		b.WriteString(strconv.Quote(v.text))
	case Number:
		b.WriteString(plainNumber(string(v.raw)))
	default:
		b.Write(v.raw)
	}
}

// plainNumber writes equal numbers alike (1, 1.0, 1e0) while keeping integers
// beyond 2^53 exact.
func plainNumber(s string) string {
	if !strings.ContainsAny(s, ".eE") {
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// String returns the raw JSON, or "absent".
func (v Value) String() string {
	if v.kind == "" {
		return string(Absent)
	}
	return string(v.raw)
}
