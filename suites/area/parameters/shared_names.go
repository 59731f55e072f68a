package parameters

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
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

// takers are the parameters for a function. Page sizes belong to operations that read: a shelf that is created may have a
// limit of its own.
func takers(f *model.Adapter, function string) []model.Subject {
	return slices.DeleteFunc(usesOf(f, functions[function]...).all, func(s model.Subject) bool { return function == "the page size" && s.Op.Category != "READ" })
}

// styles are the companions by which one way of paging is told from another: two
// ways of paging have two names with good reason.
var styles = map[string]string{"first": "after before", "limit": "offset skip", "page_size": "page", "per_page": "page"}

// pagesBy reports whether the parameter stands beside a companion of its style.
func pagesBy(u model.Subject) bool { return check.DocumentsAny(styles[u.Par.Name])(u) }

// Operations document, section 4.4.4.
var sharedParametersKeepOneName = check.Check{
	Requirement: "OPS-4.4.4-01",
	Rule:        "A cross-cutting parameter keeps the same name on all operations that take it.",
	Why:         "Two names for one thing must be learned twice and are easily confused.",
	On: func(f *model.Adapter) []model.Subject {
		var all []model.Subject
		for _, function := range check.SortedKeys(functions) {
			if len(takers(f, function)) > 1 {
				all = append(all, model.Subject{Adapter: f, Name: function})
			}
		}
		return all
	},
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for _, u := range takers(s.Adapter, s.Name) {
			ps = append(ps, recordOf(u))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		all := takers(s.Adapter, s.Name)
		for _, u := range all {
			other := styles[u.Par.Name] != "" && styles[all[0].Par.Name] != "" && pagesBy(u) && pagesBy(all[0])
			if u.Par.Name != all[0].Par.Name && !u.Op.HasParameter(all[0].Par.Name) && !other {
				return ruling.Violates("one name for "+s.Name, fmt.Sprintf("%s and %s", all[0].Name, u.Name)).By(got.Step(recordStep(u)), got[0])
			}
		}
		return ruling.Conforms()
	},
	Fix: "give a shared parameter the same name everywhere",
}
