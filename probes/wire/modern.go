package wire

import (
	"bytes"
	"encoding/json"
	"slices"
)

const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodDiscover    = "server/discover"
)

// firstModern is the first MCP revision without a handshake: every request
// carries in _meta what initialize used to settle once.
const firstModern = "2026-07-28"

// withMeta adds the owed members of _meta to raw params and leaves every other
// byte alone. Params that are no object stay as they are: whoever sends them
// wants to see what happens.
func withMeta(params, meta []byte) []byte {
	if meta == nil {
		return params
	}
	if params == nil {
		return slices.Concat([]byte(`{"_meta":{`), meta, []byte(`}}`))
	}
	env := peek(params)
	if !env.valid || !env.object || env.bom || len(env.extra) > 0 {
		return params
	}
	given := member(params, "_meta")
	if given == nil {
		return insert(params, bytes.IndexByte(params, '{')+1, slices.Concat([]byte(`"_meta":{`), meta, []byte(`}`)))
	}
	if given[0] != '{' {
		return params
	}
	at := cap(params) - cap(given) // given is a part of params
	return insert(params, at+1, missing(given, meta))
}

// missing returns those of the owed members that the given object lacks.
func missing(given, meta []byte) []byte {
	var owed [][]byte
	c := &cursor{b: slices.Concat([]byte("{"), meta, []byte("}"))}
	c.members(func(key string, value []byte) {
		if member(given, key) == nil {
			owed = append(owed, slices.Concat([]byte(`"`+key+`":`), value))
		}
	})
	return bytes.Join(owed, []byte(","))
}

// insert puts members at the start of the object whose brace ends before at.
func insert(object []byte, at int, members []byte) []byte {
	if len(members) == 0 {
		return object
	}
	rest := object[at:]
	if next := bytes.TrimLeft(rest, " \t\r\n"); len(next) > 0 && next[0] != '}' {
		members = append(members, ',')
	}
	return slices.Concat(object[:at], members, rest)
}

// resultOf returns the raw result of an answer, nil if it has none.
func resultOf(answer Frame) json.RawMessage {
	if env := peek(answer.Data); !env.valid || !env.object {
		return nil
	}
	return json.RawMessage(member(answer.Data, "result"))
}

// revisionOf returns the MCP revision that a result of initialize names.
func revisionOf(result json.RawMessage) string {
	var revision string
	if json.Unmarshal(member(result, "protocolVersion"), &revision) != nil {
		return ""
	}
	return revision
}

// wantsModern reports whether a server refused initialize because it only
// speaks a revision without one.
func wantsModern(answer Frame) bool {
	refusal := member(answer.Data, "error")
	if refusal == nil || member(answer.Data, "result") != nil {
		return false
	}
	switch string(member(refusal, "code")) {
	case "-32022", "-32601": // unsupported version; no such method
		return true
	}
	return bytes.Contains(refusal, []byte(firstModern)) || bytes.Contains(refusal, []byte(methodDiscover))
}

// modernRevision returns the newest modern revision we share with the server
// that refused initialize, the first one if it does not say.
func modernRevision(answer Frame) string {
	var data struct{ Supported []string }
	_ = json.Unmarshal(member(member(answer.Data, "error"), "data"), &data) // whatever is readable of it
	return newestShared(data.Supported, firstModern)
}

// discovered returns the newest revision we share with a server by its result
// of server/discover.
func discovered(result json.RawMessage, otherwise string) string {
	var named []string
	if json.Unmarshal(member(result, "supportedVersions"), &named) != nil {
		return ""
	}
	return newestShared(named, otherwise)
}

func newestShared(named []string, otherwise string) string {
	for _, revision := range slices.Backward(Revisions) {
		if revision >= firstModern && slices.Contains(named, revision) {
			return revision
		}
	}
	return otherwise
}
