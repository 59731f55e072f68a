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

// jsonDefects are the usual invalid extensions of JSON syntax outside strings.
var jsonDefects = []struct {
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

// jsonTextDefect names the defect that makes a text invalid JSON. It returns "" for valid JSON and
// for text that is not JSON at all.
func jsonTextDefect(text string) string {
	if json.Valid([]byte(text)) {
		return ""
	}
	bare, what := jsonString.ReplaceAllString(text, `""`), ""
	for _, d := range jsonDefects {
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

// JSONDefect names the defect that makes an answer, or the envelope in its text, invalid JSON.
func JSONDefect(o probes.Observation) string {
	if o.Outcome == probes.Garbled {
		return jsonTextDefect(string(o.ReceivedData()))
	}
	for _, item := range o.Result().At("content").Items() {
		text := strings.TrimSpace(item.At("text").Text())
		if strings.HasPrefix(text, "{") && strings.Contains(text, `"success"`) {
			if what := jsonTextDefect(text); what != "" {
				return what
			}
		}
	}
	return ""
}

// Walk visits every member below a value, with the object that contains it.
func Walk(v probes.Value, visit func(name string, value, in probes.Value)) {
	for _, m := range v.Members() {
		visit(m.Name, m.Value, v)
		Walk(m.Value, visit)
	}
	for _, item := range v.Items() {
		Walk(item, visit)
	}
}

// TextControl is the number of the controls of badText.
const TextControl = 900

var (
	longWord       = regexp.MustCompile(`[A-Za-z0-9_+/=\-]{16,}`)
	datePrefix     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)
	identifierName = regexp.MustCompile(`(?i)token|session|execution|request|trace|cursor|etag|version|timestamp|verification_?id|challenge_?id`)
)

// UnexplainedWords returns the long words of a directive that match and that neither a request, an
// identifier nor the start of the agent explains.
func UnexplainedWords(s model.Subject, directive probes.Value, got probes.Answers, matches func(string) bool) []string {
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
			if identifierName.MatchString(name) {
				ids = append(ids, v.Text())
				return
			}
			words = append(words, longWord.FindAllString(v.Text(), -1)...)
		}
	}
	walk("", directive)
	words = slices.DeleteFunc(words, func(w string) bool {
		explained := slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(w, id) || strings.Contains(id, w) })
		return explained || !matches(w) || datePrefix.MatchString(w) || strings.Contains(w, s.Nonce) || strings.Contains(known.String(), w)
	})
	return reports.Distinct(nil, words) // distinct as received, because pseudonyms in a transcript may share letters
}

// LooksRandom reports whether a long word looks random: it often switches between digits, lower and
// upper case. Names and paths do so less often.
func LooksRandom(w string) bool {
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
