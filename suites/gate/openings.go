package gate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// opened are what is made where it is opened. Who opens a position buys, and who opens a port lets others
// in, so the records that are opened are told one by one.
var opened = strings.Fields(`ticket issue case thread discussion topic incident question queue task record file folder stocktake
	inventory inspection survey review report complaint journal logbook tournament space workspace project notebook board album`)

// opening begins the description of what is named as a creation: open a ticket.
var opening = regexp.MustCompile(`(?i)^\s*open(s?)\s+(?:an?\s+)((?:new\s+)?(?:` + strings.Join(append(opened, "work order"), "|") + `)\b)`)

// emptily begins the description of the creation of a container: open a new, empty box. A position or a port
// is never called empty.
var emptily = regexp.MustCompile(`(?i)^\s*open(s?)\s+an?\s+((?:new,?\s+)?(?:empty|blank)\s+[\p{L}_-]+)`)

// issuing begins the description of the creation of a credential, which the adapter keeps: issue a deploy token. An invoice, a
// refund or a badge reaches somebody.
var issuing = regexp.MustCompile(`(?i)^\s*issue(s?)\s+an?\s+((?:[\p{L}-]+\s+){0,2}(?:token|credential|(?:API|access) key))(\s*(?:[.;,:(]|$)|\s+(?:for|with|of|that|which|in|under)\b)`)

// setting is a verb that says of an object that it is brought about, where its noun follows. Who plants
// a tree makes one, and who plants evidence acts on others. "Plant eine Ausstellung" is German and plans one.
var setting = regexp.MustCompile(`(?i)^\s*(?:set(s?) up|lay(s?) out|bring(s?) in|plant(s?))\s+(?:an?|the|eine?n?)\s+(?:new\s+|neuen?\s+|neues\s+)?([\p{L}_-]+)`)

// asNamed returns the description of an operation with the verb of its name for one that says the same.
func (r *Rules) asNamed(o probes.Operation, effect vocab.Effect, text string) string {
	text = r.withSubjects(text)
	switch {
	case effect == vocab.Creates:
		return r.asCreation(o, text)
	case o.Category == "DELETE":
		return r.asRemoval(o, text)
	}
	return text
}

// subjects matches the beginning of a sentence: a word that may be a noun in the plural, and a verb that follows one.
var subjects = regexp.MustCompile(`(^|[.;:]\s+)(\p{L}+s)(\s+(?i:are|begin|belong|have|appear|remain|become)\b)`)

// withSubjects replaces a subject that is a recurring noun of the operations, because it may be a verb too. "Issues begin as
// drafts" issues nothing.
func (r *Rules) withSubjects(text string) string {
	return subjects.ReplaceAllStringFunc(text, func(found string) string {
		at := subjects.FindStringSubmatch(found)
		if word := strings.ToLower(at[2]); r.recurs[vocab.Singular(word)] < mostCategories || vocab.Singular(word) == word {
			return found
		}
		return at[1] + "Records" + at[3]
	})
}

// closing begins the description of what is named as a removal: end an enrolment.
var closing = regexp.MustCompile(`(?i)^\s*(?:end|withdraw|close)(s?)\s+(?:an?|the)\s+([\p{L}_-]+)`)

// asRemoval returns the description of what its name calls a plain removal with "delete" for a first verb
// that ends the object.
func (r *Rules) asRemoval(o probes.Operation, text string) string {
	at, noun := closing.FindStringSubmatchIndex(text), vocab.Words(r.Noun(o.Name))
	if at == nil || !removes(o) || len(noun) == 0 || vocab.Singular(strings.ToLower(text[at[4]:at[5]])) != noun[len(noun)-1] {
		return text
	}
	return "Delete a " + text[at[4]:]
}

// asCreation returns the description of a creation with "create" for a first verb that says the same of
// the object that the operation makes.
func (r *Rules) asCreation(o probes.Operation, text string) string {
	text = emptily.ReplaceAllString(opening.ReplaceAllString(text, "Create$1 $2"), "Create$1 a $2")
	text = issuing.ReplaceAllString(text, "Create$1 a $2$3")
	at := setting.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	noun := vocab.Words(r.Noun(o.Name))
	if thing := text[at[len(at)-2]:at[len(at)-1]]; len(noun) == 0 || vocab.Singular(strings.ToLower(thing)) != noun[len(noun)-1] {
		return text
	}
	return "Create a " + text[at[len(at)-2]:]
}

// enlisting are verbs that make a record of somebody or something: of what is new, or of what exists
// where another operation makes it. What is lent is there before.
var enlisting = strings.Fields("enroll enrol recruit onboard appoint nominate lend")

// takesOver reports whether a creation without the identifier of a kind may choose an object of it that exists.
func (r *Rules) takesOver(o probes.Operation, k Kind) bool {
	verb := func(o probes.Operation) string {
		return first(slices.DeleteFunc(vocab.Words(o.Name), func(w string) bool { return !slices.Contains(enlisting, w) }))
	}
	other := func(m probes.Operation) bool { return m.Category == "CREATE" && verb(m) == "" && r.related(o, m) }
	return verb(o) != "" && !slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
		return p.Required && slices.ContainsFunc(k.Key, func(key string) bool { return alike(key, p.Name) })
	}) && (verb(o) == "lend" || slices.ContainsFunc(r.Operations, other))
}

// deeds are things whose creation is an act on others: who creates a payment pays.
var deeds = strings.Fields("charge payment payout refund transfer transaction email mail sms message push notification broadcast tweet invitation invite campaign order booking reservation deployment release rollback execution webhook hook callback subscription")

// works reports whether a name ends with a work order, which orders nothing from others.
func works(words []string) bool {
	last := len(words) - 1
	return last > 1 && words[last-1] == "work" && vocab.Singular(words[last]) == "order"
}
