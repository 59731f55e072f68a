package loop

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
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
	Codes      = "codes"      // what the operator gets to see, and no client
	Failures   = "failures"   // attempts that failed, by agent
)

// Challenge asks a person for consent before an agent goes on (spec 8.8.2). All that
// is kept of its code is a digest.
type Challenge struct {
	ID     string    `json:"id"`
	Agent  string    `json:"agent"`
	Action string    `json:"action"` // what the agent wants to do
	Hard   bool      `json:"hard"`   // of a block, not of a pause
	Digest string    `json:"digest"`
	Until  time.Time `json:"until"`
	Spent  bool      `json:"spent"` // an attempt was made: there is only one

	toldTo string // execution whose directives name it
}

// ShownCode is what stands on the display of the operator.
type ShownCode struct {
	Challenge string `json:"challenge"`
	Agent     string `json:"agent"`
	Action    string `json:"action"`
	Code      string `json:"code"`
}

// verifier is out-of-band verification as this adapter does it.
type verifier struct {
	Life    time.Duration
	Most    int
	Window  time.Duration
	NewID   func() string
	NewCode func(id string) string
	Show    func(r adapter.Records, shown ShownCode) // on the display of the operator
	Lapsed  func(c Challenge, now time.Time) bool    // whether a code comes too late

	Pauses map[string]*Challenge // by agent
	Passes map[string]string     // by agent: the action that a person let pass
}

func newVerifier(life time.Duration) verifier {
	if life == 0 {
		life = challengeLife
	}
	return verifier{
		Life: life, Most: maxFailures, Window: failureWindow, NewID: UUID, NewCode: randomCode,
		Show: func(r adapter.Records, shown ShownCode) { adapter.Must(r.Keep(Codes, shown.Challenge, shown)) }, Lapsed: Challenge.Expired,
		Pauses: map[string]*Challenge{}, Passes: map[string]string{},
	}
}

// randomCode writes 160 random bits in letters that a person can read out.
func randomCode(string) string {
	raw := make([]byte, codeBytes)
	_, _ = rand.Read(raw) // it never fails
	return base32.StdEncoding.EncodeToString(raw)
}

func DigestOf(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}

// meets compares in a time that does not tell where the codes differ.
func (c Challenge) meets(code string) bool {
	return subtle.ConstantTimeCompare([]byte(DigestOf(code)), []byte(c.Digest)) == 1
}

func (c Challenge) Expired(now time.Time) bool { return !now.Before(c.Until) }

// Raise makes a challenge and shows its code to the operator.
func Raise(a *adapter.Adapter, agent, action string, hard bool) *Challenge {
	id := Of(a).Verifier.NewID()
	code := Of(a).Verifier.NewCode(id)
	c := &Challenge{ID: id, Agent: agent, Action: action, Hard: hard, Digest: DigestOf(code), Until: a.Clock().Add(Of(a).Verifier.Life)}
	Of(a).Verifier.Show(a.Records, ShownCode{id, agent, action, code})
	KeepChallenge(a, c)
	return c
}

// KeepChallenge keeps a challenge as long as what it is for: that of a block outlives the
// process, that of a pause does not (spec 8.8.3).
func KeepChallenge(a *adapter.Adapter, c *Challenge) {
	if c.Hard {
		adapter.Must(a.Records.Keep(challenges, c.ID, c))
		return
	}
	Of(a).Verifier.Pauses[c.Agent] = c
}

// ChallengeNamed finds a challenge that was raised and not met.
func ChallengeNamed(a *adapter.Adapter, id string) (*Challenge, bool) {
	for _, c := range Of(a).Verifier.Pauses {
		if c.ID == id {
			return c, true
		}
	}
	var c Challenge
	if !a.Records.Find(challenges, id, &c) {
		return nil, false
	}
	return &c, true
}

// Lift ends what a challenge stands for: the block of its agent or its pause, whose
// action may then pass once.
func Lift(a *adapter.Adapter, c *Challenge) {
	a.Records.Drop(Codes, c.ID)
	if c.Hard {
		a.Records.Drop(challenges, c.ID)
		Unblock(a, c.Agent)
		return
	}
	delete(Of(a).Verifier.Pauses, c.Agent)
	Of(a).Verifier.Passes[c.Agent] = c.Action
	if e := Of(a).Running[c.Agent]; e != nil {
		e.Alone = 0 // a person has looked
	}
}

func init() {
	adapter.Operators["code"] = func(state string, about map[string]string) (string, error) {
		var shown ShownCode
		adapter.RecordsIn(state).Find(Codes, about["challenge"], &shown)
		return shown.Code, nil // the display is blank where no code is shown
	}
}
