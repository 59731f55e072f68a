package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// summaries rules on the place and shape of a listing: an array of records with a
// name at data.<query>.
func summaries(o probes.Observation, query string) Ruling {
	list := o.Data().At(query)
	switch {
	case !o.Succeeded() || !delivers(o.Data(), query):
		return NotProven("an answer to the query "+query, o).Because("AQL-7.2-04")
	case !list.Is(probes.Array) && o.Data().Is(probes.Object):
		return Violates("an array at data."+query, shape(o.Data(), query))
	case !list.Is(probes.Array):
		return Violates("an object with the member "+query, "data of the kind "+string(o.Data().Kind()))
	}
	for i, entry := range list.Items() {
		at := fmt.Sprintf("data.%s[%d]", query, i)
		switch name := entry.At("name"); {
		case !entry.Is(probes.Object):
			return Violates("a record at "+at, entry)
		case !name.Is(probes.String) || name.Text() == "":
			return Violates("a name at "+at, name)
		}
	}
	return Conforms()
}

// shape says in a noun phrase what stands where a list should.
func shape(data probes.Value, member string) string {
	if data.Has(member) {
		return "the kind " + string(data.At(member).Kind())
	}
	return "the members " + strings.Join(data.Names(), ", ")
}

// Section 7.3. Clients of all adapters look in the same place for the same shape.
var _ = register(Check{
	Requirement: "AQL-7.3-01",
	On:          introspecting,
	Ask:         listing,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		r := summaries(got[0], "operations")
		if list := got[0].Data().At("operations"); list.Is(probes.Array) && len(list.Items()) == 0 {
			return Departs("at least one operation", "an empty listing")
		}
		return r
	},
	Fix: "deliver the listing as an array of records under data.operations",
})

// Introspection document, section 3.2. A model chooses an operation by its
// description; a bare name invites guessing.
var _ = register(Check{
	Requirement: "INT-3.2-04",
	On:          eachListed,
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		d := s.Op.Summary.At("description")
		text := strings.TrimSpace(d.Text())
		switch {
		case !s.Op.Summary.Is(probes.Object):
			return NotProven("a record in the listing", s.Op.Summary).Because("AQL-7.3-01")
		case !d.Is(probes.String), text == "":
			return Violates("a description", d)
		case text == s.Name, slices.Contains([]string{"todo", "tbd", "n/a"}, strings.ToLower(strings.TrimRight(text, ".!"))):
			return Departs("a description that says something", d)
		}
		return Conforms()
	},
	Fix: "describe each operation in the listing in a sentence",
})

// Introspection document, section 3.2. The name is what a request says; two
// operations of one name cannot be told apart.
var _ = register(Check{
	Requirement: "INT-3.2-05",
	On:          eachListed,
	Ask:         listing,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var same []probes.Value
		for _, entry := range got[0].Data().At("operations").Items() {
			if entry.At("name").Text() == s.Name {
				same = append(same, entry)
			}
		}
		switch {
		case len(same) == 0:
			return NotProven("a record in the listing", got[0].Data()).Because("AQL-7.3-01")
		case distinct(same) > 1:
			return Violates("one entry of the name "+s.Name, fmt.Sprintf("%d different ones", distinct(same)))
		case len(same) > 1:
			return Departs("one entry of the name "+s.Name, fmt.Sprintf("%d equal ones", len(same)))
		}
		for _, o := range s.Operations {
			if o.Name == s.Name {
				return Conforms()
			}
			if folded(o.Name) == folded(s.Name) {
				return Departs("names that differ in more than letter case and underscores", s.Name+" and "+o.Name)
			}
		}
		return Conforms()
	},
	Fix: "give each operation a name of its own",
})

// distinct counts the values that differ as JSON.
func distinct(values []probes.Value) int {
	seen := map[string]bool{}
	for _, v := range values {
		seen[v.Canonical(nil)] = true
	}
	return len(seen)
}

// folded is a name without letter case and underscores.
func folded(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }
