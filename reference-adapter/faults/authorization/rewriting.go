package authorization

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// kept holds back one answer so that a fault can rewrite it.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header            { return k.header }
func (k *kept) WriteHeader(status int)         { k.status = status }
func (k *kept) Write(part []byte) (int, error) { return k.body.Write(part) }

// is replaces the body.
func (k *kept) is(text string) {
	k.body.Reset()
	k.body.WriteString(text)
}

func (k *kept) send(w http.ResponseWriter) {
	for name, values := range k.header {
		w.Header()[name] = values
	}
	w.Header().Del("Content-Length")
	w.WriteHeader(k.status)
	_, _ = w.Write(k.body.Bytes()) // a client that left is no concern of ours
}

func answered(next http.Handler, r *http.Request) *kept {
	k := &kept{header: http.Header{}, status: http.StatusOK}
	next.ServeHTTP(k, r)
	return k
}

// rewritten lets a fault rewrite the answers to requests that it picks.
func rewritten(pick func(r *http.Request, k *kept) bool, rewrite func(k *kept)) adapter.Hooks {
	return served(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			k := answered(next, r)
			if pick(r, k) {
				rewrite(k)
			}
			k.send(w)
		})
	})
}

// refusals rewrites HTTP 401, with or without a token in the request.
func refusals(given bool, rewrite func(k *kept)) adapter.Hooks {
	return rewritten(func(r *http.Request, k *kept) bool {
		return k.status == http.StatusUnauthorized && given == (r.Header.Get("Authorization") != "")
	}, rewrite)
}

func about(document string) func(*http.Request, *kept) bool {
	return func(r *http.Request, k *kept) bool {
		return k.status == http.StatusOK && strings.Contains(r.URL.Path, "/.well-known/"+document)
	}
}

// document rewrites one of the documents.
func document(name string, rewrite func(map[string]any)) adapter.Hooks {
	return rewritten(about(name), func(k *kept) {
		var m map[string]any
		if json.Unmarshal(k.body.Bytes(), &m) == nil {
			rewrite(m)
			k.is(adapter.Printed(m))
		}
	})
}

// missing takes one of the documents away.
func missing(name string) adapter.Hooks {
	return rewritten(about(name), func(k *kept) {
		k.status = http.StatusNotFound
		k.is("not found")
	})
}

var link = regexp.MustCompile(`resource_metadata="(https?://[^/"]+)[^"]*", `)

// named changes the path of the metadata in a challenge; no path takes them out.
func named(path string) func(k *kept) {
	return func(k *kept) {
		other := ""
		if path != "" {
			other = `resource_metadata="${1}` + path + `", `
		}
		k.header.Set("WWW-Authenticate", link.ReplaceAllString(k.header.Get("WWW-Authenticate"), other))
	}
}

// pathOfLink takes scheme and host from the address of the metadata in a challenge.
func pathOfLink(k *kept) {
	k.header.Set("WWW-Authenticate", origin.ReplaceAllString(k.header.Get("WWW-Authenticate"), `resource_metadata="`))
}

var origin = regexp.MustCompile(`resource_metadata="https?://[^/"]+`)

// The parameters of a challenge.
var (
	scopeParameter = regexp.MustCompile(`, scope="[^"]*"`)
	errorParameter = regexp.MustCompile(`, error="[^"]*"`)
)

// without takes a parameter out of a challenge.
func without(parameter *regexp.Regexp) func(k *kept) {
	return func(k *kept) {
		k.header.Set("WWW-Authenticate", parameter.ReplaceAllString(k.header.Get("WWW-Authenticate"), ""))
	}
}

// narrowRefusals rewrites HTTP 403.
func narrowRefusals(rewrite func(k *kept)) adapter.Hooks {
	return rewritten(func(_ *http.Request, k *kept) bool { return k.status == http.StatusForbidden }, rewrite)
}
