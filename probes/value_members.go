package probes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

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
	switch v.raw[0] {
	case 'n':
		return Null
	case 't', 'f':
		return Boolean
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	}
	return Number
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
func (v Value) True() bool { return v.Is(Boolean) && v.raw[0] == 't' }

// False reports whether the value is the literal false.
func (v Value) False() bool { return v.Is(Boolean) && v.raw[0] == 'f' }

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
	if v.node == nil || v.inside == nil {
		return nil
	}
	return v.inside.items
}

// Members returns the members of an object in order, duplicates included.
func (v Value) Members() []Member {
	if v.node == nil || v.inside == nil {
		return nil
	}
	return v.inside.members
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
			var found Value
			for _, m := range v.Members() {
				if m.Name == step {
					found = m.Value
				}
			}
			v = found
		case Array:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v.Items()) {
				return Value{}
			}
			v = v.Items()[i]
		default:
			return Value{}
		}
	}
	return v
}

// Scalars returns the texts of all strings and numbers below v, in order.
func (v Value) Scalars() []string { return v.scalars(nil) }

func (v Value) scalars(all []string) []string {
	switch v.Kind() {
	case String:
		return append(all, v.text)
	case Number:
		return append(all, string(v.raw))
	}
	for _, item := range v.Items() {
		all = item.scalars(all)
	}
	for _, m := range v.Members() {
		all = m.Value.scalars(all)
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
	switch v.Kind() {
	case Object:
		return slices.EqualFunc(v.byName(), w.byName(), func(x, y Member) bool { return x.Name == y.Name && x.Value.Equal(y.Value) })
	case Array:
		return slices.EqualFunc(v.Items(), w.Items(), Value.Equal)
	case String:
		return v.text == w.text
	case Number:
		return plainNumber(string(v.raw)) == plainNumber(string(w.raw))
	}
	return false
}

// byName are the members in the order of their names.
func (v Value) byName() []Member {
	before := func(x, y Member) int { return strings.Compare(x.Name, y.Name) }
	if slices.IsSortedFunc(v.Members(), before) {
		return v.Members()
	}
	members := slices.Clone(v.Members())
	slices.SortStableFunc(members, before)
	return members
}

// Canonical returns a text that is equal for values that are equal as JSON:
// members sorted, numbers by value. Members for which drop returns true are left
// out at every depth; drop may be nil.
func (v Value) Canonical(drop func(name string) bool) string {
	return string(v.canonical(make([]byte, 0, len(v.Raw())), drop))
}

func (v Value) canonical(b []byte, drop func(string) bool) []byte {
	switch v.Kind() {
	case Object:
		b = append(b, '{')
		for _, m := range v.byName() {
			if drop != nil && drop(m.Name) {
				continue
			}
			b = append(strconv.AppendQuote(b, m.Name), ':')
			b = append(m.Value.canonical(b, drop), ',')
		}
		return append(b, '}')
	case Array:
		b = append(b, '[')
		for _, item := range v.Items() {
			b = append(item.canonical(b, drop), ',')
		}
		return append(b, ']')
	case String:
		return strconv.AppendQuote(b, v.text)
	case Number:
		return append(b, plainNumber(string(v.raw))...)
	}
	return append(b, v.Raw()...)
}

// plainNumber writes equal numbers alike (1, 1.0, 1e0; 0 and -0) while keeping integers
// beyond 2^53 exact.
func plainNumber(s string) string {
	if s == "-0" {
		return "0"
	}
	if !strings.ContainsAny(s, ".eE") {
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f+0, 'f', -1, 64) // -0 + 0 is 0
}

// String returns the raw JSON, or "absent".
func (v Value) String() string {
	if v.node == nil {
		return string(Absent)
	}
	return string(v.raw)
}
