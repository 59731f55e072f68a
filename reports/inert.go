package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Inert makes text from an adapter harmless to a terminal, a log viewer and an
// XML parser: whatever is not a visible character (control characters, ANSI
// escapes, bidirectional and zero-width controls, broken UTF-8) is written as
// an escape. Inert text stays as it is.
func Inert(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case hidden(r):
			b.WriteString(escaped(r))
		default:
			b.WriteRune(r)
		}
		s = s[n:]
	}
	return b.String()
}

func hidden(r rune) bool { return !unicode.IsPrint(r) }

// escaped writes a rune as JSON does.
func escaped(r rune) string {
	if hi, lo := utf16.EncodeRune(r); hi != unicode.ReplacementChar {
		return fmt.Sprintf(`\u%04x\u%04x`, hi, lo)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// columns is the width of inert text on a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

// columnsOf knows combining marks and the blocks of wide characters (Unicode
// Annex 11, roughly): good enough to keep a line from running over.
func columnsOf(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f000:
		return 2
	}
	return 1
}

// fit returns how many bytes of s fill at most width columns.
func fit(s string, width int) int {
	used := 0
	for i, r := range s {
		if used += columnsOf(r); used > width {
			return i
		}
	}
	return len(s)
}

// cut shortens evidence to one line and says how many bytes there were: size, or what is here.
func cut(raw []byte, size, width int) string {
	const escape = 12 // the longest form a rune takes: no need to look at more of raw
	s := Inert(string(raw[:min(len(raw), escape*width)]))
	if columns(s) <= width && max(size, len(raw)) <= escape*width {
		return s
	}
	tail := fmt.Sprintf(" … (%d bytes)", max(size, len(raw)))
	return s[:fit(s, width-columns(tail))] + tail
}

// clip shortens a phrase to one line.
func clip(s string, width int) string {
	s = Inert(s)
	if columns(s) <= width {
		return s
	}
	return s[:fit(s, width-2)] + " …"
}

// wrap breaks text at spaces into lines of at most width columns. An adapter
// can make any text long: beyond a dozen lines only its size is told.
func wrap(s string, width int) []string {
	const enough = 1000 // columns, a dozen lines
	shown := Inert(s[:min(len(s), 4*enough)])
	if n := fit(shown, enough); n < len(shown) || len(s) > 4*enough {
		shown = fmt.Sprintf("%s … (%d bytes)", shown[:n], len(s))
	}
	return flow(shown, width)
}

// flow is wrap for text of any length. A word longer than a line is broken
// where it must be.
func flow(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(Inert(s)) {
		if line != "" && columns(line)+1+columns(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for n := fit(word, width); n < len(word); n = fit(word, width) {
			lines = append(lines, word[:n])
			word = word[n:]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// shell breaks a command so that it can still be pasted: at spaces outside
// quotes, each broken line ending in a backslash.
func shell(command string, width int) []string {
	var words []string
	var quote rune
	begin := 0
	s := Inert(command)
	for i, r := range s {
		switch {
		case quote != 0:
			if r == quote && (r == '\'' || i == 0 || s[i-1] != '\\') {
				quote = 0
			}
		case (r == '\'' || r == '"') && (i == 0 || s[i-1] != '\\'):
			quote = r
		case r == ' ' && (i == 0 || s[i-1] != '\\'):
			words = append(words, s[begin:i])
			begin = i + 1
		}
	}
	words = append(words, s[begin:])
	var lines []string
	line := words[0]
	for _, word := range words[1:] {
		if columns(line)+1+columns(word)+2 > width {
			lines = append(lines, line+" \\")
			line = word
			continue
		}
		line += " " + word
	}
	return append(lines, line)
}
