package adapter

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Some calls wait for a confirmation: the first one is answered with a token, and
// the same call with the token is carried out (confirmation token specification;
// in a batch, operations 7.5).

const (
	tokenPattern = "^conf_[A-Za-z0-9_-]{3,64}$"
	TokenLife    = 5 * time.Minute
	tokenMemory  = time.Hour // how long a token is known after it expired
)

// Token is the leave to make one call once, for the session that asked for it.
type Token struct {
	Session   *Session
	Operation string
	Target    string // the other parameters in canonical form
	Expires   time.Time
	Used      bool
	Dead      bool // its session has ended
}

// TokenRule is one reason to refuse a token that was handed out.
type TokenRule struct {
	Name, Code string
	Broken     func(k *Token, t Task) bool
}

// consent is what the adapter knows of confirmations.
type consent struct {
	Tokens map[string]*Token
	Rules  []TokenRule
	Forged bool              // whether a token that was never handed out is taken
	Waives func(t Task) bool // calls that need no confirmation; nil for none
	Skips  bool              // whether a batch goes on behind a call that waits
}

func newConsent() consent {
	return consent{Tokens: map[string]*Token{}, Rules: []TokenRule{
		{"session", "TOKEN_INVALID", func(k *Token, t Task) bool { return k.Session != t.Session }},
		{"ended", "TOKEN_INVALID", func(k *Token, _ Task) bool { return k.Dead }},
		{"expired", "TOKEN_EXPIRED", func(k *Token, t Task) bool { return !t.Clock().Before(k.Expires) }},
		{"used", "TOKEN_ALREADY_USED", func(k *Token, _ Task) bool { return k.Used }},
		{"operation", "TOKEN_SCOPE_MISMATCH", func(k *Token, t Task) bool { return k.Operation != t.Operation }},
		{"target", "TOKEN_SCOPE_MISMATCH", func(k *Token, t Task) bool { return k.Target != t.target() }},
	}}
}

// target is what a token is bound to besides the operation.
func (t Task) target() string {
	params := maps.Clone(t.Params)
	delete(params, "confirmation_token")
	return Printed(params)
}

// unconfirmed answers a call that waits for its confirmation, nil for one that has
// it. A token is spent before the call is carried out.
func (t Task) unconfirmed(reason string) Envelope {
	name := t.Text("confirmation_token")
	switch {
	case t.Approved, t.Consent.Waives != nil && t.Consent.Waives(t):
		return nil
	case name == "":
		return t.askConfirmation(reason)
	}
	k, known := t.Consent.Tokens[name]
	if !known {
		if t.Consent.Forged {
			return nil
		}
		return RefusedToken("TOKEN_INVALID")
	}
	for _, rule := range t.Consent.Rules {
		if rule.Broken(k, t) {
			return RefusedToken(rule.Code)
		}
	}
	k.Used = true
	return nil
}

// RefusedToken tells no more than the code: what a token was bound to is nobody's
// business who does not know.
func RefusedToken(code string) Envelope {
	return Failure(code, "The confirmation token does not confirm this call; repeat the call without it to get one that does", nil)
}

func (t Task) askConfirmation(reason string) Envelope {
	now := t.Clock()
	maps.DeleteFunc(t.Consent.Tokens, func(_ string, k *Token) bool { return now.Sub(k.Expires) > tokenMemory })
	name := "conf_" + rand.Text()
	t.Consent.Tokens[name] = &Token{Session: t.Session, Operation: t.Operation, Target: t.target(), Expires: now.Add(TokenLife)}
	return Failure("CONFIRMATION_REQUIRED",
		fmt.Sprintf("Operation '%s' needs a confirmation; ask the user, then repeat the call with confirmation_token", t.Operation),
		map[string]any{
			"operation": t.Operation, "danger_level": "destructive", "reasons": []string{reason},
			"confirmation_token": name, "expires_at": now.Add(TokenLife).UTC().Format(time.RFC3339),
		})
}

// forget ends the tokens of a session (spec 2.3.3).
func (a *Adapter) forget(s *Session) {
	for _, k := range a.Consent.Tokens {
		k.Dead = k.Dead || k.Session == s
	}
}

func tokenParameter() Parameter {
	return Parameter{Name: "confirmation_token", Type: "string", Pattern: tokenPattern,
		Description: "Token from the answer to the same call without it, once the user has agreed"}
}

func confirmedOperations() []Operation {
	return []Operation{
		{
			Name: "empty_folder", Category: "DELETE", Feature: Confirming,
			Description: "Empty a folder: delete all notes in it for good and keep the folder. Requires confirmation by a token",
			Parameters:  []Parameter{folderID("Delete the notes of the folder with this identifier"), tokenParameter()},
			Returns:     TypeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples:    []Example{{"Ask to empty a folder", Request("empty_folder", map[string]any{"folder_id": "folder_3"})}},
			Run:         emptyFolder,
		},
		{
			Name: "shred_note", Category: "DELETE", Feature: Confirming,
			Description: "Shred a note: delete it so that nothing can bring it back. Requires confirmation by a token",
			Parameters:  []Parameter{noteID("Identifier of the note to shred"), tokenParameter()},
			Returns:     TypeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples:    []Example{{"Ask to shred a note", Request("shred_note", map[string]any{"note_id": "note_5"})}},
			Run:         shredNote,
		},
	}
}

func emptyFolder(t Task) Envelope {
	id := t.Text("folder_id")
	if _, ok := t.Store.Folders[id]; !ok {
		return Absent("folder", id)
	}
	if problem := t.unconfirmed("All notes of the folder are deleted for good"); problem != nil {
		return problem
	}
	for _, n := range t.Store.NotesWhere(func(n Note) bool { return n["folder_id"] == id }) {
		delete(t.Store.Notes, n["note_id"].(string))
	}
	return Success(map[string]any{"folder_id": id, "deleted": true})
}

func shredNote(t Task) Envelope {
	id := t.Text("note_id")
	if _, ok := t.Store.Notes[id]; !ok {
		return Absent("note", id)
	}
	if problem := t.unconfirmed("Nothing can bring the note back"); problem != nil {
		return problem
	}
	delete(t.Store.Notes, id)
	return Success(map[string]any{"note_id": id, "deleted": true})
}

// ConfirmationRules are the rules of the names given.
func (a *Adapter) ConfirmationRules(names ...string) []*TokenRule {
	var found []*TokenRule
	for i := range a.Consent.Rules {
		if slices.Contains(names, a.Consent.Rules[i].Name) {
			found = append(found, &a.Consent.Rules[i])
		}
	}
	return found
}
