package safety

import (
	"encoding/json"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// pauses is the kind of records in which a fault keeps what should end with the
// process.
const pauses = "pauses"

// pauseFaults hold a waiting agent too much or too little.
var pauseFaults = []seam.Fault{
	{ID: "AQL-8.8.3-05", Variant: "harmless-report-passes", Defect: "a harmless report passes while a challenge is pending", Features: verifies,
		Hooks: challenging(func(c adapter.Call, d, _ map[string]any, _ string) {
			hint, _, _ := c.Value("nextActionHint")
			e := loop.Of(c.Adapter).Running[agent(c)]
			if text, _ := hint.(string); e != nil && loop.Of(c.Adapter).Evaluate(e, text, "").Verdict == loop.Proceed {
				d["continue"] = true
				delete(d, "reason")
				delete(d, "notifications")
			}
		})},
	{ID: "AQL-8.8.3-06", Variant: "verify-pause-persisted", Defect: "a pause of the verify tier is still there after a restart", Features: verifies,
		Hooks: around(loadPauses, savePauses)},
	{ID: "AQL-8.8.3-07", Variant: "verify-like-block", Defect: "an agent that waits for verification cannot be started", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if waits := loop.Of(c.Adapter).Verifier.Pauses[agent(c)]; c.Operation() == "execute_agent" && waits != nil && !waits.Expired(c.Clock()) {
				return adapter.Failure("CONFLICT_AGENT_PAUSED", "The agent waits for verification", map[string]any{"element_name": agent(c), "challenge_id": waits.ID})
			}
			return next(c)
		}}},
	{ID: "AQL-8.8.3-08", Variant: "expired-challenge-blocks", Defect: "an expired challenge holds its agent for ever", Features: verifies,
		Hooks: around(func(c adapter.Call) {
			if waits := loop.Of(c.Adapter).Verifier.Pauses[agent(c)]; c.Operation() == "record_execution_step" && waits != nil && waits.Expired(c.Clock()) {
				waits.Until, waits.Digest = c.Clock().Add(loop.Of(c.Adapter).Verifier.Life), ""
			}
		}, func(adapter.Call) {})},
}

// loadPauses takes the pauses from disk, savePauses writes them there.
func loadPauses(c adapter.Call) {
	raws, err := c.Records.All(pauses)
	adapter.Must(err)
	for _, raw := range raws {
		var kept loop.Challenge
		if json.Unmarshal(raw, &kept) == nil && loop.Of(c.Adapter).Verifier.Pauses[kept.Agent] == nil {
			loop.Of(c.Adapter).Verifier.Pauses[kept.Agent] = &kept
		}
	}
}

func savePauses(c adapter.Call) {
	raws, err := c.Records.All(pauses)
	adapter.Must(err)
	for _, raw := range raws {
		var kept loop.Challenge
		if json.Unmarshal(raw, &kept) == nil {
			c.Records.Drop(pauses, kept.Agent)
		}
	}
	for agent, waits := range loop.Of(c.Adapter).Verifier.Pauses {
		adapter.Must(c.Records.Keep(pauses, agent, waits))
	}
}
