package adapter

// directive evaluates a report of an agent and says what follows (spec 8.7.1).
func (a *Adapter) directive(e *execution, hint, outcome string) map[string]any {
	d := a.loop.evaluate(e, hint, outcome)
	if a.loop.mode == monitoringLoop {
		d.verdict = proceed // it is advice, and nobody waits
	} else {
		d = a.enforced(e, hint, d)
	}
	shown := map[string]any{"continue": d.verdict == proceed, "factors": d.factors, "stepsRemaining": max(0, e.settings.limit-e.alone)}
	if d.verdict == stop {
		shown["stopped"] = true
	}
	if d.reason != "" {
		shown["reason"] = d.reason
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
func (a *Adapter) enforced(e *execution, hint string, d decision) decision {
	if held, settled := a.verifying(e, hint, d); settled {
		return held
	}
	about := hint
	if d.cause == "limit" {
		about = limitExceeded // whatever is reported next
	}
	before, waiting := e.waits[about]
	switch {
	case d.verdict == stop:
		a.block(e, hint, d)
		return d
	case waiting && a.approved(before.token):
		delete(e.waits, about)
		e.alone = 0
		return decision{factors: []string{"a person approved it"}}
	case waiting && d.verdict == proceed:
		return before.decision
	case waiting || d.verdict == proceed:
		return d
	}
	asked := a.petition(e.Agent, about)
	e.waits[about] = wait{asked.Token, d}
	told := notice{Type: "autonomy_pause", Message: "Paused: " + d.reason, Metadata: map[string]any{"reason": d.reason, "factors": d.factors},
		standing: func() bool { return a.pending(asked.Token) }}
	if d.tier == "verify" {
		a.challenge(e, hint, &told)
	}
	a.tell(e, told)
	return d
}

// notice is an event that an agent is told of with its next directive (spec 8.7.3).
type notice struct {
	Type      string         `json:"type"`
	Message   string         `json:"message"`
	Metadata  map[string]any `json:"metadata,omitempty"`
	Timestamp string         `json:"timestamp"`

	standing func() bool // whether it still holds; nil for what is told once
	given    bool
}

func (a *Adapter) tell(e *execution, n notice) {
	n.Timestamp = a.clock().UTC().Format("2006-01-02T15:04:05Z")
	e.notices = append(e.notices, n)
}

// told returns what an agent has to be told now: what is new, and what still holds.
func (e *execution) told() []notice {
	var now []notice
	for _, n := range e.notices {
		if !n.given && n.standing == nil || n.standing != nil && n.standing() {
			n.given = true
			now = append(now, n)
		}
	}
	e.notices = now
	return now
}
