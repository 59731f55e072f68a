package suites

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
)

// A WriteLimit bounds how many different writing requests a run sends over all its
// faces. The removal of what the run made does not count.
type WriteLimit struct {
	most int
	by   string
	mu   sync.Mutex
	sent map[string]bool // by key, since equal requests are sent once
}

// NewWriteLimit returns a limit of that many requests. by names what set it.
func NewWriteLimit(most int, by string) *WriteLimit {
	return &WriteLimit{most: most, by: by, sent: map[string]bool{}}
}

// take counts a request in, or says why there is no room for it.
func (l *WriteLimit) take(p probes.Probe) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := p.Key()
	if !l.sent[key] && len(l.sent) == l.most {
		return fmt.Sprintf("the limit of %s %d is reached", l.by, l.most)
	}
	l.sent[key] = true
	return ""
}

// gated asks what the gate of a face lets through, before the engine knows it.
type gated struct {
	probes.Asker
	face *Face
}

func (g gated) Ask(ctx context.Context, p probes.Probe) probes.Observation {
	if why := g.face.barred(p); why != "" {
		return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: why}
	}
	return g.Asker.Ask(ctx, p)
}

// barred says why a probe must not be sent to the face it is for; "" when it may.
func (p *Plan) barred(q probes.Probe) string {
	if p.halted() {
		return heldBack
	}
	return p.atGate(q, (*Face).barred)
}

// denied says so of what the author denies alone.
func (p *Plan) denied(q probes.Probe) string { return p.atGate(q, (*Face).denied) }

func (p *Plan) atGate(q probes.Probe, gate func(*Face, probes.Probe) string) string {
	for _, f := range p.Faces {
		if f.owns(q.Conn) {
			return gate(f, q)
		}
	}
	return ""
}

// denied says why a probe must not be sent whatever the operator permits: a denied
// operation is not called in passing either, neither as a wrong request nor to
// clean up.
func (f *Face) denied(p probes.Probe) string {
	if len(f.Hints.Permissions.Operations) == 0 {
		return ""
	}
	for _, name := range operationsIn(p.Payload()) {
		for operation := range f.Hints.Permissions.Operations {
			if f.denies(operation) && letters(operation) == letters(name) {
				return operation + " is denied in the hints file"
			}
		}
	}
	return ""
}

// barred says why a probe must not be sent; "" when it may. It looks for the names
// of operations in the bytes, because a request that is broken on purpose, or one
// of a batch, may be understood all the same.
func (f *Face) barred(p probes.Probe) string {
	if why := f.denied(p); why != "" || !f.May.ReadOnly && !f.May.DryRun && f.May.Limit == nil {
		return why
	}
	if name := p.CommandName(); name != "" && (f.May.ReadOnly || f.May.DryRun) {
		return "a run that only reads runs no command: " + name
	}
	for _, name := range operationsIn(p.Payload()) {
		permission, writes := f.alters(name)
		switch {
		case !writes:
		case f.May.DryRun:
			return "a dry run sends nothing that writes: " + clip(name)
		case f.May.ReadOnly && !f.allows(name):
			return fmt.Sprintf("no permission to %s: a read-only run never sends %s", permission, clip(name))
		case f.May.Limit != nil:
			return f.May.Limit.take(p)
		}
	}
	return ""
}

func (f *Face) denies(operation string) bool {
	return operation != "" && f.Hints.Permissions.Operations[operation] == "deny"
}

func (f *Face) allows(operation string) bool {
	return f.Hints.Permissions.Operations[operation] == "allow"
}

// alters reports whether an operation of that name may change something, and
// which permission that takes. A name that nothing lists is taken at its word.
func (f *Face) alters(name string) (permission string, writes bool) {
	for _, o := range f.Operations {
		if letters(o.Name) != letters(name) || o.Name == "introspect" {
			continue
		}
		if o.Category == "READ" {
			return "execute", promisesEffect(o) || dangerous(o) || slices.Contains(reserved, o.Name)
		}
		return cmp.Or(strings.ToLower(o.Category), "write"), true
	}
	words := wordsOf(name)
	if slices.Contains(reserved, strings.Join(words, "_")) || len(words) > 0 && slices.Contains(actionVerbs, words[0]) {
		return "write", true
	}
	return "write", slices.ContainsFunc(words, func(w string) bool { return slices.Contains(neverCalled, w) })
}

// letters is what an adapter that is lenient about names may go by.
func letters(name string) string { return strings.Join(wordsOf(name), "") }

// wordsOf splits a name in any of the usual spellings into its words in lower case.
func wordsOf(name string) []string {
	var spaced strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			spaced.WriteRune(' ')
		}
		spaced.WriteRune(r)
		last = r
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

var (
	escapedLetter   = regexp.MustCompile(`\\u00[0-7][0-9a-fA-F]`)
	operationMember = regexp.MustCompile(`(?i)"op(?:eration)?"\s*:[\s\[]*"([^"]*)"`)
)

// operationsIn returns the values of all members of a request that are called
// operation, at any depth and however often, also where the request is no JSON.
func operationsIn(request []byte) []string {
	request = bytes.ReplaceAll(request, []byte{0}, nil) // as in UTF-16
	request = escapedLetter.ReplaceAllFunc(request, func(b []byte) []byte {
		n, _ := strconv.ParseUint(string(b[2:]), 16, 8)
		return []byte{byte(n)}
	})
	var names []string
	for _, m := range operationMember.FindAllSubmatch(request, -1) {
		names = append(names, string(m[1]))
	}
	return names
}
