package main

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// secrets are the values that no report, error or terminal may show.
type secrets []string

// revealing matches names whose values are secret; GIT_AUTHOR is none of them.
var revealing = regexp.MustCompile(`(?i)token|key|secret|passw|credential|auth($|[^o]|oriz)`)

// longEnough is the length, in bytes, from which a value is taken for a secret
// although the operator did not put it on our command line.
const longEnough = 8

// setting matches values such as "none" or "basic": masking those would not
// hide a secret, it would turn sound answers of the adapter into broken ones.
var setting = regexp.MustCompile(`^[a-z]{0,7}$`)

func (s *secrets) add(value string) {
	if len(value) >= 4 && !setting.MatchString(value) && !slices.Contains(*s, value) {
		*s = append(*s, value)
	}
}

// hide replaces every secret in a text that is going to be shown.
func (s secrets) hide(text string) string {
	long := slices.Clone(s)
	slices.SortStableFunc(long, func(a, b string) int { return len(b) - len(a) })
	for _, value := range long {
		text = strings.ReplaceAll(text, value, "…")
	}
	return text
}

// addEnvironment takes the secrets of KEY=VALUE pairs.
func (s *secrets) addEnvironment(pairs []string, least int) {
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		if revealing.MatchString(key) && len(value) >= least {
			s.add(value)
		}
	}
}

// addHeaders takes every header value, with and without its scheme.
func (s *secrets) addHeaders(header http.Header) {
	for _, values := range header {
		for _, value := range values {
			s.add(value)
			if _, credential, ok := strings.Cut(value, " "); ok {
				s.add(strings.TrimSpace(credential))
			}
		}
	}
}

// addArguments takes what follows a flag of the adapter that is named like a
// secret: --token abc, --api-key=abc.
func (s *secrets) addArguments(command []string) {
	for i, word := range command {
		name, value, joined := strings.Cut(word, "=")
		if i == 0 || !strings.HasPrefix(name, "-") || !revealing.MatchString(name) {
			continue
		}
		if !joined && i+1 < len(command) && !strings.HasPrefix(command[i+1], "-") {
			value = command[i+1]
		}
		if len(value) >= longEnough {
			s.add(value)
		}
	}
}

// addURL takes the password and the telling query parameters of a URL, plain
// and as written.
func (s *secrets) addURL(address string) {
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

// secretsOf collects what the targets must keep to themselves, and what the
// adapter inherits from the environment of the checker.
func secretsOf(targets ...wire.Target) secrets {
	var s secrets
	s.addEnvironment(os.Environ(), longEnough)
	for _, t := range targets {
		s.addEnvironment(t.Env, 0)
		s.addHeaders(t.Header)
		s.addArguments(t.Command)
		s.addURL(t.URL)
	}
	return s
}
