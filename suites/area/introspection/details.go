package introspection

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachListedOrTooLarge returns every listed operation. Where something is too large to be judged,
// it returns that alone, not proven: the rule is about every operation, so that the others cannot
// prove it, and no level is granted to what was judged in part.
func eachListedOrTooLarge(f *model.Adapter) []model.Subject {
	var large []model.Subject
	for _, t := range f.TooLarge {
		s := model.Subject{Adapter: f, Name: t.Name}
		large = append(large, s.WithRuling(ruling.NotProven(t.Want, t.Got).Mend("describe less in one operation or type: what is larger is not judged")))
	}
	if len(large) > 0 {
		return large
	}
	return model.EachListed(f)
}

// Section 7.3.
var everyListedOperationHasDetails = check.Check{
	Requirement: "AQL-7.3-02",
	Rule:        "Looking up each listed name returns, under data.operation, the record of exactly that operation.",
	Why:         "A listed operation without a record can be seen but not used.",
	On:          eachListedOrTooLarge,
	Ask:         func(s model.Subject) []probes.Probe { return []probes.Probe{s.DocumentedLookup(s.Op.Name)} },
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		o, record := got[0], got[0].Data().At("operation")
		_, root := s.Fallback()
		switch {
		case root == "AQL-7.2-04" && !o.Succeeded():
			return ruling.NotProven("introspect with a query", o).Because(root)
		case o.Deferred():
			return ruling.NotProven("an answer to the lookup of "+s.Name, o)
		case !o.Succeeded():
			return ruling.Violates("the record of "+s.Name, o)
		case wholeList(o) && s.Name == sample(s.Adapter):
			return ruling.NotProven("one record", "the whole list").Because("AQL-7.2-06")
		case wholeList(o):
			return ruling.Violates("the record of "+s.Name, "the whole list")
		case !record.Is(probes.Object) && o.Data().Has("parameters"):
			return ruling.Violates("the record under data.operation", "the record directly in data")
		case !record.Is(probes.Object):
			return ruling.Violates("the record of "+s.Name+" under data.operation", record)
		case record.At("name").Text() != s.Name:
			return ruling.Violates("the record of "+s.Name, "a record of the name "+record.At("name").String())
		}
		return ruling.Conforms()
	},
	Fix: "answer the lookup of every listed name with its record under data.operation",
}

// Section 4.3.
var parametersAreArrayOfNamedEntries = check.Check{
	Requirement: "AQL-4.3-03",
	Rule:        "Operation details list the accepted parameters in an array called parameters (empty when there are none) whose entries are objects with a name.",
	Why:         "The parameters are documented in an array, also if it is empty. Only then does a missing entry mean that there is no such parameter.",
	On:          model.EachDetailed,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		parameters := s.Op.Details.At("parameters")
		if !parameters.Is(probes.Array) {
			got := "none"
			if !parameters.Is(probes.Absent) {
				got = "the kind " + string(parameters.Kind())
			} else if s.Op.Details.Has("params") {
				got = "a member called params"
			}
			return ruling.Violates("an array called parameters", got)
		}
		for i, p := range parameters.Items() {
			if name := p.At("name"); !name.Is(probes.String) || name.Text() == "" {
				return ruling.Violates(fmt.Sprintf("a record with a name at parameters[%d]", i), p)
			}
		}
		return ruling.Conforms()
	},
	Fix: "document parameters as an array of records with a name, [] when there are none",
}

// Introspection document, section 3.3.
var detailsNameToolToCall = check.Check{
	Requirement: "INT-3.3-04",
	Rule:        "OperationDetails.mcpTool is a non-empty string and always present.",
	Why:         "The endpoint is a family; only mcpTool says what to call.",
	On:          model.EachDetailed,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if tool := s.Op.Details.At("mcpTool"); !tool.Is(probes.String) || strings.TrimSpace(tool.Text()) == "" {
			return ruling.Violates("mcpTool with the name of the tool", tool)
		}
		return ruling.Conforms()
	},
	Fix: "name the MCP tool of each operation in mcpTool",
}

// Introspection document, section 3.3.
var detailsCarryDescription = check.Check{
	Requirement: "INT-3.3-05",
	Rule:        "OperationDetails.description is a string and always present.",
	Why:         "The record is what a model reads before it calls; without a description it knows names only.",
	On:          model.EachDetailed,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if d := s.Op.Details.At("description"); !d.Is(probes.String) || strings.TrimSpace(d.Text()) == "" {
			return ruling.Violates("a description in the record", d)
		}
		return ruling.Conforms()
	},
	Fix: "repeat or extend the description in each record",
}

// Introspection document, section 3.3.
var detailsCarryBothPermissionFlags = check.Check{
	Requirement: "INT-3.3-06",
	Rule:        "Each operation record has a permissions object with boolean readOnly and destructive.",
	Why:         "Clients decide by the two flags whether to ask their user; a missing or unreadable flag decides nothing.",
	On:          model.EachDetailed,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		permissions := s.Op.Details.At("permissions")
		if !permissions.Is(probes.Object) {
			return ruling.Violates("an object permissions", permissions)
		}
		for _, flag := range []string{"readOnly", "destructive"} {
			if v := permissions.At(flag); !v.Is(probes.Boolean) {
				return ruling.Violates("a boolean permissions."+flag, v)
			}
		}
		return ruling.Conforms()
	},
	Fix: "document permissions with the booleans readOnly and destructive",
}

// Introspection document, section 3.3.
var everyOperationDeclaresItsResultType = check.Check{
	Requirement: "INT-3.3-08",
	Rule:        "Each operation record has a returns object with a name and a kind.",
	Why:         "A model needs the form of an answer to plan the next call.",
	On:          model.EachDetailed,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		returns := s.Op.Details.At("returns")
		name, kind := returns.At("name"), returns.At("kind")
		switch {
		case returns.Is(probes.String) && returns.Text() != "":
			return ruling.Departs("an object returns with name and kind", returns)
		case !returns.Is(probes.Object):
			return ruling.Violates("an object returns with name and kind", returns)
		case !name.Is(probes.String), strings.TrimSpace(name.Text()) == "":
			return ruling.Violates("a name in returns", name)
		case !slices.Contains(check.TypeKinds, kind.Text()):
			return ruling.Violates("a kind in returns: "+strings.Join(check.TypeKinds, ", "), kind)
		}
		return ruling.Conforms()
	},
	Fix: "document returns as an object with the name and kind of the result type",
}

// Introspection document, section 3.3.
var parameterNamesAreUniquePerOperation = check.Check{
	Requirement: "INT-3.3-35",
	Rule:        "Parameter names are unique within one operation.",
	Why:         "A request is an object: of two parameters of one name only one can be sent.",
	On:          model.EachDetailed,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		seen := map[string]bool{}
		for _, p := range s.Op.Parameters {
			if seen[p.Name] {
				return ruling.Violates("one record for the parameter "+p.Name, "several")
			}
			seen[p.Name] = true
		}
		return ruling.Conforms()
	},
	Fix: "document each parameter once",
}
