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
	tokenLife    = 5 * time.Minute
	tokenMemory  = time.Hour // how long a token is known after it expired
)

// token is the leave to make one call once, for the session that asked for it.
type token struct {
	session   *session
	operation string
	target    string // the other parameters in canonical form
	expires   time.Time
	used      bool
	dead      bool // its session has ended
}

// tokenRule is one reason to refuse a token that was handed out.
type tokenRule struct {
	name, code string
	broken     func(k *token, t task) bool
}

// consent is what the adapter knows of confirmations.
type consent struct {
	tokens map[string]*token
	rules  []tokenRule
	forged bool              // whether a token that was never handed out is taken
	waives func(t task) bool // calls that need no confirmation; nil for none
	skips  bool              // whether a batch goes on behind a call that waits
}

func newConsent() consent {
	return consent{tokens: map[string]*token{}, rules: []tokenRule{
		{"session", "TOKEN_INVALID", func(k *token, t task) bool { return k.session != t.session }},
		{"ended", "TOKEN_INVALID", func(k *token, _ task) bool { return k.dead }},
		{"expired", "TOKEN_EXPIRED", func(k *token, t task) bool { return !t.clock().Before(k.expires) }},
		{"used", "TOKEN_ALREADY_USED", func(k *token, _ task) bool { return k.used }},
		{"operation", "TOKEN_SCOPE_MISMATCH", func(k *token, t task) bool { return k.operation != t.operation }},
		{"target", "TOKEN_SCOPE_MISMATCH", func(k *token, t task) bool { return k.target != t.target() }},
	}}
}

// target is what a token is bound to besides the operation.
func (t task) target() string {
	params := maps.Clone(t.params)
	delete(params, "confirmation_token")
	return printed(params)
}

// unconfirmed answers a call that waits for its confirmation, nil for one that has
// it. A token is spent before the call is carried out.
func (t task) unconfirmed(reason string) envelope {
	name := t.text("confirmation_token")
	switch {
	case t.approved, t.consent.waives != nil && t.consent.waives(t):
		return nil
	case name == "":
		return t.askConfirmation(reason)
	}
	k, known := t.consent.tokens[name]
	if !known {
		if t.consent.forged {
			return nil
		}
		return refusedToken("TOKEN_INVALID")
	}
	for _, rule := range t.consent.rules {
		if rule.broken(k, t) {
			return refusedToken(rule.code)
		}
	}
	k.used = true
	return nil
}

// refusedToken tells no more than the code: what a token was bound to is nobody's
// business who does not know.
func refusedToken(code string) envelope {
	return failure(code, "The confirmation token does not confirm this call; repeat the call without it to get one that does", nil)
}

func (t task) askConfirmation(reason string) envelope {
	now := t.clock()
	maps.DeleteFunc(t.consent.tokens, func(_ string, k *token) bool { return now.Sub(k.expires) > tokenMemory })
	name := "conf_" + rand.Text()
	t.consent.tokens[name] = &token{session: t.session, operation: t.operation, target: t.target(), expires: now.Add(tokenLife)}
	return failure("CONFIRMATION_REQUIRED",
		fmt.Sprintf("Operation '%s' needs a confirmation; ask the user, then repeat the call with confirmation_token", t.operation),
		map[string]any{
			"operation": t.operation, "danger_level": "destructive", "reasons": []string{reason},
			"confirmation_token": name, "expires_at": now.Add(tokenLife).UTC().Format(time.RFC3339),
		})
}

// forget ends the tokens of a session (spec 2.3.3).
func (a *Adapter) forget(s *session) {
	for _, k := range a.consent.tokens {
		k.dead = k.dead || k.session == s
	}
}

func tokenParameter() parameter {
	return parameter{Name: "confirmation_token", Type: "string", Pattern: tokenPattern,
		Description: "Token from the answer to the same call without it, once the user has agreed"}
}

func confirmedOperations() []operation {
	return []operation{
		{
			Name: "empty_folder", Category: "DELETE", Feature: confirming,
			Description: "Empty a folder: delete all notes in it for good and keep the folder. Requires confirmation by a token",
			Parameters:  []parameter{folderID("Delete the notes of the folder with this identifier"), tokenParameter()},
			Returns:     typeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples:    []example{{"Ask to empty a folder", request("empty_folder", map[string]any{"folder_id": "folder_3"})}},
			run:         emptyFolder,
		},
		{
			Name: "shred_note", Category: "DELETE", Feature: confirming,
			Description: "Shred a note: delete it so that nothing can bring it back. Requires confirmation by a token",
			Parameters:  []parameter{noteID("Identifier of the note to shred"), tokenParameter()},
			Returns:     typeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples:    []example{{"Ask to shred a note", request("shred_note", map[string]any{"note_id": "note_5"})}},
			run:         shredNote,
		},
	}
}

func emptyFolder(t task) envelope {
	id := t.text("folder_id")
	if _, ok := t.store.folders[id]; !ok {
		return absent("folder", id)
	}
	if problem := t.unconfirmed("All notes of the folder are deleted for good"); problem != nil {
		return problem
	}
	for _, n := range t.store.notesWhere(func(n note) bool { return n["folder_id"] == id }) {
		delete(t.store.notes, n["note_id"].(string))
	}
	return success(map[string]any{"folder_id": id, "deleted": true})
}

func shredNote(t task) envelope {
	id := t.text("note_id")
	if _, ok := t.store.notes[id]; !ok {
		return absent("note", id)
	}
	if problem := t.unconfirmed("Nothing can bring the note back"); problem != nil {
		return problem
	}
	delete(t.store.notes, id)
	return success(map[string]any{"note_id": id, "deleted": true})
}

// confirmationRules are the rules of the names given.
func (a *Adapter) confirmationRules(names ...string) []*tokenRule {
	var found []*tokenRule
	for i := range a.consent.rules {
		if slices.Contains(names, a.consent.rules[i].name) {
			found = append(found, &a.consent.rules[i])
		}
	}
	return found
}
