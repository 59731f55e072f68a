package encoding

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The text that an amount belongs to is not its form.
func TestStringFormIsNamed(t *testing.T) {
	for description, want := range map[string]bool{
		"Amount in cents, written as a string of digits": true, "Decimal text": true, "Amount in euros, as text": true, "Amount in cents; text": true,
		"Amount (text)": true, "A plain text that holds an amount": true, "Amount in text form": true, `Amount in euros, such as "12.50"`: true, "Amount, sent in quotes": true,
		"Amount in euros, printed under the text on the lid": false, "Amount planned for the note, in cents": false, "Amount of the text": false, "Amount in euros, such as 12.50": false,
	} {
		if got := asText.MatchString(description); got != want {
			t.Errorf("%q: %v, want %v", description, got, want)
		}
	}
}

// What is only called a number may be a name.
func TestAmounts(t *testing.T) {
	for description, want := range map[string]bool{
		"Amount in cents": true, "Price as a decimal": true, "Serial number of the maker": false, "A number with 10 digits": false,
	} {
		if got := anAmount(probes.Parameter{Raw: probes.ValueOf(map[string]any{"description": description})}); got != want {
			t.Errorf("%q: %v, want %v", description, got, want)
		}
	}
}

// A parameter that takes a text which is no number is no number that has to be a string.
func TestSerialNumbersAreNoAmounts(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "AQL-4.7.3-05")
	answer := func(step, envelope string) probes.Observation {
		return checktest.AnswerWithEnvelope(t, probes.Call("main", "create", "create_box", nil).As("number in a string: "+step), envelope)
	}
	const done, mistyped = `{"success":true,"data":{}}`, `{"success":false,"error":{"code":"VALIDATION_INVALID_TYPE","message":"'serial' must be a string"}}`
	s := model.Subject{Adapter: checktest.LivenessAdapter(), Op: probes.Operation{Name: "create_box", Category: "CREATE"},
		Par: probes.Parameter{Name: "serial", Type: "string", Raw: probes.ValueOf(map[string]any{"description": "Serial number of the maker"})}}
	got := probes.Answers{answer("string", done), answer("number", mistyped), answer("other text", done)}
	if r := judge(s, got); r.Verdict != reports.NotApplicable {
		t.Errorf("another text accepted: %s", r.Verdict)
	}
	got[2] = answer("other text", mistyped)
	if r := judge(s, got); r.Verdict != reports.Warn {
		t.Errorf("another text refused: %s", r.Verdict)
	}
}

// Another text is also sent where the words call the parameter an amount.
func TestAnotherTextIsSentForAmounts(t *testing.T) {
	f := checktest.LivenessAdapter()
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: f.Nonce}
	note := probes.Parameter{Name: "note", Type: "string", Raw: probes.ValueOf(map[string]any{"type": "string", "description": "Note on the amount inside"})}
	op := probes.Operation{Name: "get_note", Category: "READ", Tool: "read", Parameters: append(slices.Clone(f.Operations[0].Parameters), note)}
	f.Operations[0] = op
	var other any
	numbersNeededAsStringsAreDocumented.Drive(model.Subject{Adapter: f, Op: op, Par: note}, func(p probes.Probe) probes.Observation {
		if p.Step == "number in a string: other text" {
			other = p.Params()["note"]
		}
		return checktest.AnswerWithEnvelope(t, p, `{"success":true,"data":{}}`)
	})
	if text, sent := other.(string); !sent || numberText.MatchString(text) {
		t.Errorf("sends %v", other)
	}
}
