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
// members and numbers beyond 2^53. A Value is a pointer's worth of memory: a run
// holds millions, and hands them about.
type Value struct{ *node }

// A node is what a Value holds.
type node struct {
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
	if v.node == nil {
		return Absent
	}
	return v.kind
}

// Is reports whether the value is of the kind.
func (v Value) Is(k Kind) bool { return v.Kind() == k }

// Raw returns the bytes of the value as received; nil when absent.
func (v Value) Raw() []byte {
	if v.node == nil {
		return nil
	}
	return v.raw
}

// Text returns the string; empty for any other kind.
func (v Value) Text() string {
	if v.node == nil {
		return ""
	}
	return v.text
}

// True reports whether the value is the literal true.
func (v Value) True() bool { return v.Is(Boolean) && v.yes }

// False reports whether the value is the literal false.
func (v Value) False() bool { return v.Is(Boolean) && !v.yes }

// Float returns the number as a float64, which may round; ok is false for any
// other kind and for numbers beyond its range.
func (v Value) Float() (f float64, ok bool) {
	if !v.Is(Number) {
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
func (v Value) Items() []Value {
	if v.node == nil {
		return nil
	}
	return v.items
}

// Members returns the members of an object in order, duplicates included.
func (v Value) Members() []Member {
	if v.node == nil {
		return nil
	}
	return v.members
}

// Names returns the member names of an object in order.
func (v Value) Names() []string {
	names := make([]string, 0, len(v.Members()))
	for _, m := range v.Members() {
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
		switch v.Kind() {
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
	switch v.Kind() {
	case String:
		return []string{v.text}
	case Number:
		return []string{string(v.raw)}
	}
	var all []string
	for _, item := range v.Items() {
		all = append(all, item.Scalars()...)
	}
	for _, m := range v.Members() {
		all = append(all, m.Value.Scalars()...)
	}
	return all
}

// Equal reports whether the values are equal as JSON: members in any order,
// numbers by value.
func (v Value) Equal(w Value) bool {
	switch {
	case v.Kind() != w.Kind(), len(v.Members()) != len(w.Members()), len(v.Items()) != len(w.Items()):
		return false
	case bytes.Equal(v.Raw(), w.Raw()):
		return true
	}
	return v.Canonical(nil) == w.Canonical(nil)
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
		b.Write(v.Raw())
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
	if v.node == nil {
		return string(Absent)
	}
	return string(v.raw)
}
