package suites

import (
	"fmt"

	"github.com/aql-conform/aql-conform/probes"
)

// functions are the cross-cutting functions for which adapters use several names.
// Text, filter and sort have rows of their own (OPS-4.2-01, -04 and -05).
var functions = map[string][]string{
	"the page size":     {"limit", "page_size", "per_page", "max_results", "max_items", "first"},
	"the offset":        {"offset", "skip", "start_index"},
	"the cursor":        {"after", "cursor", "page_token", "next_token"},
	"the fields wanted": {"fields", "select", "columns", "projection"},
	"the dry run":       {"dry_run", "simulate", "validate_only", "preview_only"},
}

// styles are the companions by which one way of paging is told from another: two
// ways of paging have two names with good reason.
var styles = map[string]string{"first": "after before", "limit": "offset skip", "page_size": "page", "per_page": "page"}

// pagesBy reports whether the parameter stands beside a companion of its style.
func pagesBy(u Subject) bool { return documents(styles[u.Par.Name])(u) }

// Operations document, section 4.4.4. Two names for one thing have to be learned
// twice and are mixed up ever after.
var _ = register(Check{
	Requirement: "OPS-4.4.4-01",
	On: func(f *Face) []Subject {
		var all []Subject
		for _, function := range sortedKeys(functions) {
			if len(usesOf(f, functions[function]...).all) > 1 {
				all = append(all, Subject{Face: f, Name: function})
			}
		}
		return all
	},
	Ask: func(s Subject) []probes.Probe {
		var ps []probes.Probe
		for _, u := range usesOf(s.Face, functions[s.Name]...).all {
			ps = append(ps, details(u)...)
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		all := usesOf(s.Face, functions[s.Name]...).all
		for i, u := range all {
			other := styles[u.Par.Name] != "" && styles[all[0].Par.Name] != "" && pagesBy(u) && pagesBy(all[0])
			if u.Par.Name != all[0].Par.Name && !u.Op.HasParameter(all[0].Par.Name) && !other {
				return Violates("one name for "+s.Name, fmt.Sprintf("%s and %s", all[0].Name, u.Name)).By(got[i], got[0])
			}
		}
		return Conforms()
	},
	Fix: "give a shared parameter the same name everywhere",
})
