package vocab

import (
	"slices"
	"strings"
)

// NameEffect returns the most dangerous effect that the name of an operation promises.
//
// The first word counts where it is a verb. Behind a reading verb nothing else counts
// but what and, then and or join to it, and a verb at the end of the name of a list or a
// search. Where the first word is no verb, the last one counts, and between them every
// word that is a verb and nothing else.
func NameEffect(name string) Effect {
	most := None
	words := compounded(Words(ampersands.Replace(name)))
	if len(words) > longest {
		return dangerous(words)
	}
	if len(words) == 2 && labels[words[0]] && readings[words[1]] && strings.ContainsAny(name, "./:") {
		return Reads // post.search
	}
	for i, part := range joined(words) {
		part = unmodified(part)
		if len(part) == 0 {
			continue
		}
		if i == 0 {
			most = head(part)
		} else {
			most = max(most, leading(part))
		}
	}
	return most
}

// Entity reports whether a word is a verb that is also a noun which adapters deal in, as payment is.
func Entity(word string) bool { return entities[Singular(word)] }

// Looks reports whether a word is a verb that reads and that is no noun which one orders or books, as a show is.
func Looks(word string) bool { return readings[word] }

// longest is the number of words of a name that is read as a name.
const longest = 40

// dangerous returns the most dangerous effect of any word.
func dangerous(words []string) Effect {
	most := None
	for _, w := range words {
		most = max(most, EffectOf(w))
	}
	return most
}

var ampersands = strings.NewReplacer("&", " and ", "+", " and ")

// joined parts words at those that join a second verb.
func joined(words []string) [][]string {
	parts := [][]string{nil}
	for _, w := range words {
		if joints[Fold(w)] {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], w)
	}
	return parts
}

// unmodified takes away what goes before the verb. A name of nothing else stays.
func unmodified(words []string) []string {
	for i, w := range words {
		if !modifiers[w] && !adverb(w) && !number(w) {
			return words[i:]
		}
	}
	return words
}

// adverb reports whether a word is one: permanently, but not apply.
func adverb(word string) bool {
	return len(word) > 4 && strings.HasSuffix(word, "ly") && EffectOf(word) == None
}

func number(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

// leading returns the effect of words that begin with a verb.
func leading(words []string) Effect {
	verb, last := words[0], words[len(words)-1]
	if len(words) > 1 {
		if e, ok := phrases[verb+" "+words[1]]; ok {
			return e
		}
		before := words[len(words)-2]
		if slices.Contains(fields("check sign log clock"), verb) && (last == "in" || last == "out") && !hasEnding(before, "ed") {
			return Reaches
		}
		if e, ok := parted(verb, words[1:]); ok {
			return e
		}
	}
	e := EffectOf(verb)
	if e == None {
		if f := inflected().thirds[verb]; strict(f.verb) {
			return f.effect
		}
		return glued(verb)
	}
	return e
}

// parted returns the effect of a German verb that parts and whose end is among words.
func parted(verb string, words []string) (Effect, bool) {
	for _, w := range words {
		for _, v := range []string{verb, umlauted(verb)} {
			if e, ok := partings[v][umlauted(w)]; ok {
				return e, true
			}
		}
	}
	return None, false
}

// head returns the effect of the words before the first that joins.
func head(words []string) Effect {
	last := words[len(words)-1]
	first := leading(words)
	switch {
	case len(words) == 1:
		return first
	case first == None:
		return nounFirst(words)
	case aboutEntity(words):
		return Reads
	case first == Reads && (paired[words[0]] && strict(last) || words[0] == "list" && len(words) == 2 && emptied[last]):
		return EffectOf(last)
	case first > Reads && resources[words[0]] && (strict(last) || EffectOf(last) == Removes):
		return max(first, EffectOf(last)) // cache_flush
	}
	return first
}

// aboutEntity reports whether a name begins with a noun that is no verb in it, as in
// order_get and order_history.
func aboutEntity(words []string) bool {
	n := len(words)
	if n < 2 || !nouny[words[0]] && !entities[words[0]] || slices.ContainsFunc(words[1:], strict) {
		return false
	}
	last := words[n-1]
	if sure[words[1]] || sure[last] {
		return true
	}
	if entities[words[0]] {
		return n == 2 && (aspects[last] || last == "read") || readings[words[1]] || readings[last] && last != "list"
	}
	return products[words[0]] && n > 2 && readings[words[1]] || labels[words[0]] && last == "read"
}

// nounFirst returns the effect of a name whose first word is no verb: note_delete, or
// github_merge_request, where a product goes before the verb.
func nounFirst(words []string) Effect {
	most, governed, quality := raised(words[0], words[1]), false, qualities[words[0]]
	read := 1 + slices.IndexFunc(words[1:], func(w string) bool { return readings[w] })
	for i := 1; i < len(words); i++ {
		w, rest := words[i], words[i:]
		e := leading(rest)
		switch {
		case e == None:
		case e == Reads:
			most, governed = max(most, e), governed || readings[w] || computing[w]
		case strict(w):
			if !governed || len(rest) == 1 {
				most = max(most, e)
			}
		case len(rest) == 1 && e == Removes && resources[words[i-1]] && !governed:
			most = max(most, e)
		case read > i && (sure[words[read]] || entities[w] || labels[w] || products[w] && read == i+1 && len(rest) > 2): // it is what is read
		case most > Reads: // what follows a verb is its object
		case quality && i == 1, aboutEntity(rest), len(rest) == 1 && titles[w], governed && !(paired[words[i-1]] && len(rest) == 1):
		default:
			most = max(most, e)
		}
	}
	return most
}

// raised returns the effect of a phrase where it is more than a reading.
func raised(a, b string) Effect {
	if e := phrases[a+" "+b]; e > Reads {
		return e
	}
	return None
}

// strict reports whether a word is a verb with an effect and nothing else.
func strict(word string) bool { return word != "" && EffectOf(word) > Reads && !nouny[word] }

// plainVerbs are verbs that are found before a noun that nothing parts from them, as in
// deletenote.
var plainVerbs = fields("delete remove create update insert destroy purge erase truncate execute transfer deploy publish cancel drop send")

// glued returns the effect of a verb that is written together with its noun.
func glued(word string) Effect {
	for _, v := range plainVerbs {
		if strings.Contains(word, "-") {
			return None // a compound
		}
		rest, ok := strings.CutPrefix(word, v)
		if ok && len(rest) > 2 && !hasAny(rest, "r", "rs", "er", "ers", "ion", "ions", "able", "ables", "ment", "ments", "lation", "ing", "ings", "red", "ped", "let", "out", "ped") {
			return EffectOf(v)
		}
	}
	return None
}

func hasAny(word string, list ...string) bool { return slices.Contains(list, word) }
