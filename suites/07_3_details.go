package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// typeKinds are the kinds of types. Introspection document, section 3.5.
var typeKinds = []string{"enum", "object", "scalar", "union"}

// Section 7.3. A listed operation without a record can be seen but not used.
var _ = register(Check{
	Requirement: "AQL-7.3-02",
	On:          eachListed,
	Ask:         details,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		o, record := got[0], got[0].Data().At("operation")
		switch {
		case o.Deferred():
			return NotProven("an answer to the lookup of "+s.Name, o)
		case !o.Succeeded():
			return Violates("the record of "+s.Name, o)
		case wholeList(o) && s.Name == sample(s.Face):
			return NotProven("one record", "the whole list").Because("AQL-7.2-06")
		case wholeList(o):
			return Violates("the record of "+s.Name, "the whole list")
		case !record.Is(probes.Object) && o.Data().Has("parameters"):
			return Violates("the record under data.operation", "the record directly in data")
		case !record.Is(probes.Object):
			return Violates("the record of "+s.Name+" under data.operation", record)
		case record.At("name").Text() != s.Name:
			return Violates("the record of "+s.Name, "a record of the name "+record.At("name").String())
		}
		return Conforms()
	},
	Fix: "answer the lookup of every listed name with its record under data.operation",
})

// Section 4.3. What a request may hold is documented in an array, also when it is
// empty: only then does a missing parameter mean that there is none.
var _ = register(Check{
	Requirement: "AQL-4.3-03",
	On:          eachDetailed,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		parameters := s.Op.Details.At("parameters")
		if !parameters.Is(probes.Array) {
			got := "none"
			if !parameters.Is(probes.Absent) {
				got = "the kind " + string(parameters.Kind())
			} else if s.Op.Details.Has("params") {
				got = "a member called params"
			}
			return Violates("an array called parameters", got)
		}
		for i, p := range parameters.Items() {
			if name := p.At("name"); !name.Is(probes.String) || name.Text() == "" {
				return Violates(fmt.Sprintf("a record with a name at parameters[%d]", i), p)
			}
		}
		return Conforms()
	},
	Fix: "document parameters as an array of records with a name, [] when there are none",
})

// Introspection document, section 3.3. The endpoint is a family; only mcpTool says
// what to call.
var _ = register(Check{
	Requirement: "INT-3.3-04",
	On:          eachDetailed,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if tool := s.Op.Details.At("mcpTool"); !tool.Is(probes.String) || strings.TrimSpace(tool.Text()) == "" {
			return Violates("mcpTool with the name of the tool", tool)
		}
		return Conforms()
	},
	Fix: "name the MCP tool of each operation in mcpTool",
})

// Introspection document, section 3.3. The record is what a model reads before it
// calls; without a description it knows names only.
var _ = register(Check{
	Requirement: "INT-3.3-05",
	On:          eachDetailed,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if d := s.Op.Details.At("description"); !d.Is(probes.String) || strings.TrimSpace(d.Text()) == "" {
			return Violates("a description in the record", d)
		}
		return Conforms()
	},
	Fix: "repeat or extend the description in each record",
})

// Introspection document, section 3.3. Clients decide by the two flags whether to
// ask their user; a missing or unreadable flag decides nothing.
var _ = register(Check{
	Requirement: "INT-3.3-06",
	On:          eachDetailed,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		permissions := s.Op.Details.At("permissions")
		if !permissions.Is(probes.Object) {
			return Violates("an object permissions", permissions)
		}
		for _, flag := range []string{"readOnly", "destructive"} {
			if v := permissions.At(flag); !v.Is(probes.Boolean) {
				return Violates("a boolean permissions."+flag, v)
			}
		}
		return Conforms()
	},
	Fix: "document permissions with the booleans readOnly and destructive",
})

// Introspection document, section 3.3. Who plans the next call has to know what
// this one returns.
var _ = register(Check{
	Requirement: "INT-3.3-08",
	On:          eachDetailed,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		returns := s.Op.Details.At("returns")
		name, kind := returns.At("name"), returns.At("kind")
		switch {
		case returns.Is(probes.String) && returns.Text() != "":
			return Departs("an object returns with name and kind", returns)
		case !returns.Is(probes.Object):
			return Violates("an object returns with name and kind", returns)
		case !name.Is(probes.String), strings.TrimSpace(name.Text()) == "":
			return Violates("a name in returns", name)
		case !slices.Contains(typeKinds, kind.Text()):
			return Violates("a kind in returns: "+strings.Join(typeKinds, ", "), kind)
		}
		return Conforms()
	},
	Fix: "document returns as an object with the name and kind of the result type",
})

// Introspection document, section 3.3. A request is an object: of two parameters of
// one name only one can be sent.
var _ = register(Check{
	Requirement: "INT-3.3-35",
	On:          eachDetailed,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		seen := map[string]bool{}
		for _, p := range s.Op.Parameters {
			if seen[p.Name] {
				return Violates("one record for the parameter "+p.Name, "several")
			}
			seen[p.Name] = true
		}
		return Conforms()
	},
	Fix: "document each parameter once",
})
