package attest

import (
	"crypto/ed25519"
	"os"
	"path"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
)

// knownKeys reads the files of --key.
func knownKeys(files []string) ([]statement.Key, error) {
	var keys []statement.Key
	for _, name := range files {
		key, err := seal.PublicKey(name)
		if err != nil {
			return nil, console.Usage("--key %s: %w", name, err)
		}
		id, err := seal.KeyID(key)
		if err != nil {
			return nil, err
		}
		keys = append(keys, statement.Key{PublicKey: key, ID: id})
	}
	return keys, nil
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
		_, err = statement.On(sealed, report, key)
	}
	return err == nil
}

// publicHalf returns the public half of a private key; none where no file is named.
func publicHalf(keyFile string) ([]statement.Key, error) {
	if keyFile == "" {
		return nil, nil
	}
	private, err := seal.PrivateKey(keyFile)
	if err != nil {
		return nil, console.Usage("--key %s: %w", keyFile, err)
	}
	public := private.Public().(ed25519.PublicKey)
	id, err := seal.KeyID(public)
	return []statement.Key{{PublicKey: public, ID: id}}, err
}
