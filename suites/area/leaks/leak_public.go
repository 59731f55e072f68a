package leaks

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// said returns what a request told the adapter: its scalars at every depth and
// the names of members that are no plain words. Frames and raw params are read
// from what was sent. Plain words come apart: cut out of a sentence wherever they
// stand, they would hide what it says.
func said(o probes.Observation) (texts, words []string) {
	p := o.Probe
	var v probes.Value
	if p.Frame == nil && p.Raw() == nil {
		v, _ = probes.ParseValue(p.Arguments())
	} else {
		v, _ = probes.ParseValue(o.SentData())
	}
	walkValues(v, func(name string, x probes.Value) {
		for i, s := range append([]string{name}, x.Scalars()...) {
			switch {
			case len(s) < vocab.LeastEcho || len(texts)+len(words) >= maxSaid:
			case len(s) == vocab.LeastEcho && i == 0: // the name of a member is a word of the language
			case strings.ContainsFunc(s, unlikeWord) || len(s) > longWord || len(s) == vocab.LeastEcho:
				texts = append(texts, s)
			case i > 0:
				words = append(words, s)
			}
		}
	})
	return texts, words
}

// maxSaid bounds what is looked for in an answer, longWord what counts as a word.
const (
	maxSaid  = 400
	longWord = 24
)

func unlikeWord(r rune) bool { return r != '_' && !unicode.IsLetter(r) }

// walkValues visits the members of all objects and the scalars of all arrays
// below v, each scalar once.
func walkValues(v probes.Value, visit func(name string, scalar probes.Value)) {
	for _, m := range v.Members() {
		switch m.Value.Kind() {
		case probes.Object, probes.Array:
			visit(m.Name, probes.Value{})
			walkValues(m.Value, visit)
		default:
			visit(m.Name, m.Value)
		}
	}
	for _, item := range v.Items() {
		switch item.Kind() {
		case probes.Object, probes.Array:
			walkValues(item, visit)
		default:
			visit("", item)
		}
	}
}

// public reports whether the adapter itself has said the text outside errors: in
// tools/list, in introspection or in the data of a success. What everybody is
// told is no internal.
func public(f *model.Adapter, text string) bool {
	holds := func(v probes.Value) bool { return holdsText(v, text) }
	for _, t := range f.Tools {
		if holds(t.Raw) {
			return true
		}
	}
	for _, o := range f.Operations {
		if holds(o.Summary) || holds(o.Details) || holds(f.KnownGood[o.Name].Reply.Data()) {
			return true
		}
	}
	for _, t := range f.Types {
		if holds(t.Summary) || holds(t.Details) {
			return true
		}
	}
	return holds(f.Protocol)
}

// noSuch is the sentence in which SQLite and people miss something.
var noSuch = regexp.MustCompile(`^no such (\w+): $`)

// names reports whether a word stands in the name of an operation or a type: the
// adapter has things of that kind.
func names(f *model.Adapter, kind string) bool {
	named := func(name string) bool {
		return slices.ContainsFunc(vocab.Words(name), func(w string) bool { return vocab.Singular(w) == kind })
	}
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return named(o.Name) }) ||
		slices.ContainsFunc(f.Types, func(t probes.Type) bool { return named(t.Name) })
}

func holdsText(v probes.Value, text string) bool {
	found := strings.Contains(v.Text(), text)
	walkValues(v, func(name string, x probes.Value) {
		found = found || strings.Contains(name, text) || strings.Contains(x.Text(), text)
	})
	return found
}

// pardons returns what is no leak in the answer to a request that said words: a
// match of which they are the greater part, and one of which all that is no echo
// is public. An adapter that tells of its folder may name a file in it, and one of
// restaurants may say that there is no such table.
func pardons(f *model.Adapter, words []string) func(*vocab.Signature, string) bool {
	return func(_ *vocab.Signature, match string) bool {
		if missing := noSuch.FindStringSubmatch(match); missing != nil && names(f, missing[1]) {
			return true
		}
		rest := match
		for _, w := range words {
			rest = strings.ReplaceAll(rest, w, string(vocab.Sent))
		}
		if 2*len(strings.Trim(rest, " \x1e")) < len(strings.TrimSpace(match)) {
			return true
		}
		for _, part := range strings.FieldsFunc(rest, func(r rune) bool { return r == vocab.Sent || r == vocab.Claimed }) {
			if part = strings.Trim(part, " \t'\"`([=:,/\\"); part != "" && !public(f, part) {
				return false
			}
		}
		return true
	}
}
