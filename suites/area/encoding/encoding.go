package encoding

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A badForm is a way to break UTF-8, filed under the row that forbids it.
type badForm struct{ row, bytes string }

// badForms are written as bytes: a JSON encoder would replace them by U+FFFD, which
// is valid. None holds a quote or a backslash.
var badForms = []badForm{
	{"AQL-4.7.1-02", "\xC0\xAF"}, {"AQL-4.7.1-02", "\xC1\xBF"}, {"AQL-4.7.1-02", "\xE0\x80\xAF"}, {"AQL-4.7.1-02", "\xF0\x80\x80\xAF"}, {"AQL-4.7.1-02", "\xE0\x9F\xBF"},
	{"AQL-4.7.1-02", "\xF0\x8F\xBF\xBF"},
	{"AQL-4.7.1-03", "\xC3\x28"}, {"AQL-4.7.1-03", "\x80"}, {"AQL-4.7.1-03", "\xBF\xBF"}, {"AQL-4.7.1-03", "\xE2\x28\xA1"}, {"AQL-4.7.1-03", "\xF0\x28\x8C\xBC"},
	{"AQL-4.7.1-03", "\xE2\x82\x28"}, {"AQL-4.7.1-03", "\xF0\x9F\x98\x28"},
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

// badText sends a control with text that is unusual and valid, until a carrier accepts it, and then
// every broken form in the same place.
func badText(s model.Subject, ask model.AskFunc) *check.IsolatedSession {
	b := check.NewIsolatedSession(s, "text", ask)
	carrier := probes.Probe{}
	for i, c := range check.TextCarriers(s.Adapter) {
		carrier = c
		if b.Ask(b.RawCallFrame("valid text", c.Tool, check.FillPlaceholder(c, "x\u00e9y")).Anew(probes.Nth("valid text", i))).Succeeded() {
			break
		}
	}
	for _, f := range badForms {
		b.SendRisky(f.String(), b.RawCallFrame(f.String(), carrier.Tool, check.FillPlaceholder(carrier, f.text())))
	}
	return b
}

// textAnswered returns the control that the broken forms differ from.
func textAnswered(got probes.Answers) (control probes.Observation) {
	for _, o := range got.Under("valid text") {
		control = o
	}
	return control
}

// lossy reports whether every broken form was accepted. Then a decoder replaces what it cannot read,
// and that is one defect, not one for each form.
func lossy(got probes.Answers) bool {
	return !slices.ContainsFunc(badForms, func(f badForm) bool { return !check.RiskyRequestNamed(got, f.String()).Observation.Succeeded() })
}

const badCode = "error VALIDATION_INVALID_ENCODING"

// acceptedNote names the usual cause of accepted bad text.
const acceptedNote = "many SDKs replace bad bytes by U+FFFD before the adapter sees the text: check the bytes of the request in the transport"

// textRefused rules on one request that differs from the control in its bad bytes
// alone.
func textRefused(t check.RiskyRequest, control probes.Observation) ruling.Ruling {
	o := t.Observation
	switch {
	case !t.WasSent(), o.HungUp():
		return ruling.NotProven("an adapter that can still be asked", o).Because("AQL-4.7.1-12")
	case o.Succeeded():
		return ruling.Violates(badCode, o).Noting(acceptedNote).By(control)
	case o.Outcome == probes.Gone && t.Next.Succeeded() && t.Next.Status != 0:
		return ruling.Departs(badCode, o).Noting("the HTTP server closed the connection")
	case o.Outcome == probes.Silent && t.Next.Succeeded():
		return ruling.Departs(badCode, "no answer").Noting("dropped by a layer below MCP-AQL").By(o)
	case o.Lost():
		return ruling.NotProven("an answer", o).Because("AQL-4.7.1-12")
	case o.Deferred(), o.Outcome == control.Outcome && o.Code() == control.Code():
		return ruling.NotProven("a refusal for the bad bytes", o).By(control)
	case o.RefusedBelow():
		return ruling.Departs(badCode, o).Noting("refused by a layer below MCP-AQL")
	case o.Refused():
		return ruling.Conforms().By(o, control)
	}
	return ruling.NotProven("a refusal in an envelope", o)
}

// refusesText is the check of one row's forms.
func refusesText(row string) check.Check {
	return check.Check{
		Requirement: row,
		On:          check.MainModeOnly,
		Lane:        probes.Exclusive,
		Handles:     check.Unanswered,
		Drive:       func(s model.Subject, ask model.AskFunc) { badText(s, ask) },
		Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
			if row != "AQL-4.7.1-02" && lossy(got) {
				return ruling.NotProven("a refusal of some bad text", "all of it accepted").Because("AQL-4.7.1-02")
			}
			var rs []ruling.Ruling
			for _, f := range badForms {
				if f.row == row {
					r := textRefused(check.RiskyRequestNamed(got, f.String()), textAnswered(got))
					if r.Want == badCode {
						r.Want += " for " + f.String()
					}
					rs = append(rs, r)
				}
			}
			return ruling.Worst(rs...)
		},
		Fix: "check the raw bytes of each request for valid UTF-8 before decoding; answer VALIDATION_INVALID_ENCODING under its id (explain says how)",
	}
}

// Section 4.7.1.
var overlongUtf8FormsAreRefused = refusesText("AQL-4.7.1-02").WithRule(
	"A request containing an overlong UTF-8 form is refused.",
	"A slash written in two bytes passes filters that look for one.")

// Section 4.7.1.
var badContinuationBytesAreRefused = refusesText("AQL-4.7.1-03").WithRule(
	"A request with a bad or lone continuation byte is refused.",
	"A lead byte that swallows what follows shifts the end of text.")

// Section 4.7.1.
var truncatedUtf8SequencesAreRefused = refusesText("AQL-4.7.1-04").WithRule(
	"A request with a truncated multi-byte sequence is refused.",
	"Half a character joins with whatever is appended to it later.")

// Section 4.7.1.
var encodedSurrogatesAreRefused = refusesText("AQL-4.7.1-05").WithRule(
	"A request with UTF-8 encoded surrogate code points is refused.",
	"Surrogates are no characters; two decoders read them as two texts.")

// Section 4.7.1.
var impossibleBytesAndCodePointsAre = refusesText("AQL-4.7.1-06").WithRule(
	"Bytes that can never occur in UTF-8 and code points above U+10FFFF are refused.",
	"Bytes that no character has show that the sender uses another encoding; whatever is read into them was not meant.")

// Section 4.7.1.
var badEncodingHasItsDefinedCode = check.Check{
	Requirement: "AQL-4.7.1-07",
	Rule:        "The refusal of badly encoded text uses the code VALIDATION_INVALID_ENCODING.",
	Why:         "The code tells a client that its encoder is wrong, not its value.",
	On:          check.MainModeOnly,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Drive:       func(s model.Subject, ask model.AskFunc) { badText(s, ask) },
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		control := textAnswered(got)
		rs := []ruling.Ruling{}
		for _, f := range badForms {
			switch o := check.RiskyRequestNamed(got, f.String()).Observation; {
			case o.Refused() && !o.Deferred() && o.Code() == "VALIDATION_INVALID_ENCODING":
				rs = append(rs, ruling.Conforms().By(o))
			case o.Refused() && !o.Deferred() && o.Code() != control.Code():
				rs = append(rs, ruling.Violates(badCode, o).By(control))
			}
		}
		if len(rs) > 0 {
			return ruling.Worst(rs...)
		}
		for _, f := range badForms {
			if o := check.RiskyRequestNamed(got, f.String()).Observation; o.RefusedBelow() && !control.RefusedBelow() {
				return ruling.Departs(badCode, o).Noting("all refusals come from a layer below MCP-AQL")
			}
		}
		return ruling.NotProven("a refusal of bad text", "none").Because("AQL-4.7.1-02")
	},
	Fix: "answer text that is no valid UTF-8 with VALIDATION_INVALID_ENCODING",
}
