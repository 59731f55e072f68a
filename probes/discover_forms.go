package probes

import (
	"slices"
	"strings"
)

// asking says how introspect is asked where the documented form got no answer. The rules on
// introspect judge the documented form; everything else works with what was found.
type asking struct {
	listing map[string]any                       // params of the listing; nil: as documented
	lookup  func(name string) (p map[string]any) // params of a lookup; nil: as documented
}

// lookupForms are other ways to ask for one operation, in the order in which they are tried.
var lookupForms = []func(name string) map[string]any{
	func(name string) map[string]any { return map[string]any{"name": name} },
	func(name string) map[string]any { return map[string]any{"operation": name} },
	func(name string) map[string]any { return map[string]any{"query": "operation", "name": name} },
}

// Listing returns the probe that lists all operations of this adapter: as documented, or in
// the form that it understands instead.
func (a *Adapter) Listing() Probe {
	if a.asks.listing == nil {
		return a.DocumentedListing()
	}
	return a.Query(a.asks.listing)
}

// DocumentedListing returns the probe that has to list all operations. Section 7.2.
func (a *Adapter) DocumentedListing() Probe { return a.Query(map[string]any{"query": "operations"}) }

// Lookup returns the probe for the details of one operation or type: as documented, or in
// the form that this adapter understands instead.
func (a *Adapter) Lookup(query, name string) Probe {
	if query == "operations" && a.asks.lookup != nil {
		return a.Query(a.asks.lookup(name))
	}
	return a.Query(map[string]any{"query": query, "name": name})
}

// DocumentedLookup returns the probe that has to show one operation. Section 7.2.
func (a *Adapter) DocumentedLookup(name string) Probe {
	return a.Query(map[string]any{"query": "operations", "name": name})
}

// Fallback says how the operations were found where introspect had to be asked otherwise than
// documented, and the requirement that judges that; empty where it had not.
func (a *Adapter) Fallback() (how, requirement string) {
	switch {
	case a.asks.listing != nil:
		return "introspect was asked without query", "AQL-7.2-04"
	case a.asks.lookup != nil:
		return "operations were looked up by " + ValueOf(a.asks.lookup("NAME")).String(), "AQL-7.3-02"
	}
	return "", ""
}

var categories = strings.Fields("CREATE READ UPDATE DELETE EXECUTE")

// categorise gives an operation without semantic_category one to be asked by: older forms
// name it as the endpoint or group operations by it; else the tool stands for it. Without
// a tool it takes the one that stands for its category.
func (a *Adapter) categorise(o *Operation) {
	if o.Category == "" {
		for _, c := range categories {
			if strings.EqualFold(o.Endpoint, c) || StandsFor(c, o.Tool) {
				o.Category, o.Guessed = c, true
				a.depart("an operation has no semantic_category")
				break
			}
		}
	}
	if i := slices.IndexFunc(a.Semantic(), func(tool string) bool { return StandsFor(o.Category, tool) }); o.Tool == "" && i >= 0 {
		o.Tool = a.Semantic()[i]
	}
}
