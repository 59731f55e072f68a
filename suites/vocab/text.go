package vocab

import (
	"slices"
	"strings"
	"unicode"
)

// TextEffect returns the most dangerous effect that a description promises: by the first
// word of a sentence, by the verbs that and, then and or join to it, by what it says
// that the operation does, and by what it says is done.
func TextEffect(description string) Effect {
	most := None
	all := sentences(description)
	for i, s := range all {
		s.later = i > 0
		if s.later && len(s.tokens) == 1 && s.tokens[0].word == "order" && i+1 < len(all) && all[i+1].sorts() {
			continue // a heading: "Order: newest first"
		}
		s.tellAnswers()
		most = max(most, s.effect())
	}
	return most
}

// sorting are words that say in which order a list is.
var sorting = set("ascending descending asc desc newest oldest latest earliest alphabetical alphabetically")

// sorts reports whether what follows a colon tells of the order of a list.
func (s *sentence) sorts() bool {
	return s.aside && slices.ContainsFunc(s.tokens, func(t token) bool { return sorting[t.word] })
}

// A token is a word of a text.
type token struct {
	word  string
	comma bool // one stands before it
	code  bool // the name of something, no word
	brace bool // it stands in braces
}

// A sentence is what stands between full stops, colons and brackets.
type sentence struct {
	tokens []token
	aside  bool // it follows a colon or stands in brackets
	later  bool // it is not the first of its text
}

// answering are verbs that say how an operation answers, where one of with follows, or that after only, and
// another clause went before: changes a book; answers with the changed fields; answers true.
var (
	answering = set("answer answers respond responds reply replies risponde responde répond antwortet antwoordt")
	with      = set("with con avec par com mit met that che que dass dat true false null")
	beginning = set("starts begins opens") // it starts as a draft: nothing is started
	solely    = set("only solo nur seulement alleen solamente")
	named     = set("chiama llama chama appelle") // it is called so: nobody is called
)

// A refusal is no effect where it is about the request: a code in use is rejected. It is one where it is about what others
// have: all other bids are rejected. What follows one of afterNoun is said of the noun before it: an offer by phone.
var (
	single = set("a an one any un una uno une ein eine einen um uma een")
	theirs = set(`other others another all every existing pending open conflicting competing remaining previous earlier rest altri altre
		altro altra tutti tutte otros otras otro otra todos todas autres autre tous toutes andere anderen alle outros outras outro outra
		ander overige`)
	values = set(`input inputs value values parameter parameters field fields name names title titles code codes key keys slug identifier
		email address phone number numbers amount price date dates day time hour period range interval quantity length size type status
		state format text string character body payload cursor url path currency language unit
		nombre título código clave correo dirección número importe precio fecha hora cantidad tipo estado formato texto valor campo
		nome titolo codice chiave indirizzo numero importo prezzo data ora quantità tipo stato formato testo valore campo
		título chave endereço preço quantidade valor nom titre clé adresse numéro montant prix heure quantité état valeur champ
		titel schlüssel adresse nummer betrag preis datum uhrzeit menge typ zustand wert feld eingabe`)
	unwelcome = set(`duplicate duplicated taken empty blank invalid unknown malformed unsupported negative vacío vacía duplicado duplicada inválido inválida
		vuoto vuota duplicato vide invalide leer leere leeren leeres ungültige ungültiger ungültiges vazio vazia`)
	likened   = set("like comme come como wie zoals")
	afterNoun = set(`in at by with without of from to on for that which who as if when via through en em dans sur de da do del della di dal par pour avec con por para
		com mit ohne von vom bei an auf`)
	clashes = set(`overlaps duplicates cycles loops solapamiento solapamientos solapes duplicados ciclos sobreposições duplicatas
		sovrapposizioni duplicati cicli chevauchements doublons überschneidungen überlappungen duplikate dubletten zyklen overlappingen duplicaten`)
	subjectless = set("con sin com sem avec sans mit ohne with without")
	refuses     = set("rejects refuses declines denies rechaza rehúsa deniega recusa rejeita nega rifiuta respinge refuse rejette lehnt verweigert weigert odrzuca")
	// conditions follow a refusal of the operation itself: it is refused if something is so.
	conditions = set(`if when while unless si cuando mientras salvo sauf lorsque quand wenn falls se quando finché enquanto als tenzij wanneer solange zolang`)
	being      = set(`is are has have exists exist remains remain está están tiene tienen hay existe existen queda quedan es son
		esté estén tenga tengan haya exista existan quede queden sea sean refiera refieran dependa dependan refers depends ist sind hat haben
		gibt besteht bestehen est sont a ont existent reste restent è sono ha hanno esiste esistono é são tem têm há heeft hebben bestaat`)
	inside       = set("in en em im dans nei nello nos")
	standings    = set("state states status estado estados état états etat etats stato stati zustand zustände zuständen toestand")
	quantity     = set("the all any other every los las demás demas otros otro cualquier todos de den allen anderen jedem les tous autres tutti gli altri os outros demais")
	alternatives = set("or o oder ou of oppure")
	relatives    = set("that which que qui che die der das dat welche")
	refused      = set(`rejected refused declined denied rechazado rechazada rechazados rechazadas denegado denegada denegados denegadas
		recusado recusada recusados recusadas rejeitado rejeitada rejeitados rejeitadas negado negada negados negadas rifiutato
		rifiutata rifiutati rifiutate respinto respinta respinti respinte negato negata refusé refusée refusés refusées rejeté rejetée
		rejetés rejetées abgelehnt zurückgewiesen verweigert geweigerd afgewezen odrzucany odrzucana odrzucane odrzucony`)
)

// tellAnswers reads what an operation answers or refuses as what it returns, and how an object begins as what it is.
func (s *sentence) tellAnswers() {
	word := func(i int) string {
		if i < len(s.tokens) {
			return s.tokens[i].word
		}
		return ""
	}
	for i := range s.tokens {
		if i > 0 && word(i-1) == "it" && beginning[word(i)] && (word(i+1) == "as" || word(i+1) == "with") {
			s.tokens[i].word = "is"
		}
		if i > 0 && reflexive(word(i-1)) && named[word(i)] && word(i+1) != "a" && word(i+1) != "al" {
			s.tokens[i].word = "is"
		}
		begins := i == 0 && s.later || i > 0 && s.tokens[i].comma
		if begins && answering[word(i)] && (with[word(i+1)] || solely[word(i+1)] && with[word(i+2)] || s.shape(i+1)) {
			s.tokens[i].word = "returns"
		}
		own, led := i == 0 || i == 1 && reflexive(word(0)), i == 3 && reflexive(word(2)) && subjectless[word(0)]
		if s.later && refuses[word(i)] && (own && (s.aboutRequest(i+1) || s.elsewhere(i+1)) || (own || led) && s.conditional(i+1)) {
			s.tokens[i].word = "returns"
		}
	}
}

// shape reports whether nothing but the members of an object follows: what stands behind them may say to whom they are sent.
func (s *sentence) shape(at int) bool {
	return at < len(s.tokens) && !slices.ContainsFunc(s.tokens[at:], func(t token) bool { return !t.brace })
}

// conditional reports whether nothing but a condition follows a refusal: that something is, or has something, or that a parameter is
// not given. What follows the condition, or is said of what others have, may be what is refused. A relative clause may explain the
// condition, and promises no effect outside of the data.
func (s *sentence) conditional(at int) bool {
	if at+1 >= len(s.tokens) || !conditions[s.tokens[at].word] {
		return false
	}
	if slices.ContainsFunc(s.tokens, func(t token) bool { return theirs[t.word] }) {
		return false
	}
	stated := s.tokens[at+1].code
	aside := false
	for i, t := range s.tokens[at+1:] {
		rest := s.tokens[at+1+i:]
		switch {
		case t.comma && relatives[t.word]:
			return stated && TextEffect(words(rest[1:])) < Reaches
		case t.comma && !aside && afterNoun[t.word] && !stated:
			aside = true // a phrase before the verb: some loan, of any state, refers to it
		case t.comma && aside && TextEffect(words(rest)) < Creates:
			aside = false
		case t.comma, joining[t.word] && !alternatives[t.word], refuses[t.word], refused[t.word]:
			return false
		}
		stated = stated || being[t.word]
	}
	return stated
}

// elsewhere reports whether nothing but other states follows a refusal: it is refused in the other states.
func (s *sentence) elsewhere(at int) bool {
	last := len(s.tokens) - 1
	return at < last && inside[s.tokens[at].word] && standings[s.tokens[last].word] &&
		!slices.ContainsFunc(s.tokens[at+1:last], func(t token) bool { return !quantity[t.word] || t.comma })
}

// words are tokens as a text.
func words(tokens []token) string {
	var all []string
	for _, t := range tokens {
		all = append(all, t.word)
	}
	return strings.Join(all, " ")
}

// aboutRequest reports whether a sentence that tells of a refusal is about a request: what is refused follows an indefinite
// article at a place and is a value, or is called wrong, or is nothing but a clash of two objects, or a code goes with the refusal; and
// nothing is said of what others have. A sentence that refuses something else may be about an object of others: rejects an offer.
func (s *sentence) aboutRequest(at int) bool {
	after := s.at(at + 1)
	about := clashes[s.at(at).word] && (after.word == "" || after.comma || likened[after.word])
	if at < len(s.tokens) && single[s.tokens[at].word] {
		for _, t := range s.tokens[at+1 : min(len(s.tokens), at+1+mostOfPhrase)] {
			if afterNoun[t.word] || t.comma {
				break
			}
			about = about || values[t.word] || unwelcome[t.word]
		}
	}
	for i, t := range s.tokens {
		if theirs[t.word] {
			return false
		}
		about = about || t.code && i > 0 && with[s.tokens[i-1].word]
	}
	return about
}

// mostOfPhrase is how many words after the article are looked at.
const mostOfPhrase = 3

// sentences parts a text. A dot within a word ends none.
func sentences(text string) []sentence {
	text = abbreviations.Replace(text)
	var all []sentence
	now := sentence{}
	comma, braces := false, 0
	end := func(aside bool) {
		if len(now.tokens) > 0 {
			all = append(all, now)
		}
		now, comma = sentence{aside: aside}, false
		if !aside {
			braces = 0
		}
	}
	runes := []rune(text)
	for i := 0; i < len(runes); {
		r := runes[i]
		if !wordly(r) {
			if r == '`' {
				i = skipCode(runes, i, &now, &comma)
				continue
			}
			space := i+1 == len(runes) || unicode.IsSpace(runes[i+1])
			switch {
			case r == '{':
				braces++
			case r == '}':
				braces = max(braces-1, 0)
			case r == ',' || r == '–' || r == '—':
				comma = true
			case r == ':' && space, r == '(', r == '[':
				end(true)
			case r == ')', r == ']':
				end(true)
			case strings.ContainsRune("!?;\n•*。！？", r), r == '.' && space:
				end(false)
			}
			i++
			continue
		}
		word, n := wordAt(runes[i:])
		if last := len(now.tokens) - 1; last >= 0 && !comma && compounds[now.tokens[last].word+"-"+strings.ToLower(word)] {
			now.tokens[last].word += "-" + strings.ToLower(word)
		} else {
			now.tokens = append(now.tokens, newToken(word, comma))
		}
		now.tokens[len(now.tokens)-1].brace = braces > 0
		comma = false
		i += n
	}
	end(false)
	return all
}

// abbreviations are read as the words that they stand for.
var abbreviations = strings.NewReplacer("e.g.", "such as", "E.g.", "such as", "i.e.", "that is", "I.e.", "that is", "etc.", "etc",
	"z.B.", "such as", "z. B.", "such as", "p. ej.", "such as", "p.ex.", "such as", "’", "'", " & ", " and ", "e-mail", "email", "E-mail", "email", "E-Mail", "email")

func wordly(r rune) bool { return kind(r) != 0 || r == '_' }

// wordAt returns the word that a text begins with, its hyphens and dots included, and
// its length.
func wordAt(runes []rune) (string, int) {
	n := 0
	for n < len(runes) {
		inner := n+1 < len(runes) && n > 0 && wordly(runes[n+1]) && strings.ContainsRune("-'./", runes[n])
		if !wordly(runes[n]) && !inner {
			break
		}
		n++
	}
	return string(runes[:n]), n
}

// newToken takes names of operations for code, and hyphens out of words.
func newToken(word string, comma bool) token {
	code := strings.ContainsAny(word, "_./0123456789") || len(word) > 1 && len(humps([]rune(word))) > 1
	return token{lower([]rune(strings.ReplaceAll(word, "-", ""))), comma, code, false}
}

// skipCode takes what stands between backquotes for one name.
func skipCode(runes []rune, i int, now *sentence, comma *bool) int {
	for j := i + 1; j < len(runes); j++ {
		if runes[j] == '`' {
			now.tokens = append(now.tokens, token{lower(runes[i+1 : j]), *comma, true, false})
			*comma = false
			return j + 1
		}
	}
	return i + 1
}
