package vocab

import (
	"slices"
	"sync"
)

// effect returns what a sentence promises.
func (s sentence) effect() Effect {
	most := None
	c := clause{sentence: s}
	for i, t := range s.tokens {
		begins := i == 0 || t.comma || joining[s.tokens[i-1].word]
		if !begins || joining[t.word] && i > 0 {
			c.notice(i)
			continue
		}
		c.begin = i
		c.joined = i > 0 && joining[s.tokens[i-1].word]
		if t.comma || i > 0 && s.tokens[i-1].comma {
			c.under = false
		}
		most = max(most, c.effect())
		c.notice(i)
	}
	return max(most, s.gerund())
}

// A clause is what is read of a sentence at one of its beginnings, and what was noticed
// before.
type clause struct {
	sentence
	begin    int
	joined   bool // and, then or or stands before it
	under    bool // a relative clause or a condition goes on
	infinite bool // an infinitive went before: used to create and update
	spoken   bool // the sentence began with a verb
	third    bool // and that was in the third person
}

// notice remembers what a token means for what follows.
func (c *clause) notice(i int) {
	t := c.tokens[i]
	if i > 0 && c.blocks(i) {
		c.under = true
	}
	if i > 0 && modals[c.tokens[i-1].word] && (verbOf(t.word) != None) {
		c.infinite = true
	}
	if t.word == "then" {
		c.infinite, c.under = false, false
	}
}

// blocks reports whether a token begins what is no promise.
func (s sentence) blocks(i int) bool {
	t := s.tokens[i]
	return blockers[t.word] && (t.comma || !articles[t.word])
}

// at returns a token; an empty one behind the last.
func (s sentence) at(i int) token {
	if i >= 0 && i < len(s.tokens) {
		return s.tokens[i]
	}
	return token{}
}

// effect returns what a clause promises.
func (c *clause) effect() Effect {
	i, subject, told := c.skip(c.begin)
	t := c.at(i)
	if t.code || t.word == "" {
		return None
	}
	if c.blocks(i) {
		c.under = true
		return None
	}
	if c.joined && c.at(i+1).word == "werden" && c.obliged(i) {
		return None
	}
	e, third, ok := c.verb(i, subject)
	if !ok || subject && !third && !told {
		return c.passive()
	}
	if c.begin == 0 {
		c.spoken, c.third = true, third
	}
	return e
}

// skip passes over what goes before the verb. subject reports that it named the
// operation, told that an infinitive follows.
func (c *clause) skip(i int) (at int, subject, told bool) {
	for ; i < len(c.tokens); i++ {
		w := c.tokens[i].word
		switch {
		case i > c.begin && c.tokens[i].comma:
			return i, subject, told
		case subjects[w] && !c.tokens[i].code:
			subject = true
		case quantified[w] && uses[c.at(i+1).word]:
			subject = true // each call sends a mail
			i++
		case w == "the" && subjects[c.at(i+1).word], w == "calling" || w == "die" && subjects[c.at(i+1).word], w == "la" && subjects[c.at(i+1).word]:
		case w == "may" && subject, w == "will", w == "to":
			told = true
		case fillers[w] || adverb(w) && w != "":
			told = told || w == "wird"
		default:
			return i, subject, told
		}
	}
	return i, subject, told
}

// verb reads a token as a verb of the clause. ok is false where it is a noun.
func (c *clause) verb(i int, subject bool) (e Effect, third, ok bool) {
	t, next := c.at(i), c.at(i+1)
	e, third, verb := finite(t.word)
	if p, ok := parted(t.word, c.words(i+1)); ok {
		return p, true, true
	}
	if e == None && verb == "" {
		return None, false, false
	}
	if p, ok := phrases[verb+" "+next.word]; ok && !next.comma {
		return p, third, true
	}
	if next.comma || i+1 >= len(c.tokens) {
		next = token{}
	}
	switch {
	case c.nounish(verb, third, i, next, subject):
		return None, false, false
	case denials[next.word], c.advises(i, third, verb):
		return None, third, true
	case c.arranges(verb, i):
		return Reads, third, true
	}
	return c.phrase(verb, e, i), third, true
}

// nounish reports whether a verb is a noun where it stands.
func (c *clause) nounish(verb string, third bool, i int, next token, subject bool) bool {
	determined, last := determiners[next.word], next.word == ""
	foreign := verb == ""
	switch {
	case c.under && !determined, c.infinite && !third && !objects[next.word] && !subject:
		return c.begin > 0
	case c.aside && c.begin == 0 && (last || joining[next.word] || nouny[verb] && !determined):
		return true
	case c.joined && nounHeads[next.word] && !third && !c.infinite && !c.adjoins():
		return true
	case c.possessive(i):
		return true
	case c.begin > 0 && !c.joined && !subject: // behind a comma
		return last || joining[next.word] || nouny[verb] && !determined
	case c.qualifies(verb, i), last && c.cancelled(i):
		return true
	case foreign || !nouny[verb]:
		return c.joined && last && !c.spoken && !third
	case determined:
		return false
	case third && (last || behindPlural[next.word]), behind[next.word]:
		return true
	case joining[next.word]:
		return !c.followed(i + 2)
	case c.begin > 0:
		return !c.spoken || last || third != c.third || behindPlural[next.word] || !insistent[verb] && !c.adjoins()
	case entities[verb] && !third && (aspects[next.word] || next.word == "status" && verb != "post"):
		return true
	}
	return false
}

// cancelled reports whether a word is an adjective without its accent: supprimer un prêt prevu ou annule. A verb that is
// joined to an infinitive would be one as well.
func (c *clause) cancelled(i int) bool {
	return c.at(i).word == "annule" && c.at(i-1).word == "ou" && c.at(0).word == "supprimer"
}

// qualifies reports whether a verb that is an adjective as well stands before a plural of which the sentence
// tells something: open orders keep their price.
func (c *clause) qualifies(verb string, i int) bool {
	noun := c.at(i + 1)
	return qualifying[verb] && i == 0 && !noun.comma && Singular(noun.word) != noun.word && staying[c.at(i+2).word]
}

// adjoins reports whether only a joining word parts the verb from the one before: read
// and reset.
func (c *clause) adjoins() bool {
	e, _, _ := finite(c.at(c.begin - 2).word)
	return e != None && c.begin <= 3
}

// followed reports whether the token is surely a verb, and no modal.
func (c *clause) followed(i int) bool {
	e, _, verb := finite(c.at(i).word)
	return e > None && !modals[c.at(i).word] && !obliging[c.at(i).word] && (!nouny[verb] || determiners[c.at(i+1).word])
}

// finite returns the effect of a word as a verb in the imperative or in the third
// person. verb is the English verb that it is of.
func finite(word string) (e Effect, third bool, verb string) {
	if f, ok := inflected().thirds[word]; ok {
		if accepted[word] {
			return Reads, true, f.verb
		}
		return mildly(f.verb, f.effect), true, f.verb
	}
	if spoken()[word] {
		return mildly(word, EffectOf(word)), false, word
	}
	return EffectOf(word), true, ""
}

// mildly returns the effect of a verb in a text.
func mildly(verb string, e Effect) Effect {
	if less, ok := told[verb]; ok {
		return less
	}
	return e
}

// spoken are the English verbs.
var spoken = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, words := range english {
		for _, w := range fields(words) {
			all[w] = true
		}
	}
	return all
})

// advises reports whether a sentence tells how to call the operation: set archived to
// true.
func (c *clause) advises(i int, third bool, verb string) bool {
	if c.later && !third && c.at(i-1).word == "optionally" {
		return true
	}
	if !c.later || third || !advising[verb] {
		return false
	}
	return slices.ContainsFunc(c.ahead(i), func(t token) bool { return hints[t.word] || t.code })
}

// ahead returns the tokens behind one, as far as a verb looks.
func (s sentence) ahead(i int) []token {
	from := min(i+1, len(s.tokens))
	return s.tokens[from:min(from+reach, len(s.tokens))]
}

// arranges reports whether a verb says in which order an answer is given, or where it
// begins.
func (c *clause) arranges(verb string, i int) bool {
	rest := c.ahead(i)
	switch verb {
	case "order", "sort", "group", "split", "filter":
		return slices.ContainsFunc(rest, func(t token) bool { return t.word == "by" })
	case "start", "begin", "end", "stop", "continue", "resume":
		starts := verb == "start" || verb == "begin"
		return len(rest) > 0 && (beginnings[rest[0].word] || c.at(i-1).word == "it" && (c.inState(i+1) || starts && c.startsOut(i+1)))
	case "test":
		return len(rest) > 0 && slices.Contains([]string{"whether", "if", "that"}, rest[0].word)
	}
	return false
}

// phrase returns the effect of a verb with the word behind it, or with its object.
func (c *clause) phrase(verb string, e Effect, i int) Effect {
	for j := i + 1; j < len(c.tokens) && j < i+4; j++ {
		w := c.tokens[j].word
		if p, ok := phrases[verb+" "+w]; ok && verb == "take" && w == "off" && j > i+1 && c.offList(j+1) {
			return Removes // the object leaves a list, and nothing takes off
		} else if ok {
			return p
		}
		if !determiners[w] {
			break
		}
	}
	return e
}

// reach is how many words a verb looks ahead, so that a text of any length is read in
// time.
const reach = 40

// words returns the words of a sentence from a place on, to the next comma.
func (s sentence) words(i int) []string {
	var all []string
	for end := i + reach; i < min(end, len(s.tokens)) && !s.tokens[i].comma; i++ {
		all = append(all, s.tokens[i].word)
	}
	return all
}
