package loop

import "github.com/aql-conform/aql-conform/reference-adapter/adapter"

// directive evaluates a report of an agent and says what follows (spec 8.7.1).
func directive(a *adapter.Adapter, e *Execution, hint, outcome string) map[string]any {
	d := Of(a).Evaluate(e, hint, outcome)
	if Of(a).Mode == MonitoringLoop {
		d.Verdict = Proceed // it is advice, and nobody waits
	} else {
		d = enforced(a, e, hint, d)
	}
	shown := map[string]any{"continue": d.Verdict == Proceed, "factors": d.Factors, "stepsRemaining": max(0, e.Settings.limit-e.Alone)}
	if d.Verdict == Stop {
		shown["stopped"] = true
	}
	if d.Reason != "" {
		shown["reason"] = d.Reason
	}
	if d.tier != "" {
		shown["nextStepRisk"], shown["riskScore"] = d.tier, d.score
	}
	if told := e.told(); len(told) > 0 {
		shown["notifications"] = told
	}
	return shown
}

// enforced makes a decision bind: a stop blocks the agent, a pause lasts until a
// person has let the action pass (spec 8.6.4).
func enforced(a *adapter.Adapter, e *Execution, hint string, d Decision) Decision {
	if held, settled := verifying(a, e, hint, d); settled {
		return held
	}
	about := hint
	if d.Cause == "limit" {
		about = LimitExceeded // whatever is reported next
	}
	before, waiting := e.Waits[about]
	switch {
	case d.Verdict == Stop:
		block(a, e, hint, d)
		return d
	case waiting && approved(a, before.Token):
		delete(e.Waits, about)
		e.Alone = 0
		return Decision{Factors: []string{"a person approved it"}}
	case waiting && d.Verdict == Proceed:
		return before.Decision
	case waiting || d.Verdict == Proceed:
		return d
	}
	asked := petition(a, e.Agent, about)
	e.Waits[about] = wait{asked.Token, d}
	told := Notice{Type: "autonomy_pause", Message: "Paused: " + d.Reason, Metadata: map[string]any{"reason": d.Reason, "factors": d.Factors},
		Standing: func() bool { return pending(a, asked.Token) }}
	if d.tier == "verify" {
		challenge(a, e, hint, &told)
	}
	tell(a, e, told)
	return d
}

// Notice is an event that an agent is told of with its next directive (spec 8.7.3).
type Notice struct {
	Type      string         `json:"type"`
	Message   string         `json:"message"`
	Metadata  map[string]any `json:"metadata,omitempty"`
	Timestamp string         `json:"timestamp"`

	Standing func() bool `json:"-"` // whether it still holds; nil for what is told once
	given    bool
}

func tell(a *adapter.Adapter, e *Execution, n Notice) {
	n.Timestamp = a.Clock().UTC().Format("2006-01-02T15:04:05Z")
	e.Notices = append(e.Notices, n)
}

// told returns what an agent has to be told now: what is new, and what still holds.
func (e *Execution) told() []Notice {
	var now []Notice
	for _, n := range e.Notices {
		if !n.given && n.Standing == nil || n.Standing != nil && n.Standing() {
			n.given = true
			now = append(now, n)
		}
	}
	e.Notices = now
	return now
}
