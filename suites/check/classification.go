package check

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// DangerWords are the danger levels of appendix D.
var DangerWords = strings.Fields("safe reversible destructive dangerous forbidden")

// DangerLevel returns the danger level a record or error shows, absent when it
// shows none.
func DangerLevel(v probes.Value) probes.Value {
	for _, level := range []probes.Value{v.At("danger_level"), v.At("danger", "level"), v.At("danger")} {
		if !level.Is(probes.Absent) {
			return level
		}
	}
	return probes.Value{}
}

// WrongTools returns the AQL tools an operation must not be taken by: all but its
// own, the unified one, and the one its endpoint value stands for.
func WrongTools(f *model.Adapter, o probes.Operation) []string {
	return slices.DeleteFunc(f.Semantic(), func(t string) bool {
		return t == o.Tool || probes.StandsFor(o.Endpoint, t)
	})
}

// QuietReads is every READ with a proven request, introspect aside.
func QuietReads(f *model.Adapter) []model.Subject {
	return model.Only(model.EachProven, func(s model.Subject) bool { return s.Ruling == nil && s.Op.Category == "READ" })(f)
}

// EasyLookup is a lookup that succeeds and has a short answer.
func EasyLookup(s model.Subject) probes.Probe {
	if len(s.Operations) == 0 {
		return s.Listing()
	}
	return s.Lookup("operations", s.Operations[0].Name)
}

// Quietly is a call whose megabytes are written once, and not shown as arguments.
func Quietly(p probes.Probe) probes.Probe {
	params := append([]byte(`{"name":`), probes.ValueOf(p.Tool).Raw()...)
	params = append(append(append(params, `,"arguments":`...), p.Arguments()...), '}')
	return probes.Probe{Conn: p.Conn, Method: "tools/call", Tool: p.Tool}.WithRaw(params)
}
