package classification

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// furtherVerbs begin operation names without being anybody's synonym.
var furtherVerbs = strings.Fields(`introspect query describe check test validate verify preview compare analyze analyse summarize render convert parse
	format translate compute calculate estimate generate build compile deploy open close attach detach assign unassign link unlink copy clone duplicate
	archive restore replace reorder convert transfer share invite join leave follow like vote rate tag untag label mark unmark pin unpin mute watch
	notify acknowledge schedule sync refresh reload ping login logout authenticate lookup resolve browse download dump load snapshot record complete confirm
	send setup activate deactivate enable disable reset wipe truncate retry apply install uninstall publish submit approve reject verify write push post put
	save book buy pay order pause restart lock unlock revoke grant rotate`)

// isVerb reports whether a word is known as a verb.
func isVerb(word string) bool {
	for _, table := range []map[string][]string{check.CanonicalVerbs, check.AdditionalVerbs, check.SynonymVerbs} {
		for _, verbs := range table {
			if slices.Contains(verbs, word) {
				return true
			}
		}
	}
	return slices.Contains(furtherVerbs, word)
}

// mentionsCanonical reports whether a description names a canonical verb.
func mentionsCanonical(category, text string) bool {
	return slices.ContainsFunc(check.CanonicalVerbs[category], func(v string) bool {
		return regexp.MustCompile(`(?i)\b` + v).MatchString(text)
	})
}

// comparison are words in which a description explains an unusual verb.
var comparison = regexp.MustCompile(`(?i)\b(similar|like|unlike|equivalent|instead|rather|because|differs?|compared|same as)\b`)

// eachVerbed is every domain operation whose name begins with a verb; reserved
// names, names of one word and names in another spelling are judged elsewhere.
func eachVerbed(f *model.Adapter) []model.Subject {
	return categorised(model.Only(model.EachDomain, func(s model.Subject) bool {
		return check.SnakeCase.MatchString(s.Name) && !slices.Contains(model.Reserved, s.Name) && isVerb(f.Verb(s.Name)) && check.CanonicalVerbs[s.Op.Category] != nil
	}))(f)
}

// mixedWith returns another listed operation that names the same kind of action
// with another verb; "" when there is none.
func mixedWith(s model.Subject) string {
	for _, group := range check.InterchangeableVerbs[s.Op.Category] {
		mine := prefixOf(s.Name, group)
		if mine == "" {
			continue
		}
		for _, o := range s.Operations {
			if other := prefixOf(o.Name, group); o.Category == s.Op.Category && other != "" && other != mine && !slices.Contains(model.Reserved, o.Name) {
				return o.Name
			}
		}
	}
	return ""
}

// prefixOf returns the word of a group that a name begins with.
func prefixOf(name string, group []string) string {
	for _, word := range group {
		if strings.HasPrefix(name, word+"_") {
			return word
		}
	}
	return ""
}

// Section 8.5.1.
var standardOperationsUseCanonicalVerbs = check.Check{
	Requirement: "AQL-8.5.1-01",
	Rule:        "Standard operations use the canonical verb of their category (create; get/list; update; delete; execute/cancel).",
	Why:         "With the same verbs in every adapter, a model can guess the name of an operation.",
	On:          eachVerbed,
	Ask:         check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		verb, verbs := s.Verb(s.Name), strings.Join(check.CanonicalVerbs[s.Op.Category], " or ")
		text := check.Description(s)
		switch {
		case verb == "stop" && s.Op.Category == "EXECUTE" && !slices.ContainsFunc(s.Operations, func(o probes.Operation) bool { return s.Verb(o.Name) == "cancel" }):
			return ruling.Violates("cancel beside "+s.Name, "none")
		case slices.Contains(check.CanonicalVerbs[s.Op.Category], verb):
			return ruling.Conforms()
		case slices.Contains(check.AdditionalVerbs[s.Op.Category], verb) && strings.TrimSpace(text) == "":
			return ruling.NotProven("a description of "+s.Name, "none").Because("INT-3.2-04")
		case !slices.Contains(check.SynonymVerbs[s.Op.Category], verb):
			return ruling.Conforms()
		case mentionsCanonical(s.Op.Category, text) && comparison.MatchString(text):
			return ruling.Conforms().Noting("the description gives a reason")
		case mixedWith(s) != "":
			return ruling.NotProven("one verb for one kind of action", s.Name+" beside "+mixedWith(s)).Because("AX-R2-04")
		}
		return ruling.Violates("the verb "+verbs, verb)
	},
	Fix: "use the canonical verb of the category, or say in the description why not",
}

// misfiled reports whether a verb belongs to another category alone, which is the
// concern of AQL-8.2-01.
func misfiled(category, verb string) bool {
	elsewhere := false
	for _, table := range []map[string][]string{check.CanonicalVerbs, check.AdditionalVerbs, check.SynonymVerbs} {
		for c, verbs := range table {
			if slices.Contains(verbs, verb) {
				if c == category {
					return false
				}
				elsewhere = true
			}
		}
	}
	return elsewhere
}

// Section 8.5.3.
var unusualVerbsAreExplained = check.Check{
	Requirement: "AQL-8.5.3-03",
	Rule:        "The description of an operation with a non-canonical verb gives a reason and mentions the canonical equivalent.",
	Why:         "Clients look for the standard verb, so the description must mention it.",
	On: model.Only(eachVerbed, func(s model.Subject) bool {
		verb := s.Verb(s.Name)
		return !slices.Contains(check.CanonicalVerbs[s.Op.Category], verb) && !misfiled(s.Op.Category, verb)
	}),
	Ask: check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		text := check.Description(s)
		verbs := strings.Join(check.CanonicalVerbs[s.Op.Category], " or ")
		longest := max(len(s.Op.Summary.At("description").Text()), len(s.Op.Details.At("description").Text()))
		if longest <= 20 || !mentionsCanonical(s.Op.Category, text) {
			return ruling.Violates("a description that gives the reason and names "+verbs, strings.Join(quotedOnce(s.Op), " and "))
		}
		return ruling.Conforms()
	},
	Fix: `say in the description what the verb adds, for example "Similar to create, but handles binary upload"`,
}

// quotedOnce are the descriptions of an operation in the listing and in its details, where they differ.
func quotedOnce(o probes.Operation) []string {
	var all []string
	for _, record := range []probes.Value{o.Summary, o.Details} {
		if text := record.At("description"); text.Text() != "" && !slices.Contains(all, text.String()) {
			all = append(all, text.String())
		}
	}
	if len(all) == 0 {
		return []string{"none"}
	}
	return all
}

// Section 8.5.2.
var operationNamesFollowVerbAndResource = check.Check{
	Requirement: "AQL-8.5.2-02",
	Rule:        "Operation names follow verb_resource.",
	Why:         "The verb first: names of one kind of action stand together and the resource is what follows.",
	On:          model.EachDomain,
	Ask:         check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		first, rest, pair := strings.Cut(s.Name, "_")
		last := rest[strings.LastIndex(rest, "_")+1:]
		resource := func() bool {
			return slices.ContainsFunc(s.OfNoun(model.Singular(s.Name)), func(o probes.Operation) bool { return o.Name != s.Name })
		}
		switch {
		case !check.SnakeCase.MatchString(s.Name):
			return ruling.NotProven("a name in snake_case", s.Name).Because("AQL-8.5.2-01")
		case isVerb(first), slices.Contains(model.Reserved, s.Name):
			return ruling.Conforms()
		case !pair && resource():
			return ruling.Violates("a verb and a resource", s.Name)
		case !pair:
			return ruling.Conforms().Noting("an operation on the whole system may omit the resource")
		case resourceFirst(s, first):
			return ruling.Violates("a name that begins with a verb", s.Name)
		case sharesResource(s, first, rest):
			return ruling.Conforms()
		case isVerb(last):
			return ruling.Violates("a name that begins with a verb", s.Name)
		case documentsVerb(s, first):
			return ruling.Conforms()
		}
		return ruling.NotProven("a first word that is known as a verb, or with which the description begins", s.Name)
	},
	Fix: "name the operation verb_resource",
}

// resourceFirst reports whether the names of the other operations show that a name begins
// with the resource: one ends with that word, or operations of three categories begin with it.
func resourceFirst(s model.Subject, word string) bool {
	categories := map[string]bool{}
	for _, o := range s.Operations {
		first, rest, _ := strings.Cut(o.Name, "_")
		if o.Name != s.Name && rest != "" && model.Singular(rest) == model.Singular(word) {
			return true
		}
		if first == word {
			categories[o.Category] = true
		}
	}
	return len(categories) >= 3
}

// sharesResource reports whether an operation of another category does something else with
// what stands behind the first word, as list_orders beside withdraw_order.
func sharesResource(s model.Subject, word, resource string) bool {
	return slices.ContainsFunc(s.Operations, func(o probes.Operation) bool {
		first, rest, _ := strings.Cut(o.Name, "_")
		return first != word && o.Category != s.Op.Category && model.Singular(rest) == model.Singular(resource)
	})
}

// documentsVerb reports whether the description begins with the word, as in
// "Triage an issue" or "Triages an issue" for triage_issue.
func documentsVerb(s model.Subject, word string) bool {
	for _, line := range strings.Split(strings.ToLower(check.Description(s)), "\n") {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}

// AX rule R2.
var oneVerbPerKindOfAction = check.Check{
	Requirement: "AX-R2-04",
	Rule:        "Within one adapter the same kind of action is named with the same verb.",
	Why:         "Two words for one action look like two actions.",
	On: func(f *model.Adapter) []model.Subject {
		if len(f.Operations) > 0 && len(f.Operations) < 3 {
			return []model.Subject{(model.Subject{Adapter: f, Name: "adapter"}).WithRuling(ruling.NotApplicable("fewer than three operations"))}
		}
		return eachVerbed(f)
	},
	Ask: model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		verb := s.Verb(s.Name)
		if other := mixedWith(s); other != "" && !slices.Contains(check.CanonicalVerbs[s.Op.Category], verb) {
			return ruling.Violates("one verb for one kind of action", s.Name+" beside "+other)
		}
		return ruling.Conforms()
	},
	Fix: "use one verb for each kind of action",
}
