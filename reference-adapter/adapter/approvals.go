package adapter

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// petition is something that waits for a person: the start of an agent, one of its
// actions, an operation that was held up. Its code is for the person alone.
type petition struct {
	Token    string    `json:"token"`
	Agent    string    `json:"agent"`
	About    string    `json:"about"`
	Code     string    `json:"code"`
	Expires  time.Time `json:"expires"`
	Approved bool      `json:"approved"`
}

const (
	petitions    = "petitions"
	petitionTime = 5 * time.Minute
)

// petition asks the person beside the adapter about something.
func (a *Adapter) petition(agent, about string) petition {
	p := petition{Token: "conf_" + rand.Text(), Agent: agent, About: about, Code: rand.Text(), Expires: a.clock().Add(petitionTime)}
	must(a.records.keep(petitions, p.Token, p))
	return p
}

// pending reports whether the person has not answered yet.
func (a *Adapter) pending(token string) bool {
	var p petition
	return a.records.find(petitions, token, &p) && !p.Approved
}

// approved reports whether the person has said yes, and uses that up.
func (a *Adapter) approved(token string) bool {
	var p petition
	if !a.records.find(petitions, token, &p) || !p.Approved || a.clock().After(p.Expires) {
		return false
	}
	return a.records.drop(petitions, token)
}

// confirmOperation takes the word of a person. The token is shown to the agent, the
// code is not: whoever knows it has been beside the adapter, so that no agent can
// approve itself whatever it claims to be (spec 8.7.3).
func confirmOperation(t task) envelope {
	agent := t.text("element_name")
	if problem := t.blocked(agent); problem != nil {
		return problem
	}
	var p petition
	if !t.records.find(petitions, t.text("confirmation_token"), &p) || p.Agent != agent || t.clock().After(p.Expires) {
		return failure("TOKEN_INVALID", fmt.Sprintf("Nothing of agent '%s' waits under that token", agent), map[string]any{"element_name": agent})
	}
	if subtle.ConstantTimeCompare([]byte(p.Code), []byte(t.text("approval_code"))) != 1 {
		return failure("PERMISSION_DENIED", "The approval code is wrong; the person beside the adapter has it, and an agent cannot approve itself",
			map[string]any{"element_name": agent, "confirming": p.About})
	}
	t.approve(p.Token)
	return success(map[string]any{"element_name": agent, "confirmed": p.About})
}

// approve writes down that the person has said yes.
func (a *Adapter) approve(token string) {
	var p petition
	if a.records.find(petitions, token, &p) {
		p.Approved = true
		must(a.records.keep(petitions, token, p))
	}
}

// heldUp reports whether an agent inside the loop may not run an operation without a
// person: what takes a confirmation, and what takes a whole folder away.
func (a *Adapter) heldUp(op operation) bool {
	confirms := slices.ContainsFunc(op.Parameters, func(p parameter) bool { return p.Name == "confirmation_token" })
	return a.has(safetyLoop) && a.has(confirming) && a.loop.mode == enforcingLoop && op.Feature != safetyLoop && (confirms || op.Name == "delete_folder")
}

// gate holds up what a session with an executing agent may not do by itself, and
// tells the agent (spec 8.7.3). Who runs no agent is not concerned. approved says that
// the person has let the call pass.
func (c call) gate(op operation) (approved bool, problem envelope) {
	if !c.heldUp(op) {
		return false, nil
	}
	for _, e := range c.loop.running {
		if e.session != c.session {
			continue
		}
		about := "operation " + op.Name
		w, waiting := e.waits[about]
		if waiting && c.approved(w.token) {
			delete(e.waits, about)
			return true, nil
		}
		return false, c.held(e, op.Name, about)
	}
	return false, nil
}

// held answers for an operation that waits for a person.
func (c call) held(e *execution, operation, about string) envelope {
	var p petition
	w := e.waits[about]
	if !c.records.find(petitions, w.token, &p) || c.clock().After(p.Expires) {
		p = c.petition(e.Agent, operation)
		e.waits[about] = wait{token: p.Token}
		c.tell(e, notice{Type: "permission_pending", Message: fmt.Sprintf("Operation '%s' waits for the confirmation of a person", operation),
			Metadata: map[string]any{"operation": operation, "level": "destructive"}, standing: func() bool { return c.pending(p.Token) }})
	}
	return failure("CONFIRMATION_REQUIRED", fmt.Sprintf("Operation '%s' of agent '%s' waits for the confirmation of a person", operation, e.Agent),
		map[string]any{"operation": operation, "danger_level": "destructive", "confirmation_token": p.Token,
			"expires_at": p.Expires.UTC().Format(time.RFC3339), "reasons": []string{"an agent is executing in this session"}})
}

func init() {
	operators["approve"] = func(state string, about map[string]string) (string, error) {
		kept := recordsIn(state)
		raws, err := kept.all(petitions)
		if err != nil {
			return "", err
		}
		var done []string
		for _, raw := range raws {
			var p petition
			if json.Unmarshal(raw, &p) == nil && time.Now().After(p.Expires) {
				kept.drop(petitions, p.Token)
				continue
			}
			if p.Token == "" || p.Approved || p.Agent != about["agent"] || about["operation"] != "" && p.About != about["operation"] {
				continue
			}
			p.Approved = true
			if err := kept.keep(petitions, p.Token, p); err != nil {
				return "", err
			}
			done = append(done, p.About)
		}
		if len(done) == 0 {
			return "", fmt.Errorf("nothing of agent %q waits", about["agent"])
		}
		return "approved: " + strings.Join(done, ", "), nil
	}
}
