package main

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
)

func TestSplitReadsWhatAShellReads(t *testing.T) {
	t.Setenv("MODE", "all modes")
	t.Setenv("IFS", "m") // a splitter that obeys it would cut "all modes" in odd places
	for line, want := range map[string][]string{
		`./my-adapter --stdio`:     {"./my-adapter", "--stdio"},
		`node "my adapter.js" 'a'`: {"node", "my adapter.js", "a"},
		`x "$MODE"`:                {"x", "all modes"},
		`x '$MODE'`:                {"x", "$MODE"},
		`x ${NOT_SET:-y}`:          {"x", "y"},
		`x a\ b ""`:                {"x", "a b", ""},
		"x\n  y":                   {"x", "y"},
		`x *.go`:                   {"x", "*.go"},
	} {
		got, err := console.Split("--cmd", line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v; want %q", line, got, err, want)
		}
	}
}

func TestSplitRunsNothing(t *testing.T) {
	for line, want := range map[string]string{
		"a | b":        "position 3: `|`",
		"a && b":       "position 3: `&&`",
		"a > f":        "position 3: `>`",
		"a <(b)":       "position 3: substitution",
		`a "x$(b)"`:    "position 5: substitution",
		"a `b`":        "position 3: substitution",
		`a "b`:         `position 3: reached EOF without closing quote`,
		"a ${x:=y}":    "read-only",
		"A=b c":        "variables are set with -e A=b",
		"":             "names no program",
		"$NOT_SET":     "names no program",
		"a ${x[$(b)]}": "position 7: substitution",
		"a ${x@A}":     "position 3: ${NAME@…}",
	} {
		got, err := console.Split("--cmd", line)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %q, %v; want an error with %q", line, got, err, want)
		}
	}
}

// A finding's last line repeats the run, so what is printed has to be read back
// as the same words.
func FuzzJoinedIsSplitAgain(f *testing.F) {
	f.Add("./my-adapter", "it's")
	f.Add("a b", `"$HOME" $(id)`)
	f.Add("x", "")
	f.Add("x", "<(b) \\ \t~ {a,b} é…")
	f.Fuzz(func(t *testing.T, program, argument string) {
		if program == "" || strings.ContainsAny(program+argument, "\x00\r") || !utf8.ValidString(program) || !utf8.ValidString(argument) || console.Assignment.MatchString(program) {
			t.Skip("no program can be started so")
		}
		words := []string{program, argument}
		got, err := console.Split("--cmd", console.Joined(words))
		if err != nil || !slices.Equal(got, words) {
			t.Fatalf("%q is written %s and read %q, %v", words, console.Joined(words), got, err)
		}
	})
}

func FuzzSplitNeverPanics(f *testing.F) {
	f.Add("a <(b)")
	f.Add("a ${x@P} $((1/0)) ~x {1..3}")
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 200 || strings.Contains(line, "..") {
			t.Skip("a range may be long on purpose")
		}
		words, err := console.Split("--cmd", line)
		if err == nil && len(words) == 0 {
			t.Fatal("neither words nor an error")
		}
	})
}
