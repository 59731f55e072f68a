package statement

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
)

// A Error says why a seal cannot be believed.
type Error struct{ Problem string }

func (e *Error) Error() string { return e.Problem }

// A Key is a public key of somebody who may have sealed a report.
type Key struct {
	ed25519.PublicKey
	ID string
}

// ShortKey is how many digits of the digest of a key are shown.
const ShortKey = 16

// Enveloped reads an envelope and what it holds; a *Error says that it holds
// something else than it should, any other error that it is no envelope.
func Enveloped(raw []byte) (e Envelope, payload []byte, err error) {
	if e, payload, err = Unwrap(raw); err != nil {
		return e, nil, err
	}
	if e.PayloadType != PayloadType {
		return e, nil, &Error{fmt.Sprintf("payloadType: want %s, got %q", PayloadType, e.PayloadType)}
	}
	return e, payload, nil
}

// In reads the statement that an envelope holds.
func In(payload []byte) (s Statement, err error) {
	if err := transcript.Strictly(payload, &s); err != nil {
		return s, &Error{"payload: not a statement of this version: " + err.Error()}
	}
	switch {
	case s.Type != StatementType:
		return s, &Error{fmt.Sprintf("_type: want %s, got %q", StatementType, s.Type)}
	case s.PredicateType != PredicateType:
		return s, &Error{fmt.Sprintf("predicateType: want %s, got %q", PredicateType, s.PredicateType)}
	}
	return s, nil
}

// Departures names everything in which a statement departs from the report that it
// holds: it says the same in the words of others, and must not say more.
func Departures(s Statement) []string {
	var r Sealable
	if err := json.Unmarshal(s.Predicate.Report, &r); err != nil {
		return nil // the comparison of the report has said so
	}
	r.Selftest = s.Selftest()
	want, _ := json.Marshal(Stated(s.Predicate.Report, r))
	got, _ := json.Marshal(s)
	return console.Differences("statement", console.Parsed(got), console.Parsed(want))
}

// On holds a sealed report against the report that it is kept with, and its
// signatures against the keys. It returns what can be said of who sealed it.
func On(sealed, report []byte, keys []Key) (string, error) {
	e, payload, err := Enveloped(sealed)
	if err != nil {
		return "", err
	}
	s, err := In(payload)
	if err != nil {
		return "", err
	}
	if unlike := console.Differences("report", console.Parsed(s.Predicate.Report), console.Parsed(report)); len(unlike) > 0 {
		place, _, _ := strings.Cut(unlike[0], ": ")
		return "", fmt.Errorf("it seals another report; the two differ in %s", place)
	}
	if unlike := Departures(s); len(unlike) > 0 {
		return "", errors.New(unlike[0])
	}
	return signer(e, payload, keys)
}

// signer says by which of the keys an envelope is signed. A signature that names a key and is not
// by it is a forgery. Where keys are known, only their signatures count.
func signer(e Envelope, payload []byte, keys []Key) (string, error) {
	switch {
	case len(e.Signatures) == 0 && len(keys) > 0:
		return "", ErrUnsigned
	case len(e.Signatures) == 0:
		return "sealed, not signed", nil
	}
	for _, s := range e.Signatures {
		sig, err := base64.StdEncoding.DecodeString(s.Sig)
		for _, key := range keys {
			genuine := err == nil && ed25519.Verify(key.PublicKey, PreAuthentication(e.PayloadType, payload), sig)
			named := s.KeyID == key.ID
			switch {
			case genuine && (named || s.KeyID == ""):
				return "signed by key " + key.ID[:ShortKey], nil
			case genuine || named:
				return "", fmt.Errorf("the signature was not made by the key %.16s that it names", s.KeyID)
			}
		}
	}
	if len(keys) > 0 {
		return "", fmt.Errorf("it is signed by key %s, and no --key FILE holds that key", Short(e.Signatures))
	}
	return fmt.Sprintf("signed by key %s, not checked", Short(e.Signatures)), nil
}

// ErrUnsigned says why a submission is not taken where keys are known.
var ErrUnsigned = errors.New("none of the keys of --key signed it")
