package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// A registry tells whose word a submission is. A repetition counts if another known key has sealed
// another run of the same adapter that came to the same.
func TestRepetitionsAreGraded(t *testing.T) {
	portion.Long(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	serve := func(fault string) *httptest.Server {
		a, err := stand.New(stand.Config{Mode: "all", Fault: fault})
		must(t, err)
		return httptest.NewServer(a.Handler())
	}
	server, better := serve("AQL-4.6-01.unknown-params-dropped"), serve("")
	defer server.Close()
	defer better.Close()
	for _, name := range []string{"author", "party", "stranger"} {
		keys(t, at(name+".pem"), at(name+".pub"))
	}
	run := func(name, url, seed string) sealedRun {
		s := sealedRun{at(name + ".ndjson"), at(name + ".json"), at(name + ".sealed.json")}
		code, said := obeyed("--url", url+"/mcp", "--seed", seed, "--phases", "none", "--no-hints", "--run", "AQL-4.6-01", "--transcript", s.transcript, "--report", "json="+s.report)
		if code != 1 && code != 5 {
			t.Fatalf("the run ended with %d: %s", code, said)
		}
		return s
	}
	first, second, other := run("first", server.URL, "7"), run("second", server.URL, "8"), run("other", better.URL, "9")
	submitted := func(t *testing.T, registry string, s sealedRun, key string, flags ...string) {
		t.Helper()
		s.seal(t, at(key+".pem"))
		if code, said := obeyed(append([]string{"submit", registry, "--report", s.report, "--transcript", s.transcript, "--sealed", s.sealed}, flags...)...); code != 0 {
			t.Fatalf("submit ended with %d: %s", code, said)
		}
	}
	known := []string{"--key", at("author.pub"), "--key", at("party.pub")}
	for name, c := range map[string]struct {
		run  sealedRun
		key  string
		keys []string
		want []string
	}{
		"by another party": {second, "party", known, []string{`"grade": "independently repeated by key `}},
		"by the author":    {second, "author", known, []string{`"grade": "self-declared"`, "the key is that of the submission"}},
		"by a stranger":    {second, "stranger", known, []string{`"grade": "self-declared"`, "and no --key FILE holds that key"}},
		"of the same run":  {first, "party", known, []string{`"grade": "self-declared"`, "it has the seed of the submission"}},
		"of another":       {other, "party", known, []string{`"grade": "self-declared"`, "it is of a different adapter"}},
		"without keys":     {second, "party", nil, []string{`"grade": "self-declared"`, "no --key is named"}},
	} {
		t.Run(name, func(t *testing.T) {
			registry := filepath.Join(t.TempDir(), "registry")
			submitted(t, registry, first, "author")
			submitted(t, registry, c.run, c.key, "--repeat")
			code, said := obeyed(append([]string{"registry", registry, "--format", "json"}, c.keys...)...)
			for _, want := range c.want {
				if code != 0 || !strings.Contains(said, want) || !strings.Contains(said, `"strays": []`) {
					t.Errorf("exit %d, want %q in\n%s", code, want, said)
				}
			}
		})
	}
	t.Run("of nothing", func(t *testing.T) {
		if code, said := obeyed("submit", t.TempDir(), "--report", first.report, "--transcript", first.transcript, "--sealed", first.sealed, "--repeat"); code != 3 || !strings.Contains(said, "there is no submission") {
			t.Errorf("exit %d\n%s", code, said)
		}
	})
	t.Run("witness without an issuer", func(t *testing.T) {
		registry := filepath.Join(t.TempDir(), "registry")
		write(t, at("witness.json"), []byte("{}"))
		submitted(t, registry, first, "author", "--witness", at("witness.json"))
		must(t, os.WriteFile(at("keys.json"), []byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`), 0o600))
		for want, flags := range map[string][]string{
			"the witness does not count: no --issuer is named": nil,
			"the witness does not count: statement":            {"--issuer", "https://issuer.example", "--issuer-keys", at("keys.json")},
		} {
			code, said := obeyed(append([]string{"registry", registry, "--format", "json"}, flags...)...)
			if code != 0 || !strings.Contains(said, want) || !strings.Contains(said, `"grade": "self-declared"`) {
				t.Errorf("exit %d, want %q in\n%s", code, want, said)
			}
		}
	})
}
