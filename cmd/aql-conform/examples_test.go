package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/cli"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"go.yaml.in/yaml/v3"
)

// What a runner or a pod puts in the place of its variables.
var placeholder = regexp.MustCompile(`\$?\{\{[^}]*\}\}|\$\(\([^)]*\)\)|\$JOB_COMPLETION_INDEX`)

// The examples for fleets are copied by people who will not look for a mistake in
// them: each command in them is one that this program takes.
func TestExamplesAreTaken(t *testing.T) {
	files, err := filepath.Glob("../../.ci/examples/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var document any = string(text)
			if strings.HasSuffix(name, "ml") {
				if err := yaml.Unmarshal(text, &document); err != nil {
					t.Fatal(err)
				}
			}
			taken := 0
			for _, line := range commandsIn(document) {
				line = strings.ReplaceAll(placeholder.ReplaceAllString(line, "1"), "/reports", t.TempDir()) // the volume
				words, err := console.Split("--cmd", line)
				if err != nil {
					t.Errorf("%s: %v", line, err)
					continue
				}
				var flags cli.Commands
				command, err := flags.Parse(words[1:], console.Console{Stdout: io.Discard, Stderr: io.Discard})
				if err == nil && command == "check" {
					_, err = flags.Check.Settle(nil, console.Console{})
				}
				if err != nil {
					t.Errorf("%s: %v", line, err)
				}
				taken++
			}
			if taken == 0 {
				t.Error("no command of aql-conform in it")
			}
		})
	}
}

// commandsIn returns the lines in the texts of a document that start this program.
func commandsIn(v any) []string {
	var found []string
	switch t := v.(type) {
	case string:
		for _, line := range strings.Split(t, "\n") {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "aql-conform ") {
				found = append(found, strings.TrimSuffix(line, "||"))
			}
		}
	case []any:
		for _, inner := range t {
			found = append(found, commandsIn(inner)...)
		}
	case map[string]any:
		for _, inner := range t {
			found = append(found, commandsIn(inner)...)
		}
	}
	return found
}
