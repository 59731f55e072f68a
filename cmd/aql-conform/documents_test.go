package main

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/rogpeppe/go-internal/testscript"
)

// The documents whose commands are run. Each stands beside what it describes.
var documents = []string{"README.md", "suites/README.md", "fixtures/README.md", "reports/README.md"}

// documented runs the commands of a document in the order in which they stand there,
// in one folder, as a reader would who has an adapter: documented FILE. Generated input
// is left out to spare time; a command that is printed in part is another test's.
func documented(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || !slices.Contains(documents, args[0]) {
		ts.Fatalf("usage: documented FILE, one of %v", documents)
	}
	root, err := filepath.Abs("../..")
	ts.Check(err)
	text, err := os.ReadFile(filepath.Join(root, args[0]))
	ts.Check(err)
	furnish(ts)
	ran := 0
	for line := range strings.Lines(string(text)) {
		line, shown := strings.CutPrefix(strings.TrimSpace(line), "aql-conform ")
		if !shown || strings.ContainsAny(line, "…|") || strings.Contains(line, "...") || strings.HasPrefix(line, "selftest") {
			continue
		}
		line = strings.ReplaceAll(line, "http://127.0.0.1:3000/mcp", ts.Getenv("REFERENCE_URL"))
		words, err := console.Split("--cmd", line)
		ts.Check(err)
		if strings.HasPrefix(line, "-") {
			words = append(words, "--phases", "none")
		}
		if code, err := codeOf(ts.Exec("aql-conform", words...)); err != nil || code != 0 {
			ts.Fatalf("%s: aql-conform %s: exit code %d (%v)", args[0], line, code, err)
		}
		ran++
	}
	if ran == 0 {
		ts.Fatalf("%s: no command that can be run", args[0])
	}
}

// furnish puts into the folder what the documents take to be there: an adapter and a
// pair of keys.
func furnish(ts *testscript.TestScript) {
	ts.Check(os.WriteFile(ts.MkAbs("my-adapter"), []byte("#!/bin/sh\nexec refadapter --mode all \"$@\"\n"), 0o755))
	public, private, err := ed25519.GenerateKey(nil)
	ts.Check(err)
	for name, key := range map[string]any{"key.pem": private, "key.pub": public} {
		kind := "PRIVATE KEY"
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if name == "key.pub" {
			kind = "PUBLIC KEY"
			der, err = x509.MarshalPKIXPublicKey(key)
		}
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
	}
}
