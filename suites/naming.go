package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// snakeCase is anchored at both ends of the text, so that no newline slips through.
var snakeCase = regexp.MustCompile(`\A[a-z][a-z0-9_]*\z`)

// loopNames are camel case names that the safety loop's own sections use.
var loopNames = strings.Fields("maxAutonomousSteps riskTolerance requiresApproval autoApprove verificationId")

// prescribed are names that section 8.6.3 itself demands against section 4.3.
var prescribed = strings.Fields("stepDescription nextActionHint")

// looping reports whether the adapter shows a trace of the execution safety loop.
func looping(f *Face) bool {
	_, records := f.Operation("record_execution_step")
	return records || f.Protocol.At("capabilities").Has("execution_safety_loop")
}

// Section 4.3. One spelling for all names: a model that has seen one adapter
// writes the parameters of the next one right.
var _ = register(Check{
	Requirement: "AQL-4.3-01",
	On:          whereDocumented(eachParameter),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		name := s.Par.Name
		_, loop := s.Operation("execute_agent")
		switch {
		case snakeCase.MatchString(name):
			return Conforms()
		case strings.HasPrefix(name, "_"):
			return Conforms().Noting("a name of metadata, not of a parameter")
		case s.Op.Name == "record_execution_step" && slices.Contains(prescribed, name):
			return Conforms().Noting("prescribed by section 8.6.3")
		case slices.Contains(loopNames, name) && (loop || looping(s.Face)):
			return Departs("a name in snake_case", probes.ValueOf(name))
		}
		return Violates("a name in snake_case", probes.ValueOf(name))
	},
	Fix: "rename the parameter to snake_case",
})

// Section 4.3. Fields of an input type are written into requests like parameters,
// but the rule names parameters only.
var _ = register(Check{
	Requirement: "AQL-4.3-01",
	On: only(eachRecordOf("object"), func(s Subject) bool {
		return slices.ContainsFunc(eachParameter(s.Face), func(p Subject) bool { return p.Par.Type == s.Name })
	}),
	Ask: typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		for _, f := range s.Kind.Details.At("fields").Items() {
			if name := f.At("name").Text(); name != "" && name[0] != '_' && !snakeCase.MatchString(name) {
				return Departs("fields of an input type in snake_case", f.At("name"))
			}
		}
		return Conforms()
	},
	Fix: "rename the field to snake_case",
})

// Section 8.5.2. As for parameters: one spelling for all operations.
var _ = register(Check{
	Requirement: "AQL-8.5.2-01",
	On:          eachListed,
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if !snakeCase.MatchString(s.Name) {
			return Violates("a name in snake_case", probes.ValueOf(s.Name))
		}
		return Conforms()
	},
	Fix: "rename the operation to snake_case",
})

// reservedAs is one reserved operation, where it is listed.
func reservedAs(names ...string) func(*Face) []Subject {
	return only(eachListed, func(s Subject) bool { return slices.Contains(names, s.Name) })
}

// filedUnder rules on the category of a reserved operation.
func filedUnder(s Subject, category string) Ruling {
	shown := s.Op.Summary.At("semantic_category")
	if shown.Is(probes.Absent) {
		shown = s.Op.Details.At("semantic_category")
	}
	switch {
	case !shown.Is(probes.String):
		return NotProven("a category of "+s.Name, shown).Because("AQL-6.1-01")
	case !strings.EqualFold(shown.Text(), category):
		return Violates("the category "+category+" for "+s.Name, shown)
	}
	return Conforms()
}

func listingAndDetails(s Subject) []probes.Probe { return append(listing(s), details(s)...) }

// Section 8.5.4. Clients give these names a meaning of their own; an operation that
// only shares the name would be called at the wrong moment.
var _ = register(Check{
	Requirement: "AQL-8.5.4-02",
	On:          reservedAs("execute_agent", "complete_execution", "abort_execution", "confirm_operation"),
	Ask:         listingAndDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		r := filedUnder(s, "EXECUTE")
		if r.verdict == Conforms().verdict && s.Name == "execute_agent" && !looping(s.Face) {
			return Departs("a trace of the safety loop beside execute_agent", "none")
		}
		return r
	},
	Fix: "file the operation under EXECUTE, or give it another name",
})

// Section 8.5.4. A report of an intended action is something new, whatever the
// word execution in its name suggests.
var _ = register(Check{
	Requirement: "AQL-8.5.4-03",
	On:          reservedAs("record_execution_step"),
	Ask:         listingAndDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		purpose := Conforms()
		switch {
		case !s.Op.Details.Is(probes.Object):
			purpose = NotProven("the record of "+s.Name, s.Op.Details).Because("AQL-7.3-02")
		case !s.Op.HasParameter("element_name") && !s.Op.HasParameter("nextActionHint"):
			purpose = Violates("element_name or nextActionHint among the parameters", "another purpose")
		}
		return Worst(filedUnder(s, "CREATE"), purpose)
	},
	Fix: "file the operation under CREATE with the parameters of section 8.6.3, or give it another name",
})

// Section 8.5.4. Submitting a code creates a proof; it starts and stops nothing.
var _ = register(Check{
	Requirement: "AQL-8.5.4-07",
	On:          reservedAs("verify_challenge"),
	Ask:         listingAndDetails,
	Judge:       func(s Subject, _ []probes.Observation) Ruling { return filedUnder(s, "CREATE") },
	Fix:         "file the operation under CREATE, or give it another name",
})
