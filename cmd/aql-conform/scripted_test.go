package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/cli"
)

// A use is a command and a flag that a script obeys; the flag is empty for the command.
type use struct{ command, flag string }

var (
	quotation = regexp.MustCompile(`'[^']*'`)
	called    = regexp.MustCompile(`(?:^|\s)aql-conform(?:\s|$)`)
)

// scripted are the uses in all scripts. A line that ends with a usage error shows nothing
// of what a flag does, so it is none.
func scripted(t *testing.T) map[use]bool {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	uses := map[use]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, _, _ := strings.Cut(string(text), "\n-- ")
		for line := range strings.Lines(script) {
			line = quotation.ReplaceAllString(line, "quoted")
			at := called.FindStringIndex(line)
			if at == nil || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "exits 3 ") {
				continue
			}
			take(uses, strings.Fields(line[at[1]:]))
		}
	}
	return uses
}

// take adds what one command line uses.
func take(uses map[use]bool, words []string) {
	command := "check"
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		command, words = words[0], words[1:]
	}
	uses[use{command, ""}] = true
	for _, word := range words {
		if word == "--" {
			return
		}
		flag, _, _ := strings.Cut(word, "=")
		if strings.HasPrefix(flag, "-") {
			uses[use{command, flag}] = true
		}
	}
}

// Every command and every flag has a script that shows what it does. A flag that several
// commands share by one definition needs one.
func TestEveryFlagHasAScript(t *testing.T) {
	model, err := cli.Grammar()
	if err != nil {
		t.Fatal(err)
	}
	uses := scripted(t)
	shown := map[string]bool{}
	for _, command := range model.Children {
		if !uses[use{command.Name, ""}] {
			t.Errorf("no script uses the command %s", command.Name)
		}
		for _, flag := range command.Flags {
			short := uses[use{command.Name, "-" + string(flag.Short)}] && flag.Short != 0
			shown[definition(flag)] = shown[definition(flag)] || short || uses[use{command.Name, "--" + flag.Name}]
		}
	}
	for _, command := range model.Children {
		for _, flag := range command.Flags {
			if d := definition(flag); !shown[d] {
				t.Errorf("no script uses %s --%s: %s", command.Name, flag.Name, flag.Help)
				shown[d] = true // named once
			}
		}
	}
}

// definition tells flags apart that only share a name.
func definition(flag *kong.Flag) string { return flag.Name + " " + flag.Help }
