package vocab

import "strings"

// alone are nouns that end in s and are no plural, and plurals of which no rule makes
// the singular. They are what turns up in the names of resources.
var alone = pairs(`series series species species news news status status address address analysis analysis basis basis
	bus bus canvas canvas gas gas lens lens alias alias atlas atlas bias bias process process access access business business
	people person children child men man women woman mice mouse feet foot teeth tooth geese goose data data media media
	indices index vertices vertex matrices matrix appendices appendix criteria criterion phenomena phenomenon
	analyses analysis bases base crises crisis hypotheses hypothesis diagnoses diagnosis theses thesis axes axis
	lives life knives knife wives wife leaves leaf shelves shelf halves half wolves wolf loaves loaf thieves thief
	movies movie cookies cookie pies pie ties tie lies lie dies die calories calorie zombies zombie selfies selfie
	heroes hero potatoes potato tomatoes tomato echoes echo vetoes veto torpedoes torpedo
	buses bus gases gas quizzes quiz shoes shoe toes toe caches cache headaches headache niches niche avalanches avalanche
	aliases alias canvases canvas atlases atlas biases bias lenses lens statuses status viruses virus bonuses bonus
	campuses campus censuses census corpuses corpus focuses focus surpluses surplus indexes index`)

// pairs reads a list of words two by two.
func pairs(list string) map[string]string {
	fields, m := strings.Fields(list), map[string]string{}
	for i := 0; i+1 < len(fields); i += 2 {
		m[fields[i]] = fields[i+1]
	}
	return m
}

// Singular returns the singular of an English noun; other words it returns as they are,
// as far as it can tell.
func Singular(noun string) string {
	if one, ok := alone[noun]; ok {
		return one
	}
	stem := func(ending string) string { return strings.TrimSuffix(noun, ending) }
	switch {
	case len(noun) > 4 && strings.HasSuffix(noun, "ies"):
		return stem("ies") + "y"
	case hasEnding(noun, "sses", "shes", "ches", "xes", "zzes"):
		return stem("es")
	case len(noun) < 4 && noun != "ids" && noun != "ips", hasEnding(noun, "ss", "us", "is"):
		return noun
	}
	return stem("s")
}

func hasEnding(word string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}
