package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures/portion"
)

// A transcript whose run crashed is read as far as it goes, and what it shows is never
// taken for the whole: no level, no exit 0, and nothing held against a healthy adapter
// because of what was not asked any more.
func TestCutTranscripts(t *testing.T) {
	portion.Long(t)
	folder := t.TempDir()
	whole := filepath.Join(folder, "run.ndjson")
	url, _ := serveUntil(t, "", 0)
	if code, said := obeyed("--url", url, "--seed", "7", "--no-hints", "--phases", "none", "--transcript", whole); code != 0 && code != 5 {
		t.Fatalf("the run ended with %d: %s", code, said)
	}
	text := read(t, whole)
	lines := strings.SplitAfter(text, "\n")
	n := len(lines) - 1
	for name, cut := range map[string]string{
		"head alone":     lines[0],
		"handshake":      strings.Join(lines[:4], ""),
		"introspection":  strings.Join(lines[:n/20], ""),
		"early":          strings.Join(lines[:n/4], ""),
		"half":           strings.Join(lines[:n/2], ""),
		"late":           strings.Join(lines[:n*9/10], ""),
		"end missing":    strings.Join(lines[:n-1], ""),
		"within a line":  strings.Join(lines[:n/2], "") + lines[n/2][:100],
		"within the end": text[:len(text)-20],
	} {
		t.Run(name, func(t *testing.T) {
			path, report := filepath.Join(t.TempDir(), "cut.ndjson"), filepath.Join(t.TempDir(), "report.json")
			write(t, path, []byte(cut))
			at := fmt.Sprintf("line %d", strings.Count(cut, "\n")+1)
			if code, said := obeyed("judge", path); code != console.ExitUsage || !strings.Contains(said, at) || strings.Contains(said, "MUST") {
				t.Errorf("judge: exit %d, want %d and %s\n%.400s", code, console.ExitUsage, at, said)
			}
			code, said := obeyed("judge", "--partial", path, "--report", "json="+report)
			if code != console.ExitInterrupted || !strings.Contains(said, "INTERRUPTED") || !strings.Contains(said, "partial: the transcript ends before "+at) {
				t.Errorf("judge --partial: exit %d\n%.800s", code, said)
			}
			judged := partialReport(t, report)
			if judged.ExitCode != 130 || judged.ConformanceLevel != 0 || judged.Summary.Fail+judged.Summary.Warn > 0 || judged.Levels["1"].Verdict != "unproven" {
				t.Errorf("a healthy adapter, cut off: %+v", judged)
			}
		})
	}
}

// What was broken before the cut is said, and an edit before it is no cut.
func TestCutTranscriptsOfAFaultyAdapter(t *testing.T) {
	portion.Long(t)
	s := sealedIn(t, t.TempDir(), "--run", "AQL-4.6-01")
	lines := strings.SplitAfter(read(t, s.transcript), "\n")
	cut, report := filepath.Join(t.TempDir(), "cut.ndjson"), filepath.Join(t.TempDir(), "report.json")
	write(t, cut, []byte(strings.Join(lines[:len(lines)-2], "")))
	if code, said := obeyed("judge", "--partial", cut, "--report", "json="+report); code != console.ExitInterrupted || !strings.Contains(said, "FAIL  AQL-4.6-01") {
		t.Errorf("exit %d\n%.800s", code, said)
	}
	if judged := partialReport(t, report); judged.Levels["1"].Verdict != "nonconformant" || judged.ConformanceLevel != 0 {
		t.Errorf("%+v", judged)
	}
	for _, args := range [][]string{{"seal", report, "--transcript", cut}, {"verify", s.sealed, "--transcript", cut}} {
		if code, said := obeyed(args...); code != console.ExitUsage || !strings.Contains(said, "line ") {
			t.Errorf("%s of a part: exit %d %s", args[0], code, said)
		}
	}
	edited := append(append([]string{}, lines[:20]...), lines[21:len(lines)-2]...)
	write(t, cut, []byte(strings.Join(edited, "")))
	if code, said := obeyed("judge", "--partial", cut); code != console.ExitUsage || !strings.Contains(said, "line 21: the chain is broken") {
		t.Errorf("an edit passes for a cut: exit %d %.400s", code, said)
	}
	if code, said := obeyed("judge", "--partial", s.transcript); code != 1 || strings.Contains(said, "partial") {
		t.Errorf("a whole one is judged as ever: exit %d %.400s", code, said)
	}
}

// A judgedPart is what these tests read of a report.
type judgedPart struct {
	ExitCode, ConformanceLevel int
	Summary                    struct{ Fail, Warn int }
	Levels                     map[string]struct{ Verdict string }
}

func partialReport(t *testing.T, path string) judgedPart {
	t.Helper()
	var p judgedPart
	if err := json.Unmarshal([]byte(read(t, path)), &p); err != nil {
		t.Fatal(err)
	}
	return p
}
