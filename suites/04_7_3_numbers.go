package suites

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// notJSON are the ways in which serialisers leave JSON's number syntax, outside
// of strings.
var notJSON = []struct {
	what    string
	pattern *regexp.Regexp
	repair  string
}{
	{"NaN", regexp.MustCompile(`([\[:,]\s*)[+-]?NaN\b`), "${1}0"},
	{"Infinity", regexp.MustCompile(`([\[:,]\s*)[+-]?(?:Infinity|Inf|inf)\b`), "${1}0"},
	{"a hexadecimal number", regexp.MustCompile(`([\[:,]\s*)[+-]?0[xX][0-9a-fA-F]+`), "${1}0"},
	{"a number with leading zeros or a plus sign", regexp.MustCompile(`([\[:,]\s*-?)(?:\+|0+)([0-9])`), "${1}${2}"},
	{"a number that begins or ends with its point", regexp.MustCompile(`([\[:,]\s*-?)(?:\.([0-9]+)|([0-9]+)\.)(\s*[,\]}])`), "${1}0${4}"},
	{"a comma behind the last element", regexp.MustCompile(`,(\s*[\]}])`), "${1}"},
}

var jsonString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// strayFromJSON names what keeps a text from being JSON, or returns "" when it is
// JSON or something else altogether.
func strayFromJSON(text string) string {
	if json.Valid([]byte(text)) {
		return ""
	}
	bare, what := jsonString.ReplaceAllString(text, `""`), ""
	for _, d := range notJSON {
		for repaired := d.pattern.ReplaceAllString(bare, d.repair); repaired != bare; repaired = d.pattern.ReplaceAllString(bare, d.repair) {
			bare = repaired
			if what == "" {
				what = d.what
			}
		}
	}
	if _, err := probes.ParseValue([]byte(bare)); err != nil {
		return ""
	}
	return what
}

// crooked names what keeps an answer, or the envelope in its text, from being
// JSON.
func crooked(o probes.Observation) string {
	if o.Outcome == probes.Garbled {
		return strayFromJSON(string(o.ReceivedData()))
	}
	for _, item := range o.Result().At("content").Items() {
		text := strings.TrimSpace(item.At("text").Text())
		if strings.HasPrefix(text, "{") && strings.Contains(text, `"success"`) {
			if what := strayFromJSON(text); what != "" {
				return what
			}
		}
	}
	return ""
}

// Section 4.7.3. One literal that JSON does not know makes the whole answer
// unreadable, and only for those who parse strictly.
var _ = register(Check{
	Requirement: "AQL-4.7.3-01",
	Losses:      true,
	Watch: func(_ *Face, o probes.Observation) Ruling {
		switch what := crooked(o); {
		case what != "":
			return Violates("numbers in JSON syntax", what).By(o)
		case o.Envelope().Is(probes.Object):
			return Conforms()
		}
		return elsewhere
	},
	Fix: "use a serialiser that writes strict JSON; send null or a string for what is no number",
})

// maxSafe is the largest integer that double precision holds exactly.
const maxSafe = "9007199254740991"

// imprecise reports whether a number token says more than double precision holds.
func imprecise(token string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(token, "-")), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if exponent == "" && strings.Trim(fraction, "0") == "" {
		return len(whole) > len(maxSafe) || len(whole) == len(maxSafe) && whole > maxSafe
	}
	return len(strings.Trim(whole+fraction, "0")) > 17
}

// Section 4.7.3. A number that its reader rounds identifies something else.
var _ = register(Check{
	Requirement: "AQL-4.7.3-02",
	Watch: func(f *Face, o probes.Observation) Ruling {
		if !o.Envelope().Is(probes.Object) {
			return elsewhere
		}
		var found []string
		everyNumber(o.Envelope(), "", f.Nonce, false, func(path, token string) {
			if imprecise(token) && !strings.Contains(string(o.SentData()), token) {
				found = append(found, path+" "+token)
			}
		})
		if len(found) > 0 {
			return Departs("large numbers as strings", strings.Join(found[:min(len(found), 5)], ", ")).By(o)
		}
		return Conforms()
	},
	Fix: "send integers beyond 2^53-1 and long decimals as strings",
})

// everyNumber visits the number tokens below a value with their places. In an
// object that carries our mark only the identifiers are the adapter's own: the
// other numbers may be what we wrote.
func everyNumber(v probes.Value, path, mark string, ours bool, visit func(path, token string)) {
	switch v.Kind() {
	case probes.Number:
		visit(path, string(v.Raw()))
	case probes.Object:
		ours = ours || slices.ContainsFunc(v.Members(), func(m probes.Member) bool { return strings.Contains(m.Value.Text(), mark) })
		for _, m := range v.Members() {
			if !ours || !m.Value.Is(probes.Number) || ownName.MatchString(m.Name) {
				everyNumber(m.Value, strings.TrimPrefix(path+"."+m.Name, "."), mark, ours, visit)
			}
		}
	case probes.Array:
		for i, item := range v.Items() {
			if !ours || !item.Is(probes.Number) {
				everyNumber(item, fmt.Sprintf("%s[%d]", path, i), mark, ours, visit)
			}
		}
	}
}

var (
	longDigits   = regexp.MustCompile(`^-?\d{16,}$`)
	numberWord   = regexp.MustCompile(`(?i)\b(big ?int(eger)?|decimals?|numeric|number|integer|amount)\b`)
	identifying  = regexp.MustCompile(`(?i)(^|_)(id|ids|uuid|key|ref|token|cursor|hash|checksum|code|number|no|isbn|imei|iban|phone)$`)
	ownName      = regexp.MustCompile(`(?i)(^|_)(id|ids|uuid|key|ref)$`)
	asText       = regexp.MustCompile(`(?i)\b(string|text|quoted|quotes|quotation)`)
	amountWord   = regexp.MustCompile(`(?i)\b(big ?int(eger)?|decimals?|numeric|amount|a number|number of|numbers?\b.*\b(digits|precision))\b`)
	numberFormat = []string{"decimal", "bigint", "int64", "uint64", "int128", "number", "numeric", "money"}
)

// Section 4.7.3. Digits in a string may be a number or a name; only the adapter
// knows which.
var _ = register(Check{
	Requirement: "AQL-4.7.3-04",
	Watch: func(f *Face, o probes.Observation) Ruling {
		if !o.Succeeded() || o.Probe.Operation() == "introspect" {
			return elsewhere
		}
		rs := []Ruling{}
		walk(o.Data(), func(name string, v, in probes.Value) {
			ours := strings.Contains(string(o.SentData()), v.Text())
			if longDigits.MatchString(v.Text()) && !identifying.MatchString(name) && !ours {
				marked := in.At(name+"_type").Is(probes.String) || numberField(f, name)
				rs = append(rs, attested(f, "attest.string_numbers", marked, "the convention that marks numbers in strings", name+" without a type beside it or a description").By(o))
			}
		})
		if len(rs) == 0 {
			return elsewhere
		}
		return Worst(rs...)
	},
	Fix: "name the type of a number in a string beside it (amount_type) or in the description of the field",
})

// numberField reports whether introspection says that a field of this name holds
// a number.
func numberField(f *Face, name string) bool {
	says := func(r probes.Value) bool {
		return r.At("name").Text() == name && (numberWord.MatchString(r.At("description").Text()+" "+r.At("type").Text()) || slices.Contains(numberFormat, r.At("format").Text()))
	}
	for _, t := range f.Types {
		if slices.ContainsFunc(t.Details.At("fields").Items(), says) {
			return true
		}
	}
	for _, o := range f.Operations {
		if slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return says(p.Raw) }) {
			return true
		}
	}
	return false
}

// Section 4.7.3. A model sends numbers as numbers unless it is told otherwise.
var _ = register(Check{
	Requirement: "AQL-4.7.3-05",
	On: only(eachWith("type"), func(s Subject) bool {
		return s.Par.Type == "string" && len(s.EnumOf(s.Par)) == 0 &&
			(amountWord.MatchString(s.Par.Raw.At("description").Text()) || slices.Contains(numberFormat, s.Par.Raw.At("format").Text()))
	}),
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		ask(s.Lookup("operations", s.Op.Name))
		if reads := s.Op.Category == "READ" || s.Op.Category == "CREATE"; reads && s.Baseline().State == Proven {
			ask(s.anew(140).With(s.Par.Name, "12.50"))
			ask(s.anew(141).With(s.Par.Name, 12.5))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		found := asText.MatchString(s.Par.Raw.At("description").Text())
		if !found && len(got) == 3 && got[1].Succeeded() && rejected(s, got[2]) {
			if word, given := s.Hint("attest.string_numbers"); !given || word == "no" {
				return Departs("a word about the string form", "a number that is accepted only as string").By(got[2], got[1])
			}
		}
		return attested(s.Face, "attest.string_numbers", found, "a word about the string form", "a description without it")
	},
	Fix: "say in the description that the number is given as a string",
})
