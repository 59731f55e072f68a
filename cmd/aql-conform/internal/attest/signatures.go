package attest

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
)

// A knownKey is a public key of somebody who may have sealed a report.
type knownKey struct {
	ed25519.PublicKey
	id string
}

// shortKey is how many digits of the digest of a key are shown.
const shortKey = 16

// knownKeys reads the files of --key.
func knownKeys(files []string) ([]knownKey, error) {
	var keys []knownKey
	for _, name := range files {
		key, err := seal.PublicKey(name)
		if err != nil {
			return nil, console.Usage("--key %s: %w", name, err)
		}
		id, err := seal.KeyID(key)
		if err != nil {
			return nil, err
		}
		keys = append(keys, knownKey{key, id})
	}
	return keys, nil
}

// sealOn holds a sealed report against the report that it is kept with, and its
// signatures against the keys. It returns what can be said of who sealed it.
func sealOn(sealed, report []byte, keys []knownKey) (string, error) {
	e, payload, err := enveloped(sealed)
	if err != nil {
		return "", err
	}
	s, err := statementIn(payload)
	if err != nil {
		return "", err
	}
	if unlike := console.Differences("report", console.Parsed(s.Predicate.Report), console.Parsed(report)); len(unlike) > 0 {
		place, _, _ := strings.Cut(unlike[0], ": ")
		return "", fmt.Errorf("it seals another report; the two differ in %s", place)
	}
	if unlike := statementDepartures(s); len(unlike) > 0 {
		return "", errors.New(unlike[0])
	}
	return signer(e, payload, keys)
}

// IsSealed reports whether a submission is there and sealed, by the key of that file if one
// is named.
func IsSealed(registry, place, keyFile string) bool {
	root, err := os.OpenRoot(registry)
	if err != nil {
		return false
	}
	defer root.Close()
	report, err := contents(root, path.Join(place, ReportName), maxReport)
	if err != nil {
		return false
	}
	sealed, err := contents(root, path.Join(place, SealedName), maxSealed)
	if err != nil {
		return false
	}
	if _, err := root.Lstat(path.Join(place, PackedName)); err != nil {
		return false
	}
	key, err := publicHalf(keyFile)
	if err == nil {
		_, err = sealOn(sealed, report, key)
	}
	return err == nil
}

// publicHalf returns the public half of a private key; none where no file is named.
func publicHalf(keyFile string) ([]knownKey, error) {
	if keyFile == "" {
		return nil, nil
	}
	private, err := seal.PrivateKey(keyFile)
	if err != nil {
		return nil, console.Usage("--key %s: %w", keyFile, err)
	}
	public := private.Public().(ed25519.PublicKey)
	id, err := seal.KeyID(public)
	return []knownKey{{public, id}}, err
}

// signer says by which of the keys an envelope is signed. A signature that names a key and is not
// by it is a forgery. Where keys are known, only their signatures count.
func signer(e seal.Envelope, payload []byte, keys []knownKey) (string, error) {
	switch {
	case len(e.Signatures) == 0 && len(keys) > 0:
		return "", errUnsigned
	case len(e.Signatures) == 0:
		return "sealed, not signed", nil
	}
	for _, s := range e.Signatures {
		sig, err := base64.StdEncoding.DecodeString(s.Sig)
		for _, key := range keys {
			genuine := err == nil && ed25519.Verify(key.PublicKey, seal.PreAuthentication(e.PayloadType, payload), sig)
			named := s.KeyID == key.id
			switch {
			case genuine && (named || s.KeyID == ""):
				return "signed by key " + key.id[:shortKey], nil
			case genuine || named:
				return "", fmt.Errorf("the signature was not made by the key %.16s that it names", s.KeyID)
			}
		}
	}
	if len(keys) > 0 {
		return "", fmt.Errorf("it is signed by key %s, and no --key FILE holds that key", seal.Short(e.Signatures))
	}
	return fmt.Sprintf("signed by key %s, not checked", seal.Short(e.Signatures)), nil
}

// errUnsigned says why a submission is not taken where keys are known.
var errUnsigned = errors.New("none of the keys of --key signed it")
