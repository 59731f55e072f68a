package introspection

import (
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 7.3.
var operationsListingIsArrayOfSummaries = check.Check{
	Requirement: "AQL-7.3-01",
	Rule:        "The plain operations query delivers, under data.operations, one summary object with a non-empty name per operation.",
	Why:         "Clients of all adapters look in the same place for the same shape.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		r := check.JudgeListing(got[0], "operations")
		if list := got[0].Data().At("operations"); list.Is(probes.Array) && len(list.Items()) == 0 {
			return ruling.Departs("at least one operation", "an empty listing").Mend("list every operation, introspect among them")
		}
		return r
	},
	Fix: "deliver the listing as an array of records under data.operations",
}

// Introspection document, section 3.2.
var everyListedOperationHasDescription = check.Check{
	Requirement: "INT-3.2-04",
	Rule:        "Each listing entry carries a non-empty human-readable description.",
	Why:         "A model chooses an operation by its description; a bare name invites guessing.",
	On:          model.EachListed,
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		d := s.Op.Summary.At("description")
		text := strings.TrimSpace(d.Text())
		switch {
		case !s.Op.Summary.Is(probes.Object):
			return ruling.NotProven("a record in the listing", s.Op.Summary).Because("AQL-7.3-01")
		case !d.Is(probes.String), text == "":
			return ruling.Violates("a description", d)
		case text == s.Name, check.IsPlaceholder(text):
			return ruling.Departs("a description that says something", d)
		}
		return ruling.Conforms()
	},
	Fix: "describe each operation in the listing in a sentence",
}

// Introspection document, section 3.2.
var operationNamesAreUnique = check.Check{
	Requirement: "INT-3.2-05",
	Rule:        "Operation names are unique inside the listing.",
	Why:         "The name is what a request says; two operations of one name cannot be told apart.",
	On:          model.EachListed,
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var same []probes.Value
		for _, page := range s.Listings {
			for _, entry := range page.Data().At("operations").Items() {
				if entry.At("name").Text() == s.Name {
					same = append(same, entry)
				}
			}
		}
		switch {
		case len(same) == 0:
			return ruling.NotProven("a record in the listing", got[0].Data()).Because("AQL-7.3-01")
		case check.CountDistinct(same) > 1:
			return ruling.Violates("one entry of the name "+s.Name, fmt.Sprintf("%d different ones", check.CountDistinct(same)))
		case len(same) > 1:
			return ruling.Departs("one entry of the name "+s.Name, fmt.Sprintf("%d equal ones", len(same)))
		}
		for _, o := range s.Operations {
			if o.Name == s.Name {
				return ruling.Conforms()
			}
			if check.FoldName(o.Name) == check.FoldName(s.Name) {
				return ruling.Departs("names that differ in more than letter case and underscores", s.Name+" and "+o.Name)
			}
		}
		return ruling.Conforms()
	},
	Fix: "give each operation a name of its own",
}
