package descriptions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A promise is a behaviour that descriptions speak of, and the metadata that backs
// it.
type promise struct {
	what   string
	words  *regexp.Regexp
	backed func(s model.Subject) bool
}

func capable(s model.Subject, name string) bool { return s.Protocol.At("capabilities", name).True() }

var promises = []promise{
	{"paging", regexp.MustCompile(`(?i)\b(paginat\w+|paged|paging|page by page)\b`),
		check.DocumentsAny("first last after before limit offset skip page page_size per_page cursor page_token max_results")},
	{"field selection", regexp.MustCompile(`(?i)\b(field selection|select(s|able|ing)? fields|choose (the )?fields|sparse fields)\b`),
		check.DocumentsAny("fields preset select columns projection")},
	{"filtering", regexp.MustCompile(`(?i)\b(supports? filter\w*|filterable|can be filtered|filter(s|ed|ing)? by)\b`),
		func(s model.Subject) bool {
			return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
				return p.Name == "filter" || p.Name == "query" || check.CrossCutting[p.Name] == ""
			})
		}},
	{"confirmation", regexp.MustCompile(`(?i)\b(requires?|needs?|asks? for|after) (a |an |explicit |the )*confirm\w*`),
		func(s model.Subject) bool {
			return capable(s, "confirmation") || capable(s, "dangerous_operations") || s.Op.Details.At("permissions", "destructive").True() ||
				slices.ContainsFunc([]string{"dangerous", "danger", "danger_level", "requires_confirmation", "confirmation"}, s.Op.Details.Has) ||
				check.DocumentsAny("confirm confirmation_token confirmed")(s)
		}},
	{"cancellation", regexp.MustCompile(`(?i)\b(can be cancel\w*|cancell?able|supports? cancel\w*)\b`),
		func(s model.Subject) bool {
			return s.Op.Details.At("lifecycle", "supports_cancel").True() ||
				slices.ContainsFunc(s.Operations, func(o probes.Operation) bool {
					return slices.Contains([]string{"cancel", "abort", "stop"}, s.Verb(o.Name))
				})
		}},
	{"retrying", regexp.MustCompile(`(?i)\b(can be retried|retryable|supports? retr\w+)\b`),
		func(s model.Subject) bool {
			return s.Op.Details.Has("lifecycle") || check.DocumentsAny("retry retries max_retries")(s)
		}},
	{"progress", regexp.MustCompile(`(?i)\b(reports? (its )?progress|progress (is|can be) (reported|followed|tracked))\b`),
		func(s model.Subject) bool {
			return s.Op.Details.At("lifecycle", "progress_reporting").True() ||
				slices.ContainsFunc(s.Operations, func(o probes.Operation) bool { return strings.Contains(o.Name, "progress") })
		}},
}

// made returns the promises of which a description of the operation speaks.
func made(s model.Subject) []promise {
	text := s.Op.Details.At("description").Text() + "\n" + s.Op.Summary.At("description").Text()
	return slices.DeleteFunc(slices.Clone(promises), func(p promise) bool { return !p.words.MatchString(text) })
}

// AX, anti-patterns.
var proseClaimsAreBackedByMetadata = check.Check{
	Requirement: "AX-R4-06",
	Rule:        "Behaviour described in prose is backed by metadata.",
	Why:         "A program cannot read prose, and a model should not have to.",
	On:          model.Only(model.EachDetailed, func(s model.Subject) bool { return len(made(s)) > 0 }),
	Ask:         check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		for _, p := range made(s) {
			if !p.backed(s) {
				return ruling.Violates("a parameter or a record that backs "+p.what, probes.ValueOf(strings.TrimSpace(check.Description(s)))).Noting("a guess from the words")
			}
		}
		return ruling.Conforms()
	},
	Fix: "document the parameter, lifecycle or capability that the description speaks of",
}

// AX rule R5.
var compoundParametersDescribeTheirInside = check.Check{
	Requirement: "AX-R5-09",
	Rule:        "Compound parameters describe their inside.",
	Why:         "A model can only guess the content of an object that is not described.",
	On: model.Only(check.EachParameterRecord, func(s model.Subject) bool {
		return s.Ruling == nil && check.AcceptsKind(s, "array", "object") && check.CrossCutting[s.Par.Name] == "" && s.Op.Name != "introspect"
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		switch missing := inside(s); {
		case missing != "":
			return ruling.Violates(missing, "the bare type "+s.Par.Type)
		case s.Op.Category == "UPDATE" && s.Par.Name == "input" && !namesFields(s):
			return ruling.Violates("the fields of input: a named type, or a description that names them", s.Par.Raw)
		}
		return ruling.Conforms()
	},
	Fix: "document items for arrays, and a named type or the keys for objects",
}

// namesFields reports whether a model can find out what input may hold: from a
// registered type, from members of the record, or from a description that names a
// field, a type or an operation.
func namesFields(s model.Subject) bool {
	if fields, declared := s.FieldsOf(s.Par, probes.Operation{}); declared && len(fields) > 0 {
		return true
	}
	e, err := probes.ParseType(s.Par.Type)
	if err != nil || len(e.Leaves()) > 0 {
		return true // a type that is not registered is the concern of AQL-9.2-01
	}
	text := s.Par.Raw.At("description").Text() + "\n" + s.Op.Details.At("description").Text()
	var names []string
	for _, t := range s.Types {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(t.Name) + `\b`).MatchString(text) {
			return true
		}
		if s.Noun(s.Op.Name) == strings.ToLower(t.Name) {
			for _, f := range t.Details.At("fields").Items() {
				names = append(names, f.At("name").Text())
			}
		}
	}
	for _, o := range s.Operations {
		if o.Name != s.Op.Name {
			names = append(names, o.Name)
		}
		for _, p := range o.Parameters {
			if o.Category == "CREATE" && s.Noun(o.Name) == s.Noun(s.Op.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return slices.ContainsFunc(names, func(n string) bool { return n != "" && check.WholeWord(n).MatchString(text) })
}
