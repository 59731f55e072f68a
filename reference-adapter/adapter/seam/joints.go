package seam

import (
	"io"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// Both joins two faults of which each does half of one defect.
func Both(first, second adapter.Hooks) adapter.Hooks {
	return adapter.Hooks{
		Call:   joined(first.Call, second.Call),
		Item:   joined(first.Item, second.Item),
		Ask:    chained(first.Ask, second.Ask),
		Answer: chained(first.Answer, second.Answer),
		Table:  chained(first.Table, second.Table),

		Notified:  chained(first.Notified, second.Notified),
		Arguments: piped(first.Arguments, second.Arguments),
		Sent:      piped(first.Sent, second.Sent),
		Limits:    chained(first.Limits, second.Limits),
		Input:     fed(first.Input, second.Input),
		Served:    piped(first.Served, second.Served),
		Silent:    first.Silent || second.Silent,
		Audited:   agreed(first.Audited, second.Audited),
		Fatal:     either(first.Fatal, second.Fatal),
	}
}

func joined(outer, inner func(adapter.Call, adapter.Handler) adapter.Envelope) func(adapter.Call, adapter.Handler) adapter.Envelope {
	if outer == nil || inner == nil {
		if outer == nil {
			return inner
		}
		return outer
	}
	return func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		return outer(c, func(c adapter.Call) adapter.Envelope { return inner(c, next) })
	}
}

func chained[T any](first, second func(*T)) func(*T) {
	if first == nil || second == nil {
		if first == nil {
			return second
		}
		return first
	}
	return func(x *T) { first(x); second(x) }
}

func agreed[T any](first, second func(T) bool) func(T) bool {
	if first == nil || second == nil {
		if first == nil {
			return second
		}
		return first
	}
	return func(x T) bool { return first(x) && second(x) }
}

func fed(first, second func(*adapter.Adapter, io.Reader) io.Reader) func(*adapter.Adapter, io.Reader) io.Reader {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return func(a *adapter.Adapter, in io.Reader) io.Reader { return second(a, first(a, in)) }
}

func piped[T any](first, second func(T) T) func(T) T {
	if first == nil || second == nil {
		if first == nil {
			return second
		}
		return first
	}
	return func(in T) T { return second(first(in)) }
}

func either(first, second func(message, answer []byte) bool) func(message, answer []byte) bool {
	if first == nil {
		return second
	}
	return first // no fault is fatal twice
}

// Swapped exchanges two words in every string of value. Where a fault renames
// something, the healthy adapter keeps working under the old name, and whoever
// uses the old name meets what an unknown name meets.
func Swapped(value any, a, b string) any {
	word := regexp.MustCompile(`\b(?:` + regexp.QuoteMeta(a) + `|` + regexp.QuoteMeta(b) + `)\b`)
	other := func(found string) string { return Exact(found, a, b).(string) }
	return MapText(value, func(text string) string { return word.ReplaceAllStringFunc(text, other) })
}

func MapText(value any, change func(string) string) any {
	switch value := value.(type) {
	case string:
		return change(value)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = MapText(item, change)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, item := range value {
			out[key] = MapText(item, change)
		}
		return out
	}
	return value
}

// Exact exchanges a and b if value is one of them.
func Exact(value any, a, b string) any {
	switch value {
	case a:
		return b
	case b:
		return a
	}
	return value
}

// UnknownAs has the healthy router refuse the operation of c as unknown.
func UnknownAs(c adapter.Call, next adapter.Handler) adapter.Envelope {
	name, stranger := c.Operation(), c.Operation()+"_x"
	reply := MapText(next(c.With("operation", stranger)), func(text string) string { return strings.ReplaceAll(text, stranger, name) })
	return adapter.Object(reply)
}

// PlainName matches names of several words as operations have them. What is
// inherited from a language, padded or in upper case does not match: other
// requirements ask with such names.
var PlainName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)+$`)

// Mark, Jot and Marked are the memory of faults that last for one session.
func Mark(s *adapter.Session, key string) { Jot(s, key, "yes") }

func Jot(s *adapter.Session, key, text string) {
	if s.Marks == nil {
		s.Marks = map[string]string{}
	}
	s.Marks[key] = text
}

func Marked(s *adapter.Session, key string) bool { return s.Marks[key] != "" }
