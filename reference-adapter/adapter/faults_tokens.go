package adapter

import (
	"encoding/json"
)

// keptTokenFaults keep a token too long, or take it from another session.
var keptTokenFaults = []Fault{
	{ID: "CMP-TOKEN-04", Variant: "token-works-twice", Defect: "a token may be used a second time",
		Features: confirming, hooks: pardoned(func(k *token, t task) bool { return t.count("uses of "+k.target) == 0 }, "used")},
	{ID: "AQL-2.3.3-01", Variant: "tokens-on-disk", Defect: "tokens are written to disk and taken by the next process", Transport: "stdio",
		Features: confirming, hooks: both(pardoned(func(k *token, _ task) bool { return k.dead }, "session", "ended"), around(
			func(c call) {
				var k struct{ Operation, Target string }
				if name, given := tokenOf(c); given && c.consent.tokens[name] == nil && c.records.find("tokens", name, &k) {
					c.consent.tokens[name] = &token{session: c.session, operation: k.Operation, target: k.Target, expires: c.clock().Add(tokenLife)}
				}
			},
			func(c call) {
				for name, k := range c.consent.tokens {
					if !k.used {
						must(c.records.keep("tokens", name, map[string]string{"Operation": k.operation, "Target": k.target}))
					} else {
						c.records.drop("tokens", name)
					}
				}
			}))},
	{ID: "AQL-2.3.5-03", Variant: "session-by-parameter", Defect: "a member _session_id beside the operation names the session of a token", Transport: "http",
		Features: confirming, hooks: both(
			hooks{item: func(c call, next handler) envelope {
				c.session.claims, _ = c.body["_session_id"].(string)
				return next(c)
			}},
			pardoned(func(k *token, t task) bool { return k.session.identity() == t.session.claims }, "session"))},
	{ID: "AQL-2.3.5-02", Variant: "token-by-client-label", Defect: "a token is taken from any session that names the same _meta.client_id", Transport: "http",
		Features: confirming, hooks: both(
			hooks{item: func(c call, next handler) envelope {
				raw, _ := json.Marshal(object(c.body["_meta"])["client_id"])
				c.session.claims = string(raw)
				return next(c)
			}},
			pardoned(func(_ *token, t task) bool { return t.session.claims != "null" }, "session"))},
}
