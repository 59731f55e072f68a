package model

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// askerFunc answers probes.
type askerFunc func(probes.Probe) probes.Observation

func (f askerFunc) Ask(_ context.Context, p probes.Probe) probes.Observation { return f(p) }

func refused(p probes.Probe, code, message, details string) probes.Observation {
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: fmt.Appendf(nil,
		`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":false,"error":{"code":%q,"message":%q,"details":%s}}}}`, code, message, details)}})
}

// A refusal that repeats a number tells a smaller one that would do. A number that it does not repeat is left.
func TestSmallerNumbersAreTakenFromRefusals(t *testing.T) {
	room := probes.ValueOf(map[string]any{"amount": "450.50", "unit": "L"})
	for name, c := range map[string]struct {
		sent             probes.Value
		message, details string
		want             string
	}{
		"a text in an object":    {room, "450.00 L free, 450.50 L asked", `{}`, `[{"amount":"1","unit":"L"} {"amount":"450.00","unit":"L"}]`},
		"in the details":         {room, "too much", `{"asked":450.5,"free":450}`, `[{"amount":"1","unit":"L"} {"amount":"450","unit":"L"}]`},
		"a number":               {probes.ValueOf(12), "12 seats asked, 8 left", `{}`, `[1 8]`},
		"another number":         {probes.ValueOf(12), "8 left", `{}`, `[]`},
		"a zero that is named":   {probes.ValueOf(map[string]any{"amount": "0"}), "no", `{"param_name":"volume.amount"}`, `[{"amount":"1"}]`},
		"a zero that is nothing": {probes.ValueOf(map[string]any{"amount": "0"}), "no", `{}`, `[]`},
	} {
		reply := refused(probes.Call("main", "aql", "create_lot", map[string]any{"volume": c.sent.Go()}), "CONFLICT_QUOTA_EXCEEDED", c.message, c.details)
		if got := fmt.Sprint(toldNumbers(probes.Parameter{Name: "volume"}, c.sent, reply)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Refusals tell the values of a text that a record leaves out.
func TestRequestIsRepairedFromRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		refuse func(p probes.Probe) (code, message, details string)
		want   string // of the currency
		proven bool
		atMost int
	}{
		"a list in the details": {refuse: func(probes.Probe) (string, string, string) {
			return "VALIDATION_INVALID_VALUE", "no", `{"param_name":"currency","choices":["EUR","USD"]}`
		}, want: "EUR", proven: true, atMost: 2},
		"a list that names nothing": {refuse: func(p probes.Probe) (string, string, string) {
			return "VALIDATION_INVALID_VALUE", "unerwartet: " + ValueIn(p, "currency").Text(), `{"erlaubt":{"werte":["EUR"]}}`
		}, want: "EUR", proven: true, atMost: 2},
		"words in the message": {refuse: func(probes.Probe) (string, string, string) {
			return "VALIDATION_INVALID_VALUE", "currency muss „USD“ oder „EUR“ sein", `{}`
		}, want: "EUR", proven: true, atMost: 3},
		"the names of parameters are no values": {refuse: func(probes.Probe) (string, string, string) {
			return "VALIDATION_INVALID_VALUE", "currency is wrong", `{"valid_params":["currency","region"]}`
		}, atMost: 5},
		"what exists is no value": {refuse: func(probes.Probe) (string, string, string) {
			return "CONFLICT_DUPLICATE", "currency exists", `{"existing":["EUR"]}`
		}, atMost: 5},
	} {
		t.Run(name, func(t *testing.T) {
			f := documented(Permissions{Create: true}, fixtures.Hints{}, "READ quote currency region")
			f.Operations[0].Parameters[1].Required = false
			f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
			f.scalarsFor = map[string][]int{}
			asked := 0
			b := f.knownGood(t.Context(), askerFunc(func(p probes.Probe) probes.Observation {
				asked++
				switch currency := ValueIn(p, "currency").Text(); {
				case currency == "EUR":
					return succeeded(p, `{"rate":1}`)
				}
				code, message, details := c.refuse(p)
				return refused(p, code, message, details)
			}), f.Operations[0])
			if got := ValueIn(b.Probe, "currency").Text(); (b.State == Proven) != c.proven || c.proven && got != c.want || asked > c.atMost+1 {
				t.Errorf("%s with %s after %d requests", b.State, strings.TrimSpace(string(b.Probe.Arguments())), asked)
			}
		})
	}
}

// A refusal tells the members of an object of which the record tells nothing.
func TestObjectIsCompletedFromRefusals(t *testing.T) {
	for _, c := range []struct {
		message, details string
		proven           bool
	}{
		{"input.name is required", `{}`, true},
		{"no", `{"field":"input.name"}`, true},
		{"no", `{"path":"/input/name"}`, true},
		{`input["name"] fehlt`, `{}`, true},
		{"other.input.name is required", `{}`, false},
		{"the input is wrong", `{}`, false},
		{"input.name and input.delete_existing are required", `{}`, false},
		{"input.notify is required, as is input.name", `{}`, false},
	} {
		f := documented(Permissions{Create: true}, fixtures.Hints{}, "READ quote input")
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
		f.scalarsFor = map[string][]int{}
		b := f.knownGood(t.Context(), askerFunc(func(p probes.Probe) probes.Observation {
			if ValueIn(p, "input").At("name").Is(probes.String) {
				return succeeded(p, `{"rate":1}`)
			}
			return refused(p, "VALIDATION_MISSING_PARAM", c.message, c.details)
		}), f.Operations[0])
		if (b.State == Proven) != c.proven {
			t.Errorf("%s %s: %s with %s", c.message, c.details, b.State, b.Probe.Arguments())
		}
	}
}

// An end that lies too early is moved behind the start, and a sentence that tells so is no time.
func TestTimesAreMovedBehindEachOther(t *testing.T) {
	f := documented(Permissions{Create: true}, fixtures.Hints{}, "READ quote until since")
	for i, name := range []string{"until", "since"} { // the end is documented first
		f.Operations[0].Parameters[i].Raw = probes.ValueOf(map[string]any{"name": name, "type": "string", "format": "date-time"})
	}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	f.scalarsFor = map[string][]int{}
	b := f.knownGood(t.Context(), askerFunc(func(p probes.Probe) probes.Observation {
		since, until := ValueIn(p, "since").Text(), ValueIn(p, "until").Text()
		if since < until && !strings.Contains(since+until, " ") {
			return succeeded(p, `{"rate":1}`)
		}
		return refused(p, "VALIDATION_INVALID_VALUE", "no", `{"param_name":"until","allowed":["a later time"]}`)
	}), f.Operations[0])
	if b.State != Proven {
		t.Errorf("%s with %s", b.State, b.Probe.Arguments())
	}
}

// Days that a refusal tells are tried, by themselves and in the fields of an object.
func TestDaysAreTakenFromRefusals(t *testing.T) {
	f := documented(Permissions{Create: true}, fixtures.Hints{}, "READ quote span day")
	day := func(name string) map[string]any {
		return map[string]any{"name": name, "type": "string", "format": "date", "required": true}
	}
	f.Operations[0].Parameters[0].Raw = probes.ValueOf(map[string]any{"name": "span", "type": "object", "fields": []any{day("from"), day("to")}})
	f.Operations[0].Parameters[0].Type = "object"
	f.Operations[0].Parameters[1].Raw = probes.ValueOf(day("day"))
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
	f.scalarsFor = map[string][]int{}
	b := f.knownGood(t.Context(), askerFunc(func(p probes.Probe) probes.Observation {
		if span := ValueIn(p, "span"); span.At("from").Text() < "1702-01-01" || span.At("to").Text() > "1890-12-31" {
			return refused(p, "VALIDATION_INVALID_VALUE", "The span has to lie within 1702-01-01 to 1890-12-31.", `{"param_name":"span"}`)
		}
		if ValueIn(p, "day").Text() <= "2030-05-01" {
			return refused(p, "VALIDATION_INVALID_VALUE", "A day after 2030-05-01.", `{"param_name":"day"}`)
		}
		return succeeded(p, `{"rate":1}`)
	}), f.Operations[0])
	if b.State != Proven {
		t.Errorf("%s with %s", b.State, b.Probe.Arguments())
	}
}

// What lies in an object of two parts gets both of the same object; a name by itself is not that of another kind.
func TestNewObjectsLieInWhatIsOurs(t *testing.T) {
	f := documented(Permissions{Create: true}, fixtures.Hints{}, "CREATE open_policy member_no", "CREATE file_claim member_no policy_no text", "CREATE open_branch name", "CREATE hold_event name")
	key := func(v string) []probes.Value { return []probes.Value{probes.ValueOf(v)} }
	f.provenKeys = map[string]provenKey{
		"open_policy": {gate.Kind{Key: []string{"member_no", "policy_no"}}, append(key("M-7"), key("P-1")...)}, "open_branch": {gate.Kind{Key: []string{"name"}}, key("ours")},
	}
	values := map[string][]probes.Value{"member_no": key("M-1"), "policy_no": nil, "text": key("x")}
	f.ownTuple(f.Operations[1], values)
	if values["member_no"][0].Text() != "M-7" || first(values["policy_no"]).Text() != "P-1" {
		t.Errorf("a claim in %v", values)
	}
	values = map[string][]probes.Value{"name": key("a name")}
	f.ownTuple(f.Operations[3], values)
	if values["name"][0].Text() != "a name" {
		t.Errorf("an event called %v", values["name"])
	}
}

func TestLater(t *testing.T) {
	for format, c := range map[string][2]string{
		"date": {"2026-02-28", "2026-03-02"}, "date-time": {"2026-02-27T23:30:00+02:00", "2026-02-28T01:30:00+02:00"}, "email": {"x", "x"},
	} {
		p := probes.Parameter{Raw: probes.ValueOf(map[string]any{"format": format})}
		if got := later(p, probes.ValueOf(c[0]), 2); got.Text() != c[1] {
			t.Errorf("%s: %s, want %s", format, got, c[1])
		}
	}
}
