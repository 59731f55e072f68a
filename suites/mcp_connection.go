package suites

import (
	"fmt"
	"slices"

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
	sent, _ := probes.ParseValue(handshake.SentData())
	return sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Text()
}

// discovered reports whether server/discover took the place of initialize.
func discovered(handshake probes.Observation) bool {
	sent, _ := probes.ParseValue(handshake.SentData())
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
		case answer.Outcome == probes.Garbled && answer.Received.Size > len(answer.ReceivedData()):
			return NotProven(fmt.Sprintf("an answer to initialize of at most %d bytes", len(answer.ReceivedData())), fmt.Sprintf("one of %d", answer.Received.Size))
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
		sent, _ := probes.ParseValue(got[0].SentData())
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
