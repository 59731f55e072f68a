package adapter

import (
	"io"
	"regexp"
	"strings"
)

// both joins two faults of which each does half of one defect.
func both(first, second hooks) hooks {
	return hooks{
		call:   joined(first.call, second.call),
		item:   joined(first.item, second.item),
		ask:    chained(first.ask, second.ask),
		answer: chained(first.answer, second.answer),
		table:  chained(first.table, second.table),

		notified:  chained(first.notified, second.notified),
		arguments: piped(first.arguments, second.arguments),
		sent:      piped(first.sent, second.sent),
		limits:    chained(first.limits, second.limits),
		input:     fed(first.input, second.input),
		silent:    first.silent || second.silent,
		fatal:     either(first.fatal, second.fatal),
	}
}

func joined(outer, inner func(call, handler) envelope) func(call, handler) envelope {
	if outer == nil || inner == nil {
		if outer == nil {
			return inner
		}
		return outer
	}
	return func(c call, next handler) envelope {
		return outer(c, func(c call) envelope { return inner(c, next) })
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

func fed(first, second func(*Adapter, io.Reader) io.Reader) func(*Adapter, io.Reader) io.Reader {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return func(a *Adapter, in io.Reader) io.Reader { return second(a, first(a, in)) }
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

// swapped exchanges two words in every string of value. Where a fault renames
// something, the healthy adapter keeps working under the old name, and whoever
// uses the old name meets what an unknown name meets.
func swapped(value any, a, b string) any {
	word := regexp.MustCompile(`\b(?:` + regexp.QuoteMeta(a) + `|` + regexp.QuoteMeta(b) + `)\b`)
	other := func(found string) string { return exact(found, a, b).(string) }
	return mapText(value, func(text string) string { return word.ReplaceAllStringFunc(text, other) })
}

func mapText(value any, change func(string) string) any {
	switch value := value.(type) {
	case string:
		return change(value)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = mapText(item, change)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, item := range value {
			out[key] = mapText(item, change)
		}
		return out
	}
	return value
}

// renamed gives an operation another name, everywhere and consistently.
func renamed(old, name string) hooks {
	swap := func(word any) any { return swapped(word, old, name) }
	return both(needs(old, nil), hooks{item: func(c call, next handler) envelope {
		c = c.with("operation", exact(c.body["operation"], old, name))
		if c.operation() == "introspect" {
			wanted, inParams, present := c.value("name")
			if wanted = exact(wanted, old, name); inParams {
				c = c.given("name", wanted)
			} else if present {
				c = c.with("name", wanted)
			}
		}
		return object(swap(next(c)))
	}})
}

// exact exchanges a and b if value is one of them.
func exact(value any, a, b string) any {
	switch value {
	case a:
		return b
	case b:
		return a
	}
	return value
}

// unknownAs has the healthy router refuse the operation of c as unknown.
func unknownAs(c call, next handler) envelope {
	name, stranger := c.operation(), c.operation()+"_x"
	reply := mapText(next(c.with("operation", stranger)), func(text string) string { return strings.ReplaceAll(text, stranger, name) })
	return object(reply)
}

// plainName matches names of several words as operations have them. What is
// inherited from a language, padded or in upper case does not match: other
// requirements ask with such names.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)+$`)

// mark and marked are the memory of faults that last for one session.
func (s *session) mark(key string) {
	if s.marks == nil {
		s.marks = map[string]bool{}
	}
	s.marks[key] = true
}

func (s *session) marked(key string) bool { return s.marks[key] }
