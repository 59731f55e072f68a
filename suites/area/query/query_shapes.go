package query

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

var textWords = strings.Fields("keyword keywords q search search_term search_text search_query term terms text query_string")

var filterWords = strings.Fields("filters where filter_by filter_expression criteria")

var sortWords = strings.Fields("sort_by sortBy order_by orderBy sort_order sortOrder sort_direction sort_field")

// A standIn tells a parameter that stands for the customary one.
type standIn func(s model.Subject, p probes.Parameter) bool

func called(words []string) standIn {
	return func(_ model.Subject, p probes.Parameter) bool { return slices.Contains(words, p.Name) }
}

// setsOrder tells a parameter that orders a listing by its name, or by its values: some differ only in the direction.
// A number is a place in an order that the records have, unless its values are listed.
func setsOrder(s model.Subject, p probes.Parameter) bool {
	kinds, _ := s.Kinds(p.Type)
	number := slices.Contains(kinds, "integer") || slices.Contains(kinds, "number")
	values := s.EnumOf(p)
	if slices.Contains(sortWords, p.Name) {
		return !number || len(values) > 0
	}
	texts := map[string]bool{}
	for _, v := range values {
		texts[v.Text()] = true
	}
	return slices.ContainsFunc(values, func(v probes.Value) bool {
		plain, minus := strings.CutPrefix(v.Text(), "-")
		field, down := strings.CutSuffix(v.Text(), "desc")
		return minus && strings.IndexFunc(plain, unicode.IsLetter) == 0 && texts[plain] || down && field != "" && texts[field+"asc"]
	})
}

// documenting is every operation with one of the verbs that documents a parameter
// called name or one that stands for it.
func documenting(verbs []string, name string, others standIn) func(*model.Adapter) []model.Subject {
	return model.Only(model.EachDomain, func(s model.Subject) bool {
		return slices.Contains(verbs, s.Verb(s.Name)) && documentsOne(s, name, others)
	})
}

// documentingLists is every operation that lists or searches, as its verb or its answer shows,
// and documents such a parameter.
func documentingLists(name string, others standIn) func(*model.Adapter) []model.Subject {
	return model.Only(model.EachDomain, func(s model.Subject) bool {
		return (slices.Contains(check.ListVerbs, s.Verb(s.Name)) || s.Op.Category == "READ" && check.IsListing(s)) && documentsOne(s, name, others)
	})
}

func documentsOne(s model.Subject, name string, others standIn) bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
		return p.Name == name || others != nil && others(s, p)
	})
}

// shaped rules on an operation that should document one parameter by its customary
// name, with one of the kinds, and none of the words that stand for it elsewhere.
func shaped(s model.Subject, name string, others standIn, kinds ...string) ruling.Ruling {
	want := "the parameter " + name + " of type " + strings.Join(kinds, " or ")
	p, ok := check.Parameter(s, name)
	if !ok {
		i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return others(s, p) })
		return ruling.Violates(want, s.Op.Parameters[i].Name)
	}
	own, understood := s.Kinds(p.Type)
	switch {
	case !understood:
		return ruling.NotProven("a type of "+name+" that is understood", probes.ValueOf(p.Type))
	case !slices.ContainsFunc(own, func(k string) bool { return slices.Contains(kinds, k) }):
		return ruling.Violates(want, name+" of type "+p.Type)
	}
	return ruling.Conforms()
}

// Operations document, section 4.2.
var textSearchUsesQueryParameter = check.Check{
	Requirement: "OPS-4.2-01",
	Rule:        "Search operations take their text in a parameter called query of type string (or a documented object).",
	Why:         "One word for the search text on every adapter saves a look at introspection.",
	On:          documenting([]string{"search", "query"}, "query", called(textWords)),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		return shaped(s, "query", called(textWords), "string", "object")
	},
	Fix: "call the text parameter query and type it string",
}

// Operations document, section 4.2.
var filteringUsesOneFilterObject = check.Check{
	Requirement: "OPS-4.2-04",
	Rule:        "List and search operations take structured filters in one object parameter called filter.",
	Why:         "Conditions in one object can be passed on whole; scattered or as text they have to be parsed.",
	On: func(f *model.Adapter) []model.Subject {
		elsewhere := model.Only(documenting([]string{"get", "create"}, "filter", nil), func(s model.Subject) bool {
			p, _ := check.Parameter(s, "filter")
			kinds, ok := s.Kinds(p.Type)
			return ok && slices.Contains(kinds, "object")
		})
		return append(documentingLists("filter", called(filterWords))(f), elsewhere(f)...)
	},
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if !check.IsListing(s) {
			return ruling.Violates("the parameter filter on operations that list or search", "filter on "+s.Name)
		}
		return shaped(s, "filter", called(filterWords), "object")
	},
	Fix: "take conditions in one object parameter called filter",
}

// Operations document, section 4.2.
var sortingUsesOneSortObject = check.Check{
	Requirement: "OPS-4.2-05",
	Rule:        "List and search operations take the order in one object parameter called sort with field and order.",
	Why:         "Field and direction belong together.",
	On:          documentingLists("sort", setsOrder),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		return shaped(s, "sort", setsOrder, "object")
	},
	Fix: `take the order in one object parameter called sort: {"field":"…","order":"asc"}`,
}
