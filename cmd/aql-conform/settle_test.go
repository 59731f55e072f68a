package main

import (
	"bytes"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

func TestPermissions(t *testing.T) {
	for _, c := range []struct {
		flags   session.CheckFlags
		started bool
		hinted  fixtures.Permissions
		want    model.Permissions
	}{
		{session.CheckFlags{}, true, fixtures.Permissions{}, model.Permissions{Create: true, Update: true, Delete: true}},
		{session.CheckFlags{}, false, fixtures.Permissions{}, model.Permissions{}},
		{session.CheckFlags{LeaveFlags: session.LeaveFlags{Allow: []string{"execute"}}}, true, fixtures.Permissions{}, model.Permissions{Create: true, Update: true, Delete: true, Execute: true}},
		{session.CheckFlags{LeaveFlags: session.LeaveFlags{Allow: []string{"create", "delete"}}}, false, fixtures.Permissions{}, model.Permissions{Create: true, Delete: true}},
		{session.CheckFlags{LeaveFlags: session.LeaveFlags{ReadOnly: true}}, true, fixtures.Permissions{}, model.Permissions{ReadOnly: true}},
		{session.CheckFlags{}, false, fixtures.Permissions{Allow: []string{"create", "delete"}}, model.Permissions{Create: true, Delete: true}},
		{session.CheckFlags{}, true, fixtures.Permissions{ReadOnly: true}, model.Permissions{ReadOnly: true}},
		{session.CheckFlags{LeaveFlags: session.LeaveFlags{ReadOnly: true}}, true, fixtures.Permissions{Allow: []string{"execute"}}, model.Permissions{ReadOnly: true}},
		{session.CheckFlags{LeaveFlags: session.LeaveFlags{Allow: []string{"create"}}}, false, fixtures.Permissions{ReadOnly: true}, model.Permissions{Create: true}},
		{session.CheckFlags{LeaveFlags: session.LeaveFlags{Allow: []string{"create"}}}, false, fixtures.Permissions{Allow: []string{"execute"}}, model.Permissions{Create: true}},
		{session.CheckFlags{LeaveFlags: session.LeaveFlags{Allow: []string{"create:send_*"}}}, false, fixtures.Permissions{Allow: []string{"execute"}}, model.Permissions{Execute: true, Named: []string{"create:send_*"}}},
	} {
		if got, err := c.flags.Permissions(c.started, c.hinted); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, started %v, hinted %+v: got %+v, %v; want %+v", c.flags, c.started, c.hinted, got, err, c.want)
		}
	}
	flags := session.CheckFlags{LeaveFlags: session.LeaveFlags{Allow: []string{"create:send_*"}}}
	if got, err := flags.Permissions(true, fixtures.Permissions{ReadOnly: true}); err == nil {
		t.Errorf("one operation is allowed beside read_only in the hints file: %+v", got)
	}
}

func TestSecretsAreFoundAndHidden(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "from-the-environment")
	t.Setenv("GIT_AUTHOR_NAME", "a person's name")
	s := session.SecretsOf(wire.Target{
		Command: []string{"./x", "--api-key=joined-secret", "--password", "parted-secret", "--auth", "none", "--mode", "all-of-them"},
		Env:     []string{"DB_PASSWORD=p4ss", "MODE=semantic-mode"},
		URL:     "https://me:url-secret@host/mcp?access_token=query-secret&page=public-page",
		Header:  http.Header{"Authorization": {"Bearer header-secret"}},
	})
	for _, secret := range []string{"from-the-environment", "joined-secret", "parted-secret", "p4ss",
		"url-secret", "query-secret", "Bearer header-secret", "header-secret"} {
		if got := s.Hide("<" + secret + ">"); got != "<…>" {
			t.Errorf("%q is shown as %q", secret, got)
		}
	}
	for _, public := range []string{"a person's name", "none", "all-of-them", "semantic-mode", "public-page"} {
		if got := s.Hide(public); got != public {
			t.Errorf("%q is hidden as %q; masking it would break answers of the adapter", public, got)
		}
	}
}

func TestAgainNamesTheTargetAndNoSecret(t *testing.T) {
	f := session.CheckFlags{Run: []string{"routing"}, Level: "1", Basis: "all", OutputFlags: console.OutputFlags{Color: "auto"}, LeaveFlags: session.LeaveFlags{ReadOnly: true},
		TargetFlags: session.TargetFlags{Env: []string{"API_TOKEN=canary-1", "WEBHOOK=https://hooks.example/canary7", "a.b=canary8"}, Timeout: time.Second, StartTimeout: time.Second, Jobs: 1}, MaxTime: time.Second}
	o, err := f.Settle([]string{"./my-adapter", "it's", "--token", "canary-22"}, console.Console{})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`--cmd './my-adapter '\''it'\''\'\'''\''s'\'' --token …' --read-only -e "API_TOKEN=$API_TOKEN" -e "WEBHOOK=$WEBHOOK" -e 'a.b=…' --seed %d`, o.Seed)
	if o.Again != want {
		t.Errorf("got  %s\nwant %s", o.Again, want)
	}
	f.Env, f.URL, f.Header = nil, "https://user:canary-3@host/mcp?tenant=canary-4&canary-5", []string{"X-Pass: canary-6"}
	if o, err = f.Settle(nil, console.Console{}); err != nil {
		t.Fatal(err)
	}
	want = fmt.Sprintf(`--url 'https://…@host/mcp?tenant=…&…' --read-only --header "X-Pass: $X_PASS" --seed %d`, o.Seed)
	if o.Again != want {
		t.Errorf("got  %s\nwant %s", o.Again, want)
	}
}

func TestNonceComesFromTheSeed(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(1000) {
		n := session.Nonce(seed)
		if len(n) != 8 || strings.Trim(n, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
			t.Fatalf("seed %d gives %q; want 8 digits and small letters", seed, n)
		}
		seen[n] = true
	}
	if again := session.Nonce(41); len(seen) != 1000 || session.Nonce(41) != again {
		t.Errorf("1000 seeds give %d nonces", len(seen))
	}
}

func TestProgressLeavesNothingBehind(t *testing.T) {
	var screen bytes.Buffer
	p := &session.Progress{W: &screen}
	p.Asked(7)
	p.Erase()
	if got := screen.String(); got != "\r\x1b[Klooking around, 7 requests\r\x1b[K" {
		t.Errorf("got %q", got)
	}
	p.Judged(reports.Finding{}) // a late answer must not draw the line again
	if !strings.HasSuffix(screen.String(), "requests\r\x1b[K") {
		t.Errorf("drawn after it was erased: %q", screen.String())
	}
}

// Where no line can be drawn over, a long run tells every ten seconds that it goes on.
func TestPlainProgress(t *testing.T) {
	t.Setenv("CI", "")
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := session.NewProgress(&log)
		time.Sleep(500 * time.Millisecond) // between two of its pulses
		for n := range 25 {
			p.Asked(n)
			time.Sleep(time.Second)
		}
		p.Expect(30)
		p.Erase()
		p.Asked(99)
		want := "aql-conform: looking around, 9 requests, 1/s\naql-conform: looking around, 19 requests, 1/s\n"
		if log.String() != want {
			t.Errorf("got %q, want %q", log.String(), want)
		}
	})
}

func TestPanicIsOneLine(t *testing.T) {
	var stderr bytes.Buffer
	code := run(t.Context(), []string{"version"}, nil, panics{}, &stderr)
	got := stderr.String()
	if code != console.ExitFault || strings.Count(got, "\n") != 1 {
		t.Fatalf("exit code %d, stderr %q; want 6 and one line", code, got)
	}
	for _, part := range []string{console.Version(), "panicked: no room", "settle_test.go:", console.Home} {
		if !strings.Contains(got, part) {
			t.Errorf("%q lacks %q", got, part)
		}
	}
}

type panics struct{}

func (panics) Write([]byte) (int, error) { panic("no room") }
