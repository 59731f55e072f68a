package wire

import (
	"bytes"
	"encoding/hex"
	"unicode"
	"unicode/utf8"
)

// A reading is a line as a sequence of letters and digits, in lower case, whatever stands
// between them and however they are escaped: who hides a code in a text has many ways to
// write it.
type reading struct {
	line  []byte
	core  []byte  // the letters
	at    []int32 // where each stands in the line
	width []int8  // and in how many bytes
}

func readLetters(line []byte) *reading {
	r := &reading{core: make([]byte, 0, len(line)), at: make([]int32, 0, len(line)), width: make([]int8, 0, len(line))}
	r.read(line)
	return r
}

// read begins anew with another line.
func (r *reading) read(line []byte) {
	r.line, r.core, r.at, r.width = line, r.core[:0], r.at[:0], r.width[:0]
	for i := 0; i < len(line); {
		switch b := line[i]; {
		case alphanumeric(b):
			i += r.add(b, i, 1)
		case b == '\\':
			i = r.escape(i)
		case b == '%':
			i = r.coded(i, i+1)
		case b < utf8.RuneSelf:
			i++
		default:
			i = r.foreign(i)
		}
	}
}

// begins returns the last letter up to the n-th at which the line can be read as if it began there.
func (r *reading) begins(n int) int {
	for n > 0 && r.width[n] == 0 && !utf8.RuneStart(r.line[r.at[n]]) {
		n--
	}
	return n
}

func (r *reading) add(b byte, at, width int) int {
	r.core = append(r.core, lower(b))
	r.at, r.width = append(r.at, int32(at)), append(r.width, int8(min(width, 127)))
	return width
}

// escape reads what follows on a backslash, or on several where JSON lies in JSON.
func (r *reading) escape(i int) (next int) {
	slashes := i
	for i < len(r.line) && r.line[i] == '\\' {
		i++
	}
	switch {
	case i == len(r.line):
		return i
	case bytes.HasPrefix(r.line[i:], []byte("u00")):
		r.coded(slashes, i+3)
		return min(i+5, len(r.line))
	case r.line[i] == 'u':
		return min(i+5, len(r.line))
	case bytes.IndexByte([]byte("bfnrt"), r.line[i]) >= 0:
		return i + 1
	}
	return i
}

// coded reads a letter that is written as two hexadecimal digits.
func (r *reading) coded(from, digits int) (next int) {
	if digits+2 > len(r.line) {
		return digits
	}
	b, err := hex.DecodeString(string(r.line[digits : digits+2]))
	switch {
	case err != nil || b[0] >= utf8.RuneSelf: // a percent sign, as a rule
		return from + 1
	case !alphanumeric(b[0]) || digits+2-from > 127:
		return digits + 2
	}
	r.add(b[0], from, digits+2-from)
	return digits + 2
}

// foreign reads a character beyond ASCII.
func (r *reading) foreign(i int) (next int) {
	c, size := utf8.DecodeRune(r.line[i:])
	if unicode.IsLetter(c) || unicode.IsDigit(c) {
		for n, b := range utf8.AppendRune(nil, unicode.ToLower(c)) {
			r.core = append(r.core, b)
			r.at, r.width = append(r.at, int32(i+min(n, size-1))), append(r.width, 0)
		}
	}
	return i + size
}

// put writes a letter in the place of the n-th, as that was written.
func (r *reading) put(n int, b byte) {
	at, width := int(r.at[n]), int(r.width[n])
	switch {
	case width == 0: // not exchanged
	case width == 1:
		r.line[at] = alike(r.line[at], b)
	default:
		digits := r.line[at+width-2 : at+width]
		was, _ := hex.DecodeString(string(digits)) // as it was read
		text := hex.EncodeToString([]byte{alike(was[0], b)})
		if bytes.ContainsAny(digits, "ABCDEF") {
			text = string(bytes.ToUpper([]byte(text)))
		}
		copy(digits, text)
	}
}

// joined reports whether two letters that follow on each other are of one word.
func (r *reading) joined(n int) bool {
	return n > 0 && n < len(r.at) && int(r.at[n-1])+max(int(r.width[n-1]), 1) >= int(r.at[n])
}

// alike is the letter in the case of another.
func alike(was, b byte) byte {
	if was >= 'A' && was <= 'Z' && b >= 'a' && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b - 'A' + 'a'
	}
	return b
}
