package wire

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// encodingFaults take bytes that are no UTF-8, or send them (spec 4.7.1). Each
// repairs one form of bad bytes before the healthy scan can see it, as a lenient
// decoder would, so that the other forms are still refused.
var encodingFaults = []seam.Fault{
	{ID: "AQL-4.7.1-01", Variant: "latin1-description", Defect: "one type description is emitted in Latin-1",
		Hooks: seam.Both(
			seam.Both(seam.TypeEntry("FieldSelection", seam.Set("description", inUTF8)), seam.TypeRecord("FieldSelection", seam.Set("description", inUTF8))),
			adapter.Hooks{Sent: func(message []byte) []byte { return bytes.ReplaceAll(message, []byte("à"), []byte{0xE0}) }})},
	{ID: "AQL-4.7.1-02", Variant: "overlong-accepted", Defect: "the decoder accepts overlong forms", Hooks: repairing(overlong)},
	{ID: "AQL-4.7.1-02", Variant: "lossy-decoding", Defect: "input is decoded with replacement characters",
		Hooks: repairing(anything)},
	{ID: "AQL-4.7.1-03", Variant: "bad-continuation-accepted", Defect: "a lead byte of three followed by ASCII is accepted", Hooks: repairing(badContinuation)},
	{ID: "AQL-4.7.1-03", Variant: "last-continuation-unchecked", Defect: "the last byte of a sequence of three or four is not checked", Hooks: repairing(badLast)},
	{ID: "AQL-4.7.1-04", Variant: "truncated-sequence-accepted", Defect: "a sequence cut off at the end of a string is accepted", Hooks: repairing(truncated)},
	{ID: "AQL-4.7.1-05", Variant: "surrogate-pass", Defect: "input is decoded with a surrogatepass option", Hooks: repairing(surrogate)},
	{ID: "AQL-4.7.1-06", Variant: "beyond-unicode-accepted", Defect: "four-byte sequences above U+10FFFF are accepted", Hooks: repairing(beyondUnicode)},
	{ID: "AQL-4.7.1-07", Variant: "bad-encoding-wrong-code", Defect: "bad encodings in a name are refused with VALIDATION_INVALID_TYPE",
		Hooks: seam.Results(func(arguments map[string]any, e adapter.Envelope) bool {
			name, _ := adapter.Object(arguments["params"])["name"].(string) // other places have a row of their own
			return strings.Contains(name, string(utf8.RuneError)) && seam.FailedWith("VALIDATION_INVALID_ENCODING")(nil, e)
		}, reshaped(func(e map[string]any) { adapter.Object(e["error"])["code"] = "VALIDATION_INVALID_TYPE" }))},
	{ID: "AQL-4.7.1-08", Variant: "only-param-values-checked", Defect: "only string values of params are checked", Hooks: adapter.Hooks{Arguments: repairedAround}},
	{ID: "AQL-4.7.1-09", Variant: "astral-refused", Defect: "introspect refuses characters outside the basic plane as bad encoding",
		Hooks: toIntrospect(func(raw []byte) []byte {
			value, err := adapter.Decode(raw)
			if err != nil || !utf8.Valid(raw) || !astral.MatchString(adapter.Printed(value)) {
				return raw
			}
			return astral.ReplaceAll([]byte(adapter.Printed(value)), []byte(`\ud800`))
		})},
	{ID: "AQL-4.7.1-09", Variant: "astral-stored-as-marks", Defect: "create_note stores ? for each character of its body beyond 16 bits",
		Hooks: storing("create_note", func(text string) string { return replacedRunes(text, 0xffff) })},
	{ID: "AQL-4.7.1-09", Variant: "title-in-latin-1", Defect: "update_note stores ? for each character of a title beyond Latin-1",
		Hooks: storing("update_note", func(text string) string { return replacedRunes(text, 0xff) })},
	{ID: "AQL-4.7.1-09", Variant: "marks-dropped", Defect: "create_note drops combining marks",
		Hooks: storing("create_note", func(text string) string {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			}, text)
		})},
	{ID: "AQL-4.7.1-09", Variant: "cut-at-line-separator", Defect: "create_note cuts texts at U+2028",
		Hooks: storing("create_note", func(text string) string { head, _, _ := strings.Cut(text, "\u2028"); return head })},
	{ID: "AQL-4.7.1-10", Variant: "nul-accepted", Defect: "a name containing U+0000 is looked up",
		Hooks: toIntrospect(func(raw []byte) []byte { return bytes.ReplaceAll(raw, []byte(`\u0000`), []byte(`\u0001`)) })},
	{ID: "AQL-4.7.1-11", Variant: "lone-escape-accepted", Defect: "\"\\ud800\" is accepted as text",
		Hooks: toIntrospect(func(raw []byte) []byte {
			if value, err := adapter.Decode(raw); err == nil && utf8.Valid(raw) && bytes.Contains(raw, []byte(`\u`)) {
				return []byte(adapter.Printed(value)) // which is how this decoder repairs
			}
			return raw
		})},
	{ID: "AQL-4.7.1-12", Variant: "decode-error-ends-loop", Defect: "a decoding error ends the read loop",
		Hooks: adapter.Hooks{Fatal: func(message, answer []byte) bool { return answer == nil && json.Valid(message) && !utf8.Valid(message) }}},
}

var astral = regexp.MustCompile(`[\x{10000}-\x{10FFFF}]`)

const inUTF8 = "Value of the parameter fields: a preset name, or a list of field paths à la carte"

// toIntrospect rewrites the raw arguments of introspect alone: other operations
// may be asked with unusual text for other reasons.
func toIntrospect(rewrite func(raw []byte) []byte) adapter.Hooks {
	return adapter.Hooks{Arguments: func(raw []byte) []byte {
		if bytes.Contains(raw, []byte(`"introspect"`)) {
			return rewrite(raw)
		}
		return raw
	}}
}

// A form measures the bad sequence at the start of rest; 0 if it is another.
type form func(rest []byte) int

// repairing puts U+FFFD in the place of bad bytes of one form.
func repairing(bad form) adapter.Hooks {
	return adapter.Hooks{Arguments: func(raw []byte) []byte { return repaired(raw, bad) }}
}

func repaired(raw []byte, bad form) []byte {
	if utf8.Valid(raw) {
		return raw
	}
	var out []byte
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if length := bad(raw[i:]); r == utf8.RuneError && size == 1 && length > 0 {
			out = append(out, "\uFFFD"...)
			i += length
			continue
		}
		out = append(out, raw[i:i+size]...)
		i += size
	}
	return out
}

func continues(rest []byte, from, to int) bool {
	if len(rest) < to {
		return false
	}
	for _, b := range rest[from:to] {
		if b&0xC0 != 0x80 {
			return false
		}
	}
	return true
}

// overlong forms write a character in more bytes than it needs.
func overlong(rest []byte) int {
	switch lead := rest[0]; {
	case lead&0xFE == 0xC0 && continues(rest, 1, 2):
		return 2
	case lead == 0xE0 && continues(rest, 1, 3) && rest[1] < 0xA0:
		return 3
	case lead == 0xF0 && continues(rest, 1, 4) && rest[1] < 0x90:
		return 4
	}
	return 0
}

// badContinuation is a lead byte of three, ASCII, and a continuation byte. A
// lead byte with ASCII alone may be a letter in Latin-1, which is another row.
func badContinuation(rest []byte) int {
	if rest[0]&0xF0 == 0xE0 && len(rest) > 2 && rest[1] < utf8.RuneSelf && continues(rest, 2, 3) {
		return 3
	}
	return 0
}

// badLast is a sequence of three or four bytes of which the last is ASCII, and no quote that closes its string.
func badLast(rest []byte) int {
	n := 3
	if rest[0]&0xF8 == 0xF0 {
		n = 4
	}
	if rest[0] >= 0xE0 && rest[0] < 0xF5 && len(rest) >= n && continues(rest, 1, n-1) && rest[n-1] < utf8.RuneSelf && rest[n-1] != '"' {
		return n
	}
	return 0
}

// truncated sequences end at the quote that closes their string.
func truncated(rest []byte) int {
	end := bytes.IndexByte(rest[:min(len(rest), 4)], '"')
	if rest[0] >= 0xC2 && rest[0] < 0xF5 && end > 0 && continues(rest, 1, end) {
		return end
	}
	return 0
}

// surrogate is one half of a pair in three bytes.
func surrogate(rest []byte) int {
	if rest[0] == 0xED && continues(rest, 1, 3) && rest[1] >= 0xA0 {
		return 3
	}
	return 0
}

func beyondUnicode(rest []byte) int {
	if rest[0] >= 0xF4 && rest[0] < 0xF8 && continues(rest, 1, 4) {
		return 4
	}
	return 0
}

// repairedAround repairs everything but the strings that stand directly in
// params.
func repairedAround(raw []byte) []byte {
	var request map[string]json.RawMessage
	var params map[string]json.RawMessage
	if json.Unmarshal(raw, &request) != nil || json.Unmarshal(request["params"], &params) != nil {
		return repaired(raw, anything)
	}
	for _, value := range params {
		if value[0] == '"' && !utf8.Valid(value) {
			return raw
		}
	}
	return repaired(raw, anything)
}

func anything([]byte) int { return 1 }

// storing changes the texts of notes before an operation stores them.
func storing(of string, change func(text string) string) adapter.Hooks {
	texts := func(fields map[string]any) map[string]any {
		for _, name := range []string{"title", "body"} {
			if text, ok := fields[name].(string); ok {
				fields[name] = change(text)
			}
		}
		return fields
	}
	return seam.Before(seam.Named(of), func(c adapter.Call, _ adapter.Operation) adapter.Call {
		if input := seam.Copied(c.Params()["input"]); input != nil {
			c = c.Given("input", texts(input))
		}
		if params := seam.Copied(c.Body["params"]); params != nil {
			c = c.With("params", texts(params))
		}
		return c
	})
}

// replacedRunes puts ? for what a narrow store has no room for.
func replacedRunes(text string, most rune) string {
	return strings.Map(func(r rune) rune {
		if r > most {
			return '?'
		}
		return r
	}, text)
}
