package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// suspectScene tries what looks like a code.
const suspectScene = guessRestartScene + 1

// tryWords submits the words of directives that look like codes, each to a challenge of
// its own: a failure ends the challenge.
func tryWords(s Subject, ask Asking) {
	const most = 5 // below the limit of failures
	t := try(s, ask, suspectScene, 0)
	defer func() { t.done("") }()
	t.harmless()
	for tried := range most {
		id := t.provoke()
		words := s.suspicious(t.last, nil)
		if id == "" || tried >= len(words) {
			return
		}
		t.verify(id, words[tried])
	}
}

var (
	chanceWord = regexp.MustCompile(`[A-Za-z0-9_+/=\-]{16,}`)
	dateWord   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)
	knownNames = regexp.MustCompile(`(?i)token|session|execution|request|trace|cursor|etag|version|timestamp|verification_?id|challenge_?id`)
)

// suspicious are the words of a directive that look like chance and that nothing
// explains: neither the id of a challenge, nor what the requests and the start of the
// agent have told, nor the name of the member that holds them.
func (s Subject) suspicious(directive probes.Value, got []probes.Observation) []string {
	return s.unexplained(directive, got, random)
}

// unexplained are the words of a directive of which something holds, and that nothing
// explains.
func (s Subject) unexplained(directive probes.Value, got []probes.Observation, looks func(string) bool) []string {
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

// random reports whether a long word looks like chance: digits among letters over and
// over, or both cases in a muddle. Names and paths change less often.
func random(w string) bool {
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
