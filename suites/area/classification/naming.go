package classification

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// loopNames are camel case names that the safety loop's own sections use.
var loopNames = strings.Fields("maxAutonomousSteps riskTolerance requiresApproval autoApprove verificationId")

// prescribed are names that section 8.6.3 itself demands against section 4.3.
var prescribed = strings.Fields("stepDescription nextActionHint")

// looping reports whether the adapter shows a trace of the execution safety loop.
func looping(f *model.Adapter) bool {
	_, records := f.Operation("record_execution_step")
	return records || f.Protocol.At("capabilities").Has("execution_safety_loop")
}

// Section 4.3.
var parameterNamesAreSnakeCase = check.Check{
	Requirement: "AQL-4.3-01",
	Rule:        "Every public parameter name documented by introspection is snake_case per ^[a-z][a-z0-9_]*$.",
	Why:         "One spelling for all names: a model that has seen one adapter writes the parameters of the next one right.",
	On:          check.RequireDetails(model.EachParameter),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		name := s.Par.Name
		_, loop := s.Operation("execute_agent")
		switch {
		case check.SnakeCase.MatchString(name):
			return ruling.Conforms()
		case strings.HasPrefix(name, "_"):
			return ruling.Conforms().Noting("a name of metadata, not of a parameter")
		case s.Op.Name == "record_execution_step" && slices.Contains(prescribed, name):
			return ruling.Conforms().Noting("prescribed by section 8.6.3")
		case slices.Contains(loopNames, name) && (loop || looping(s.Adapter)):
			return ruling.Departs("a name in snake_case", probes.ValueOf(name))
		}
		return ruling.Violates("a name in snake_case", probes.ValueOf(name))
	},
	Fix: "rename the parameter to snake_case",
}

// Section 4.3.
var inputFieldNamesAreSnakeCase = check.Check{
	Requirement: "AQL-4.3-01",
	Why:         "Fields of an input type are written into requests like parameters, but the rule names parameters only.",
	On: model.Only(check.EachTypeRecordOf("object"), func(s model.Subject) bool {
		return slices.ContainsFunc(model.EachParameter(s.Adapter), func(p model.Subject) bool { return p.Par.Type == s.Name })
	}),
	Ask: model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		for _, f := range s.Kind.Details.At("fields").Items() {
			if name := f.At("name").Text(); name != "" && name[0] != '_' && !check.SnakeCase.MatchString(name) {
				return ruling.Departs("fields of an input type in snake_case", f.At("name"))
			}
		}
		return ruling.Conforms()
	},
	Fix: "rename the field to snake_case",
}

// Section 8.5.2.
var operationNamesAreSnakeCase = check.Check{
	Requirement: "AQL-8.5.2-01",
	Rule:        "Every operation name is snake_case per ^[a-z][a-z0-9_]*$.",
	Why:         "As for parameters: one spelling for all operations.",
	On:          model.EachListed,
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if !check.SnakeCase.MatchString(s.Name) {
			return ruling.Violates("a name in snake_case", probes.ValueOf(s.Name))
		}
		return ruling.Conforms()
	},
	Fix: "rename the operation to snake_case",
}

// reservedAs is one reserved operation, where it is listed.
func reservedAs(names ...string) func(*model.Adapter) []model.Subject {
	return model.Only(model.EachListed, func(s model.Subject) bool { return slices.Contains(names, s.Name) })
}

// filedUnder rules on the category of a reserved operation.
func filedUnder(s model.Subject, category string) ruling.Ruling {
	shown := s.Op.Summary.At("semantic_category")
	if shown.Is(probes.Absent) {
		shown = s.Op.Details.At("semantic_category")
	}
	switch {
	case !shown.Is(probes.String):
		return ruling.NotProven("a category of "+s.Name, shown).Because("AQL-6.1-01")
	case !strings.EqualFold(shown.Text(), category):
		return ruling.Violates("the category "+category+" for "+s.Name, shown)
	}
	return ruling.Conforms()
}

// hasPurpose reports whether the adapter shows what a reserved operation is for: a safety loop that is on, or what the
// operation belongs to in one that is off.
func hasPurpose(s model.Subject) bool {
	mode := check.LoopMode(s.Adapter)
	_, records := s.Operation("record_execution_step")
	_, starts := s.Operation("execute_agent")
	switch {
	case records, !mode.Is(probes.Absent) && !mode.False() && mode.Text() != check.Disabled:
		return true
	case s.Name == "execute_agent":
		return looping(s.Adapter)
	case s.Name == "confirm_operation":
		return starts || confirms(s)
	}
	return starts
}

// confirms reports whether there is anything to confirm: the adapter announces confirmations or has asked for one, or
// the operation takes a token or the name of an operation.
func confirms(s model.Subject) bool {
	return announces(s.Adapter, "confirmation") || s.Hints.Confirm.Operation != "" ||
		slices.ContainsFunc(s.Operations, func(o probes.Operation) bool {
			return strings.HasPrefix(s.KnownGood[o.Name].Reply.Code(), "CONFIRMATION_")
		}) ||
		slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
			return probes.TakesToken(p.Name) || strings.Contains(p.Name, "token") || strings.HasPrefix(p.Name, "operation")
		})
}

// Section 8.5.4.
var reservedLoopNamesAreExecuteOperations = check.Check{
	Requirement: "AQL-8.5.4-02",
	Rule:        "Execute_agent, complete_execution, abort_execution and confirm_operation, where listed, are EXECUTE operations used for their protocol purpose only.",
	Why:         "Clients give these names a meaning of their own; an operation that only shares the name would be called at the wrong moment.",
	On:          reservedAs("execute_agent", "complete_execution", "abort_execution", "confirm_operation"),
	Ask:         check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		r := filedUnder(s, "EXECUTE")
		if r.Verdict == ruling.Conforms().Verdict && !hasPurpose(s) {
			return ruling.Departs("a trace of the safety loop beside "+s.Name, "none")
		}
		return r
	},
	Fix: "file the operation under EXECUTE, or give it another name",
}

// Section 8.5.4.
var stepReportsAreCreateOperation = check.Check{
	Requirement: "AQL-8.5.4-03",
	Rule:        "If record_execution_step exists it is a CREATE operation for reporting intended actions.",
	Why:         "A report of an intended action is something new, whatever the word execution in its name suggests.",
	On:          reservedAs("record_execution_step"),
	Ask:         check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		purpose := ruling.Conforms()
		switch {
		case !s.Op.Details.Is(probes.Object):
			purpose = ruling.NotProven("the record of "+s.Name, s.Op.Details).Because("AQL-7.3-02")
		case !s.Op.HasParameter("element_name") && !s.Op.HasParameter("nextActionHint"):
			purpose = ruling.Violates("element_name or nextActionHint among the parameters", "another purpose")
		}
		return ruling.Worst(filedUnder(s, "CREATE"), purpose)
	},
	Fix: "file the operation under CREATE with the parameters of section 8.6.3, or give it another name",
}

// Section 8.5.4.
var challengeVerificationIsCreateOperation = check.Check{
	Requirement: "AQL-8.5.4-07",
	Rule:        "If verify_challenge exists it is a CREATE operation for submitting an out-of-band code.",
	Why:         "Submitting a code creates a proof; it starts and stops nothing.",
	On:          reservedAs("verify_challenge"),
	Ask:         check.ListingAndDetails,
	Judge:       func(s model.Subject, _ probes.Answers) ruling.Ruling { return filedUnder(s, "CREATE") },
	Fix:         "file the operation under CREATE, or give it another name",
}
