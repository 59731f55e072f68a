package suites

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// refusal rules on a request that has to be refused by whatever layer sees the
// fault first: the envelope is the good way, a refusal below it a lesser one.
func refusal(o probes.Observation, what string) Ruling {
	switch {
	case o.Deferred():
		return NotProven("a refusal of "+what+", whoever asks", o)
	case o.Refused():
		return Conforms()
	case o.RefusedBelow():
		return Departs("a failure envelope for "+what, o).Noting("refused by a layer below MCP-AQL")
	}
	return Violates("a refusal of "+what, o)
}

// refusedAnywhere rules on a request that may be refused at any layer.
func refusedAnywhere(o probes.Observation, what string) Ruling {
	if o.Deferred() {
		return NotProven("a refusal of "+what+", whoever asks", o)
	}
	if o.Refused() || o.RefusedBelow() {
		return Conforms()
	}
	return Violates("a refusal of "+what, o)
}

// Section 4.1. Without an operation there is nothing to dispatch; a default would
// run something nobody asked for.
var _ = register(Check{
	Requirement: "AQL-4.1-01",
	On:          eachAQLTool,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		bare := probes.Call(s.Conn, s.Name, "", nil).Drop("operation")
		return append([]probes.Probe{bare, bare.Top("params", map[string]any{"query": "operations"})}, toolControls(s)...)
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		r := Worst(refusal(got[0], "a request without operation").By(got[0]), refusal(got[1], "a request without operation"))
		return controlled(r, got[:2], got[2:])
	},
	Fix: "refuse a request that has no operation member",
})

// Section 4.1. An operation of another type is no name; turning it into text runs
// what a confused client never meant.
var _ = register(Check{
	Requirement: "AQL-4.1-02",
	On:          introspecting,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		var ps []probes.Probe
		for _, v := range []any{1, true, nil, []any{"introspect"}, map[string]any{"name": "introspect"}} {
			ps = append(ps, s.Listing().Top("operation", v))
		}
		return ps
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, o := range got {
			rs = append(rs, refusedAnywhere(o, "an operation that is no string"))
		}
		return Worst(rs...)
	},
	Fix: "check that operation is a JSON string before using it",
})

// Section 4.1. params is optional: leaving it out means sending no parameters, so
// both forms have to get the same answer.
var _ = register(Check{
	Requirement: "AQL-4.1-03",
	On: func(f *Face) []Subject {
		subjects := introspecting(f)
		for _, s := range eachProven(f) {
			if s.settled == nil && s.Op.Category == "READ" && len(s.ValidCall().Params()) == 0 {
				return append(subjects, s)
			}
		}
		return subjects
	},
	Ask: func(s Subject) []probes.Probe {
		tool := s.Op.Tool
		if s.Name == "introspect" {
			tool = s.Introspect
		}
		p := probes.Call(s.Conn, tool, s.Name, nil)
		return []probes.Probe{p.Top("params", map[string]any{}), p}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		with, without := got[0], got[1]
		want := "the answer that empty params get: " + with.Brief()
		switch {
		case without.Succeeded() && !with.Succeeded():
			return NotProven(want, without).By(with)
		case with.Outcome == without.Outcome && with.Code() == without.Code() && rpcCode(with) == rpcCode(without):
			return Conforms().By(without)
		case without.Deferred() || with.Deferred():
			return NotProven(want, without).By(with)
		}
		return Violates(want, without).By(with)
	},
	Fix: "treat a missing params member like an empty object",
})

// Section 4.1. params is an object; anything else holds no named parameters.
var _ = register(Check{
	Requirement: "AQL-4.1-04",
	On:          introspecting,
	Ask: func(s Subject) []probes.Probe {
		var ps []probes.Probe
		for _, v := range []any{[]any{}, []any{"query"}, "operations", 5, true, `{"query":"operations"}`} {
			ps = append(ps, s.Listing().Top("params", v))
		}
		return ps
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, o := range got[:5] {
			rs = append(rs, refusedAnywhere(o, "params that are no object"))
		}
		if got[5].Succeeded() {
			rs = append(rs, Departs("a refusal of an object serialised into a string", got[5]))
		}
		return Worst(rs...)
	},
	Fix: "refuse params that are not a JSON object",
})

// Operations document, section 2.2. An empty name names nothing.
var _ = register(Check{
	Requirement: "OPS-2.2-05",
	On:          introspecting,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.Listing().Top("operation", ""), s.Listing().Top("operation", " ")}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		return Worst(refusedAnywhere(got[0], "an empty operation"), refusedAnywhere(got[1], "a blank operation"))
	},
	Fix: "refuse an empty operation name",
})

// Operations document, section 2.4. Names are matched exactly, so that two
// adapters cannot disagree about which operation a request means.
var _ = register(Check{
	Requirement: "OPS-2.4-01",
	On:          introspecting,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{}
		for _, name := range []string{"INTROSPECT", "Introspect", " introspect"} {
			ps = append(ps, s.Listing().Top("operation", name))
		}
		for _, other := range eachProven(s.Face) {
			upper := strings.ToUpper(other.Name)
			if _, listed := s.Operation(upper); other.settled == nil && other.Op.Category == "READ" && !listed {
				return append(ps, other.ValidCall().Top("operation", upper))
			}
		}
		return ps
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for i, o := range got {
			r := refusedAnywhere(o, "an operation name in another spelling")
			if i == 2 && o.Succeeded() {
				r = Departs("a refusal of a padded operation name", o)
			}
			rs = append(rs, r)
		}
		return Worst(rs...)
	},
	Fix: "compare operation names exactly",
})

// Section 3.2. The operation field decides; a name that is not defined must not
// fall through to anything, least of all to one that begins alike.
var _ = register(Check{
	Requirement: "AQL-3.2-01",
	On:          eachAQLTool,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		ps := append(toolControls(s), unknownOperation(s.Face, s.Name))
		for _, t := range eachProven(s.Face) {
			if t.settled == nil && t.Op.Category == "READ" && (t.Op.Tool == s.Name || s.Name == s.Unified) {
				return append(ps, t.ValidCall().To(s.Name).Top("operation", t.Name+"_aqlx_"+s.Nonce))
			}
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		n := len(toolControls(s))
		var rs []Ruling
		for _, o := range got[n:] {
			rs = append(rs, refusal(o, "an operation that does not exist").By(o))
		}
		return controlled(Worst(rs...), got[n:], got[:n])
	},
	Fix: "answer NOT_FOUND_OPERATION when the operation is not defined",
})

func unknownOperation(f *Face, tool string) probes.Probe {
	return probes.Call(f.Conn, tool, "aqlx_no_such_op_"+f.Nonce, map[string]any{})
}

// Section 3.2. Names that a language gives to every object are no operations; a
// router that answers them looks names up where it should not.
var _ = register(Check{
	Requirement: "MCP-SEC-04",
	On:          introspecting,
	Lane:        probes.Exclusive,
	Ask: func(s Subject) []probes.Probe {
		var ps []probes.Probe
		for _, name := range []string{"constructor", "toString", "__proto__"} {
			ps = append(ps, probes.Call(s.Conn, s.Introspect, name, map[string]any{}))
		}
		for _, name := range []string{"' OR 'aqlx'='aqlx", "../../aqlx_none"} {
			ps = append(ps, s.Lookup("operations", name))
		}
		return ps
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for i, o := range got {
			switch {
			case o.Code() == "INTERNAL_ERROR":
				rs = append(rs, Departs("a plain refusal of a hostile-looking name", o))
			case i < 3:
				rs = append(rs, refusedAnywhere(o, "a name inherited from the language"))
			case o.Data().At("operation").Is(probes.Object):
				rs = append(rs, Violates("no operation for a hostile-looking name", o))
			}
		}
		return Worst(append(rs, Conforms())...)
	},
	Fix: "look operations up in a table of your own names only",
})
