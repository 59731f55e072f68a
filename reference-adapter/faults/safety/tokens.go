package safety

import (
	"encoding/json"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// keptTokenFaults keep a token too long, or take it from another session.
var keptTokenFaults = []seam.Fault{
	{ID: "CMP-TOKEN-04", Variant: "token-works-twice", Defect: "a token may be used a second time",
		Features: adapter.Confirming, Hooks: pardoned(func(k *adapter.Token, t adapter.Task) bool { return seam.Count(t.Adapter, "uses of "+k.Target) == 0 }, "used")},
	{ID: "AQL-2.3.3-01", Variant: "tokens-on-disk", Defect: "tokens are written to disk and taken by the next process", Transport: "stdio",
		Features: adapter.Confirming, Hooks: seam.Both(pardoned(func(k *adapter.Token, _ adapter.Task) bool { return k.Dead }, "session", "ended"), around(
			func(c adapter.Call) {
				var k struct{ Operation, Target string }
				if name, given := tokenOf(c); given && c.Consent.Tokens[name] == nil && c.Records.Find("tokens", name, &k) {
					c.Consent.Tokens[name] = &adapter.Token{Session: c.Session, Operation: k.Operation, Target: k.Target, Expires: c.Clock().Add(adapter.TokenLife)}
				}
			},
			func(c adapter.Call) {
				for name, k := range c.Consent.Tokens {
					if !k.Used {
						adapter.Must(c.Records.Keep("tokens", name, map[string]string{"Operation": k.Operation, "Target": k.Target}))
					} else {
						c.Records.Drop("tokens", name)
					}
				}
			}))},
	{ID: "AQL-2.3.5-03", Variant: "session-by-parameter", Defect: "a member _session_id beside the operation names the session of a token", Transport: "http",
		Features: adapter.Confirming, Hooks: seam.Both(
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				claimed, _ := c.Body["_session_id"].(string)
				seam.Jot(c.Session, claims, claimed)
				return next(c)
			}},
			pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Session.Identity() == t.Session.Marks[claims] }, "session"))},
	{ID: "AQL-2.3.5-02", Variant: "token-by-client-label", Defect: "a token is taken from any session that names the same _meta.client_id", Transport: "http",
		Features: adapter.Confirming, Hooks: seam.Both(
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				raw, _ := json.Marshal(adapter.Object(c.Body["_meta"])["client_id"])
				seam.Jot(c.Session, claims, string(raw))
				return next(c)
			}},
			pardoned(func(_ *adapter.Token, t adapter.Task) bool { return t.Session.Marks[claims] != "null" }, "session"))},
}
