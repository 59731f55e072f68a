package encoding

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.7.1.
var encodingCheckCoversWholeRequest = check.Check{
	Requirement: "AQL-4.7.1-08",
	Rule:        "The check covers the whole request: values, keys, operation names and metadata.",
	Why:         "A log or a store reads names and metadata too, and invalid bytes harm it there as they do in a value.",
	On:          check.MainModeOnly,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		b := badText(s, ask)
		for _, p := range textPlaces(s) {
			if ask(b.RawCallFrame("valid "+p.name, p.probe.Tool, check.FillPlaceholder(p.probe, "\u00e9")).Anew("valid text in its place: "+p.name)).Succeeded() || p.name != "nested value" {
				b.SendRisky(p.name, b.RawCallFrame(p.name, p.probe.Tool, check.FillPlaceholder(p.probe, "\xC3\x28")))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if known := check.RiskyRequestNamed(got, badForm{"AQL-4.7.1-03", "\xC3\x28"}.String()); known.Observation.Succeeded() {
			root := map[bool]string{true: "AQL-4.7.1-02", false: "AQL-4.7.1-03"}[lossy(got)]
			return ruling.NotProven("a refusal of bad text in a parameter", known.Observation).Because(root)
		}
		rs := []ruling.Ruling{}
		for _, p := range textPlaces(s) {
			if t := check.RiskyRequestNamed(got, p.name); t.WasSent() {
				rs = append(rs, textPlaced(p.name, t, got))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "check the whole request before looking at any part of it",
}

// A textPlace is a place beside the string values of params that text can stand in.
type textPlace struct {
	name  string
	probe probes.Probe
}

func textPlaces(s model.Subject) []textPlace {
	places := []textPlace{
		{"parameter name", s.Listing().With(check.Placeholder, 1)},
		{"operation", s.Listing().Top("operation", "introspect"+check.Placeholder)},
		{"metadata", s.Listing().Top("_aqlx", check.Placeholder)},
	}
	for _, v := range check.CarrierParameters(s.Adapter) {
		places = append(places, textPlace{"nested value", v.With(check.Placeholder)})
		break
	}
	return places
}

// textPlaced rules on bad text in one place. The first two hold a second fault,
// so there another code may answer that; metadata may be dropped unseen.
func textPlaced(place string, t check.RiskyRequest, got probes.Answers) ruling.Ruling {
	valid := got.Step("valid text in its place: " + place)
	want := badCode + " for bad text as " + place
	switch o := t.Observation; {
	case o.Succeeded() && place == "metadata":
		return ruling.Departs(want, o).Noting("metadata may be dropped unseen")
	case o.Succeeded() && place == "parameter name" && valid.Succeeded():
		return ruling.NotProven("a refusal of an unknown parameter", o).Because("OPS-9.2-06")
	case o.Succeeded():
		return ruling.Violates(want, o).By(valid)
	case o.Lost():
		return ruling.NotProven("an answer", o).Because("AQL-4.7.1-12")
	case o.Code() == "VALIDATION_INVALID_ENCODING":
		return ruling.Conforms().By(o)
	case o.RefusedBelow() || o.Refused() && !o.Deferred() && place != "metadata":
		return ruling.Departs(want, o)
	}
	return ruling.NotProven("a refusal of the bad text", t.Observation)
}

// Section 4.7.1.
var sessionSurvivesBadlyEncodedInput = check.Check{
	Requirement: "AQL-4.7.1-12",
	Rule:        "After refusing badly encoded input the same session goes on working.",
	Why:         "Broken text from one client must not end the sessions of others.",
	On:          check.MainModeOnly,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Drive:       func(s model.Subject, ask model.AskFunc) { badText(s, ask) },
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{}
		for _, f := range badForms {
			if t := check.RiskyRequestNamed(got, f.String()); t.WasSent() {
				rs = append(rs, t.Survived())
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "turn a decoding error into an answer; never leave the read loop",
}

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
