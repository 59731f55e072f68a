//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/creack/pty"
)

// onTerminal runs this program on a terminal of so many columns and returns all that the
// terminal was sent.
func onTerminal(t *testing.T, columns int, env []string, args ...string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Args[0] = "aql-conform" // by which the test binary knows what it is
	cmd.Dir = t.TempDir()
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); name != "NO_COLOR" && name != "COLUMNS" && name != "CI" && name != "GITHUB_ACTIONS" {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(append(cmd.Env, "TERM=xterm-256color"), env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: uint16(columns)})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	var sent bytes.Buffer
	if _, err := io.Copy(&sent, tty); err != nil && !errors.Is(err, syscall.EIO) { // Linux's word for the end
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is the verdict's
	return sent.String()
}

// escape is what moves a cursor or changes a colour.
var escape = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// shownOn plays what a terminal was sent: what is left on the screen, and the live lines
// that were drawn over.
func shownOn(t *testing.T, sent string) (screen []string, live []string) {
	t.Helper()
	for _, line := range strings.Split(strings.ReplaceAll(sent, "\r\n", "\n"), "\n") {
		drawn := strings.Split(line, "\r\x1b[K")
		live = append(live, drawn[:len(drawn)-1]...)
		last := escape.ReplaceAllString(drawn[len(drawn)-1], "")
		if strings.ContainsAny(last, "\x1b\r\b") {
			t.Errorf("the screen is left with %q", last)
		}
		screen = append(screen, last)
	}
	return screen, live
}

// copied is what may be wider than a terminal, because a person copies it whole.
var copied = regexp.MustCompile(`^ {14}'|^digest  `)

// lively matches the live lines.
var lively = regexp.MustCompile(`^(looking around|checks|\d+ of \d+ cases|generated input), \d`)

// A terminal of any width shows a report that fits it, and no trace of the progress line.
func TestReportOnATerminal(t *testing.T) {
	portion.InTurn(t)
	adapter := []string{"--run", "parameters,routing,errors", "--phases", "examples", "--no-hints", "--seed", "41", "--cmd", "refadapter --mode all --fault AQL-4.6-01.unknown-params-dropped"}
	for _, columns := range []int{60, 80, 200} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			sent := onTerminal(t, columns, nil, adapter...)
			if !strings.Contains(sent, "\x1b[31") {
				t.Error("no red on a terminal that can")
			}
			screen, live := shownOn(t, sent)
			widest := 0
			for _, line := range screen {
				if n := utf8.RuneCountInString(line); !copied.MatchString(line) && !strings.HasPrefix(line, "aql-conform: seed ") { // which names a file
					widest = max(widest, n)
					if n > columns {
						t.Errorf("%d columns: %q", n, line)
					}
				}
			}
			if widest <= columns*2/3 {
				t.Errorf("%d columns of %d are used", widest, columns)
			}
			phases := strings.Join(live, "\n")
			for _, phase := range []string{"looking around, ", "checks, ", "generated input, "} {
				if !strings.Contains(phases, phase) {
					t.Errorf("no live line with %q in\n%s", phase, phases)
				}
			}
			if left := slices.IndexFunc(screen, lively.MatchString); left >= 0 {
				t.Errorf("a live line is left on the screen: %q", screen[left])
			}
			for _, line := range live {
				if n := utf8.RuneCountInString(line); n >= columns {
					t.Errorf("a live line of %d columns: %q", n, line)
				}
			}
		})
	}
}

// Who wants no colour gets none, and the line in CI and on a terminal that cannot redraw
// is none.
func TestPlainOnATerminal(t *testing.T) {
	portion.InTurn(t)
	adapter := []string{"--run", "parameters", "--no-hints", "--cmd", "refadapter --mode all"}
	sent := onTerminal(t, 80, []string{"NO_COLOR=1"}, adapter...)
	if colour := regexp.MustCompile(`\x1b\[[0-9;]*m`).FindString(sent); colour != "" {
		t.Errorf("coloured with %q", colour)
	}
	if _, live := shownOn(t, sent); len(live) == 0 {
		t.Error("no progress, which is no colour")
	}
	if sent := onTerminal(t, 80, []string{"TERM=dumb"}, adapter...); strings.Contains(sent, "\x1b") {
		t.Errorf("a dumb terminal got %q", escape.FindString(sent))
	}
}

// The estimate is of the phase and comes when there is something to guess from.
func TestProgressEstimates(t *testing.T) {
	p := &session.Progress{Cases: 1000, Verdicts: 50, Requests: 300, Before: 100}
	for took, want := range map[time.Duration]string{
		500 * time.Millisecond: "50 of 1000 cases, 300 requests",
		4 * time.Second:        "50 of 1000 cases, 300 requests, 50/s",
	} {
		if got := p.Line(took); got != want {
			t.Errorf("after %s: %q, want %q", took, got, want)
		}
	}
	p.Foreseen = 900
	if got, want := p.Line(4*time.Second), "50 of 1000 cases, 300 of about 900 requests, 50/s, about 12s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Verdicts = 0
	if got, want := p.Line(4*time.Second), "checks, 300 of about 900 requests, 50/s, about 12s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Verdicts, p.Foreseen = 250, 0
	if got, want := p.Line(4*time.Second), "250 of 1000 cases, 300 requests, 50/s, about 12s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Most = time.Minute
	if got, want := p.Line(10*time.Second), "generated input, 300 requests, 20/s, at most 50s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
