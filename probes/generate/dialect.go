package generate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What RE2 does not read of ECMA-262, as tokens: a backslash with what it
// quotes, the start of a look-around, of a group, of a class, and a counter.
var token = regexp.MustCompile(`^(?:\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\k<\w+>|\\[pP]\{[^}]*\}|\\c[A-Za-z]|\\[1-9]|\\.|\(\?<?[=!]|\(\?<\w+>|\(\?:|\(\?P<\w+>|\(|\)|\[\^\]|\[\]|\{\d+(?:,\d*)?\}|.)`)

// foreign finds escapes that mean something in some dialects and a plain letter in
// others; of a pattern with one of them nothing may be concluded.
var foreign = regexp.MustCompile(`^(?:[^\\]|\\[^ZGKRXhH])*\\[ZGKRXhH]`)

// A group is a part of a pattern in brackets.
type group struct {
	name string
	body strings.Builder // simplified so far
	kind groupKind
}

type groupKind int

const (
	capturing groupKind = iota
	plain
	looking // a look-around: dropped with all it holds
)

// simplified rewrites a pattern into one that RE2 reads and that allows at least
// what the original allows: look-arounds are dropped, and a reference back
// becomes the group once more. Which of its texts the original allows is for a
// matcher to say.
func simplified(pattern string) (string, bool) {
	stack := []*group{{kind: plain}}
	var captured []*group // in the order of their opening
	rest := strings.ToValidUTF8(pattern, "?")
	for rest != "" {
		t := token.FindString(rest)
		if t == "" {
			t = rest[:1] // a line break
		}
		rest = rest[len(t):]
		top, ok := stack[len(stack)-1], true
		switch {
		case strings.HasPrefix(t, "("):
			g := opened(t)
			if stack = append(stack, g); g.kind == capturing {
				captured = append(captured, g)
			}
		case t == ")" && len(stack) == 1:
			return "", false
		case t == ")" && top.kind == looking:
			stack, rest = stack[:len(stack)-1], strings.TrimLeft(rest, "*+?")
		case t == ")":
			stack = stack[:len(stack)-1]
			stack[len(stack)-1].body.WriteString("(?:" + top.body.String() + ")")
		case t == "[":
			var class string
			class, rest, ok = classOf(rest)
			top.body.WriteString(class)
		default:
			top.body.WriteString(rewritten(t, captured))
		}
		if !ok || top.body.Len() > maxSimplified {
			return "", false
		}
	}
	return stack[0].body.String(), len(stack) == 1
}

// maxSimplified bounds what references back to references back grow to.
const maxSimplified = 1 << 14

// opened is the group that a token opens.
func opened(t string) *group {
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(t, "(?P<"), "(?<"), ">")
	switch {
	case strings.HasSuffix(t, "=") || strings.HasSuffix(t, "!"):
		return &group{kind: looking}
	case t == "(?:":
		return &group{kind: plain}
	case t == "(":
		return &group{kind: capturing}
	}
	return &group{kind: capturing, name: name}
}

// classOf reads a class behind its opening bracket.
func classOf(rest string) (class, after string, ok bool) {
	var b strings.Builder
	b.WriteByte('[')
	for rest != "" {
		t := token.FindString(rest)
		if t == "" || strings.HasPrefix(t, "(") || strings.HasPrefix(t, "[") || strings.HasPrefix(t, "{") {
			t = rest[:1]
		}
		rest = rest[len(t):]
		switch {
		case t == "]":
			return b.String() + "]", rest, true
		case t == "[":
			b.WriteString(`\[`)
		default:
			b.WriteString(rewritten(t, nil))
		}
	}
	return "", "", false
}

// maxCount is the greatest repetition RE2 reads.
const maxCount = 1000

// rewritten is one token in the words of RE2.
func rewritten(t string, groups []*group) string {
	switch {
	case t == "[^]":
		return `(?s:.)`
	case strings.HasPrefix(t, `\u`) && len(t) > 2:
		return `\x{` + strings.Trim(t[2:], "{}") + `}`
	case strings.HasPrefix(t, `\c`) && len(t) == 3:
		return fmt.Sprintf(`\x%02x`, t[2]%32)
	case strings.HasPrefix(t, `\k<`):
		return back(groups, strings.Trim(t[3:], ">"), 0)
	case len(t) == 2 && t[0] == '\\' && '1' <= t[1] && t[1] <= '9':
		return back(groups, "", int(t[1]-'0'))
	case strings.HasPrefix(t, `\p{`), strings.HasPrefix(t, `\P{`):
		_, script, named := strings.Cut(t[3:], "=")
		if named {
			return t[:3] + script
		}
	case len(t) > 2 && t[0] == '{':
		return counter(t)
	}
	return t
}

// back is what a reference back is replaced by.
func back(groups []*group, name string, index int) string {
	for i, g := range groups {
		if i+1 == index || name != "" && g.name == name {
			return "(?:" + g.body.String() + ")"
		}
	}
	return ""
}

// counter cuts a repetition down to what RE2 reads.
func counter(t string) string {
	low, high, ranged := strings.Cut(strings.Trim(t, "{}"), ",")
	cut := func(n string) string {
		if i, err := strconv.Atoi(n); n != "" && (err != nil || i > maxCount) {
			return strconv.Itoa(maxCount)
		}
		return n
	}
	if !ranged {
		return "{" + cut(low) + "}"
	}
	return "{" + cut(low) + "," + cut(high) + "}"
}
