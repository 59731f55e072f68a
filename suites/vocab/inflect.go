package vocab

import (
	"strings"
	"sync"
)

// A form is what an inflected word comes from.
type form struct {
	verb   string
	effect Effect
}

// inflected are the forms of the English verbs, by how they are written.
var inflected = sync.OnceValue(inflect)

// inflections by kind: thirds are deletes and sends, participles deleted and sent, gerunds deleting
// and sending.
type inflections struct{ thirds, participles, gerunds map[string]form }

// irregular are the participles of verbs that no rule makes.
var irregular = pairs(`send sent resend resent pay paid repay repaid prepay prepaid write written rewrite rewritten overwrite overwritten
	put put set set reset reset run run rerun rerun begin begun make made sell sold buy bought draw drawn withdraw withdrawn
	spend spent lend lent build built rebuild rebuilt burn burnt cut cut give given take taken hide hidden unhide unhidden
	freeze frozen drive driven fly flown leave left meet met tell told say said speak spoken choose chosen forget forgotten
	shut shut split split wake woken spin spun bid bid bet bet undo undone redo redone cast cast shoot shot steal stolen
	throw thrown hold held feed fed light lit rebind rebound bind bound unbind unbound read read get gotten find found
	show shown see seen do done strip stripped upload uploaded quit quit dig dug steer steered ring rung grind ground
	overdraw overdrawn unbuild unbuilt rmdir removed`)

// doubling are endings of one stressed syllable, where the last letter is doubled.
var doubling = set(`drop pop trim strip ban tag untag retag pin unpin stop ship map remap unmap put cut set reset run rerun zap
	submit resubmit transfer refer commit admit permit emit transmit remit cancel unplug plug skip swap crop flip
	scrub split shut spin grip drag tap tip gap cap beg jog dub nag bet bid chat dim enrol fulfil log wrap grab
	rob mop unwrap defer scan plan plot stat begin defrag blog program refer allot rebut rip tar zip unzip
	untar unship get forget let hit sit quit travel label unlabel relabel signal model level`)

func inflect() inflections {
	all := inflections{map[string]form{}, map[string]form{}, map[string]form{}}
	keep := func(m map[string]form, word string, f form) {
		was, known := m[word]
		if !known || was.effect < f.effect || was.effect == f.effect && f.verb < was.verb {
			m[word] = f
		}
	}
	for effect, words := range english {
		for _, w := range fields(words) {
			f := form{w, effect}
			keep(all.thirds, withS(w), f)
			for _, stem := range stems(w) {
				keep(all.participles, strings.TrimSuffix(stem, "e")+"ed", f)
				keep(all.gerunds, strings.TrimSuffix(stem, "e")+"ing", f)
			}
			if past, ok := irregular[w]; ok {
				keep(all.participles, past, f)
			}
		}
	}
	return all
}

// stems are what an ending of a verb is put behind.
func stems(verb string) []string {
	last := verb[len(verb)-1:]
	switch {
	case doubling[verb]:
		return []string{verb, verb + last}
	case last == "y" && len(verb) > 2 && !strings.ContainsAny(verb[len(verb)-2:len(verb)-1], "aeou"):
		return []string{verb, verb[:len(verb)-1] + "i"}
	}
	return []string{verb}
}

// withS is the third person of a verb, or the plural of a noun.
func withS(verb string) string {
	switch {
	case hasEnding(verb, "s", "x", "z", "ch", "sh") || verb == "do" || verb == "go" || hasEnding(verb, "cho", "eto", "ndo", "edo"):
		return verb + "es"
	case hasEnding(verb, "y") && len(verb) > 1 && !strings.ContainsAny(verb[len(verb)-2:len(verb)-1], "aeou"):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// verbOf returns the effect of a word in any form that may follow to.
func verbOf(word string) Effect {
	e, _, _ := finite(word)
	return e
}
