package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/attest"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/transcript"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reports"
)

// submittedIn makes a run, seals it and lays it down; it returns the registry and the
// folder of the submission.
func submittedIn(t *testing.T, folder string) (registry, place string) {
	t.Helper()
	s := sealedIn(t, folder, "--run", "AQL-4.6-01")
	registry = filepath.Join(folder, "registry")
	if code, said := obeyed("submit", registry, "--report", s.report, "--transcript", s.transcript, "--sealed", s.sealed); code != 0 {
		t.Fatalf("submit ended with %d: %s", code, said)
	}
	return registry, filepath.Join(registry, "1.0.0-draft", "mcp-aql-reference-adapter", "1.0.0")
}

// Whatever is done to a submission, it is shown without a level and with the reason, and
// the one beside it stands.
func TestRegistryFindsTampering(t *testing.T) {
	portion.InTurn(t)
	folder := t.TempDir()
	registry, place := submittedIn(t, folder)
	edited := func(name, pattern, with string) func(t *testing.T, place string) {
		return func(t *testing.T, place string) {
			before := read(t, filepath.Join(place, name))
			after := swap(pattern, with)(before)
			if after == before {
				t.Fatal("the edit changes nothing")
			}
			write(t, filepath.Join(place, name), []byte(after))
		}
	}
	removed := func(name string) func(t *testing.T, place string) {
		return func(t *testing.T, place string) { must(t, os.Remove(filepath.Join(place, name))) }
	}
	linked := func(name string) func(t *testing.T, place string) {
		return func(t *testing.T, copied string) {
			must(t, os.Remove(filepath.Join(copied, name)))
			must(t, os.Symlink(filepath.Join(place, name), filepath.Join(copied, name)))
		}
	}
	for name, tampering := range map[string]struct {
		do   func(t *testing.T, place string)
		want string
	}{
		"verdict":           {edited(attest.ReportName, `"verdict": "FAIL"`, `"verdict": "PASS"`), ".verdict: sealed"},
		"level":             {edited(attest.ReportName, `"conformanceLevel": 0`, `"conformanceLevel": 2`), "report.conformanceLevel: sealed 2"},
		"adapter":           {edited(attest.ReportName, `"implementation": "[^"]*"`, `"implementation": "better"`), "report.implementation"},
		"no digests":        {edited(attest.ReportName, `(?s)"digests": \{.*?\},`, ``), "it has no digests"},
		"no report at all":  {edited(attest.ReportName, `(?s)^.*$`, `[]`), "it has no digests"},
		"catalogue":         {edited(attest.ReportName, `("catalogue": ")..`, `${1}00`), "catalogue: the report used 00"},
		"answer":            {edited(attest.PlainName, `success`, `suCCess`), "line "},
		"cut transcript":    {edited(attest.PlainName, `(?s)\n[^\n]*\n$`, "\n"), "the end is missing"},
		"no transcript":     {removed(attest.PlainName), "run.ndjson.gz is missing"},
		"no report":         {removed(attest.ReportName), "report.json is missing"},
		"linked report":     {linked(attest.ReportName), "report.json is not a file but a link"},
		"linked transcript": {linked(attest.PlainName), "run.ndjson is not a file but a link"},
		"linked seal":       {linked(attest.SealedName), "sealed.json is not a file but a link"},
		"seal":              {edited(attest.SealedName, `"payload": "ey`, `"payload": "eX`), "sealed.json: "},
		"signature":         {edited(attest.SealedName, `"sig": "..`, `"sig": "AA`), "the signature was not made by the key"},
		"key":               {edited(attest.SealedName, `"keyid": "..`, `"keyid": "zz`), "the signature was not made by the key zz"},
		"two transcripts":   {func(t *testing.T, place string) { write(t, filepath.Join(place, attest.PackedName), nil) }, "it has two transcripts"},
		"unsealed":          {removed(attest.SealedName), "none of the keys of --key signed it"},
		"unsigned":          {edited(attest.SealedName, `(?s)"signatures": \[.*\]`, `"signatures": []`), "none of the keys of --key signed it"},
		"another folder":    {func(t *testing.T, place string) { must(t, os.Rename(place, place+"9")) }, "move it to 1.0.0-draft/mcp-aql-reference-adapter/1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := filepath.Join(t.TempDir(), "registry")
			must(t, os.CopyFS(tree, os.DirFS(registry)))
			beside := filepath.Join(tree, "1.0.0-draft", "beside", "1.0.0")
			must(t, os.CopyFS(beside, os.DirFS(place))) // misplaced, which has its own reason
			tampering.do(t, filepath.Join(tree, "1.0.0-draft", "mcp-aql-reference-adapter", "1.0.0"))
			code, said := obeyed("registry", tree, "--key", filepath.Join(folder, "key.pub"), "--format", "json")
			if code != 1 || !strings.Contains(said, tampering.want) || strings.Contains(said, `"conformanceLevel":`) || strings.Contains(said, `"verified": true`) {
				t.Errorf("exit %d, want %q in\n%.1500s", code, tampering.want, said)
			}
		})
	}
	t.Run("untouched", func(t *testing.T) {
		for _, as := range []struct {
			code int
			want string
			keys []string
		}{
			{0, `"signature": "signed by key [0-9a-f]{16}"`, []string{"--key", filepath.Join(folder, "key.pub")}},
			{1, `"problem": "sealed.json: it is signed by key [0-9a-f]{16}, and no --key FILE holds that key"`, []string{"--key", filepath.Join(folder, "other.pub")}},
			{0, `"signature": "signed by key [0-9a-f]{16}, not checked"`, nil},
		} {
			code, said := obeyed(append([]string{"registry", registry, "--format", "json"}, as.keys...)...)
			if want := as.want; code != as.code || !regexp.MustCompile(want).MatchString(said) {
				t.Errorf("exit %d, want %q in\n%s", code, want, said)
			}
		}
	})
	t.Run("one of two", func(t *testing.T) {
		tree := filepath.Join(t.TempDir(), "registry")
		must(t, os.CopyFS(tree, os.DirFS(registry)))
		must(t, os.CopyFS(filepath.Join(tree, "1.0.0-draft", "beside", "1.0.0"), os.DirFS(place)))
		code, said := obeyed("registry", tree)
		if code != 1 || strings.Count(said, "NOT VERIFIED") != 1 || strings.Count(said, "**nonconformant**") != 2 || !strings.Contains(said, "2 submissions, of which 1 could not be verified") {
			t.Errorf("exit %d\n%s", code, said)
		}
	})
}

// What lies behind a link is no submission, whether it is outside of the tree or inside.
func TestRegistryFollowsNoLink(t *testing.T) {
	folder := t.TempDir()
	registry, place := submittedIn(t, folder)
	must(t, os.Symlink(place, filepath.Join(filepath.Dir(place), "2.0.0")))
	outside := filepath.Join(folder, "outside")
	must(t, os.CopyFS(filepath.Join(outside, "1.0.0"), os.DirFS(place)))
	must(t, os.Symlink(outside, filepath.Join(registry, "1.0.0-draft", "linked")))
	code, said := obeyed("registry", registry)
	if code != 0 || !strings.Contains(said, "1 submission, ") || !strings.Contains(said, "`1.0.0-draft/linked`") || !strings.Contains(said, "`1.0.0-draft/mcp-aql-reference-adapter/2.0.0`") {
		t.Errorf("exit %d\n%s", code, said)
	}
	// Nor is anything written through one.
	s := sealedRun{filepath.Join(folder, "run.ndjson"), filepath.Join(folder, "report.json"), ""}
	trap := filepath.Join(folder, "trap")
	must(t, os.Mkdir(trap, 0o777))
	must(t, os.Symlink(outside, filepath.Join(trap, "1.0.0-draft")))
	code, said = obeyed("submit", trap, "--report", s.report, "--transcript", s.transcript)
	if _, err := os.Stat(filepath.Join(outside, "mcp-aql-reference-adapter")); code != console.ExitFault || err == nil {
		t.Errorf("exit %d, %v\n%s", code, err, said)
	}
}

// hostileNames are what adapters may call themselves.
var hostileNames = []string{
	"", ".", "..", "../../../etc/passwd", "/etc/passwd", `..\..\windows`, "a/b", "a\\b", "C:", "con", "CON", "con.txt", "aux", "nul.tar.gz", "com1", "LPT9",
	"name", "Name", "NAME", "ǅ", "name ", " name", "name.", "name..", "na--me", "name--", "-name", "--force", ".git", ".hidden", "~", "a:b", "a\x00b", "a\nb",
	"\x1b[2J", "<script>alert(1)</script>", "| x | y |", "`code`", "é", "e\u0301", "\u202egnp", "\xff\xfe", strings.Repeat("a", 63), strings.Repeat("a", 64),
	strings.Repeat("a", 65), strings.Repeat("x", 1<<16), strings.Repeat("é", 40), console.FolderName("Name"), console.FolderName(""), "1.0.0", "1.0.0+build.7", "report.json", "README.md",
}

// Any name has a folder that every system takes, and different names have different ones,
// also where upper and lower case are one.
func TestFolderNames(t *testing.T) {
	safe := regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]{0,79}$`)
	whose := map[string]string{}
	for _, name := range hostileNames {
		folder := console.FolderName(name)
		if !safe.MatchString(folder) || console.Devices.MatchString(folder) || strings.HasSuffix(folder, ".") {
			t.Errorf("%.60q: folder %q", name, folder)
		}
		if other, taken := whose[folder]; taken {
			t.Errorf("%.60q and %.60q have one folder, %q", name, other, folder)
		}
		whose[folder] = name
	}
	for _, plain := range []string{"name", "1.0.0", "1.0.0+build.7", "mcp-aql-reference-adapter"} {
		if console.FolderName(plain) != plain {
			t.Errorf("%q: folder %q", plain, console.FolderName(plain))
		}
	}
}

// calling returns the run as it would be of an adapter with that name and version.
func calling(t *testing.T, s sealedRun, folder string, number int, name, version string) sealedRun {
	t.Helper()
	called, err := json.Marshal(map[string]string{"implementation": name, "version": version})
	must(t, err)
	before := read(t, s.transcript)
	text := regexp.MustCompile(`"implementation":"[^"]*","version":"[^"]*"`).ReplaceAllLiteralString(before, strings.Trim(string(called), "{}"))
	if text == before {
		t.Fatal("the transcript names its adapter in another way")
	}
	at := func(file string) string { return filepath.Join(folder, fmt.Sprintf("%d-%s", number, file)) }
	out := sealedRun{at("run.ndjson"), at("report.json"), ""}
	write(t, out.transcript, []byte(relinked(t, text)))
	if code, said := obeyed("judge", out.transcript, "--report", "json="+out.report); code == console.ExitUsage {
		t.Fatal(said)
	}
	return out
}

// An adapter's name reaches neither beyond the registry nor into the table or the README
// as anything but text.
func TestHostileNamesAreLaidDown(t *testing.T) {
	folder := t.TempDir()
	whole := sealedIn(t, folder, "--run", "AQL-4.6-01")
	registry := filepath.Join(folder, "inner", "registry")
	hostile := []string{"../../../escaped", "Name", "name", `</code><script>alert(1)</script> | x | ` + "`y` [z](http://z.example)", "\x1b[2J\n::error::"}
	for i, name := range hostile {
		s := calling(t, whole, folder, i, name, name)
		if code, said := obeyed("submit", registry, "--report", s.report, "--transcript", s.transcript); code != 0 {
			t.Fatalf("%q: exit %d: %s", name, code, said)
		}
	}
	if found, err := filepath.Glob(filepath.Join(folder, "*", "escaped*")); err != nil || len(found) > 0 {
		t.Errorf("escaped: %q, %v", found, err)
	}
	for _, format := range reports.RegistryFormats() {
		code, said := obeyed("registry", registry, "--format", format)
		if code != 0 || strings.Contains(said, "NOT VERIFIED") {
			t.Errorf("%s: exit %d\n%s", format, code, said)
		}
		markdown := format == "markdown" && (strings.Contains(said, "| x |") || strings.Contains(said, "[z](http"))
		if markdown || format != "json" && strings.Contains(said, "<script>alert") {
			t.Errorf("%s is marked up by a name:\n%s", format, said)
		}
		visible(t, format, said)
	}
	must(t, fs.WalkDir(os.DirFS(registry), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == attest.ReadmeName {
			text := read(t, filepath.Join(registry, name))
			visible(t, name, text)
			if strings.Contains(text, "\n<script>alert") || strings.HasPrefix(text, "# <") {
				t.Errorf("%s:\n%s", name, text)
			}
		}
		return err
	}))
}

// visible wants nothing in a text that plays on a terminal.
func visible(t *testing.T, name, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%s: %U", name, r)
		}
	}
}

// A reader with a bound tells the end from too much.
func TestTooLongTranscripts(t *testing.T) {
	folder := t.TempDir()
	s := sealedIn(t, folder, "--run", "AQL-4.6-01")
	text := read(t, s.transcript)
	for most, want := range map[int]string{len(text): "", len(text) - 1: "longer than", 10: "longer than"} {
		_, err := transcript.TranscriptFrom(strings.NewReader(text), "run.ndjson", int64(most))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d of %d bytes: %v", most, len(text), err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
