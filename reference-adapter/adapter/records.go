package adapter

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Records are small documents that outlive the process, by kind and name: files in
// the state folder, memory where there is none. What is written is on disk before
// the answer leaves, so that no crash undoes a decision about safety.
type Records struct {
	folder string
	memory map[string][]byte
}

func RecordsIn(folder string) Records { return Records{folder, map[string][]byte{}} }

func (r Records) path(kind, name string) string {
	sum := sha256.Sum256([]byte(name)) // a name is the client's, a path is not
	return filepath.Join(r.folder, kind, hex.EncodeToString(sum[:16])+".json")
}

// Keep writes a document over the one of that name.
func (r Records) Keep(kind, name string, document any) error {
	raw, err := json.Marshal(document)
	if err != nil {
		return fmt.Errorf("keep %s: %w", kind, err)
	}
	if r.folder == "" {
		r.memory[r.path(kind, name)] = raw
		return nil
	}
	path := r.path(kind, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("keep %s: %w", kind, err)
	}
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return fmt.Errorf("keep %s: %w", kind, err)
	}
	return os.Rename(path+".new", path)
}

// Find reads a document and reports whether there is one.
func (r Records) Find(kind, name string, document any) bool {
	raw, ok := r.memory[r.path(kind, name)]
	if r.folder != "" {
		read, err := os.ReadFile(r.path(kind, name))
		raw, ok = read, err == nil
	}
	return ok && json.Unmarshal(raw, document) == nil
}

// Drop removes a document and reports whether there was one.
func (r Records) Drop(kind, name string) bool {
	path := r.path(kind, name)
	if r.folder != "" {
		return os.Remove(path) == nil
	}
	_, ok := r.memory[path]
	delete(r.memory, path)
	return ok
}

// All returns the documents of a kind, in no order that means anything.
func (r Records) All(kind string) ([][]byte, error) {
	if r.folder == "" {
		var raws [][]byte
		for _, path := range slices.Sorted(maps.Keys(r.memory)) {
			if filepath.Base(filepath.Dir(path)) == kind {
				raws = append(raws, r.memory[path])
			}
		}
		return raws, nil
	}
	paths, err := filepath.Glob(filepath.Join(r.folder, kind, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", kind, err)
	}
	var raws [][]byte
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // settled meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", kind, err)
		}
		raws = append(raws, raw)
	}
	return raws, nil
}

// Must ends an operation whose decision could not be written down: it counts as
// failed, and what it would have allowed stays forbidden.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// An operator is the person beside the adapter. What they read and do goes through
// the state folder, never through MCP: the client of an adapter has no hand there.
var Operators = map[string]func(state string, about map[string]string) (string, error){}

// Operate does what the operator asks for by a word, on the adapter that keeps its
// state in the folder. about names what it concerns: challenge, agent, operation. It
// returns what the operator gets to read.
func Operate(state, word string, about map[string]string) (string, error) {
	do, known := Operators[word]
	if !known {
		return "", fmt.Errorf("unknown word %q: an operator may say %s", word, strings.Join(slices.Sorted(maps.Keys(Operators)), ", "))
	}
	return do(state, about)
}
