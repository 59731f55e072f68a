package main

import (
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// The password in an address that the checker's own environment holds may be a word
// that any adapter uses.
func TestInheritedPasswords(t *testing.T) {
	var s session.Secrets
	s.AddEnvironment([]string{"PWD=/home/somebody/adapter", "OLDPWD=/home/somebody", "DB_PWD=canary-34"}, session.LongEnough)
	if got := s.Hide("/home/somebody/adapter canary-34"); got != "/home/somebody/adapter …" {
		t.Errorf("shown as %q", got)
	}
	s.AddEnvironment([]string{"A=postgres://u:canary-33@h/db", "B=postgres://u:postgres@h/db", "PATH=/usr/bin:/bin"}, session.LongEnough)
	if got := s.Hide("canary-33 postgres /usr/bin:/bin"); got != "… postgres /usr/bin:/bin" {
		t.Errorf("shown as %q", got)
	}
}

// What is given to an adapter is hidden wherever a secret may stand in it, and what
// stands in any sound answer is not.
func TestSecretsOfATarget(t *testing.T) {
	for _, c := range []struct {
		t      wire.Target
		hidden []string
		shown  []string
	}{
		{t: wire.Target{Env: []string{"DB_PASS=hunter-2"}}, hidden: []string{"hunter-2"}},
		{t: wire.Target{Env: []string{"GITHUB_PAT=ghp_1234"}}, hidden: []string{"ghp_1234"}},
		{t: wire.Target{Env: []string{"X=sk-live-12345"}}, hidden: []string{"sk-live-12345"}},
		{t: wire.Target{Env: []string{"DATABASE_URL=postgres://u:pw-1234@host/db"}}, hidden: []string{"pw-1234"}, shown: []string{"host"}},
		{t: wire.Target{Command: []string{"npx", "mcp-remote", "http://h/", "--header", "Authorization: Bearer sk-1"}}, hidden: []string{"Bearer sk-1", "sk-1"}},
		{t: wire.Target{Command: []string{"npx", "X-Api-Key:sk-12345"}}, hidden: []string{"sk-12345"}},
		{t: wire.Target{Command: []string{"run", "postgres://u:pw-1234@h/db"}}, hidden: []string{"pw-1234"}},
		{t: wire.Target{Command: []string{"run", "--dsn=postgres://u:pw-1234@h/db"}}, hidden: []string{"pw-1234"}},
		{t: wire.Target{Command: []string{"docker", "run", "-e", "API_KEY=sk-12345"}}, hidden: []string{"sk-12345"}},
		{
			t:     wire.Target{Env: []string{"MCP_AQL_ENDPOINT_MODE=semantic", "A=production", "B=/var/lib/data", "C=127.0.0.1:8080", "D=http://localhost:3000/x", "E=read-only", "F=300000ms", `G=C:\data`, "H=SOME_NAME", "TEAM_ID=T0123ABCD"}},
			shown: []string{"semantic", "production", "/var/lib/data", "127.0.0.1:8080", "http://localhost:3000/x", "read-only", "300000ms", `C:\data`, "SOME_NAME", "T0123ABCD"},
		},
		{
			t:     wire.Target{Command: []string{"adapter", "https://example.org/mcp", "note: something", "--mode=semantic", "key"}},
			shown: []string{"https://example.org/mcp", "something", "semantic"},
		},
	} {
		var s session.Secrets
		s.AddGiven(c.t.Env)
		s.AddArguments(c.t.Command)
		for _, text := range c.hidden {
			if got := s.Hide("«" + text + "»"); got != "«…»" {
				t.Errorf("%v: %q is shown as %s", c.t, text, got)
			}
		}
		for _, text := range c.shown {
			if got := s.Hide(text); got != text {
				t.Errorf("%v: %q is hidden: %s", c.t, text, got)
			}
		}
	}
}
