package check

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// DangerLevels are the danger levels of appendix D.
var DangerLevels = strings.Fields("safe reversible destructive dangerous forbidden")

// DangerLevel returns the danger level in a record or error; absent if there is none.
func DangerLevel(v probes.Value) probes.Value {
	for _, level := range []probes.Value{v.At("danger_level"), v.At("danger", "level"), v.At("danger")} {
		if !level.Is(probes.Absent) {
			return level
		}
	}
	return probes.Value{}
}

// WrongTools returns the AQL tools that must reject the operation: all except its own, the unified
// one, and the one that its endpoint value names.
func WrongTools(f *model.Adapter, o probes.Operation) []string {
	if Homeless(f, o) {
		return nil
	}
	return slices.DeleteFunc(f.Semantic(), func(t string) bool {
		return t == o.Tool || probes.StandsFor(o.Endpoint, t)
	})
}

// Homeless reports whether nothing documents which endpoint tool an operation belongs to, so that
// none can be wrong for it.
func Homeless(f *model.Adapter, o probes.Operation) bool {
	return o.Endpoint == "" && o.Name != "introspect" && !slices.Contains(f.Semantic(), o.Tool)
}

// SimpleLookup is a lookup that succeeds and has a short answer.
func SimpleLookup(s model.Subject) probes.Probe {
	if len(s.Operations) == 0 {
		return s.Listing()
	}
	return s.Lookup("operations", s.Operations[0].Name)
}

// RawCall returns the call as raw params. A large call is serialized once, and findings do not
// print its arguments.
func RawCall(p probes.Probe) probes.Probe {
	params := append([]byte(`{"name":`), probes.ValueOf(p.Tool).Raw()...)
	params = append(append(append(params, `,"arguments":`...), p.Arguments()...), '}')
	return probes.Probe{Conn: p.Conn, Method: "tools/call", Tool: p.Tool}.WithRaw(params)
}
