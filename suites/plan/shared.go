package plan

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// shared keeps one copy of each subject: a plan has a hundred cases for each operation, and most
// of their subjects are equal.
type shared map[identity]*model.Subject

// An identity tells subjects apart by the parts of the adapter that they refer to.
type identity struct {
	adapter    *model.Adapter
	name       string
	operation  plainOperation
	parameters *probes.Parameter // the first
	count      int               // of parameters
	full       bool              // the request that lists most is its known good one
	parameter  probes.Parameter
	kind       probes.Type
	tool       probes.Tool
}

// plainOperation is a probes.Operation without its parameters.
type plainOperation struct {
	name, category, endpoint, tool string
	summary, details               probes.Value
}

// subject returns the copy of the subject that all cases share. A subject with a ruling has a copy
// of its own.
func (known shared) subject(s model.Subject) *model.Subject {
	own := func() *model.Subject { kept := s; return &kept }
	if s.Ruling != nil {
		return own()
	}
	id := identity{
		adapter: s.Adapter, name: s.Name, parameter: s.Par, kind: s.Kind, tool: s.Tool,
		operation: plainOperation{s.Op.Name, s.Op.Category, s.Op.Endpoint, s.Op.Tool, s.Op.Summary, s.Op.Details},
		count:     len(s.Op.Parameters), full: s.Full(),
	}
	if id.count > 0 {
		id.parameters = &s.Op.Parameters[0]
	}
	if known[id] == nil {
		known[id] = own()
	}
	return known[id]
}
