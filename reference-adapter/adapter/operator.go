package adapter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
