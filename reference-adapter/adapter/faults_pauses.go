package adapter

import "encoding/json"

// pauses is the kind of records in which a fault keeps what should end with the
// process.
const pauses = "pauses"

// pauseFaults hold a waiting agent too much or too little.
var pauseFaults = []Fault{
	{ID: "AQL-8.8.3-05", Variant: "harmless-report-passes", Defect: "a harmless report passes while a challenge is pending", Features: verifies,
		hooks: challenging(func(c call, d, _ map[string]any, _ string) {
			hint, _, _ := c.value("nextActionHint")
			e := c.loop.running[c.agent()]
			if text, _ := hint.(string); e != nil && c.loop.evaluate(e, text, "").verdict == proceed {
				d["continue"] = true
				delete(d, "reason")
				delete(d, "notifications")
			}
		})},
	{ID: "AQL-8.8.3-06", Variant: "verify-pause-persisted", Defect: "a pause of the verify tier is still there after a restart", Features: verifies,
		hooks: around(loadPauses, savePauses)},
	{ID: "AQL-8.8.3-07", Variant: "verify-like-block", Defect: "an agent that waits for verification cannot be started", Features: verifies,
		hooks: hooks{item: func(c call, next handler) envelope {
			if waits := c.verifier.pauses[c.agent()]; c.operation() == "execute_agent" && waits != nil && !waits.expired(c.clock()) {
				return failure("CONFLICT_AGENT_PAUSED", "The agent waits for verification", map[string]any{"element_name": c.agent(), "challenge_id": waits.ID})
			}
			return next(c)
		}}},
	{ID: "AQL-8.8.3-08", Variant: "expired-challenge-blocks", Defect: "an expired challenge holds its agent for ever", Features: verifies,
		hooks: around(func(c call) {
			if waits := c.verifier.pauses[c.agent()]; c.operation() == "record_execution_step" && waits != nil && waits.expired(c.clock()) {
				waits.Until, waits.Digest = c.clock().Add(c.verifier.life), ""
			}
		}, func(call) {})},
}

// loadPauses takes the pauses from disk, savePauses writes them there.
func loadPauses(c call) {
	raws, err := c.records.all(pauses)
	must(err)
	for _, raw := range raws {
		var kept challenge
		if json.Unmarshal(raw, &kept) == nil && c.verifier.pauses[kept.Agent] == nil {
			c.verifier.pauses[kept.Agent] = &kept
		}
	}
}

func savePauses(c call) {
	raws, err := c.records.all(pauses)
	must(err)
	for _, raw := range raws {
		var kept challenge
		if json.Unmarshal(raw, &kept) == nil {
			c.records.drop(pauses, kept.Agent)
		}
	}
	for agent, waits := range c.verifier.pauses {
		must(c.records.keep(pauses, agent, waits))
	}
}
