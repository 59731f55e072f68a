package gate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// sameAs matches the statement by which section 8.5.3 has a description name its canonical verb: similar to delete,
// canonical: delete, equivale a delete. A difference would follow behind a comma, so nothing but the end of the sentence may follow.
func sameAs(verb string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\pL])(?:similar to|like|canonical(?: verb| equivalent| name)?(?: is|:|=)|equivalent to|equivale (?:a|al)|` +
		`équivaut à|équivalent à|entspricht|corrisponde a|corresponde a) ["'` + "`" + `]?` + verb + `["'` + "`" + `]?\s*(?:[.;)\n]|$)`)
}

// negated matches what denies such a statement.
var negated = regexp.MustCompile(`(?i)\b(?:not|no|non|não|nicht|pas|niet|never|un)[ -]?(?:an? |the )?(?:similar|like|canonical|equivalent|equivale|équiva|entspr|corris|corres)`)

// says reports whether a description of an operation has such a statement, and nothing denies it.
func says(o probes.Operation, statement *regexp.Regexp) bool {
	return slices.ContainsFunc(descriptions(o), func(text string) bool { return statement.MatchString(text) && !negated.MatchString(text) })
}

var (
	sameAsDelete = sameAs("delete")
	sameAsCreate = regexp.MustCompile(sameAs("create").String() + `|(?i:\(create\))`)

	// saysDelete matches a description whose first sentence is that one object is deleted.
	saysDelete = regexp.MustCompile(`(?i)^\s*deletes? (?:an?|the|one) ([\p{L}_-]+)`)
)

// canonicalName matches a name with a canonical verb of section 8.5.1 that a description quotes.
var canonicalName = regexp.MustCompile("['\"`](create|get|list|update|delete)_([a-z0-9_]+)['\"`]")

// canonicalCategories are the categories of the canonical verbs.
var canonicalCategories = map[string]string{"create": "CREATE", "get": "READ", "list": "READ", "update": "UPDATE", "delete": "DELETE"}

// nameCanonically finds the operations whose description quotes their canonical equivalent, as section 8.5.3 has it:
// the one name with a canonical verb of their category that no operation has. They go by the noun of that name:
// the verbs of some languages have a second part behind the noun.
func (r *Rules) nameCanonically() {
	r.canonical = map[string]string{}
	for _, o := range r.Operations {
		var told []string
		for _, text := range descriptions(o) {
			for _, m := range canonicalName.FindAllStringSubmatch(text, -1) {
				name := m[1] + "_" + m[2]
				listed := slices.ContainsFunc(r.Operations, func(other probes.Operation) bool { return alike(other.Name, name) })
				if canonicalCategories[m[1]] == o.Category && !listed && !slices.Contains(told, name) {
					told = append(told, name)
				}
			}
		}
		if len(told) == 1 && !o.Guessed {
			r.canonical[o.Name] = told[0]
		}
	}
}

// meansCreate reports whether a CREATE operation opens a record and says in the form of the
// specification that this is like create: no operation of another category opens anything, and
// the name says what is opened and nothing else.
func (r *Rules) meansCreate(o probes.Operation) bool {
	words := vocab.Words(o.Name)
	if o.Category != "CREATE" || o.Guessed || len(words) != 2 || !says(o, sameAsCreate) {
		return false
	}
	verb, noun := words[0], words[1]
	if verb != "open" {
		verb, noun = noun, verb
	}
	elsewhere := slices.ContainsFunc(r.Operations, func(other probes.Operation) bool {
		return other.Category != "CREATE" && slices.Contains(vocab.Words(other.Name), verb)
	})
	return verb == "open" && slices.Contains(opened, noun) && !elsewhere
}

// meansDelete returns the verb of a DELETE operation that ends or drops what stands, where nothing says
// that it does more than delete: the verb stands in this category alone, the rest of the name
// promises nothing, and the description says in the form of the specification that it is
// similar to delete. The description of an operation that drops something may also begin with the verb delete.
// What an operation sends, pays or runs has no such verb. That one object of our own is ended reaches no further
// than its creation, which is judged by itself.
func (r *Rules) meansDelete(o probes.Operation) (verb string, ok bool) {
	words := vocab.Words(o.Name)
	last := len(words) - 1
	if o.Category != "DELETE" || o.Guessed || last < 1 {
		return "", false
	}
	verb, rest := words[0], words[1:]
	if !vocab.Ends(verb) && verb != "drop" {
		verb, rest = words[last], words[:last]
	}
	told := says(o, sameAsDelete) || verb == "drop" && slices.ContainsFunc(descriptions(o), func(text string) bool {
		m := saysDelete.FindStringSubmatch(text)
		return m != nil && vocab.Singular(strings.ToLower(m[1])) == vocab.Singular(rest[len(rest)-1])
	})
	elsewhere := slices.ContainsFunc(r.Operations, func(other probes.Operation) bool {
		return other.Category != "DELETE" && slices.Contains(vocab.Words(other.Name), verb)
	})
	promises := slices.ContainsFunc(rest, func(w string) bool {
		return vocab.EffectOf(w) > vocab.Removes && r.recurs[vocab.Singular(w)] < mostCategories // a noun that is a verb too
	})
	return verb, told && (vocab.Ends(verb) || verb == "drop") && !elsewhere && !promises
}

// descriptions are what an operation says of itself.
func descriptions(o probes.Operation) []string {
	return []string{o.Details.At("description").Text(), o.Summary.At("description").Text()}
}

// canonically writes a description with the canonical verb in place of its own.
func canonically(text, verb string) string {
	return regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(verb)+`(s?)\b`).ReplaceAllString(text, "delete$1")
}
