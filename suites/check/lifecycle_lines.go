package check

import (
	"cmp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// LifecycleLines returns the lines of the lifecycle hint, one for each operation that starts executions,
// with the operations that seem to accompany it.
func LifecycleLines(f *model.Adapter) (lines []string) {
	if f.Adapter == nil {
		return nil
	}
	for _, o := range f.Operations {
		if StartsExecutions(f, o) {
			lines = append(lines, YAMLKey(o.Name)+": {"+strings.Join(companions(f, o), ", ")+"}")
		}
	}
	return lines
}

// withLong adds the place for params that make an execution take long.
func withLong(line string) string {
	line = strings.TrimSuffix(line, "}")
	if !strings.HasSuffix(line, "{") {
		line += ", "
	}
	return line + "long: {}}"
}

// companions names the operations that accompany an execution: those of its kind, or the only ones that take
// the identifier of an execution.
func companions(f *model.Adapter, o probes.Operation) (pairs []string) {
	e := NewExecutor(f, o)
	only := func(fits func(probes.Operation) bool) string {
		var names []string
		for _, p := range f.Operations {
			if TakesExecutionID(p) && fits(p) {
				names = append(names, p.Name)
			}
		}
		if len(names) != 1 {
			return ""
		}
		return names[0]
	}
	verb := func(v string) func(probes.Operation) bool {
		return func(p probes.Operation) bool { return p.Category != "READ" && f.Verb(p.Name) == v }
	}
	for _, role := range []struct{ key, name string }{
		{"status", cmp.Or(e.Lifecycle.Status, only(func(p probes.Operation) bool { return p.Category == "READ" }))},
		{"cancel", cmp.Or(e.Lifecycle.Cancel, only(verb("cancel")))},
		{"retry", cmp.Or(e.Lifecycle.Retry, only(verb("retry")))},
	} {
		if role.name != "" {
			pairs = append(pairs, role.key+": "+YAMLKey(role.name))
		}
	}
	return pairs
}
