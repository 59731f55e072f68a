package habits

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed words.json
var wordsFile []byte

// A language has the words of adapters whose authors speak it.
type language struct {
	Domains []domainWords     `json:"domains"`
	Verbs   map[string]string `json:"verbs"`
	Members map[string]string `json:"members"`
	Values  map[string]string `json:"values"`
}

type domainWords struct {
	Title  string    `json:"title"`
	Main   [2]string `json:"main"` // one, several
	Parent [2]string `json:"parent"`
	Run    [2]string `json:"run"`
}

const (
	invented   = "invented"
	ownNames   = "spec 1.4, 4.3, 8.5.2"
	otherVerbs = "spec 8.5.3 (MAY)"
)

// vocabularyAxes are the words; they show in the names of a description.
func vocabularyAxes() []Axis {
	return []Axis{
		{Name: "language", Habits: []Habit{
			{Name: "of the notes", Section: ownNames},
			{Name: "english", Section: ownNames},
			{Name: "other english", Section: otherVerbs},
			{Name: "german", Section: otherVerbs, From: "a"},
			{Name: "japanese", Section: otherVerbs, From: "c"},
			{Name: "french", Section: otherVerbs},
			{Name: invented, Section: otherVerbs},
		}},
		{Name: "place of the verb", Habits: []Habit{
			{Name: "first", Section: "spec 8.5.2"},
			{Name: "last", Section: "spec 8.5.2 (SHOULD)", From: "a b c", Announces: []string{"AQL-8.5.2-02"}},
		}},
		{Name: "name of the key", Habits: []Habit{
			{Name: "kind and id", Section: ownNames},
			{Name: "id", Section: ownNames},
			{Name: "number", Section: ownNames},
			{Name: "code", Section: ownNames},
			{Name: "ref", Section: ownNames},
		}},
	}
}

// verbs and nouns of the heart, by which its names are taken apart.
var (
	heartVerbs = []string{"create", "get", "list", "search", "update", "delete", "execute", "cancel", "empty", "shred"}
	heartNouns = []string{"note", "notes", "folder", "folders", "export", "exports"}
)

// namesFor gives everything of the heart its name on the wire.
func namesFor(habits map[string]string, r *rand.Rand) (title string, names map[string]string) {
	var languages map[string]language
	if err := json.Unmarshal(wordsFile, &languages); err != nil {
		panic(err) // the file is embedded
	}
	words, known := languages[habits["language"]]
	switch {
	case habits["language"] == invented:
		words = inventedLanguage(languages["german"], r)
	case !known:
		words = language{Domains: []domainWords{{"Notes in folders", [2]string{"note", "notes"}, [2]string{"folder", "folders"}, [2]string{"export", "exports"}}}}
	}
	domain := words.Domains[r.IntN(len(words.Domains))]
	names = map[string]string{}
	nouns := []string{domain.Main[0], domain.Main[1], domain.Parent[0], domain.Parent[1], domain.Run[0], domain.Run[1]}
	for i, noun := range nouns {
		names["noun "+heartNouns[i]] = noun
		for _, verb := range heartVerbs {
			names["operation "+verb+"_"+heartNouns[i]] = operationName(ownName(words.Verbs, verb), noun, habits["place of the verb"] == "last")
		}
	}
	for heart, name := range words.Members {
		names["member "+heart] = name
	}
	for heart, name := range words.Values {
		names["value "+heart] = name
	}
	names["member note_id"] = keyName(habits["name of the key"], domain.Main[0])
	names["member folder_id"] = domain.Parent[0] + "_id"
	for i, noun := range nouns[:4] {
		names["member "+heartNouns[i]] = noun
	}
	for _, verb := range heartVerbs {
		if own := ownName(words.Verbs, verb); own != verb {
			names["verb "+verb] = own
		}
	}
	return domain.Title, names
}

func ownName(names map[string]string, name string) string {
	if own := names[name]; own != "" {
		return own
	}
	return name
}

func operationName(verb, noun string, last bool) string {
	if last {
		return noun + "_" + verb
	}
	return verb + "_" + noun
}

func keyName(habit, kind string) string {
	switch habit {
	case "", "kind and id":
		return kind + "_id"
	}
	return habit
}

// inventedLanguage has words that nobody knows.
func inventedLanguage(like language, r *rand.Rand) language {
	used := map[string]bool{}
	word := func() string {
		for {
			var out strings.Builder
			for range 2 + r.IntN(2) {
				fmt.Fprintf(&out, "%c%c", "bdfgklmnprstvz"[r.IntN(14)], "aeiou"[r.IntN(5)])
			}
			if !used[out.String()] {
				used[out.String()] = true
				return out.String()
			}
		}
	}
	each := func(names map[string]string) map[string]string {
		out := map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			out[name] = word()
		}
		return out
	}
	main, parent, run := word(), word(), word()
	return language{
		Domains: []domainWords{{"Things of " + word(), [2]string{main, main + "r"}, [2]string{parent, parent + "r"}, [2]string{run, run + "r"}}},
		Verbs:   each(like.Verbs), Members: each(like.Members), Values: each(like.Values),
	}
}

// NewVocabulary reads the names of a description.
func NewVocabulary(names map[string]string) *vocabulary {
	sorts := map[string]map[string]string{"operation": {}, "member": {}, "value": {}, "noun": {}, "verb": {}}
	for key, name := range names {
		sort, heart, _ := strings.Cut(key, " ")
		sorts[sort][heart] = name
	}
	v := &vocabulary{
		operations: newNaming(sorts["operation"]), members: newNaming(sorts["member"]), values: newNaming(sorts["value"]),
		nouns: sorts["noun"], similar: map[string]string{},
	}
	for heart := range sorts["operation"] {
		verb, _, _ := strings.Cut(heart, "_")
		if sorts["verb"][verb] != "" {
			v.similar[heart] = ". Similar to " + verb + "; named in the language of its users"
		}
	}
	v.types = newNaming(typeNames(sorts["noun"]))
	return v
}

// typeNames gives the types of the heart the nouns of the description.
func typeNames(nouns map[string]string) map[string]string {
	names := map[string]string{}
	for _, heart := range []string{"Note", "Folder", "Export"} {
		noun := nouns[strings.ToLower(heart)]
		noun = strings.ToUpper(noun[:1]) + noun[1:]
		for _, suffix := range []string{"", "Status", "Input", "List", "SortField", "Sort", "Filter", "Format", "State", "Progress", "Result", "Reference", "Receipt", "Edge", "Listing", "Array", "Row", "Body", "Changes", "BeforeAndAfter"} {
			names[heart+suffix] = noun + suffix
		}
	}
	return names
}
