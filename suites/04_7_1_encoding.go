package suites

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

// A badForm is a way to break UTF-8, filed under the row that forbids it.
type badForm struct{ row, bytes string }

// badForms are written as bytes: a JSON encoder would replace them by U+FFFD, which
// is valid. None holds a quote or a backslash.
var badForms = []badForm{
	{"AQL-4.7.1-02", "\xC0\xAF"}, {"AQL-4.7.1-02", "\xC1\xBF"}, {"AQL-4.7.1-02", "\xE0\x80\xAF"}, {"AQL-4.7.1-02", "\xF0\x80\x80\xAF"},
	{"AQL-4.7.1-03", "\xC3\x28"}, {"AQL-4.7.1-03", "\x80"}, {"AQL-4.7.1-03", "\xBF\xBF"}, {"AQL-4.7.1-03", "\xE2\x28\xA1"}, {"AQL-4.7.1-03", "\xF0\x28\x8C\xBC"},
	{"AQL-4.7.1-04", "\xE2\x82"}, {"AQL-4.7.1-04", "\xF0\x9F\x98"}, {"AQL-4.7.1-04", "\xC3"},
	{"AQL-4.7.1-05", "\xED\xA0\x80"}, {"AQL-4.7.1-05", "\xED\xBF\xBF"}, {"AQL-4.7.1-05", "\xED\xA0\xBD\xED\xB8\x80"},
	{"AQL-4.7.1-06", "\xFE"}, {"AQL-4.7.1-06", "\xFF"}, {"AQL-4.7.1-06", "\xF5\x80\x80\x80"}, {"AQL-4.7.1-06", "\xF4\x90\x80\x80"}, {"AQL-4.7.1-06", "\xE9abc"},
}

// String names the form for the reader: name of the trial and of the finding.
func (f badForm) String() string { return fmt.Sprintf("text with the bytes % X", f.bytes) }

// text puts the bytes between letters, cut-off sequences before the closing quote.
func (f badForm) text() string {
	if f.row == "AQL-4.7.1-04" {
		return "x" + f.bytes
	}
	return "x" + f.bytes + "y"
}

// textControl numbers the controls of badText.
const textControl = 900

// badText sends a control with text that is unusual and valid, until a carrier
// takes it, and then every broken form in the same place.
func badText(s Subject, ask Asking) *bench {
	b := s.bench("text", ask)
	carrier := probes.Probe{}
	for i, c := range carriers(s.Face) {
		carrier = c
		if b.ask(b.frame("valid text", c.Tool, fill(c, "x\u00e9y")).Anew(textControl + i)).Succeeded() {
			break
		}
	}
	for _, f := range badForms {
		b.try(f.String(), b.frame(f.String(), carrier.Tool, fill(carrier, f.text())))
	}
	return b
}

// textAnswered returns the control that the broken forms differ from.
func textAnswered(got []probes.Observation) (control probes.Observation) {
	for _, o := range got {
		if o.Probe.Take >= textControl && o.Probe.Take < textControl+10 {
			control = o
		}
	}
	return control
}

// lossy reports whether every broken form was taken: then a decoder replaces what
// it cannot read, and that is one defect, not one for each form.
func lossy(got []probes.Observation) bool {
	return !slices.ContainsFunc(badForms, func(f badForm) bool { return !tried(got, f.String()).o.Succeeded() })
}

const badCode = "error VALIDATION_INVALID_ENCODING"

// acceptedNote names the usual cause of accepted bad text.
const acceptedNote = "many SDKs replace bad bytes by U+FFFD before the adapter sees the text: check the bytes of the request in the transport"

// textRefused rules on one request that differs from the control in its bad bytes
// alone.
func textRefused(t trial, control probes.Observation) Ruling {
	o := t.o
	switch {
	case !t.asked():
		return NotProven("an adapter that can still be asked", o).Because("AQL-4.7.1-12")
	case o.Succeeded():
		return Violates(badCode, o).Noting(acceptedNote).By(control)
	case o.Outcome == probes.Gone && t.next.Succeeded() && t.next.Status != 0:
		return Departs(badCode, o).Noting("the HTTP server closed the connection")
	case o.Outcome == probes.Silent && t.next.Succeeded():
		return Departs(badCode, "no answer").Noting("dropped by a layer below MCP-AQL").By(o)
	case o.Lost():
		return NotProven("an answer", o).Because("AQL-4.7.1-12")
	case o.Deferred(), o.Outcome == control.Outcome && o.Code() == control.Code():
		return NotProven("a refusal for the bad bytes", o).By(control)
	case o.RefusedBelow():
		return Departs(badCode, o).Noting("refused by a layer below MCP-AQL")
	case o.Refused():
		return Conforms().By(o, control)
	}
	return NotProven("a refusal in an envelope", o)
}

// refusesText is the check of one row's forms.
func refusesText(row string) Check {
	return Check{
		Requirement: row,
		On:          onMain,
		Lane:        probes.Exclusive,
		Losses:      true,
		Drive:       func(s Subject, ask Asking) { badText(s, ask) },
		Judge: func(_ Subject, got []probes.Observation) Ruling {
			if row != "AQL-4.7.1-02" && lossy(got) {
				return NotProven("a refusal of some bad text", "all of it accepted").Because("AQL-4.7.1-02")
			}
			var rs []Ruling
			for _, f := range badForms {
				if f.row == row {
					r := textRefused(tried(got, f.String()), textAnswered(got))
					if r.want == badCode {
						r.want += " for " + f.String()
					}
					rs = append(rs, r)
				}
			}
			return Worst(rs...)
		},
		Fix: "check the raw bytes of each request for valid UTF-8 before decoding; answer VALIDATION_INVALID_ENCODING",
	}
}

// Section 4.7.1. A slash written in two bytes passes filters that look for one.
var _ = register(refusesText("AQL-4.7.1-02"))

// Section 4.7.1. A lead byte that swallows what follows shifts the end of text.
var _ = register(refusesText("AQL-4.7.1-03"))

// Section 4.7.1. Half a character joins with whatever is appended to it later.
var _ = register(refusesText("AQL-4.7.1-04"))

// Section 4.7.1. Surrogates are no characters; two decoders read them as two texts.
var _ = register(refusesText("AQL-4.7.1-05"))

// Section 4.7.1. Bytes that no character has show that the sender uses another
// encoding; whatever is read into them was not meant.
var _ = register(refusesText("AQL-4.7.1-06"))

// Section 4.7.1. The code tells a client that its encoder is wrong, not its value.
var _ = register(Check{
	Requirement: "AQL-4.7.1-07",
	On:          onMain,
	Lane:        probes.Exclusive,
	Losses:      true,
	Drive:       func(s Subject, ask Asking) { badText(s, ask) },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		control := textAnswered(got)
		rs := []Ruling{}
		for _, f := range badForms {
			switch o := tried(got, f.String()).o; {
			case o.Refused() && !o.Deferred() && o.Code() == "VALIDATION_INVALID_ENCODING":
				rs = append(rs, Conforms().By(o))
			case o.Refused() && !o.Deferred() && o.Code() != control.Code():
				rs = append(rs, Violates(badCode, o).By(control))
			}
		}
		if len(rs) > 0 {
			return Worst(rs...)
		}
		for _, f := range badForms {
			if o := tried(got, f.String()).o; o.RefusedBelow() && !control.RefusedBelow() {
				return Departs(badCode, o).Noting("all refusals come from a layer below MCP-AQL")
			}
		}
		return NotProven("a refusal of bad text", "none").Because("AQL-4.7.1-02")
	},
	Fix: "answer text that is no valid UTF-8 with VALIDATION_INVALID_ENCODING",
})

// Section 4.7.1. The operation, the names and the metadata of a request are text
// like its values.
var _ = register(Check{
	Requirement: "AQL-4.7.1-08",
	On:          onMain,
	Lane:        probes.Exclusive,
	Losses:      true,
	Drive: func(s Subject, ask Asking) {
		b := badText(s, ask)
		for _, p := range textPlaces(s) {
			if ask(b.frame("valid "+p.name, p.probe.Tool, fill(p.probe, "\u00e9")).Anew(800)).Succeeded() || p.name != "nested value" {
				b.try(p.name, b.frame(p.name, p.probe.Tool, fill(p.probe, "\xC3\x28")))
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if known := tried(got, badForm{"AQL-4.7.1-03", "\xC3\x28"}.String()); known.o.Succeeded() {
			root := map[bool]string{true: "AQL-4.7.1-02", false: "AQL-4.7.1-03"}[lossy(got)]
			return NotProven("a refusal of bad text in a parameter", known.o).Because(root)
		}
		rs := []Ruling{}
		for _, p := range textPlaces(s) {
			if t := tried(got, p.name); t.asked() {
				rs = append(rs, textPlaced(p.name, t, got))
			}
		}
		return Worst(rs...)
	},
	Fix: "check the whole request before looking at any part of it",
})

// A textPlace is a place beside the string values of params that text can stand in.
type textPlace struct {
	name  string
	probe probes.Probe
}

func textPlaces(s Subject) []textPlace {
	places := []textPlace{
		{"parameter name", s.Listing().With(spot, 1)},
		{"operation", s.Listing().Top("operation", "introspect"+spot)},
		{"metadata", s.Listing().Top("_aqlx", spot)},
	}
	for _, v := range vehicles(s.Face) {
		places = append(places, textPlace{"nested value", v.with(spot)})
		break
	}
	return places
}

// textPlaced rules on bad text in one place. The first two hold a second fault,
// so there another code may answer that; metadata may be dropped unseen.
func textPlaced(place string, t trial, got []probes.Observation) Ruling {
	valid := got[slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == t.o.Probe.Take })-1]
	want := badCode + " for bad text as " + place
	switch o := t.o; {
	case o.Succeeded() && place == "metadata":
		return Departs(want, o).Noting("metadata may be dropped unseen")
	case o.Succeeded() && place == "parameter name" && valid.Succeeded():
		return NotProven("a refusal of an unknown parameter", o).Because("OPS-9.2-06")
	case o.Succeeded():
		return Violates(want, o).By(valid)
	case o.Lost():
		return NotProven("an answer", o).Because("AQL-4.7.1-12")
	case o.Code() == "VALIDATION_INVALID_ENCODING":
		return Conforms().By(o)
	case o.RefusedBelow() || o.Refused() && !o.Deferred() && place != "metadata":
		return Departs(want, o)
	}
	return NotProven("a refusal of the bad text", t.o)
}

// Section 4.7.1. One client's broken text must not cost the others their session.
var _ = register(Check{
	Requirement: "AQL-4.7.1-12",
	On:          onMain,
	Lane:        probes.Exclusive,
	Losses:      true,
	Drive:       func(s Subject, ask Asking) { badText(s, ask) },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		rs := []Ruling{}
		for _, f := range badForms {
			if t := tried(got, f.String()); t.asked() {
				rs = append(rs, t.survived())
			}
		}
		return Worst(rs...)
	},
	Fix: "turn a decoding error into an answer; never leave the read loop",
})

// badlyEncoded says what is wrong with the bytes of an answer, or "": want is
// graver than regrets.
func badlyEncoded(o probes.Observation) (violation, regret string) {
	data := o.ReceivedData()
	_, charset, declared := strings.Cut(strings.ToLower(o.Received.Note), "charset=")
	charset = strings.Trim(charset, `"; `)
	switch at := invalidByte(data); {
	case declared && charset != "" && !strings.HasPrefix(charset, "utf-8") && !strings.HasPrefix(charset, "utf8") && !strings.HasPrefix(charset, "us-ascii"):
		return "the charset " + charset, ""
	case at >= 0:
		return fmt.Sprintf("the byte %02X at offset %d", data[at], at), ""
	case loneEscape(string(data)), loneEscape(string(o.Envelope().Raw())):
		return "", "half a surrogate pair as escape"
	}
	return "", ""
}

// invalidByte returns the offset of the first byte that is not UTF-8, or -1.
func invalidByte(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
