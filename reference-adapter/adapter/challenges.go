package adapter

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"time"
)

// Bounds of out-of-band verification (spec 8.8.2, 8.8.5).
const (
	codeBytes     = 20              // of a code: 160 random bits in 32 letters
	challengeLife = 5 * time.Minute // unless the configuration says otherwise
	maxFailures   = 10              // failed attempts of one agent in a window
	failureWindow = time.Minute     //
)

// The kinds of records that out-of-band verification keeps.
const (
	challenges = "challenges" // of blocks; those of pauses end with the process
	codes      = "codes"      // what the operator gets to see, and no client
	failures   = "failures"   // attempts that failed, by agent
)

// challenge asks a person for consent before an agent goes on (spec 8.8.2). All that
// is kept of its code is a digest.
type challenge struct {
	ID     string    `json:"id"`
	Agent  string    `json:"agent"`
	Action string    `json:"action"` // what the agent wants to do
	Hard   bool      `json:"hard"`   // of a block, not of a pause
	Digest string    `json:"digest"`
	Until  time.Time `json:"until"`
	Spent  bool      `json:"spent"` // an attempt was made: there is only one

	toldTo string // execution whose directives name it
}

// shownCode is what stands on the display of the operator.
type shownCode struct {
	Challenge string `json:"challenge"`
	Agent     string `json:"agent"`
	Action    string `json:"action"`
	Code      string `json:"code"`
}

// verifier is out-of-band verification as this adapter does it.
type verifier struct {
	life    time.Duration
	most    int
	window  time.Duration
	newID   func() string
	newCode func(id string) string
	show    func(r records, shown shownCode)      // on the display of the operator
	lapsed  func(c challenge, now time.Time) bool // whether a code comes too late

	pauses map[string]*challenge // by agent
	passes map[string]string     // by agent: the action that a person let pass
}

func newVerifier(life time.Duration) verifier {
	if life == 0 {
		life = challengeLife
	}
	return verifier{
		life: life, most: maxFailures, window: failureWindow, newID: uuid, newCode: randomCode,
		show: func(r records, shown shownCode) { must(r.keep(codes, shown.Challenge, shown)) }, lapsed: challenge.expired,
		pauses: map[string]*challenge{}, passes: map[string]string{},
	}
}

// randomCode writes 160 random bits in letters that a person can read out.
func randomCode(string) string {
	raw := make([]byte, codeBytes)
	_, _ = rand.Read(raw) // it never fails
	return base32.StdEncoding.EncodeToString(raw)
}

func digestOf(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// meets compares in a time that does not tell where the codes differ.
func (c challenge) meets(code string) bool {
	return subtle.ConstantTimeCompare([]byte(digestOf(code)), []byte(c.Digest)) == 1
}

func (c challenge) expired(now time.Time) bool { return !now.Before(c.Until) }

// raise makes a challenge and shows its code to the operator.
func (a *Adapter) raise(agent, action string, hard bool) *challenge {
	id := a.verifier.newID()
	code := a.verifier.newCode(id)
	c := &challenge{ID: id, Agent: agent, Action: action, Hard: hard, Digest: digestOf(code), Until: a.clock().Add(a.verifier.life)}
	a.verifier.show(a.records, shownCode{id, agent, action, code})
	a.keepChallenge(c)
	return c
}

// keepChallenge keeps a challenge as long as what it is for: that of a block outlives the
// process, that of a pause does not (spec 8.8.3).
func (a *Adapter) keepChallenge(c *challenge) {
	if c.Hard {
		must(a.records.keep(challenges, c.ID, c))
		return
	}
	a.verifier.pauses[c.Agent] = c
}

// challengeNamed finds a challenge that was raised and not met.
func (a *Adapter) challengeNamed(id string) (*challenge, bool) {
	for _, c := range a.verifier.pauses {
		if c.ID == id {
			return c, true
		}
	}
	var c challenge
	if !a.records.find(challenges, id, &c) {
		return nil, false
	}
	return &c, true
}

// lift ends what a challenge stands for: the block of its agent or its pause, whose
// action may then pass once.
func (a *Adapter) lift(c *challenge) {
	a.records.drop(codes, c.ID)
	if c.Hard {
		a.records.drop(challenges, c.ID)
		a.unblock(c.Agent)
		return
	}
	delete(a.verifier.pauses, c.Agent)
	a.verifier.passes[c.Agent] = c.Action
	if e := a.loop.running[c.Agent]; e != nil {
		e.alone = 0 // a person has looked
	}
}

func init() {
	operators["code"] = func(state string, about map[string]string) (string, error) {
		var shown shownCode
		recordsIn(state).find(codes, about["challenge"], &shown)
		return shown.Code, nil // the display is blank where no code is shown
	}
}
