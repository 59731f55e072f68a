package mcp

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The MCP revisions that exist, and the first that needs no handshake.
var mcpRevisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", check.StatelessRevision}

// Section mcp/Protocol Messages.
var handshakeCompletesInAnnouncedRevision = check.Check{
	Requirement: "MCP-LIFE-01",
	Rule:        "The adapter completes an MCP start-up in a protocol revision it announces itself, so that tool discovery can follow.",
	Why:         "A client that must abandon the handshake cannot list any tools.",
	On:          model.WholeAdapter,
	Handles:     check.Unanswered,
	Drive:       func(s model.Subject, ask model.AskFunc) { check.HomeSession(s, ask) },
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{started(got[0])}
		if session := got.Last(); len(got) > 1 && session.Result().Is(probes.Object) && !check.Discovered(session) {
			rs = append(rs, started(session)) // the adapter serves revisions with a handshake as well
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer initialize with protocolVersion, capabilities and serverInfo",
}

// started rules on the answer to one start-up.
func started(answer probes.Observation) ruling.Ruling {
	result := answer.Result()
	server := result.At("serverInfo")
	switch {
	case answer.Outcome == probes.Gone:
		return ruling.NotProven("a second start of the adapter", answer)
	case answer.Cut():
		return ruling.NotProven(fmt.Sprintf("an answer to initialize of at most %d bytes", len(answer.ReceivedData())), fmt.Sprintf("one of %d", answer.Received.Size))
	case !result.Is(probes.Object):
		return ruling.Violates("a result of initialize", answer)
	case !result.At("capabilities").Is(probes.Object):
		return ruling.Violates("capabilities as an object", "capabilities "+ruling.Clip(result.At("capabilities").String())).By(answer)
	case check.Discovered(answer):
		return announced(answer)
	case result.At("protocolVersion").Text() == "":
		return ruling.Violates("protocolVersion as a string", "protocolVersion "+result.At("protocolVersion").String()).By(answer)
	case server.Is(probes.Absent), server.Is(probes.Null):
		return ruling.Departs("serverInfo with name and version", "none").By(answer)
	case !check.MissingOr(server, probes.Object), !check.MissingOr(server.At("name"), probes.String), !check.MissingOr(server.At("version"), probes.String):
		return ruling.Violates("serverInfo with name and version as strings", "serverInfo "+ruling.Clip(server.String())).By(answer)
	case !server.Has("name"), !server.Has("version"):
		return ruling.Departs("serverInfo with name and version", "serverInfo "+ruling.Clip(server.String())).By(answer)
	case !slices.Contains(mcpRevisions, result.At("protocolVersion").Text()):
		return ruling.Departs("a published MCP revision", result.At("protocolVersion")).By(answer)
	}
	return ruling.Conforms()
}

// announced rules on a start-up by server/discover: the revision of the request, which was
// answered, has to be among those that are announced.
func announced(answer probes.Observation) ruling.Ruling {
	versions := answer.Result().At("supportedVersions")
	if len(versions.Items()) == 0 || slices.ContainsFunc(versions.Items(), func(v probes.Value) bool { return v.Text() == "" }) {
		return ruling.Violates("supportedVersions as an array of strings", "supportedVersions "+ruling.Clip(versions.String())).By(answer)
	}
	used := check.RevisionOf(answer)
	if used != "" && !slices.ContainsFunc(versions.Items(), func(v probes.Value) bool { return v.Text() == used }) {
		return ruling.Violates("the revision of the answered request, "+used+", in supportedVersions", "supportedVersions "+ruling.Clip(versions.String())).By(answer)
	}
	return ruling.Conforms()
}

// noRevision is a protocol version that never existed.
const noRevision = "1999-01-01"

// Section mcp/Overview.
var unknownRevisionsAreNotMerelyEchoed = check.Check{
	Requirement: "MCP-LIFE-02",
	Rule:        "When asked for a revision it does not speak, the adapter offers another one or refuses with a proper error instead of pretending to speak it.",
	Why:         "A server that agrees to every revision leaves the client to find out by failing calls what it speaks in truth.",
	On:          model.WholeAdapter,
	Handles:     check.Unanswered,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{probes.Request(s.Conn+"/rev="+noRevision, "initialize", nil)}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		sent, _ := probes.ParseValue(got[0].SentData())
		asked := sent.At("params", "protocolVersion").Text()
		offered := got[0].Result().At("protocolVersion")
		switch {
		case got[0].Lost():
			return ruling.NotProven("an answer to initialize on a connection of its own", got[0])
		case got[0].RefusedBelow(), check.Discovered(got[0]):
			return ruling.Conforms()
		case asked != noRevision:
			return ruling.NotProven("a request for revision "+noRevision, "a request for "+asked)
		case offered.Text() == "":
			return ruling.NotProven("a revision in the answer", offered).Because("MCP-LIFE-01")
		case offered.Text() == noRevision:
			return ruling.Violates("another revision or an error", "the revision "+noRevision+" echoed").By(got[0])
		}
		return ruling.Conforms()
	},
	Fix: "offer the latest revision the server speaks when asked for an unknown one",
}

// Section mcp/Overview.
var statelessEraResultsAreMarkedComplete = check.Check{
	Requirement: "MCP-LIFE-03",
	Rule:        "An adapter that works in the stateless 2026-07-28 era answers server/discover and marks each result with a result type.",
	Why:         "Without a handshake, server/discover is the only place a client can learn what the server speaks, and the result type the only sign that a result is whole. Only an answer that changes with the revision in _meta shows that the server works in this era.",
	On:          model.WholeAdapter,
	Drive: func(s model.Subject, ask model.AskFunc) {
		modern := map[string]any{"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion":    check.StatelessRevision,
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}}
		conn := s.Conn + "/2"
		settled := ask(probes.Request(conn, "initialize", nil).As("stateless era: handshake"))
		plain := ask(probes.Request(conn, "tools/list", map[string]any{}).As("stateless era: tools without the revision"))
		marked := ask(probes.Request(conn, "tools/list", modern).As("stateless era: tools with the revision"))
		if check.Discovered(settled) || marked.Result().Has("resultType") && !plain.Result().Has("resultType") {
			ask(probes.Request(conn, "server/discover", modern).As("stateless era: discovery"))
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		list := got.Step("stateless era: tools with the revision")
		discover, sent := got.Find("stateless era: discovery")
		if !sent {
			return ruling.NotApplicable("does not hold: the negotiated MCP revision is 2026-07-28 or newer")
		}
		if !discover.Result().Is(probes.Object) {
			return ruling.Violates("a result of server/discover", discover).By(list)
		}
		rs := []ruling.Ruling{ruling.Conforms().By(discover, list)}
		if versions := discover.Result().At("supportedVersions"); !versions.Is(probes.Array) {
			rs = append(rs, ruling.Departs("supportedVersions as an array", "supportedVersions "+ruling.Clip(versions.String())).By(discover))
		}
		for _, o := range []probes.Observation{discover, list} {
			rs = append(rs, whole(o))
		}
		return ruling.Worst(rs...)
	},
	Fix: "implement server/discover and set resultType, ttlMs and cacheScope",
}

// whole rules on the members that mark a result as complete and say how long and
// for whom it may be kept.
func whole(o probes.Observation) ruling.Ruling {
	result := o.Result()
	ttl, number := result.At("ttlMs").Float()
	switch {
	case result.At("resultType").Text() != "complete":
		return ruling.Departs("resultType complete", "resultType "+result.At("resultType").String()).By(o)
	case !number || ttl < 0:
		return ruling.Departs("ttlMs of 0 or more", "ttlMs "+result.At("ttlMs").String()).By(o)
	case !slices.Contains([]string{"public", "private"}, result.At("cacheScope").Text()):
		return ruling.Departs("cacheScope public or private", "cacheScope "+result.At("cacheScope").String()).By(o)
	}
	return ruling.Conforms().By(o)
}
