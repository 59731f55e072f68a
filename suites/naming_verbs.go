package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// canonical are the verbs of section 8.5.1, by category; additional those that
// section 6.2 of the operations document allows beside them.
var (
	canonical = map[string][]string{
		"CREATE": {"create"}, "READ": {"get", "list"}, "UPDATE": {"update"}, "DELETE": {"delete"}, "EXECUTE": {"execute", "cancel"},
	}
	additional = map[string][]string{
		"CREATE":  {"add", "upload", "register", "import", "insert"},
		"READ":    {"search", "find", "export", "count"},
		"UPDATE":  {"edit", "set", "rename", "move", "patch", "merge"},
		"DELETE":  {"remove", "purge", "unregister", "clear", "drop"},
		"EXECUTE": {"run", "start", "stop", "resume", "trigger", "invoke"},
	}
	// synonyms say the same as the canonical verb and no more than it.
	synonyms = map[string][]string{
		"CREATE": {"make", "new"}, "READ": {"fetch", "retrieve", "read", "show", "view", "enumerate"},
		"UPDATE": {"modify", "change", "alter"}, "DELETE": {"destroy", "erase"}, "EXECUTE": {"launch", "perform", "abort", "terminate", "kill"},
	}
	// mixed are the words for one kind of action of which an adapter should choose one.
	mixed = map[string][][]string{
		"READ":   {{"get", "fetch", "retrieve", "read", "show", "view"}, {"list", "find_all", "enumerate"}},
		"UPDATE": {{"update", "edit", "modify", "change", "alter"}},
		"DELETE": {{"delete", "remove", "destroy", "erase"}},
	}
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
	for _, table := range []map[string][]string{canonical, additional, synonyms} {
		for _, verbs := range table {
			if slices.Contains(verbs, word) {
				return true
			}
		}
	}
	return slices.Contains(furtherVerbs, word)
}

// description returns what introspection says about an operation, both places.
func description(s Subject) string {
	return s.Op.Summary.At("description").Text() + "\n" + s.Op.Details.At("description").Text()
}

// mentionsCanonical reports whether a description names a canonical verb.
func mentionsCanonical(category, text string) bool {
	return slices.ContainsFunc(canonical[category], func(v string) bool {
		return regexp.MustCompile(`(?i)\b` + v).MatchString(text)
	})
}

// comparison are words in which a description explains an unusual verb.
var comparison = regexp.MustCompile(`(?i)\b(similar|like|unlike|equivalent|instead|rather|because|differs?|compared|same as)\b`)

// eachVerbed is every domain operation whose name begins with a verb; reserved
// names, names of one word and names in another spelling are judged elsewhere.
func eachVerbed(f *Face) []Subject {
	return only(eachDomain, func(s Subject) bool {
		return snakeCase.MatchString(s.Name) && !slices.Contains(reserved, s.Name) && isVerb(Verb(s.Name)) && canonical[s.Op.Category] != nil
	})(f)
}

// mixedWith returns another listed operation that names the same kind of action
// with another verb; "" when there is none.
func mixedWith(s Subject) string {
	for _, group := range mixed[s.Op.Category] {
		mine := prefixOf(s.Name, group)
		if mine == "" {
			continue
		}
		for _, o := range s.Operations {
			if other := prefixOf(o.Name, group); o.Category == s.Op.Category && other != "" && other != mine && !slices.Contains(reserved, o.Name) {
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

// Section 8.5.1. With the same five verbs everywhere a model guesses the name of an
// operation before it has looked.
var _ = register(Check{
	Requirement: "AQL-8.5.1-01",
	On:          eachVerbed,
	Ask:         listingAndDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		verb, verbs := Verb(s.Name), strings.Join(canonical[s.Op.Category], " or ")
		text := description(s)
		switch {
		case verb == "stop" && s.Op.Category == "EXECUTE" && !slices.ContainsFunc(s.Operations, func(o probes.Operation) bool { return Verb(o.Name) == "cancel" }):
			return Violates("cancel beside "+s.Name, "none")
		case slices.Contains(canonical[s.Op.Category], verb):
			return Conforms()
		case slices.Contains(additional[s.Op.Category], verb) && strings.TrimSpace(text) == "":
			return NotProven("a description of "+s.Name, "none").Because("INT-3.2-04")
		case !slices.Contains(synonyms[s.Op.Category], verb):
			return Conforms()
		case mentionsCanonical(s.Op.Category, text) && comparison.MatchString(text):
			return Conforms().Noting("the description gives a reason")
		case mixedWith(s) != "":
			return NotProven("one verb for one kind of action", s.Name+" beside "+mixedWith(s)).Because("AX-R2-04")
		}
		return Violates("the verb "+verbs, verb)
	},
	Fix: "use the canonical verb of the category, or say in the description why not",
})

// misfiled reports whether a verb belongs to another category alone, which is the
// concern of AQL-8.2-01.
func misfiled(category, verb string) bool {
	elsewhere := false
	for _, table := range []map[string][]string{canonical, additional, synonyms} {
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

// Section 8.5.3. Whoever expects the canonical verb has to find the operation all
// the same.
var _ = register(Check{
	Requirement: "AQL-8.5.3-03",
	On: only(eachVerbed, func(s Subject) bool {
		verb := Verb(s.Name)
		return !slices.Contains(canonical[s.Op.Category], verb) && !misfiled(s.Op.Category, verb)
	}),
	Ask: listingAndDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		text := description(s)
		verbs := strings.Join(canonical[s.Op.Category], " or ")
		longest := max(len(s.Op.Summary.At("description").Text()), len(s.Op.Details.At("description").Text()))
		if longest <= 20 || !mentionsCanonical(s.Op.Category, text) {
			return Violates("a description that gives the reason and names "+verbs, probes.ValueOf(strings.TrimSpace(text)))
		}
		return Conforms()
	},
	Fix: `say in the description what the verb adds, for example "Similar to create, but handles binary upload"`,
})

// Section 8.5.2. The verb first: names of one kind of action stand together and
// the resource is what follows.
var _ = register(Check{
	Requirement: "AQL-8.5.2-02",
	On:          eachDomain,
	Ask:         listingAndDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		first, rest, pair := strings.Cut(s.Name, "_")
		last := rest[strings.LastIndex(rest, "_")+1:]
		resource := slices.ContainsFunc(s.Operations, func(o probes.Operation) bool {
			return o.Name != s.Name && Noun(o.Name) == singular(s.Name)
		})
		switch {
		case !snakeCase.MatchString(s.Name):
			return NotProven("a name in snake_case", s.Name).Because("AQL-8.5.2-01")
		case isVerb(first), slices.Contains(reserved, s.Name):
			return Conforms()
		case !pair && resource:
			return Violates("a verb and a resource", s.Name)
		case !pair:
			return Conforms().Noting("an operation on the whole system may omit the resource")
		case isVerb(last) || !documentsVerb(s, first):
			return Violates("a name that begins with a verb", s.Name)
		}
		return Conforms()
	},
	Fix: "name the operation verb_resource",
})

// documentsVerb reports whether the description begins with the word, as in
// "Triage an issue" or "Triages an issue" for triage_issue.
func documentsVerb(s Subject, word string) bool {
	for _, line := range strings.Split(strings.ToLower(description(s)), "\n") {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}

// AX rule R2. Two words for one action look like two actions.
var _ = register(Check{
	Requirement: "AX-R2-04",
	On: func(f *Face) []Subject {
		if len(f.Operations) > 0 && len(f.Operations) < 3 {
			return []Subject{(Subject{Face: f, Name: "adapter"}).settle(NotApplicable("fewer than three operations"))}
		}
		return eachVerbed(f)
	},
	Ask: listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		verb := Verb(s.Name)
		if other := mixedWith(s); other != "" && !slices.Contains(canonical[s.Op.Category], verb) {
			return Violates("one verb for one kind of action", s.Name+" beside "+other)
		}
		return Conforms()
	},
	Fix: "use one verb for each kind of action",
})
