package check

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
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

// Crooked names what keeps an answer, or the envelope in its text, from being
// JSON.
func Crooked(o probes.Observation) string {
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

// Walk visits every member below a value, with the object it stands in.
func Walk(v probes.Value, visit func(name string, value, in probes.Value)) {
	for _, m := range v.Members() {
		visit(m.Name, m.Value, v)
		Walk(m.Value, visit)
	}
	for _, item := range v.Items() {
		Walk(item, visit)
	}
}

// TextControl numbers the controls of badText.
const TextControl = 900

var (
	chanceWord = regexp.MustCompile(`[A-Za-z0-9_+/=\-]{16,}`)
	dateWord   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)
	knownNames = regexp.MustCompile(`(?i)token|session|execution|request|trace|cursor|etag|version|timestamp|verification_?id|challenge_?id`)
)

// Unexplained are the words of a directive of which something holds, and that nothing
// explains.
func Unexplained(s model.Subject, directive probes.Value, got []probes.Observation, looks func(string) bool) []string {
	var known strings.Builder
	for _, o := range got {
		if o.Probe.Operation() == "execute_agent" {
			known.Write(o.ReceivedData())
		}
		known.Write(o.Probe.Payload())
	}
	var ids, words []string
	var walk func(name string, v probes.Value)
	walk = func(name string, v probes.Value) {
		switch v.Kind() {
		case probes.Object:
			for _, m := range v.Members() {
				walk(m.Name, m.Value)
			}
		case probes.Array:
			for _, item := range v.Items() {
				walk(name, item)
			}
		case probes.String:
			if knownNames.MatchString(name) {
				ids = append(ids, v.Text())
				return
			}
			words = append(words, chanceWord.FindAllString(v.Text(), -1)...)
		}
	}
	walk("", directive)
	words = slices.DeleteFunc(words, func(w string) bool {
		explained := slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(w, id) || strings.Contains(id, w) })
		return explained || !looks(w) || dateWord.MatchString(w) || strings.Contains(w, s.Nonce) || strings.Contains(known.String(), w)
	})
	return reports.Distinct(nil, words) // as they are told: their letters may be those of pseudonyms
}

// Random reports whether a long word looks like chance: digits among letters over and
// over, or both cases in a muddle. Names and paths change less often.
func Random(w string) bool {
	changes := 0
	kind := func(r rune) int {
		switch {
		case r >= '0' && r <= '9':
			return 1
		case r >= 'a' && r <= 'z':
			return 2
		case r >= 'A' && r <= 'Z':
			return 3
		}
		return 0
	}
	runes := []rune(w)
	for i := range runes[1:] {
		a, b := kind(runes[i]), kind(runes[i+1])
		if a != 0 && b != 0 && a != b {
			changes++
		}
	}
	return changes*5 >= len(runes)
}
