package seal

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
)

// ChallengeType is the type of what an envelope with a challenge holds.
const ChallengeType = "application/vnd.aql-conform.challenge+json"

// ChallengeFlags say for which adapter a challenge is issued, and for how long.
type ChallengeFlags struct {
	Commitment string        `arg:"" help:"digests.adapter in a JSON report of the adapter"`
	Within     time.Duration `default:"24h" placeholder:"TIME" help:"time until the run must end (24h)"`
	Key        string        `placeholder:"FILE" help:"ed25519 private key (PEM) that signs it"`
	Output     string        `short:"o" default:"challenge.json" placeholder:"FILE" help:"file to write the challenge to (challenge.json)"`
}

// A Challenge asks the author of an adapter for a run that cannot have been made before it was
// issued: its seed, and with it the marks in all requests that write, were not known.
type Challenge struct {
	Nonce      string    `json:"nonce"`
	Seed       uint64    `json:"seed"`
	Commitment string    `json:"commitment"` // digest of the adapter, given by its author beforehand
	Issued     time.Time `json:"issued"`
	Expires    time.Time `json:"expires"`
}

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Issue writes a new challenge.
func (f *ChallengeFlags) Issue(c console.Console) error {
	switch {
	case !digestForm.MatchString(f.Commitment):
		return console.Usage("challenge %s: want the 64 hexadecimal digits of digests.adapter in a JSON report", f.Commitment)
	case f.Within <= 0:
		return console.Usage("--within %s: want a time above 0", f.Within)
	}
	random := make([]byte, 16)
	_, _ = rand.Read(random) // it never fails
	now := time.Now().UTC().Truncate(time.Second)
	ch := Challenge{hex.EncodeToString(random), 0, f.Commitment, now, now.Add(f.Within)}
	ch.Seed = ch.seed()
	payload, err := json.Marshal(ch)
	if err != nil {
		return fmt.Errorf("the challenge: %w", err)
	}
	signed, err := wrap(ChallengeType, payload, f.Key, f.Output)
	if err != nil {
		return err
	}
	return console.Tell(c.Stdout, fmt.Sprintf("%s: seed %d, until %s, %s", f.Output, ch.Seed, ch.Expires.Format(time.RFC3339), signed))
}

// seed is the seed that belongs to the nonce. Every number that JSON holds exactly is possible.
func (ch Challenge) seed() uint64 {
	sum := sha256.Sum256([]byte("aql-conform challenge " + ch.Nonce))
	return binary.BigEndian.Uint64(sum[:]) >> 11
}

// A GivenChallenge is a challenge in the envelope in which it was issued.
type GivenChallenge struct {
	Challenge
	Envelope statement.Envelope
	Payload  []byte
}

// ReadChallenge reads the file of a challenge.
func ReadChallenge(path string) (g GivenChallenge, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return g, console.Usage("--challenge: %w; aql-conform challenge issues one", err)
	}
	if g, err = ChallengeIn(raw); err != nil {
		return g, console.Usage("--challenge %s: %w", path, err)
	}
	return g, nil
}

// ChallengeIn reads a challenge in its envelope.
func ChallengeIn(raw []byte) (g GivenChallenge, err error) {
	if g.Envelope, g.Payload, err = statement.Unwrap(raw); err != nil {
		return g, err
	}
	if g.Envelope.PayloadType != ChallengeType {
		return g, fmt.Errorf("payloadType: want %s, got %q", ChallengeType, g.Envelope.PayloadType)
	}
	if err := transcript.Strictly(g.Payload, &g.Challenge); err != nil {
		return g, fmt.Errorf("payload: no challenge: %w", err)
	}
	if g.Seed != g.seed() || !digestForm.MatchString(g.Commitment) || !g.Expires.After(g.Issued) {
		return g, fmt.Errorf("payload: no challenge that aql-conform has issued")
	}
	return g, nil
}

// Same reports whether the two are one challenge, whoever signed it.
func (g GivenChallenge) Same(other GivenChallenge) bool { return bytes.Equal(g.Payload, other.Payload) }
