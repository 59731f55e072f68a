package probes

import (
	"slices"
	"strings"
)

// findUnified settles which tool takes every operation. What a tool lets pass
// cannot tell, because an adapter without routing lets everything pass; names
// and records do: a lone tool that hosts several categories or calls itself
// single, or beside others the one whose name the others extend, unless the records
// make it a family of its own, or in mode all the one that no operation or every
// operation is attributed to. Where no mode is stated, the idle one must also list
// the operations, which of endpoint families only the home of introspect does.
func (a *Adapter) findUnified() {
	mode := a.Protocol.At("mode").Text()
	if len(a.AQL) == 1 {
		t := a.AQL[0]
		if mode == "single" || mode != "semantic" && mode != "crude" && (strings.HasSuffix(t, "mcp_aql") || len(a.hosted(t)) > 1) {
			a.Unified = t
		}
		return
	}
	for _, t := range a.AQL {
		extended := 0
		for _, other := range a.AQL {
			if strings.HasPrefix(other, t+"_") {
				extended++
			}
		}
		if extended == len(a.AQL)-1 && (mode == "all" || mode == "single" || !a.family(t)) {
			a.Unified = t
			return
		}
	}
	stated := mode == "all" || mode == "single"
	var idle []string
	for _, t := range a.AQL {
		waits := CrudeFamily(t) != "" // for operations of its own, says its name
		if !waits && len(a.hosted(t)) == 0 && (stated || mode == "" && a.lists[t] && a.placed(t)) {
			idle = append(idle, t)
		}
	}
	if len(idle) == 1 {
		a.Unified = idle[0]
	}
}

// placed reports whether every operation has its place at another tool, introspect
// too.
func (a *Adapter) placed(tool string) bool {
	return len(a.Operations) > 0 && !slices.ContainsFunc(a.Operations, func(o Operation) bool {
		return !slices.Contains(a.AQL, o.Details.At("mcpTool").Text()) || StandsFor(o.Endpoint, tool)
	})
}

// family reports whether the tool is one family among others: some domain operations
// are attributed to it and some to another tool.
func (a *Adapter) family(tool string) bool {
	own, others := false, false
	for _, o := range a.Operations {
		documented := o.Details.At("mcpTool").Text()
		switch {
		case o.Name == "introspect" || !slices.Contains(a.AQL, documented):
		case documented == tool:
			own = true
		default:
			others = true
		}
	}
	return own && others
}

// hosted returns the categories of the operations whose records name the tool.
func (a *Adapter) hosted(tool string) map[string]bool {
	categories := map[string]bool{}
	for _, o := range a.Operations {
		if o.Details.At("mcpTool").Text() == tool {
			categories[o.Category] = true
		}
	}
	return categories
}
