package encoding

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 4.7.3.
var responseNumbersFollowJsonSyntax = check.Check{
	Requirement: "AQL-4.7.3-01",
	Rule:        "Numbers in responses follow JSON number syntax.",
	Why:         "One literal that JSON does not know makes the whole answer unreadable, and only for those who parse strictly.",
	Handles:     check.Unanswered,
	Ambient: &check.Ambient{Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
		switch what := check.JSONDefect(o); {
		case what != "":
			return ruling.Violates("numbers in JSON syntax", what).By(o)
		case o.Envelope().Is(probes.Object):
			return ruling.Conforms()
		}
		return check.Irrelevant
	}},
	Fix: "use a serialiser that writes strict JSON; send null or a string for what is no number",
}

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

// Section 4.7.3.
var largeNumbersTravelAsStrings = check.Check{
	Requirement: "AQL-4.7.3-02",
	Rule:        "Values that need more than double precision are carried as strings.",
	Why:         "If the reader rounds a number, it no longer identifies the same object.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		if !o.Envelope().Is(probes.Object) {
			return check.Irrelevant
		}
		var found []string
		everyNumber(o.Envelope(), "", f.Nonce, false, func(path, token string) {
			if imprecise(token) && !strings.Contains(string(o.SentData()), token) {
				found = append(found, path+" "+token)
			}
		})
		if len(found) > 0 {
			return ruling.Departs("large numbers as strings", strings.Join(found[:min(len(found), 5)], ", ")).By(o)
		}
		return ruling.Conforms()
	}},
	Fix: "send integers beyond 2^53-1 and long decimals as strings",
}

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
	amountWord   = regexp.MustCompile(`(?i)\b(big ?int(eger)?|decimals?|numeric|amount)\b`)
	numberPhrase = regexp.MustCompile(`(?i)\b(a number|number of|numbers?\b.*\b(digits|precision))\b`)
	numberFormat = []string{"decimal", "bigint", "int64", "uint64", "int128", "number", "numeric", "money"}
)

// Section 4.7.3.
var stringCodedNumbersAreMarked = check.Check{
	Requirement: "AQL-4.7.3-04",
	Rule:        "The convention that tells string-coded numbers from ordinary strings is documented.",
	Why:         "A string of digits can be a number or a name. Only the adapter knows which.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		if !o.Succeeded() || o.Probe.Operation() == "introspect" {
			return check.Irrelevant
		}
		rs := []ruling.Ruling{}
		check.Walk(o.Data(), func(name string, v, in probes.Value) {
			ours := strings.Contains(string(o.SentData()), v.Text())
			if longDigits.MatchString(v.Text()) && !identifying.MatchString(name) && !ours {
				marked := in.At(name+"_type").Is(probes.String) || numberField(f, name)
				rs = append(rs, check.JudgeDocumented(f, "attest.string_numbers", marked, "the convention that marks numbers in strings", name+" without a type beside it or a description").By(o))
			}
		})
		if len(rs) == 0 {
			return check.Irrelevant
		}
		return ruling.Worst(rs...)
	}},
	Fix: "name the type of a number in a string beside it (amount_type) or in the description of the field",
}

// numberField reports whether introspection says that a field of this name holds
// a number.
func numberField(f *model.Adapter, name string) bool {
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
