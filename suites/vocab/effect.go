package vocab

import (
	"strings"
	"sync"
)

// A language holds verbs by what they do. A verb stands under one effect only.
type language map[Effect]string

var languages = map[string]language{
	"english": english, "german": german, "spanish": spanish, "french": french,
	"italian": italian, "portuguese": portuguese, "dutch": dutch,
}

// EffectOf returns what a word promises as a bare verb: English in the imperative, the
// other languages in the infinitive, the imperative and the third person too. Where
// languages disagree the more dangerous meaning counts.
func EffectOf(word string) Effect { return known().of(word) }

// A lexicon finds words in any of their spellings.
type lexicon struct {
	exact  map[string]Effect // as the tables write them
	folded map[string]Effect // without accents, and with ae for ä
}

// known is built when it is first needed: most commands judge nothing.
var known = sync.OnceValue(func() lexicon {
	l := lexicon{map[string]Effect{}, map[string]Effect{}}
	for _, tongue := range languages {
		for effect, words := range tongue {
			for _, w := range fields(words) {
				l.add(w, effect)
			}
		}
	}
	return l
})

func (l lexicon) add(word string, effect Effect) {
	l.exact[word] = max(l.exact[word], effect)
	for _, w := range []string{Fold(word), spread(word)} {
		l.folded[w] = max(l.folded[w], effect)
	}
}

func (l lexicon) of(word string) Effect {
	word = strings.ToLower(word)
	if e, ok := l.exact[word]; ok {
		return e
	}
	plain, wide := Fold(word), spread(word)
	if e := max(l.folded[word], l.exact[plain], l.folded[plain], l.exact[wide], l.folded[wide]); e != None {
		return e
	}
	return l.again(word)
}

// noPrefix are nouns that begin like a verb done again.
var noPrefix = set("resort remark retail retreat react rebate remedy resource")

// again returns the effect of a verb that is done again or undone: reprioritize,
// unapprove. Those that only read are not trusted with a front.
func (l lexicon) again(word string) Effect {
	for _, front := range []string{"re", "un"} {
		if rest, ok := strings.CutPrefix(word, front); ok && len(rest) > 3 && !noPrefix[word] && l.exact[rest] > Reads {
			return l.exact[rest]
		}
	}
	return None
}

func fields(list string) []string { return strings.Fields(list) }

// set makes a set of the words of a list.
func set(list string) map[string]bool {
	s := map[string]bool{}
	for _, w := range fields(list) {
		s[w] = true
	}
	return s
}

// splitList parts a list at its commas.
func splitList(list string) []string {
	var all []string
	for _, entry := range strings.Split(list, ",") {
		all = append(all, strings.Join(fields(entry), " "))
	}
	return all
}
