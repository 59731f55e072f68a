package encoding

import (
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.7.1.
var everythingSentIsValidUtf8 = check.Check{
	Requirement: "AQL-4.7.1-01",
	Rule:        "Every byte the adapter sends on the protocol stream is valid UTF-8.",
	Why:         "Text in another encoding than UTF-8 is read as different characters.",
	Ambient: &check.Ambient{
		AllRequests: true,
		Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
			if len(o.ReceivedData()) == 0 {
				return check.Irrelevant
			}
			switch violation, regret := badlyEncoded(o); {
			case violation != "":
				return ruling.Violates("valid UTF-8", violation).By(o)
			case regret != "":
				return ruling.Departs("characters that exist", regret).By(o)
			}
			return ruling.Conforms()
		},
		Unsolicited: func(_ *model.Adapter, strays []probes.Frame) ruling.Ruling {
			for _, f := range strays {
				switch {
				case f.Note == "byte order mark before a message":
					return ruling.Departs("a message without a byte order mark", "one with it")
				case invalidByte(f.Data) >= 0:
					return ruling.Violates("valid UTF-8", "a stray message that is not").Noting(ruling.Clip(string(f.Data)))
				}
			}
			return check.Irrelevant
		},
	},
	Handles: check.Unanswered,
	Fix:     "write UTF-8 on the protocol stream, without a byte order mark",
}

// loneEscape reports whether JSON text holds an escape for half a surrogate pair.
func loneEscape(text string) bool {
	unit := func(i int) int64 {
		if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return -1
		}
		n, err := strconv.ParseInt(text[i+2:i+6], 16, 32)
		if err != nil {
			return -1
		}
		return n
	}
	for i := strings.IndexByte(text, '\\'); i >= 0 && i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch n := unit(i); {
		case n >= 0xD800 && n < 0xDC00 && unit(i+6) >= 0xDC00 && unit(i+6) < 0xE000:
			i += 11
		case n >= 0xD800 && n < 0xE000:
			return true
		default:
			i++ // what is escaped starts no escape
		}
	}
	return false
}

// lookupOf is a lookup whose name is written as JSON text by hand.
func lookupOf(s model.Subject, json string) probes.Probe {
	p := s.Lookup("operations", check.Placeholder)
	params := append([]byte(`{"name":`), probes.ValueOf(p.Tool).Raw()...)
	params = append(append(params, `,"arguments":`...), check.FillPlaceholder(p, json)...)
	return probes.Probe{Conn: p.Conn, Method: "tools/call"}.WithRaw(append(params, '}'))
}

// unusual are strings that are valid and seldom seen. Those of the second kind
// are legal in UTF-8 although some readers dislike them.
var unusual = []struct {
	json, what string
	assigned   bool
}{
	{"a\U0001F600", "U+1F600", true}, {`a\ud83d\ude00`, "U+1F600 as a pair of escapes", true}, {"e\u0301", "a combining mark", true},
	{"a\u2028b", "U+2028", true}, {"\uD7FF", "U+D7FF", true},
	{"a\uFFFDb", "U+FFFD", false}, {"a\uFFFF", "U+FFFF", false}, {"a\U0010FFFF", "U+10FFFF", false}, {"a\uFEFFb", "U+FEFF", false}, {"\uE000", "U+E000", false},
}

// Section 4.7.1.
var validUnusualTextIsAccepted = check.Check{
	Requirement: "AQL-4.7.1-09",
	Rule:        "Valid but unusual UTF-8 is not refused as an encoding error.",
	Why:         "An adapter that detects bad text by U+FFFD or by its length rejects valid text in many languages.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{lookupOf(s, "aqlx_"+s.Nonce)}
		for i, u := range unusual {
			ps = append(ps, lookupOf(s, u.json).As(probes.Nth("unusual text", i)))
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		control, rs := got[0], []ruling.Ruling{ruling.Conforms().By(got...)}
		if control.Code() == "VALIDATION_INVALID_ENCODING" || control.RefusedBelow() {
			return ruling.NotProven("a lookup by plain text", control)
		}
		for i, o := range got.Under("unusual text") {
			refused := o.Code() == "VALIDATION_INVALID_ENCODING" || o.RPCError().At("code").String() == "-32700"
			switch want := "no complaint about the encoding of " + unusual[i].what; {
			case refused && unusual[i].assigned:
				rs = append(rs, ruling.Violates(want, o).By(control))
			case refused:
				rs = append(rs, ruling.Departs(want, o).By(control))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "check the bytes, not the characters: every code point but the surrogates is valid",
}

// allowsNull reports whether a description allows the null character.
func allowsNull(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "u+0000") || strings.Contains(text, "null character") || strings.Contains(text, "null byte") || strings.Contains(text, "nul byte")
}

// Section 4.7.1.
var nullCharactersAreRefused = check.Check{
	Requirement: "AQL-4.7.1-10",
	Rule:        "Strings containing U+0000 are refused unless the parameter documents support.",
	Why:         "A null character ends the string in some layers and not in others. The value that was checked then differs from the value that is used.",
	On: func(f *model.Adapter) []model.Subject {
		read := model.Only(model.EachParameterWith("type"), func(s model.Subject) bool {
			kinds, _ := f.Kinds(s.Par.Type)
			usable := s.Op.Category == "READ" && s.Op.Name != "introspect" && s.KnownGoodRequest().State == model.Proven
			return usable && len(kinds) == 1 && kinds[0] == "string" && len(f.EnumOf(s.Par)) == 0
		})(f)
		for i, s := range read {
			if allowsNull(s.Par.Raw.At("description").Text()) {
				read[i] = s.WithRuling(ruling.NotApplicable("the parameter documents that it takes the null character"))
			}
		}
		return append(model.IntrospectSubject(f), read...)
	},
	Ask: func(s model.Subject) []probes.Probe {
		if s.Par.Name == "" {
			return []probes.Probe{s.Lookup("operations", "aqlx_"+s.Nonce), s.Lookup("operations", "aqlx_"+s.Nonce+"\x00b").As("null character")}
		}
		valid := s.ValidCall()
		if values := s.Gen.Values(s.Op, s.Par); !model.ValueIn(valid, s.Par.Name).Is(probes.String) && len(values) > 0 {
			valid = valid.With(s.Par.Name, values[0].Go())
		}
		return []probes.Probe{valid, valid.With(s.Par.Name, model.ValueIn(valid, s.Par.Name).Text()+"\x00b").As("null character")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		control, o := got[0], got.Step("null character")
		switch {
		case o.Succeeded():
			return ruling.Departs("a refusal of text with U+0000", o).By(control)
		case o.Deferred(), control.Outcome == o.Outcome && control.Code() == o.Code():
			return ruling.NotProven("a refusal for the null character", o).By(control)
		}
		return ruling.Conforms().By(o, control)
	},
	Fix: "refuse strings that hold U+0000, or document that the parameter takes them",
}

// Section 4.7.1.
var loneSurrogateEscapesAreRefused = check.Check{
	Requirement: "AQL-4.7.1-11",
	Rule:        "An unpaired surrogate written as a JSON escape is treated as invalid text as well.",
	Why:         "An unpaired surrogate is not a character. Readers replace it, and different readers replace it differently.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{lookupOf(s, "aqlx_"+s.Nonce), lookupOf(s, `\ud800`).As("half a pair 1"), lookupOf(s, `\udc00x`).As("half a pair 2")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{}
		for _, o := range got.Under("half a pair") {
			switch {
			case o.Succeeded():
				rs = append(rs, ruling.Departs("a refusal of half a surrogate pair", o).By(got[0]))
			case o.Deferred(), got[0].Outcome == o.Outcome && got[0].Code() == o.Code():
				rs = append(rs, ruling.NotProven("a refusal for the half pair", o).By(got[0]))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "look for escapes of half a surrogate pair in the raw request",
}
