package model

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Verb returns the verb of an operation name: what the names of the other operations leave, else
// the first word, or the last word if only that one is a verb.
func (f *Adapter) Verb(operation string) string {
	if f.Rules != nil {
		if verb, _, ok := f.Rules.Parts(operation); ok {
			return verb
		}
	}
	verb, _ := splitName(operation)
	return verb
}

// Noun returns the object of an operation name, in the singular and in snake case: what recurs in
// the names of other operations, else what is left of the verb.
func (f *Adapter) Noun(operation string) string {
	if f.Rules != nil {
		if _, noun, ok := f.Rules.Parts(operation); ok {
			return noun
		}
	}
	_, noun := splitName(operation)
	return Singular(noun)
}

// OfNoun returns the operations whose names have the noun, as Noun tells it.
func (f *Adapter) OfNoun(noun string) []probes.Operation {
	of := f.Remember("operations by noun", func() any {
		all := map[string][]probes.Operation{}
		for _, o := range f.Operations {
			all[f.Noun(o.Name)] = append(all[f.Noun(o.Name)], o)
		}
		return all
	})
	return of.(map[string][]probes.Operation)[noun]
}

// splitName splits the name of an operation into its verb and the rest.
func splitName(operation string) (verb, noun string) {
	words := vocab.Words(operation)
	switch n := len(words); {
	case n == 0:
		return operation, ""
	case n > 1 && vocab.EffectOf(words[0]) == vocab.None && vocab.EffectOf(words[n-1]) != vocab.None:
		return words[n-1], strings.Join(words[:n-1], "_")
	}
	return words[0], strings.Join(words[1:], "_")
}

// Singular returns an operation noun in the singular.
func Singular(noun string) string {
	i := strings.LastIndex(noun, "_") + 1
	return noun[:i] + vocab.Singular(noun[i:])
}
