package leaks

import (
	"path"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// namesOfDomain reports whether a path looks like a value of the operation itself. The names of topics,
// wiki pages and devices have slashes, too: /home/kitchen/lamp is no file. Values of parameters
// that are named after files tell the folders of the adapter, so they excuse nothing here. A name without an ending
// excuses no path that has one.
func namesOfDomain(f *model.Adapter, op probes.Operation, l vocab.Leak) bool {
	named := strings.Trim(l.Matched, " \t\r\n'\"`([=<{:,|«“„")
	first, rest, deep := strings.Cut(strings.TrimPrefix(named, "/"), "/")
	if l.Signature.Kind != vocab.PathLeak || !strings.HasPrefix(named, "/") || !deep || first == "" || sourceName.MatchString(rest) {
		return false
	}
	file := fileEnding(named)
	known, _ := probes.ParseValue(f.KnownGood[op.Name].Probe.Arguments())
	for _, p := range op.Parameters {
		found := false
		visit := func(own bool) func(string, probes.Value) {
			return func(name string, v probes.Value) {
				found = found || (own || name == p.Name) && strings.HasPrefix(v.Text(), "/"+first+"/") && (file == "" || fileEnding(v.Text()) != "")
			}
		}
		walkValues(p.Raw, visit(true))
		walkValues(op.Details, visit(false))
		walkValues(known, visit(false))
		if found && !pathName.MatchString(p.Name) {
			return true
		}
	}
	return false
}

// fileEnding is the ending of a file name behind a path.
func fileEnding(name string) string { return path.Ext(strings.TrimRight(name, "'\"`.,;:)")) }
