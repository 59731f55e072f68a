package envelope

import (
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// refusal rules on a request that has to be refused by whatever layer sees the
// fault first: the envelope is the good way, a refusal below it a lesser one.
func refusal(o probes.Observation, what string) ruling.Ruling {
	switch {
	case o.Deferred():
		return ruling.NotProven("a refusal of "+what+", whoever asks", o)
	case o.Refused():
		return ruling.Conforms()
	case o.RefusedBelow():
		return ruling.Departs("a failure envelope for "+what, o).Noting("refused by a layer below MCP-AQL")
	}
	return ruling.Violates("a refusal of "+what, o)
}

// toolControls are the controls of a tool as named steps.
func toolControls(s model.Subject) []probes.Probe {
	ps := model.ToolControls(s)
	for i, p := range ps {
		ps[i] = p.As(probes.Nth("control", i))
	}
	return ps
}

// Section 4.1.
var requestWithoutOperationIsRefused = check.Check{
	Requirement: "AQL-4.1-01",
	Rule:        "A request without an operation field is refused.",
	Why:         "Without an operation there is nothing to dispatch; a default would run something nobody asked for.",
	On:          model.EachAQLTool,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		bare := probes.Call(s.Conn, s.Name, "", nil).Drop("operation")
		return append([]probes.Probe{
			bare.As("without operation: no params"),
			bare.Top("params", map[string]any{"query": "operations"}).As("without operation: with params"),
		}, toolControls(s)...)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		r := ruling.Conforms()
		for _, o := range got.Under("without operation") {
			if complaint, readable := check.SchemaViolation(s.Tool.Raw.At("inputSchema"), o.Probe); readable && complaint != "" && o.RefusedBelow() && !o.Deferred() {
				continue // Appendix D has the schema demand operation, and an SDK refuses what the schema excludes
			}
			r = ruling.Worst(r, refusal(o, "a request without operation").By(o))
		}
		return model.WithControls(r, got.Under("without operation"), got.Under("control"))
	},
	Fix: "refuse a request that has no operation member",
}

// Section 4.1.
var operationMustBeString = check.Check{
	Requirement: "AQL-4.1-02",
	Rule:        "The operation field has to be a string; any other JSON type is refused.",
	Why:         "The operation must be a string. Converting another type to a string can run an operation that the client did not mean.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for _, v := range []any{1, true, nil, []any{"introspect"}, map[string]any{"name": "introspect"}, 0, false} {
			ps = append(ps, s.Listing().Top("operation", v))
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got {
			rs = append(rs, check.RefusedAnywhere(o, "an operation that is no string"))
		}
		return ruling.Worst(rs...)
	},
	Fix: "check that operation is a JSON string before using it",
}

// Section 4.1.
var paramsMustBeObject = check.Check{
	Requirement: "AQL-4.1-04",
	Rule:        "When present, params has to be a JSON object.",
	Why:         "params is an object; anything else holds no named parameters.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for i, v := range []any{[]any{}, []any{"query"}, "operations", 5, true, 0, false, ""} {
			ps = append(ps, s.Listing().Top("params", v).As(probes.Nth("params of another type", i)))
		}
		return append(ps, s.Listing().Top("params", `{"query":"operations"}`).As("object in a string"))
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got.Under("params of another type") {
			rs = append(rs, check.RefusedAnywhere(o, "params that are no object"))
		}
		if o := got.Step("object in a string"); o.Succeeded() {
			rs = append(rs, ruling.Departs("a refusal of an object serialised into a string", o))
		}
		return ruling.Worst(rs...)
	},
	Fix: "refuse params that are not a JSON object",
}

const emptyInBatch = "empty operation in a batch"

// Operations document, section 2.2.
var emptyOperationNameIsRefused = check.Check{
	Requirement: "OPS-2.2-05",
	Rule:        "An empty operation string is refused.",
	Why:         "An empty name identifies nothing.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Listing().Top("operation", ""), s.Listing().Top("operation", " ").As("blank operation"), s.Listing().Top("operation", "\t").As("blank operation: tab")}
		if check.OffersBatch(s.Adapter) {
			entries := []any{s.Listing().Args(), s.Listing().Top("operation", "").Args(), check.UnknownOperation(s.Adapter, s.Introspect).Args()}
			ps = append(ps, probes.CallWith(s.Conn, s.Introspect, map[string]any{"operations": entries}).As(emptyInBatch))
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{check.RefusedAnywhere(got[0], "an empty operation")}
		for _, o := range got.Under("blank operation") {
			rs = append(rs, check.RefusedAnywhere(o, "a blank operation"))
		}
		batch := got.Step(emptyInBatch)
		// Results in another order, and a batch that carries out any operation, are the matter of other requirements.
		if entries := check.BatchResults(batch).Items(); len(entries) == 3 && entries[1].At("result", "success").True() && entries[2].At("result", "success").False() {
			rs = append(rs, ruling.Violates("a refusal of an empty operation in a batch", entries[1]).By(batch))
		}
		return ruling.Worst(rs...)
	},
	Fix: "refuse an empty operation name",
}

const hyphenated = "another operation with hyphens"

// spelled is a READ operation under a name of another spelling that is not listed.
func spelled(s model.Subject, step string, spell func(string) string) []probes.Probe {
	for _, other := range s.ProvenReads() {
		name := spell(other.Name)
		if _, listed := s.Operation(name); !listed {
			return []probes.Probe{other.ValidCall().Top("operation", name).As(step)}
		}
	}
	return nil
}

// Operations document, section 2.4.
var operationNamesAreMatchedCaseSensitively = check.Check{
	Requirement: "OPS-2.4-01",
	Rule:        "A request has to use the operation name exactly as listed; other letter case or padding names nothing.",
	Why:         "Names are matched exactly, so that two adapters cannot disagree about which operation a request means.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{
			s.Listing().Top("operation", "INTROSPECT"),
			s.Listing().Top("operation", "Introspect").As("capitalised name"),
			s.Listing().Top("operation", " introspect").As("padded name"),
		}
		ps = append(ps, spelled(s, "another operation in upper case", strings.ToUpper)...)
		return append(ps, spelled(s, hyphenated, func(name string) string { return strings.ReplaceAll(name, "_", "-") })...)
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got {
			r := check.RefusedAnywhere(o, "an operation name in another spelling")
			if kind := o.Probe.Step; (kind == "padded name" || kind == hyphenated) && o.Succeeded() {
				r = ruling.Departs("a refusal of "+o.Probe.Operation(), o)
			}
			rs = append(rs, r)
		}
		return ruling.Worst(rs...)
	},
	Fix: "compare operation names exactly",
}

// Section 3.2.
var unknownOperationIsRefused = check.Check{
	Requirement: "AQL-3.2-01",
	Rule:        "The router decides by the operation field, so a name that is not a defined operation is answered with a failure envelope on every AQL tool.",
	Why:         "The operation field decides; a name that is not defined must not fall through to anything, least of all to one that begins alike.",
	On:          model.EachAQLTool,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		ps := append(toolControls(s), check.UnknownOperation(s.Adapter, s.Name).As("unknown operation: unlike any"))
		reads := model.Only((*model.Adapter).ProvenReads, func(t model.Subject) bool { return t.Op.Tool == s.Name || s.Name == s.Unified })(s.Adapter)
		if len(reads) > 0 {
			ps = append(ps, reads[0].ValidCall().To(s.Name).Top("operation", reads[0].Name+"_aqlx_"+s.Nonce).As("unknown operation: beginning like another"))
		}
		for _, t := range reads {
			if cut := t.Name[:max(0, len(t.Name)-2)]; inOneName(s, cut) {
				return append(ps, t.ValidCall().To(s.Name).Top("operation", cut).As("unknown operation: beginning of another"))
			}
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		unknown := got.Under("unknown operation")
		var rs []ruling.Ruling
		for _, o := range unknown {
			rs = append(rs, refusal(o, "an operation that does not exist").By(o))
		}
		return model.WithControls(ruling.Worst(rs...), unknown, got.Under("control"))
	},
	Fix: "answer NOT_FOUND_OPERATION when the operation is not defined",
}

// inOneName reports whether a text is part of the name of one operation and is no name itself. What
// is part of several is left alone: a router that goes by it might take one that writes.
func inOneName(s model.Subject, text string) bool {
	n := 0
	for _, o := range s.Operations {
		if o.Name == text {
			return false
		}
		if strings.Contains(o.Name, text) {
			n++
		}
	}
	return n == 1 && len(text) > 2 && utf8.ValidString(text)
}

// Section 3.2.
var inheritedNamesAreUnknownOperations = check.Check{
	Requirement: "MCP-SEC-04",
	Rule:        "Names inherited from the implementation language, and hostile-looking text, are plain data: they match no operation.",
	Why:         "Names such as toString exist on every object of some languages. A router that answers them looks names up in the wrong place.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for i, name := range []string{"constructor", "toString", "__proto__", "__str__", "__dir__"} {
			ps = append(ps, probes.Call(s.Conn, s.Introspect, name, map[string]any{}).As(probes.Nth("inherited name", i)))
		}
		for i, name := range []string{"' OR 'aqlx'='aqlx", "../../aqlx_none"} {
			ps = append(ps, s.Lookup("operations", name).As(probes.Nth("hostile text", i)))
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got {
			switch {
			case o.Code() == "INTERNAL_ERROR":
				rs = append(rs, ruling.Departs("a plain refusal of a hostile-looking name", o))
			case o.Probe.Under("inherited name"):
				rs = append(rs, check.RefusedAnywhere(o, "a name inherited from the language"))
			case o.Data().At("operation").Is(probes.Object):
				rs = append(rs, ruling.Violates("no operation for a hostile-looking name", o))
			}
		}
		return ruling.Worst(append(rs, ruling.Conforms())...)
	},
	Fix: "look operations up in a table of your own names only",
}
