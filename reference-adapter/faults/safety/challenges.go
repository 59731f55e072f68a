package safety

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// verifying are the features without which no fault of out-of-band verification shows.
const verifies = adapter.SafetyLoop + "," + adapter.Verification

// directed lets a fault rewrite the directive of every report that was taken.
func directed(rewrite func(c adapter.Call, d map[string]any)) adapter.Hooks {
	return seam.After(func(c adapter.Call, e adapter.Envelope) {
		if d := adapter.Object(adapter.Object(e["data"])["directive"]); c.Operation() == "record_execution_step" && d != nil {
			rewrite(c, d)
		}
	})
}

// agent is the name that the call gives.
func agent(c adapter.Call) string {
	name, _, _ := c.Value("element_name")
	text, _ := name.(string)
	return text
}

// challengeNotice is the notification of a pause that names a challenge.
func challengeNotice(d map[string]any) map[string]any {
	for _, n := range adapter.Array(d["notifications"]) {
		if n := adapter.Object(n); n["type"] == "autonomy_pause" && adapter.Object(n["metadata"])["verificationId"] != nil {
			return n
		}
	}
	return nil
}

// codeOf is the code that the operator sees for a challenge.
func codeOf(a *adapter.Adapter, id any) string {
	var shown loop.ShownCode
	name, _ := id.(string)
	a.Records.Find(loop.Codes, name, &shown)
	return shown.Code
}

// challenging lets a fault rewrite a directive together with the challenge that it names.
func challenging(rewrite func(c adapter.Call, d, notice map[string]any, code string)) adapter.Hooks {
	return directed(func(c adapter.Call, d map[string]any) {
		if n := challengeNotice(d); n != nil {
			rewrite(c, d, n, codeOf(c.Adapter, adapter.Object(n["metadata"])["verificationId"]))
		}
	})
}

// challengeFaults break what an agent is told of a challenge, and when.
var challengeFaults = []seam.Fault{
	{ID: "AQL-8.7.3-07", Variant: "id-only-in-reason", Defect: "the challenge id stands in reason alone", Features: verifies,
		Hooks: challenging(func(_ adapter.Call, _, notice map[string]any, _ string) {
			delete(adapter.Object(notice["metadata"]), "verificationId")
		})},
	{ID: "AQL-8.7.3-07", Variant: "id-of-first-pause-alone", Defect: "once a person has verified an agent, its pauses tell no challenge id in the notification", Features: verifies,
		Hooks: seam.Both(seam.After(func(c adapter.Call, e adapter.Envelope) {
			if id, _, _ := c.Value("challenge_id"); c.Operation() == "verify_challenge" && adapter.Succeeded(e) {
				seam.Aside(c.Adapter).Kept[fmt.Sprint("verified: ", id)] = adapter.Note{}
			}
		}), challenging(func(c adapter.Call, _, notice map[string]any, _ string) {
			kept, key, metadata := seam.Aside(c.Adapter).Kept, "first challenge of "+agent(c), adapter.Object(notice["metadata"])
			if kept[key] == nil {
				kept[key] = adapter.Note{"id": metadata["verificationId"]}
			} else if kept[fmt.Sprint("verified: ", kept[key]["id"])] != nil {
				delete(metadata, "verificationId")
			}
		}))},
	{ID: "AQL-8.7.3-08", Variant: "pause-stays-after-success", Defect: "the notification of a pause is told on after its verification", Features: verifies,
		Hooks: directed(func(c adapter.Call, d map[string]any) {
			key := "pause of " + agent(c)
			if n := challengeNotice(d); n != nil {
				seam.Aside(c.Adapter).Kept[key] = adapter.Plain(n).(map[string]any)
			} else if seam.Aside(c.Adapter).Kept[key] != nil && loop.Of(c.Adapter).Verifier.Pauses[agent(c)] == nil {
				d["notifications"] = append(adapter.Array(d["notifications"]), seam.Aside(c.Adapter).Kept[key])
			}
		})},
	{ID: "AQL-8.8-01", Variant: "confirm-clears-verify", Defect: "confirm_operation also ends a pause of the verify tier", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if waits := loop.Of(c.Adapter).Verifier.Pauses[agent(c)]; c.Operation() == "confirm_operation" && waits != nil {
				loop.Lift(c.Adapter, waits)
				return adapter.Success(map[string]any{"element_name": agent(c), "confirmed": waits.Action})
			}
			return e
		}}},
	{ID: "AQL-8.8.1-01", Variant: "danger-only-pauses", Defect: "an action of the danger tier pauses and does not stop", Features: verifies,
		Hooks: directed(func(_ adapter.Call, d map[string]any) {
			if d["nextStepRisk"] == "danger_zone" {
				delete(d, "stopped")
			}
		})},
	{ID: "AQL-8.8.1-02", Variant: "verify-stops-hard", Defect: "an action of the verify tier sets stopped", Features: verifies,
		Hooks: challenging(func(_ adapter.Call, d, _ map[string]any, _ string) { d["stopped"] = true })},
	{ID: "AQL-8.8.1-03", Variant: "challenge-for-advisory", Defect: "every action that passes raises a challenge as well", Features: verifies,
		Hooks: directed(func(c adapter.Call, d map[string]any) {
			if d["continue"] == true {
				n := loop.Notice{Type: "status", Message: "The action can be verified", Metadata: map[string]any{"verificationId": loop.UUID()}}
				n.Timestamp = c.Clock().UTC().Format("2006-01-02T15:04:05Z")
				d["notifications"] = append(adapter.Array(d["notifications"]), adapter.Plain(n))
			}
		})},
	{ID: "AQL-8.8.2-03", Variant: "challenge-counter", Defect: "challenges are numbered, in each process anew", Features: verifies,
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) {
			n := 0
			loop.Of(a).Verifier.NewID = func() string { n++; return fmt.Sprintf("challenge-%d", n) }
		}}},
	{ID: "AQL-8.8.2-09", Variant: "code-hash-in-metadata", Defect: "the notification holds a digest of the code", Features: verifies,
		Hooks: challenging(func(_ adapter.Call, _, notice map[string]any, code string) {
			adapter.Object(notice["metadata"])["code_hash"] = loop.DigestOf(code)
		})},
}

// coded replaces the way in which codes are made.
func coded(make func(a *adapter.Adapter, id string) string) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) { loop.Of(a).Verifier.NewCode = func(id string) string { return make(a, id) } }}
}

// codeFaultsOfChallenges make codes badly, show them where they should not be seen, or
// nowhere.
var codeFaultsOfChallenges = []seam.Fault{
	{ID: "AQL-8.8.2-01", Variant: "six-digit-code", Defect: "a code has six digits", Features: verifies,
		Hooks: coded(func(*adapter.Adapter, string) string {
			n, _ := rand.Int(rand.Reader, big.NewInt(1e6)) // it never fails
			return fmt.Sprintf("%06d", n)
		})},
	{ID: "AQL-8.8.2-04", Variant: "code-from-challenge-id", Defect: "the code is a hash of the challenge id", Features: verifies,
		Hooks: coded(func(_ *adapter.Adapter, id string) string { return loop.DigestOf(id) })},
	{ID: "AQL-8.8.2-04", Variant: "code-from-clock", Defect: "the code is a hash of the time in milliseconds", Features: verifies,
		Hooks: coded(func(a *adapter.Adapter, _ string) string {
			now := max(int(a.Clock().UnixMilli()), seam.Recall(a, "last code")+1)
			seam.Remember(a, "last code", now)
			return loop.DigestOf(strconv.Itoa(now))
		})},
	{ID: "AQL-8.8.2-05", Variant: "code-shown-nowhere", Defect: "no display shows the code", Features: verifies,
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) { loop.Of(a).Verifier.Show = func(adapter.Records, loop.ShownCode) {} }}},
	{ID: "AQL-8.8.2-06", Variant: "code-in-reason", Defect: "the reason of a directive has the code", Features: verifies,
		Hooks: challenging(func(_ adapter.Call, d, _ map[string]any, code string) {
			d["reason"] = fmt.Sprint(d["reason"], " (", code, ")")
		})},
	{ID: "AQL-8.8.2-07", Variant: "code-in-meta", Defect: "_meta has a debug_code", Features: verifies,
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if n := challengeNotice(adapter.Object(adapter.Object(e["data"])["directive"])); n != nil {
				e["_meta"] = map[string]any{"debug_code": codeOf(c.Adapter, adapter.Object(n["metadata"])["verificationId"])}
			}
		})},
	{ID: "AQL-8.8.2-08", Variant: "code-logged", Defect: "where debug messages are asked for, one has the code", Features: verifies,
		Hooks: seam.Both(seam.Starting(func(result map[string]any) { adapter.Object(result["capabilities"])["logging"] = map[string]any{} }), adapter.Hooks{Answer: logsCodes})},
	{ID: "AQL-8.8.4-03", Variant: "expected-code-in-error", Defect: "a wrong code is answered with the right one", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id, _, _ := c.Value("challenge_id")
			code := codeOf(c.Adapter, id)
			e := next(c)
			if reason := adapter.Object(e["error"]); c.Operation() == "verify_challenge" && reason != nil && code != "" && reason["code"] == "PERMISSION_DENIED" {
				reason["message"] = fmt.Sprintf("Wrong code; expected %s", code)
			}
			return e
		}}},
	{ID: "AQL-8.8.4-03", Variant: "code-of-spent-challenge", Defect: "who tries a challenge that is over is told its code", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id, _, _ := c.Value("challenge_id")
			kept := fmt.Sprint("code of ", id)
			now := codeOf(c.Adapter, id)
			if now != "" {
				seam.Jot(c.Session, kept, now)
			}
			e := next(c)
			if reason := adapter.Object(e["error"]); c.Operation() == "verify_challenge" && reason != nil && now == "" && c.Session.Marks[kept] != "" {
				reason["message"] = fmt.Sprintf("The challenge is over; its code was %s", c.Session.Marks[kept])
			}
			return e
		}}},
}

// logsCodes sends a log message with the code behind the answer that names the
// challenge, once the client wants to read such messages.
func logsCodes(x *adapter.Exchange) {
	switch x.Original["method"] {
	case "logging/setLevel":
		x.Replies = []adapter.Frame{{"jsonrpc": "2.0", "id": x.Original["id"], "result": map[string]any{}}}
		seam.Remember(x.Adapter, "debug", 1)
	case "tools/call":
		if seam.Recall(x.Adapter, "debug") == 0 {
			return
		}
		for _, reply := range slices.Clone(x.Replies) {
			data := adapter.Object(seam.SaidIn(adapter.Object(reply["result"]))["data"])
			n := challengeNotice(adapter.Object(data["directive"]))
			if code := codeOf(x.Adapter, adapter.Object(n["metadata"])["verificationId"]); code != "" {
				x.Replies = append(x.Replies, adapter.Frame{"jsonrpc": "2.0", "method": "notifications/message",
					"params": map[string]any{"level": "debug", "logger": "verification", "data": "challenge raised, code " + code}})
			}
		}
	}
}
