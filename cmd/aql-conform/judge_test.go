package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// Whoever stops the judging of a transcript gets no verdict: what was not looked at
// must not count as unasked.
func TestInterruptedJudgementGivesNoVerdict(t *testing.T) {
	s := sealedIn(t, t.TempDir(), "--run", "AQL-4.6-01")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"judge", s.transcript}, {"verify", s.sealed, "--transcript", s.transcript}} {
		var out bytes.Buffer
		code := run(ctx, args, strings.NewReader(""), &out, &out)
		if said := out.String(); code != console.ExitInterrupted || said != "aql-conform: interrupted\n" {
			t.Errorf("%s, interrupted, ended with %d: %s", args[0], code, said)
		}
	}
}

// The program that a digest names is the one that is started: --cwd says where.
func TestIdentityIsOfTheProgramThatIsStarted(t *testing.T) {
	folder := t.TempDir()
	identity := func(program string) string {
		if err := os.WriteFile(filepath.Join(folder, "adapter.exe"), []byte(program), 0o700); err != nil {
			t.Fatal(err)
		}
		s := &session.Session{Order: &session.Order{Main: session.Target{Target: wire.Target{Command: []string{"./adapter.exe"}, Dir: folder}}}}
		return s.Identity()
	}
	if one, other := identity("one"), identity("other"); one == other {
		t.Error("two programs of one name are the same adapter")
	}
}

// Version 1 of transcripts had numbers instead of names of steps. What was sealed with it is still
// verified.
func TestEarlierTranscriptIsVerified(t *testing.T) {
	sealed := filepath.Join(t.TempDir(), "sealed.json")
	packed, err := os.Open("testdata/version1/sealed.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	text, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(text)
	if err == nil {
		err = os.WriteFile(sealed, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := []string{"verify", sealed, "--transcript", "testdata/version1/run.ndjson.gz"}
	code := run(t.Context(), args, strings.NewReader(""), &out, &out)
	_, complaint, _ := strings.Cut(out.String(), "\n\n")
	lines := strings.Split(strings.TrimSpace(complaint), "\n")
	catalogue := len(lines) == 1 && strings.Contains(lines[0], "catalogue: the report used ") // a later one has other words
	if !strings.Contains(out.String(), "VERIFIED") || code != 0 && !catalogue {
		t.Errorf("ended with %d: %s", code, out.String())
	}
}
