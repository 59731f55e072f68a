package adapter

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"slices"
	"strconv"
)

// verifying are the features without which no fault of out-of-band verification shows.
const verifies = safetyLoop + "," + verification

// directed lets a fault rewrite the directive of every report that was taken.
func directed(rewrite func(c call, d map[string]any)) hooks {
	return after(func(c call, e envelope) {
		if d := object(object(e["data"])["directive"]); c.operation() == "record_execution_step" && d != nil {
			rewrite(c, d)
		}
	})
}

// agent is the name that the call gives.
func (c call) agent() string {
	name, _, _ := c.value("element_name")
	text, _ := name.(string)
	return text
}

// challengeNotice is the notification of a pause that names a challenge.
func challengeNotice(d map[string]any) map[string]any {
	for _, n := range array(d["notifications"]) {
		if n := object(n); n["type"] == "autonomy_pause" && object(n["metadata"])["verificationId"] != nil {
			return n
		}
	}
	return nil
}

// codeOf is the code that the operator sees for a challenge.
func (a *Adapter) codeOf(id any) string {
	var shown shownCode
	name, _ := id.(string)
	a.records.find(codes, name, &shown)
	return shown.Code
}

// challenging lets a fault rewrite a directive together with the challenge that it names.
func challenging(rewrite func(c call, d, notice map[string]any, code string)) hooks {
	return directed(func(c call, d map[string]any) {
		if n := challengeNotice(d); n != nil {
			rewrite(c, d, n, c.codeOf(object(n["metadata"])["verificationId"]))
		}
	})
}

// challengeFaults break what an agent is told of a challenge, and when.
var challengeFaults = []Fault{
	{ID: "AQL-8.7.3-07", Variant: "id-only-in-reason", Defect: "the challenge id stands in reason alone", Features: verifies,
		hooks: challenging(func(_ call, _, notice map[string]any, _ string) { delete(object(notice["metadata"]), "verificationId") })},
	{ID: "AQL-8.7.3-08", Variant: "pause-stays-after-success", Defect: "the notification of a pause is told on after its verification", Features: verifies,
		hooks: directed(func(c call, d map[string]any) {
			key := "pause of " + c.agent()
			if n := challengeNotice(d); n != nil {
				c.aside().kept[key] = plain(n).(map[string]any)
			} else if c.aside().kept[key] != nil && c.verifier.pauses[c.agent()] == nil {
				d["notifications"] = append(array(d["notifications"]), c.aside().kept[key])
			}
		})},
	{ID: "AQL-8.8-01", Variant: "confirm-clears-verify", Defect: "confirm_operation also ends a pause of the verify tier", Features: verifies,
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if waits := c.verifier.pauses[c.agent()]; c.operation() == "confirm_operation" && waits != nil {
				c.lift(waits)
				return success(map[string]any{"element_name": c.agent(), "confirmed": waits.Action})
			}
			return e
		}}},
	{ID: "AQL-8.8.1-01", Variant: "danger-only-pauses", Defect: "an action of the danger tier pauses and does not stop", Features: verifies,
		hooks: directed(func(_ call, d map[string]any) {
			if d["nextStepRisk"] == "danger_zone" {
				delete(d, "stopped")
			}
		})},
	{ID: "AQL-8.8.1-02", Variant: "verify-stops-hard", Defect: "an action of the verify tier sets stopped", Features: verifies,
		hooks: challenging(func(_ call, d, _ map[string]any, _ string) { d["stopped"] = true })},
	{ID: "AQL-8.8.1-03", Variant: "challenge-for-advisory", Defect: "every action that passes raises a challenge as well", Features: verifies,
		hooks: directed(func(c call, d map[string]any) {
			if d["continue"] == true {
				n := notice{Type: "status", Message: "The action can be verified", Metadata: map[string]any{"verificationId": uuid()}}
				n.Timestamp = c.clock().UTC().Format("2006-01-02T15:04:05Z")
				d["notifications"] = append(array(d["notifications"]), plain(n))
			}
		})},
	{ID: "AQL-8.8.2-03", Variant: "challenge-counter", Defect: "challenges are numbered, in each process anew", Features: verifies,
		hooks: hooks{table: func(a *Adapter) {
			n := 0
			a.verifier.newID = func() string { n++; return fmt.Sprintf("challenge-%d", n) }
		}}},
	{ID: "AQL-8.8.2-09", Variant: "code-hash-in-metadata", Defect: "the notification holds a digest of the code", Features: verifies,
		hooks: challenging(func(_ call, _, notice map[string]any, code string) {
			object(notice["metadata"])["code_hash"] = digestOf(code)
		})},
}

// coded replaces the way in which codes are made.
func coded(make func(a *Adapter, id string) string) hooks {
	return hooks{table: func(a *Adapter) { a.verifier.newCode = func(id string) string { return make(a, id) } }}
}

// codeFaultsOfChallenges make codes badly, show them where they should not be seen, or
// nowhere.
var codeFaultsOfChallenges = []Fault{
	{ID: "AQL-8.8.2-01", Variant: "six-digit-code", Defect: "a code has six digits", Features: verifies,
		hooks: coded(func(*Adapter, string) string {
			n, _ := rand.Int(rand.Reader, big.NewInt(1e6)) // it never fails
			return fmt.Sprintf("%06d", n)
		})},
	{ID: "AQL-8.8.2-04", Variant: "code-from-challenge-id", Defect: "the code is a hash of the challenge id", Features: verifies,
		hooks: coded(func(_ *Adapter, id string) string { return digestOf(id) })},
	{ID: "AQL-8.8.2-04", Variant: "code-from-clock", Defect: "the code is a hash of the time in milliseconds", Features: verifies,
		hooks: coded(func(a *Adapter, _ string) string {
			now := max(int(a.clock().UnixMilli()), a.recall("last code")+1)
			a.remember("last code", now)
			return digestOf(strconv.Itoa(now))
		})},
	{ID: "AQL-8.8.2-05", Variant: "code-shown-nowhere", Defect: "no display shows the code", Features: verifies,
		hooks: hooks{table: func(a *Adapter) { a.verifier.show = func(records, shownCode) {} }}},
	{ID: "AQL-8.8.2-06", Variant: "code-in-reason", Defect: "the reason of a directive has the code", Features: verifies,
		hooks: challenging(func(_ call, d, _ map[string]any, code string) { d["reason"] = fmt.Sprint(d["reason"], " (", code, ")") })},
	{ID: "AQL-8.8.2-07", Variant: "code-in-meta", Defect: "_meta has a debug_code", Features: verifies,
		hooks: after(func(c call, e envelope) {
			if n := challengeNotice(object(object(e["data"])["directive"])); n != nil {
				e["_meta"] = map[string]any{"debug_code": c.codeOf(object(n["metadata"])["verificationId"])}
			}
		})},
	{ID: "AQL-8.8.2-08", Variant: "code-logged", Defect: "where debug messages are asked for, one has the code", Features: verifies,
		hooks: both(starting(func(result map[string]any) { object(result["capabilities"])["logging"] = map[string]any{} }), hooks{answer: logsCodes})},
	{ID: "AQL-8.8.4-03", Variant: "expected-code-in-error", Defect: "a wrong code is answered with the right one", Features: verifies,
		hooks: hooks{item: func(c call, next handler) envelope {
			id, _, _ := c.value("challenge_id")
			code := c.codeOf(id)
			e := next(c)
			if reason := object(e["error"]); c.operation() == "verify_challenge" && reason != nil && code != "" && reason["code"] == "PERMISSION_DENIED" {
				reason["message"] = fmt.Sprintf("Wrong code; expected %s", code)
			}
			return e
		}}},
}

// logsCodes sends a log message with the code behind the answer that names the
// challenge, once the client wants to read such messages.
func logsCodes(x *exchange) {
	switch x.original["method"] {
	case "logging/setLevel":
		x.replies = []frame{{"jsonrpc": "2.0", "id": x.original["id"], "result": map[string]any{}}}
		x.remember("debug", 1)
	case "tools/call":
		if x.recall("debug") == 0 {
			return
		}
		for _, reply := range slices.Clone(x.replies) {
			data := object(saidIn(object(reply["result"]))["data"])
			n := challengeNotice(object(data["directive"]))
			if code := x.codeOf(object(n["metadata"])["verificationId"]); code != "" {
				x.replies = append(x.replies, frame{"jsonrpc": "2.0", "method": "notifications/message",
					"params": map[string]any{"level": "debug", "logger": "verification", "data": "challenge raised, code " + code}})
			}
		}
	}
}
