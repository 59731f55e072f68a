package suites

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// startUp asks for the handshake of the subject's face.
func startUp(s Subject) probes.Probe { return probes.Request(s.Conn, "initialize", nil) }

// The MCP revisions that exist, and the first that needs no handshake.
var mcpRevisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", stateless}

const stateless = "2026-07-28"

// revisionOf returns the MCP revision a handshake settled; empty when it settled
// none.
func revisionOf(handshake probes.Observation) string {
	if !discovered(handshake) {
		return handshake.Result().At("protocolVersion").Text()
	}
	sent, _ := probes.ParseValue(handshake.Sent.Data)
	return sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Text()
}

// discovered reports whether server/discover took the place of initialize.
func discovered(handshake probes.Observation) bool {
	sent, _ := probes.ParseValue(handshake.Sent.Data)
	return sent.At("method").Text() == "server/discover" && handshake.Result().Is(probes.Object)
}

// Section mcp/Protocol Messages. Nobody can list tools on a server whose start-up
// a client has to abandon.
var _ = register(Check{
	Requirement: "MCP-LIFE-01",
	On:          wholeAdapter,
	Losses:      true,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{startUp(s)} },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		answer, result := got[0], got[0].Result()
		server := result.At("serverInfo")
		switch {
		case answer.Outcome == probes.Gone:
			return NotProven("a second start of the adapter", answer)
		case !result.Is(probes.Object):
			return Violates("a result of initialize", answer)
		case !result.At("capabilities").Is(probes.Object):
			return Violates("capabilities as an object", "capabilities "+clip(result.At("capabilities").String())).By(answer)
		case discovered(answer):
			return announced(answer)
		case result.At("protocolVersion").Text() == "":
			return Violates("protocolVersion as a string", "protocolVersion "+result.At("protocolVersion").String()).By(answer)
		case server.Is(probes.Absent), server.Is(probes.Null):
			return Departs("serverInfo with name and version", "none").By(answer)
		case !missingOr(server, probes.Object), !missingOr(server.At("name"), probes.String), !missingOr(server.At("version"), probes.String):
			return Violates("serverInfo with name and version as strings", "serverInfo "+clip(server.String())).By(answer)
		case !server.Has("name"), !server.Has("version"):
			return Departs("serverInfo with name and version", "serverInfo "+clip(server.String())).By(answer)
		case !slices.Contains(mcpRevisions, result.At("protocolVersion").Text()):
			return Departs("a published MCP revision", result.At("protocolVersion")).By(answer)
		}
		return Conforms()
	},
	Fix: "answer initialize with protocolVersion, capabilities and serverInfo",
})

// missingOr reports whether the value is absent or of the kind.
func missingOr(v probes.Value, kind probes.Kind) bool { return v.Is(probes.Absent) || v.Is(kind) }

// announced rules on a start-up by server/discover.
func announced(answer probes.Observation) Ruling {
	versions := answer.Result().At("supportedVersions")
	if len(versions.Items()) == 0 || slices.ContainsFunc(versions.Items(), func(v probes.Value) bool { return v.Text() == "" }) {
		return Violates("supportedVersions as an array of strings", "supportedVersions "+clip(versions.String())).By(answer)
	}
	return Conforms()
}

// noRevision is a protocol version that never existed.
const noRevision = "1999-01-01"

// Section mcp/Overview. A server that agrees to every revision leaves the client
// to find out by failing calls what it speaks in truth.
var _ = register(Check{
	Requirement: "MCP-LIFE-02",
	On:          wholeAdapter,
	Losses:      true,
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{probes.Request(s.Conn+"/rev="+noRevision, "initialize", nil)}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		sent, _ := probes.ParseValue(got[0].Sent.Data)
		asked := sent.At("params", "protocolVersion").Text()
		offered := got[0].Result().At("protocolVersion")
		switch {
		case got[0].Lost():
			return NotProven("an answer to initialize on a connection of its own", got[0])
		case got[0].RefusedBelow(), discovered(got[0]):
			return Conforms()
		case asked != noRevision:
			return NotProven("a request for revision "+noRevision, "a request for "+asked)
		case offered.Text() == "":
			return NotProven("a revision in the answer", offered).Because("MCP-LIFE-01")
		case offered.Text() == noRevision:
			return Violates("another revision or an error", "the revision "+noRevision+" echoed").By(got[0])
		}
		return Conforms()
	},
	Fix: "offer the latest revision the server speaks when asked for an unknown one",
})

// Section mcp/Overview. Without a handshake, server/discover is the only place a
// client can learn what the server speaks, and the result type the only sign
// that a result is whole. Only an answer that changes with the revision in _meta
// shows that the server works in this era.
var _ = register(Check{
	Requirement: "MCP-LIFE-03",
	On:          wholeAdapter,
	Drive: func(s Subject, ask Asking) {
		modern := map[string]any{"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion":    stateless,
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}}
		conn := s.Conn + "/2"
		settled := ask(probes.Request(conn, "initialize", nil))
		plain := ask(probes.Request(conn, "tools/list", map[string]any{}))
		marked := ask(probes.Request(conn, "tools/list", modern))
		if discovered(settled) || marked.Result().Has("resultType") && !plain.Result().Has("resultType") {
			ask(probes.Request(conn, "server/discover", modern))
		}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if len(got) < 4 {
			return NotApplicable("does not hold: the negotiated MCP revision is 2026-07-28 or newer")
		}
		list, discover := got[2], got[3]
		if !discover.Result().Is(probes.Object) {
			return Violates("a result of server/discover", discover).By(list)
		}
		rs := []Ruling{Conforms().By(discover, list)}
		if versions := discover.Result().At("supportedVersions"); !versions.Is(probes.Array) {
			rs = append(rs, Departs("supportedVersions as an array", "supportedVersions "+clip(versions.String())).By(discover))
		}
		for _, o := range []probes.Observation{discover, list} {
			rs = append(rs, whole(o))
		}
		return Worst(rs...)
	},
	Fix: "implement server/discover and set resultType, ttlMs and cacheScope",
})

// whole rules on the members that mark a result as complete and say how long and
// for whom it may be kept.
func whole(o probes.Observation) Ruling {
	result := o.Result()
	ttl, number := result.At("ttlMs").Float()
	switch {
	case result.At("resultType").Text() != "complete":
		return Departs("resultType complete", "resultType "+result.At("resultType").String()).By(o)
	case !number || ttl < 0:
		return Departs("ttlMs of 0 or more", "ttlMs "+result.At("ttlMs").String()).By(o)
	case !slices.Contains([]string{"public", "private"}, result.At("cacheScope").Text()):
		return Departs("cacheScope public or private", "cacheScope "+result.At("cacheScope").String()).By(o)
	}
	return Conforms().By(o)
}

// Section 2.1. MCP-AQL is spoken through tools: without one that takes an
// operation there is nothing a request could be sent to.
var _ = register(Check{
	Requirement: "AQL-2.1-01",
	On:          wholeAdapter,
	Drive: func(s Subject, ask Asking) {
		for _, page := range s.Pages {
			ask(page)
		}
		switch {
		case s.Introspect != "":
			ask(s.Listing())
			return
		case len(s.Tools) == 0:
			ask(s.Pages[0].Anew(1)) // tools may come late
		}
		takes, reads := approachable(s.Face)
		for _, tool := range takes {
			ask(probes.Call(s.Conn, tool, "introspect", map[string]any{"query": "operations"}))
			ask(unknownOperation(s.Face, tool))
		}
		for _, tool := range reads {
			ask(probes.Call(s.Conn, tool, "introspect", map[string]any{"query": "operations"}))
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		const want = "a tool that takes operation"
		page := got[0]
		takes, reads := approachable(s.Face)
		calls := slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Method != "" })
		answered := slices.IndexFunc(calls, func(o probes.Observation) bool {
			return (o.Succeeded() || o.Refused()) && slices.Contains(takes, o.Probe.Tool)
		})
		deferred := func(o probes.Observation) bool { return o.Deferred() }
		switch {
		case s.Introspect != "":
			return Conforms().By(page, got[len(got)-1])
		case page.Deferred(), len(calls) > 0 && !slices.ContainsFunc(calls, func(o probes.Observation) bool { return !deferred(o) }):
			return NotProven(want, got[len(got)-1]).Mend("supply the credentials the server asks for")
		case page.RefusedBelow():
			return Violates("a list of tools", page)
		case !page.Result().At("tools").Is(probes.Array):
			return NotProven(want, "no array of tools").Because("MCP-LIST-02").By(page)
		case len(s.Tools) == 0 && len(got[len(got)-1].Result().At("tools").Items()) > 0:
			return NotProven("the tools from the start", "tools that came later").Mend("run again once the tools are there")
		case len(s.Tools) == 0:
			return Violates(want, "an empty list of tools").By(page)
		case answered >= 0:
			return Conforms().By(page, calls[answered])
		case len(takes) > 0:
			return NotProven(want+" and answers in the envelope", calls[0]).Because("AQL-7.2-01")
		case len(reads) < len(s.Tools):
			return NotProven(want, fmt.Sprintf("%d tools that take none and may not be tried", len(s.Tools)-len(reads)))
		}
		return Violates(want, "tools that take none: "+strings.Join(reads, ", ")).By(page, calls[0])
	},
	Fix: "expose a tool whose inputSchema has the property operation",
})

// approachable returns the tools that take an operation and those that present
// themselves as readers; no other tool may be tried without permission.
func approachable(f *Face) (takes, reads []string) {
	reader := regexp.MustCompile(`(?i)aql|introspect|discover|read|query`)
	for _, t := range f.Tools {
		switch {
		case t.Name == "":
		case t.TakesOperation():
			takes = append(takes, t.Name)
		case t.Raw.At("annotations", "readOnlyHint").True(), reader.MatchString(t.Name):
			reads = append(reads, t.Name)
		}
	}
	return takes, reads
}
