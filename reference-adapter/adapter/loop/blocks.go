package loop

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// Block is the record of an agent that may do nothing any more (spec 8.8.3). It is
// kept beside the process and on the agent, so that neither a restart nor another
// execution gets around it.
type Block struct {
	Agent          string `json:"agent"`
	Reason         string `json:"reason"`
	VerificationID string `json:"verification_id"`
}

const Blocks = "blocks"

// block stops an agent, and tells every executing agent so (spec 8.7.3).
func block(a *adapter.Adapter, e *Execution, hint string, d Decision) {
	told := Notice{Type: "danger_zone", Message: fmt.Sprintf("Agent '%s' is blocked: %s", e.Agent, d.Reason),
		Metadata: map[string]any{"reason": d.Reason, "level": "danger_zone"}}
	id := challenge(a, e, hint, &told)
	adapter.Must(a.Records.Keep(Blocks, e.Agent, Block{e.Agent, d.Reason, id}))
	told.Standing = func() bool {
		var now Block
		return a.Records.Find(Blocks, e.Agent, &now) && now.VerificationID == id
	}
	for _, other := range Of(a).Running {
		tell(a, other, told)
	}
}

// blocked answers for an agent that is blocked, nil for any other.
func blocked(a *adapter.Adapter, agent string) adapter.Envelope {
	var b Block
	if Of(a).Mode != EnforcingLoop || !a.Records.Find(Blocks, agent, &b) {
		return nil
	}
	b = renewed(a, b)
	return adapter.Failure("CONFLICT_AGENT_BLOCKED", fmt.Sprintf("Agent '%s' is blocked until a person lifts the block", agent),
		map[string]any{"element_name": agent, "reason": b.Reason, "verification_id": b.VerificationID})
}

// Unblock lifts the block of an agent and reports whether there was one.
func Unblock(a *adapter.Adapter, agent string) bool { return a.Records.Drop(Blocks, agent) }

// challenge is called when an action of an agent needs a person to verify it: for
// a pause of the tier verify and for every block. It names the challenge in the
// notice that tells the agent, and returns its identifier.
func challenge(a *adapter.Adapter, e *Execution, hint string, told *Notice) string {
	id := UUID()
	if a.Has(adapter.Verification) {
		id = Raise(a, e.Agent, hint, true).ID
	}
	told.Metadata["verificationId"] = id
	return id
}

// UUID makes an identifier of the form UUID v4.
func UUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	s := hex.EncodeToString(b[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

func init() {
	adapter.Operators["unblock"] = func(state string, about map[string]string) (string, error) {
		if !adapter.RecordsIn(state).Drop(Blocks, about["agent"]) {
			return fmt.Sprintf("agent %q was not blocked", about["agent"]), nil
		}
		return fmt.Sprintf("agent %q is not blocked any more", about["agent"]), nil
	}
}
