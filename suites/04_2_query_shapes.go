package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Words that adapters use where the operations document (4.2) has one: query for
// text, filter for conditions, sort for the order.
var (
	textWords   = strings.Fields("keyword keywords q search search_term search_text search_query term terms text query_string")
	filterWords = strings.Fields("filters where filter_by filter_expression criteria")
	sortWords   = strings.Fields("sort_by sortBy order_by orderBy sort_order sortOrder sort_direction sort_field")
	listVerbs   = strings.Fields("list search query find")
)

// documenting is every operation with one of the verbs that documents a parameter
// called name or by one of the other words.
func documenting(verbs []string, name string, others []string) func(*Face) []Subject {
	return only(eachDomain, func(s Subject) bool {
		return slices.Contains(verbs, Verb(s.Name)) && slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
			return p.Name == name || slices.Contains(others, p.Name)
		})
	})
}

// parameter returns the subject's operation's parameter of that name.
func (s Subject) parameter(name string) (probes.Parameter, bool) {
	i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
	if i < 0 {
		return probes.Parameter{}, false
	}
	return s.Op.Parameters[i], true
}

// shaped rules on an operation that should document one parameter by its customary
// name, with one of the kinds, and none of the words that stand for it elsewhere.
func shaped(s Subject, name string, others []string, kinds ...string) Ruling {
	want := "the parameter " + name + " of type " + strings.Join(kinds, " or ")
	p, ok := s.parameter(name)
	if !ok {
		i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return slices.Contains(others, p.Name) })
		return Violates(want, s.Op.Parameters[i].Name)
	}
	own, understood := s.Kinds(p.Type)
	switch {
	case !understood:
		return NotProven("a type of "+name+" that is understood", probes.ValueOf(p.Type))
	case !slices.ContainsFunc(own, func(k string) bool { return slices.Contains(kinds, k) }):
		return Violates(want, name+" of type "+p.Type)
	}
	return Conforms()
}

// Operations document, section 4.2. One word for the search text on every adapter
// saves a look at introspection.
var _ = register(Check{
	Requirement: "OPS-4.2-01",
	On:          documenting([]string{"search", "query"}, "query", textWords),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		return shaped(s, "query", textWords, "string", "object")
	},
	Fix: "call the text parameter query and type it string",
})

// Operations document, section 4.2. Conditions in one object can be passed on
// whole; scattered or as text they have to be parsed.
var _ = register(Check{
	Requirement: "OPS-4.2-04",
	On: func(f *Face) []Subject {
		elsewhere := only(documenting([]string{"get", "create"}, "filter", nil), func(s Subject) bool {
			p, _ := s.parameter("filter")
			kinds, ok := s.Kinds(p.Type)
			return ok && slices.Contains(kinds, "object")
		})
		return append(documenting(listVerbs, "filter", filterWords)(f), elsewhere(f)...)
	},
	Ask: details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if !slices.Contains(listVerbs, Verb(s.Name)) {
			return Violates("the parameter filter on operations that list or search", "filter on "+s.Name)
		}
		return shaped(s, "filter", filterWords, "object")
	},
	Fix: "take conditions in one object parameter called filter",
})

// Operations document, section 4.2. Field and direction belong together.
var _ = register(Check{
	Requirement: "OPS-4.2-05",
	On:          documenting(listVerbs, "sort", sortWords),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		return shaped(s, "sort", sortWords, "object")
	},
	Fix: `take the order in one object parameter called sort: {"field":"…","order":"asc"}`,
})
