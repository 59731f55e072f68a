package loop

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// Petition is something that waits for a person: the start of an agent, one of its
// actions, an operation that was held up. Its code is for the person alone.
type Petition struct {
	Token    string    `json:"token"`
	Agent    string    `json:"agent"`
	About    string    `json:"about"`
	Code     string    `json:"code"`
	Expires  time.Time `json:"expires"`
	Approved bool      `json:"approved"`
}

const (
	Petitions    = "petitions"
	petitionTime = 5 * time.Minute
)

// petition asks the person beside the adapter about something.
func petition(a *adapter.Adapter, agent, about string) Petition {
	p := Petition{Token: "conf_" + rand.Text(), Agent: agent, About: about, Code: rand.Text(), Expires: a.Clock().Add(petitionTime)}
	adapter.Must(a.Records.Keep(Petitions, p.Token, p))
	return p
}

// pending reports whether the person has not answered yet.
func pending(a *adapter.Adapter, token string) bool {
	var p Petition
	return a.Records.Find(Petitions, token, &p) && !p.Approved
}

// approved reports whether the person has said yes, and uses that up.
func approved(a *adapter.Adapter, token string) bool {
	var p Petition
	if !a.Records.Find(Petitions, token, &p) || !p.Approved || a.Clock().After(p.Expires) {
		return false
	}
	return a.Records.Drop(Petitions, token)
}

// confirmOperation takes the word of a person. The token is shown to the agent, the
// code is not: whoever knows it has been beside the adapter, so that no agent can
// approve itself whatever it claims to be (spec 8.7.3).
func confirmOperation(t adapter.Task) adapter.Envelope {
	agent := t.Text("element_name")
	if problem := blocked(t.Adapter, agent); problem != nil {
		return problem
	}
	var p Petition
	if !t.Records.Find(Petitions, t.Text("confirmation_token"), &p) || p.Agent != agent || t.Clock().After(p.Expires) {
		return adapter.Failure("TOKEN_INVALID", fmt.Sprintf("Nothing of agent '%s' waits under that token", agent), map[string]any{"element_name": agent})
	}
	if subtle.ConstantTimeCompare([]byte(p.Code), []byte(t.Text("approval_code"))) != 1 {
		return adapter.Failure("PERMISSION_DENIED", "The approval code is wrong; the person beside the adapter has it, and an agent cannot approve itself",
			map[string]any{"element_name": agent, "confirming": p.About})
	}
	Approve(t.Adapter, p.Token)
	return adapter.Success(map[string]any{"element_name": agent, "confirmed": p.About})
}

// Approve writes down that the person has said yes.
func Approve(a *adapter.Adapter, token string) {
	var p Petition
	if a.Records.Find(Petitions, token, &p) {
		p.Approved = true
		adapter.Must(a.Records.Keep(Petitions, token, p))
	}
}

// heldUp reports whether an agent inside the loop may not run an operation without a
// person: what takes a confirmation, and what takes a whole folder away.
func heldUp(a *adapter.Adapter, op adapter.Operation) bool {
	confirms := slices.ContainsFunc(op.Parameters, func(p adapter.Parameter) bool { return p.Name == "confirmation_token" })
	return a.Has(adapter.SafetyLoop) && a.Has(adapter.Confirming) && Of(a).Mode == EnforcingLoop && op.Feature != adapter.SafetyLoop && (confirms || op.Name == "delete_folder")
}

// Gate holds up what a session with an executing agent may not do by itself, and
// tells the agent (spec 8.7.3). Who runs no agent is not concerned. passed says that
// the person has let the call pass.
func (l *Loop) Gate(c adapter.Call, op adapter.Operation) (passed bool, problem adapter.Envelope) {
	if !heldUp(c.Adapter, op) {
		return false, nil
	}
	for _, e := range l.Running {
		if e.Session != c.Session {
			continue
		}
		about := "operation " + op.Name
		w, waiting := e.Waits[about]
		if waiting && approved(c.Adapter, w.Token) {
			delete(e.Waits, about)
			return true, nil
		}
		return false, held(c, e, op.Name, about)
	}
	return false, nil
}

// held answers for an operation that waits for a person.
func held(c adapter.Call, e *Execution, operation, about string) adapter.Envelope {
	var p Petition
	w := e.Waits[about]
	if !c.Records.Find(Petitions, w.Token, &p) || c.Clock().After(p.Expires) {
		p = petition(c.Adapter, e.Agent, operation)
		e.Waits[about] = wait{Token: p.Token}
		tell(c.Adapter, e, Notice{Type: "permission_pending", Message: fmt.Sprintf("Operation '%s' waits for the confirmation of a person", operation),
			Metadata: map[string]any{"operation": operation, "level": "destructive"}, Standing: func() bool { return pending(c.Adapter, p.Token) }})
	}
	return adapter.Failure("CONFIRMATION_REQUIRED", fmt.Sprintf("Operation '%s' of agent '%s' waits for the confirmation of a person", operation, e.Agent),
		map[string]any{"operation": operation, "danger_level": "destructive", "confirmation_token": p.Token,
			"expires_at": p.Expires.UTC().Format(time.RFC3339), "reasons": []string{"an agent is executing in this session"}})
}

func init() {
	adapter.Operators["approve"] = func(state string, about map[string]string) (string, error) {
		kept := adapter.RecordsIn(state)
		raws, err := kept.All(Petitions)
		if err != nil {
			return "", err
		}
		var done []string
		for _, raw := range raws {
			var p Petition
			if json.Unmarshal(raw, &p) == nil && time.Now().After(p.Expires) {
				kept.Drop(Petitions, p.Token)
				continue
			}
			if p.Token == "" || p.Approved || p.Agent != about["agent"] || about["operation"] != "" && p.About != about["operation"] {
				continue
			}
			p.Approved = true
			if err := kept.Keep(Petitions, p.Token, p); err != nil {
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
