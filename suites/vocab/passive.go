package vocab

import (
	"strings"
	"sync"
)

// passive returns what a clause says is done: an e-mail is sent to the owner.
func (c *clause) passive() Effect {
	if c.under {
		return None
	}
	condition := false // its own verb comes first
	for i := c.begin; i < len(c.tokens); i++ {
		t := c.tokens[i]
		if i > c.begin && (t.comma || joining[t.word]) {
			return None
		}
		if c.blocks(i) || denials[t.word] {
			return None
		}
		if condition = condition || c.ifs(i); condition && (auxiliaries[t.word] || being[t.word]) {
			condition = false
			continue
		}
		if i == c.begin || !auxiliaries[t.word] && !(reflexive(t.word) && EffectOf(c.at(i+1).word) > Reads) {
			continue
		}
		if t.word == "be" && c.at(i-1).word != "will" || objects[c.at(i-1).word] && !c.opens(i-1) {
			continue
		}
		return c.done(i)
	}
	return None
}

// opens reports whether nothing but fillers goes before a token in its clause.
func (c *clause) opens(i int) bool {
	for j := c.begin; j < i; j++ {
		if w := c.tokens[j].word; !fillers[w] && !joining[w] && !adverb(w) {
			return false
		}
	}
	return true
}

func reflexive(word string) bool { return word == "se" || word == "si" }

// ifs reports whether a token is the French or Spanish if. In Italian a verb follows it, of which it makes a passive.
func (s sentence) ifs(i int) bool {
	next := s.at(i + 1).word
	return s.tokens[i].word == "si" && (determiners[next] || denials[next] || thirdPersons[next] || strings.HasPrefix(next, "l'")) ||
		s.tokens[i].word == "s'il" || s.tokens[i].word == "s'ils"
}

// done returns the effect of the participle behind an auxiliary.
func (c *clause) done(aux int) Effect {
	far := 3
	if w := c.tokens[aux].word; w == "wird" || w == "werden" || w == "wordt" || w == "worden" {
		far = reach // the participle ends the clause
	}
	for i := aux + 1; i < len(c.tokens) && i <= aux+far; i++ {
		w := c.tokens[i].word
		switch {
		case c.tokens[i].comma, denials[w], c.blocks(i):
			return None
		case refused[w] && c.aboutRequest(c.begin), reflexive(c.tokens[aux].word) && refuses[w] && c.aboutRequest(i+1):
			return None
		case reflexive(c.tokens[aux].word):
			return c.about(aux, EffectOf(w))
		}
		if e := participle(w); e > None {
			if w == "trimmed" && given[c.tokens[aux-1].word] || states[w] || e == Creates && c.at(i+1).word == "by" {
				return None
			}
			return c.about(aux, e)
		}
	}
	return None
}

// obliged reports whether a German modal before a token makes a condition or a leave of the participles behind
// it: one must be closed or cancelled first.
func (c *clause) obliged(i int) bool {
	for ; i >= 0 && !c.tokens[i].comma; i-- {
		if obliging[c.tokens[i].word] {
			return true
		}
	}
	return false
}

// about lowers what is done to parts of an object or of an answer.
func (c *clause) about(aux int, e Effect) Effect {
	subject := c.tokens[aux-1].word
	if head := aux - 3; head == c.begin && placing[c.tokens[aux-2].word] { // blanks around texts are removed
		subject = c.tokens[head].word
	}
	switch {
	case answers[subject]:
		return min(e, Reads)
	case parts[subject]:
		return min(e, Changes)
	}
	return e
}

// placing are prepositions between a noun and what it stands at.
var placing = set("around at before behind in inside within")

// participle returns the effect of a verb that is a participle.
func participle(word string) Effect {
	if f, ok := inflected().participles[word]; ok {
		return mildly(f.verb, f.effect)
	}
	if e := foreignParticiples().of(word); e != None {
		return e
	}
	return None
}

// foreignParticiples are made of the infinitives of Spanish, Portuguese, Italian and
// French, and written down for German and Dutch.
var foreignParticiples = sync.OnceValue(func() lexicon {
	l := lexicon{map[string]Effect{}, map[string]Effect{}}
	endings := map[string][]string{
		"spanish ar": {"ado", "ada", "ados", "adas"}, "spanish er": {"ido", "ida", "idos", "idas"}, "spanish ir": {"ido", "ida", "idos", "idas"},
		"portuguese ar": {"ado", "ada", "ados", "adas"}, "portuguese er": {"ido", "ida", "idos", "idas"}, "portuguese ir": {"ido", "ida", "idos", "idas"},
		"italian are": {"ato", "ata", "ati", "ate"}, "italian ere": {"uto", "uta", "uti", "ute"}, "italian ire": {"ito", "ita", "iti", "ite"},
		"french er": {"é", "ée", "és", "ées"}, "french ir": {"i", "ie", "is", "ies"},
	}
	for rule, ends := range endings {
		name, infinitive, _ := strings.Cut(rule, " ")
		for effect, words := range languages[name] {
			for _, w := range fields(words) {
				stem, ok := strings.CutSuffix(w, infinitive)
				if !ok || len(stem) < 3 || effect <= Reads {
					continue
				}
				for _, e := range ends {
					l.add(stem+e, effect)
				}
			}
		}
	}
	for effect, words := range doneGermanic {
		for _, w := range fields(words) {
			l.add(w, effect)
		}
	}
	return l
})

// doneGermanic are participles of German and Dutch, and those of the others that no rule
// makes.
var doneGermanic = language{
	Creates: "erstellt angelegt erzeugt hinzugefügt importiert hochgeladen registriert kopiert aangemaakt gemaakt toegevoegd escrito scritto",
	Changes: `geändert aktualisiert umbenannt verschoben ersetzt gesperrt entsperrt zugewiesen aktiviert deaktiviert überschrieben gewijzigd
		bijgewerkt hernoemd verplaatst vervangen`,
	Removes: "gelöscht entfernt geleert archiviert verworfen zurückgesetzt formatiert vernichtet verwijderd gewist geleegd vernietigd rimosso rimossa rimossi distrutto",
	Reaches: `gesendet versendet verschickt geschickt bezahlt gekauft bestellt gebucht überwiesen gestartet gestoppt ausgeführt beendet
		abgebrochen geöffnet geschlossen veröffentlicht benachrichtigt eingeladen verzonden gestuurd verstuurd betaald besteld gestart
		gestopt uitgevoerd gepubliceerd aperto chiuso speso`,
}

// gerund returns what a sentence says in passing: after removing it from the queue.
func (s sentence) gerund() Effect {
	most := None
	for i := range s.tokens {
		f, ok := inflected().gerunds[s.tokens[i].word]
		if !ok || !determiners[s.at(i+1).word] {
			continue
		}
		before := ""
		if i > 0 {
			before = s.tokens[i-1].word
		}
		switch {
		case i == 0 && !s.aside && f.effect > Reads:
			most = max(most, mildly(f.verb, f.effect))
		case before == "by" || before == "after" || before == "thereby" || i > 0 && s.tokens[i].comma:
			if f.effect >= Removes {
				most = max(most, mildly(f.verb, f.effect))
			}
		}
	}
	return most
}

// outset are adjectives for what an object begins in, and beside are words behind one that no noun of it follows.
var (
	outset = set("open active inactive empty draft new pending closed private public blank idle free available ready visible hidden valid offline online")
	beside = set("without in until unless")
)

// inState reports whether a token is a state that an object begins in: it starts unfrozen with serial 1.
func (c *clause) inState(i int) bool {
	w, next := c.at(i).word, c.at(i+1)
	return (strings.HasSuffix(w, "ed") || strings.HasPrefix(w, "un")) && (next.word == "" || next.comma || beginnings[next.word])
}

// startsOut reports whether the same is told in more words: it starts active and without issues. What is open and pending may be said
// of something that follows.
func (c *clause) startsOut(i int) bool {
	next := c.at(i + 1)
	if !outset[c.at(i).word] {
		return false
	}
	and := next.word == "and" && (c.at(i+2).word == "with" || c.at(i+2).word == "without")
	return next.word == "" || next.comma || beginnings[next.word] || beside[next.word] || and
}

// lists are what something can be on without any effect, and each goes before all of a kind.
var (
	lists = set("list lists menu menus shelf shelves board boards calendar schedule agenda index page pages")
	each  = set("all each every its their any")
)

// offList reports whether something is taken off a list, or off all objects that have it: take it off all issues that carry it. Off the
// grid or off the air it would be an effect outside of the data.
func (c *clause) offList(i int) bool {
	w := c.at(i).word
	return w == "" || each[w] || lists[w] || w == "the" && lists[c.at(i+1).word]
}
