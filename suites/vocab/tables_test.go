package vocab

import (
	"slices"
	"testing"
)

// A word has one meaning in a language.
func TestTablesDoNotContradict(t *testing.T) {
	for name, tongue := range languages {
		seen := map[string]Effect{}
		for effect, words := range tongue {
			for _, w := range fields(words) {
				if before, ok := seen[w]; ok {
					t.Errorf("%s: %s stands under %v and under %v", name, w, before, effect)
				}
				seen[w] = effect
				if got := Words(w); !slices.Equal(got, []string{w}) {
					t.Errorf("%s: %q is no single lower-case word: %q", name, w, got)
				}
			}
		}
	}
}

// A verb of another language does not make an English one more dangerous.
func TestTablesKeepEnglish(t *testing.T) {
	for effect, words := range english {
		for _, w := range fields(words) {
			if got := EffectOf(w); got != effect {
				t.Errorf("%s is %v, in English %v", w, got, effect)
			}
		}
	}
}

// A phrase has one meaning, and no phrase is a compound.
func TestPhrasesDoNotContradict(t *testing.T) {
	seen := map[string]Effect{}
	for effect, list := range phraseLists {
		for _, phrase := range splitList(list) {
			if before, ok := seen[phrase]; ok {
				t.Errorf("%s stands under %v and under %v", phrase, before, effect)
			}
			seen[phrase] = effect
			if len(fields(phrase)) != 2 {
				t.Errorf("%q is no phrase of two words", phrase)
			}
		}
	}
}

// The verbs that the project names are known, and none has more effect than its
// category tolerates.
func TestProjectVerbs(t *testing.T) {
	for most, list := range map[Effect]string{
		Reads:   "get list search find export count fetch retrieve read show view enumerate introspect query describe check validate verify preview compare analyze analyse summarize render convert parse translate compute calculate estimate ping lookup resolve browse download dump",
		Creates: "create add upload register import insert make new generate copy clone duplicate snapshot record",
		Changes: `update edit set rename move patch merge modify change alter attach detach assign unassign link replace reorder vote rate tag untag
			label mark unmark pin unpin mute watch acknowledge refresh complete load follow like override`,
		Removes: "delete remove purge unregister clear drop destroy erase truncate reset wipe archive unlink format",
		Reaches: `execute cancel run start stop resume trigger invoke launch perform abort terminate kill build compile deploy open close restore
			transfer share invite join leave notify schedule sync reload login logout authenticate confirm force bypass test`,
	} {
		for _, w := range fields(list) {
			if got := EffectOf(w); got == None || got > most {
				t.Errorf("%s is %v, want at most %v", w, got, most)
			}
		}
	}
}

// Nouns of which resources are made are no verbs in any language.
func TestNounsAreNoVerbs(t *testing.T) {
	for _, w := range fields(`account activity agent album announcement app appointment area article artist asset badge balance
		banner batch board brand budget bug calendar campaign car card cart case category cell chapter city class client code
		collection color column command company component condition config connection container content context country coupon
		course criteria currency customer dashboard data database date day department device dialog directory disk district
		domain door element employee entry environment epic error event expense faq feature field flight folder food form friend
		game genre goal guest guide history hotel house id image incident ingredient instance inventory item job key
		kind language lesson level library light line location machine manager matter meal medication meeting member menu
		metadata metric milestone model module month movie name namespace network node note number object office option
		organization package page parameter part participant password patient payload people period permission person phase
		photo pipeline plan planet platform player playlist podcast point policy port position price priority problem product
		project property protocol quantity question quota recipe region relationship repo resource role room rule
		salary sale scene season secret section sensor session setting shelf shop site size skill slot snippet song
		species speaker statistic status stock street string student subject supplier survey table task
		team template temperature tenant term text theme thing thread ticket time timezone title token tool topic town track_
		transaction trip unit url user value variable variant vehicle vendor version video visit volume warehouse warning
		weather website week widget window word worker workflow workspace year zone unread unique resort remark
		notiz artikel kunde bestellung rechnung datei ordner benutzer nota articulo pedido cliente archivo usuario client commandes
		fichier utilisateur dossier ordine utente arquivo klant bestand gebruiker`) {
		if got := EffectOf(w); got > Reads {
			t.Errorf("%s is %v", w, got)
		}
	}
}
