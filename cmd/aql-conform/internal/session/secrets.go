package session

import (
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/judge"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// Secrets are the values that no report, error or terminal may show.
type Secrets []string

// revealing matches names whose values are secret; GIT_AUTHOR and PATH are none of them.
var revealing = regexp.MustCompile(`(?i)token|key|secret|passw|webhook|pin$|(^|[_-])(pass|pwd|pat|dsn)($|[_-])|credential|auth($|[^o]|oriz)`)

// LongEnough is the length, in bytes, from which a value is taken for a secret
// although the operator did not put it on our command line.
const LongEnough = 8

func (s *Secrets) add(value string) {
	if len(value) >= 4 && !judge.Setting.MatchString(value) && !slices.Contains(*s, value) {
		*s = append(*s, value)
	}
}

// naming matches names whose values say which, where or how: they stand in the records
// of an adapter, and what is masked there cannot be asked for.
var naming = regexp.MustCompile(`(?i)(^|_)(ids?|name|user|owner|email|hosts?|port|region|zone|dir|folder|path|file|home|level|mode|version|workspace|project|team|org|tenant|bucket|model|lang|locale|tz)$`)

// commonplace matches what is given to an adapter under any name and is no secret:
// words, numbers, addresses and paths. They stand in sound answers too.
var commonplace = regexp.MustCompile(`^([a-z]+([-_.,:][a-z]+)*|[A-Z]+([-_.,][A-Z]+)*|[\d.,:_-]+[a-z]{0,2}|([/.~\\]|[A-Za-z]:[/\\]).*|\w+://.*)$`)

// Hide replaces every secret, in whichever form, in a text that is going to be shown.
func (s Secrets) Hide(text string) string {
	var long []string
	for _, value := range s {
		long = append(long, wire.Forms(value)...)
	}
	slices.SortStableFunc(long, func(a, b string) int { return len(b) - len(a) })
	for _, value := range long {
		text = strings.ReplaceAll(text, value, "…")
	}
	return string(wire.MaskCredentials([]byte(text)))
}

// AddEnvironment takes the secrets of KEY=VALUE pairs: what is named like one, and
// the password in an address.
func (s *Secrets) AddEnvironment(pairs []string, least int) {
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		if key == "PWD" || key == "OLDPWD" { // where a shell is, and in no way a password
			continue
		}
		if revealing.MatchString(key) && len(value) >= least {
			s.add(value)
		}
		var passwords Secrets
		passwords.addURL(value)
		for _, password := range passwords {
			if least == 0 || len(password) >= least && !commonplace.MatchString(password) { // postgres:postgres@
				s.add(password)
			}
		}
	}
}

// AddGiven takes the KEY=VALUE pairs that were given to this adapter alone: whatever
// its name, such a value is a secret unless name or value look like none.
func (s *Secrets) AddGiven(pairs []string) {
	s.AddEnvironment(pairs, 0)
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		if len(value) >= LongEnough && !naming.MatchString(key) && !commonplace.MatchString(value) {
			s.add(value)
		}
	}
}

// openValues are the values that were given to this adapter alone and that its sound answers may
// hold as well: masked for judges, they would turn sound answers into broken ones. No output shows
// them.
func openValues(targets ...wire.Target) []string {
	var all []string
	add := func(text string, least int) {
		if len(text) >= least || len(text) >= LongEnough && strings.ContainsAny(text, "0123456789") {
			all = append(all, text)
		}
	}
	for _, t := range targets {
		for _, pair := range t.Env {
			key, value, _ := strings.Cut(pair, "=")
			u, err := url.Parse(value)
			switch isAddress := err == nil && u.Host != ""; {
			case naming.MatchString(key) || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "."):
			case isAddress:
				for _, part := range strings.Split(u.Path, "/") {
					add(part, math.MaxInt)
				}
			default:
				add(value, longWord)
			}
			if revealing.MatchString(key) {
				add(value, shortNumber)
			}
		}
		if u, err := url.Parse(t.URL); err == nil {
			add(u.User.Username(), LongEnough)
			for _, values := range u.Query() {
				for _, value := range values {
					add(value, LongEnough)
				}
			}
		}
	}
	return all
}

// The lengths from which on a word is no setting, such as development, and a number of a name that
// reveals it is looked for.
const (
	longWord    = 12
	shortNumber = 4
)

// addHeaders takes every header value, with and without its scheme.
func (s *Secrets) addHeaders(header http.Header) {
	for _, values := range header {
		for _, value := range values {
			s.add(value)
			if _, credential, ok := strings.Cut(value, " "); ok {
				s.add(strings.TrimSpace(credential))
			}
		}
	}
}

// headerLine matches an argument that is a header: 'Authorization: Bearer abc'.
var headerLine = regexp.MustCompile(`^([A-Za-z][\w-]*):\s*([^/\s].*)$`)

// AddArguments takes what is named like a secret on the adapter's command line:
// --token abc, --api-key=abc, API_KEY=abc, 'Authorization: Bearer abc', and passwords
// in addresses.
func (s *Secrets) AddArguments(command []string) {
	for i, word := range command[min(1, len(command)):] {
		name, value, joined := strings.Cut(word, "=")
		s.addURL(word)
		s.addURL(value)
		if h := headerLine.FindStringSubmatch(word); h != nil && revealing.MatchString(h[1]) {
			s.addHeaders(http.Header{h[1]: {h[2]}})
		}
		if !revealing.MatchString(name) {
			continue
		}
		if next := i + 2; !joined && next < len(command) && strings.HasPrefix(name, "-") && !strings.HasPrefix(command[next], "-") {
			value = command[next]
		}
		if len(value) >= LongEnough {
			s.add(value)
		}
	}
}

// addURL takes the password and the telling query parameters of a URL, plain
// and as written.
func (s *Secrets) addURL(address string) {
	u, err := url.Parse(address)
	if err != nil {
		return
	}
	if password, ok := u.User.Password(); ok {
		s.add(password)
		s.add(url.QueryEscape(password))
	}
	for name, values := range u.Query() {
		for _, value := range values {
			if revealing.MatchString(name) {
				s.add(value)
				s.add(url.QueryEscape(value))
			}
		}
	}
}

// SecretsOf collects what the targets must keep to themselves, and what the
// adapter inherits from the environment of the checker.
func SecretsOf(targets ...wire.Target) Secrets {
	var s Secrets
	s.AddEnvironment(os.Environ(), LongEnough)
	for _, t := range targets {
		s.AddGiven(t.Env)
		s.addHeaders(t.Header)
		s.AddArguments(t.Command)
		s.addURL(t.URL)
	}
	return s
}

// collectSecrets notes what must not be printed: of the targets, the hints and the commands.
func (o *Order) collectSecrets(targets []Target) {
	var wired []wire.Target
	for _, t := range targets {
		wired = append(wired, t.Target)
	}
	o.secrets = SecretsOf(wired...)
	o.open = openValues(wired...)
	o.cover = wire.NewCover(o.open...)
	for name, value := range o.hints.Taken() {
		o.secrets.AddGiven([]string{name + "=" + value})
	}
	token, _ := console.Split("--token-cmd", o.flags.TokenCmd) // it was split before
	for _, command := range append(slices.Collect(maps.Values(o.helpers)), o.around.before, o.around.after, token) {
		o.secrets.AddArguments(command)
	}
}

// withoutSecrets is a text as it is shown.
func (o *Order) withoutSecrets(text string) string {
	return o.hidden().Hide(string(o.cover.Told([]byte(text))))
}
