package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
)

// given are the secrets that come with the flags, the hints file and the environment.
var given = []planted{
	{"-e, an address", "https://hooks.example/" + drawn("hook", 14, letters), drawn("hook", 14, letters)},
	{"-e, a short number", "4711", ""},
	{"-e, letters alone", drawn("alone", 14, letters[:26]), drawn("alone", 14, letters[:26])},
	{"-e, a key", drawn("key", 20, letters), drawn("key", 20, letters)},
	{"-e, an address with a password", "redis://:" + drawn("redis", 12, letters) + "@cache:6379", drawn("redis", 12, letters)},
	{"--token of the command", drawn("option", 16, letters), drawn("option", 16, letters)},
	{"a sensitive hint", drawn("hint", 16, letters), drawn("hint", 16, letters)},
	{"a hint from the environment", drawn("taken", 16, letters), drawn("taken", 16, letters)},
	{"the environment of a hook", drawn("hooked", 16, letters), drawn("hooked", 16, letters)},
	{"--header", drawn("header", 16, letters), drawn("header", 16, letters)},
	{"--header, Bearer", drawn("bearer", 24, letters), drawn("bearer", 24, letters)},
	{"--token-cmd", drawn("printed", 24, letters), drawn("printed", 24, letters)},
	{"--url, the user", drawn("user", 12, letters), drawn("user", 12, letters)},
	{"--url, the password", drawn("pass", 12, letters), drawn("pass", 12, letters)},
	{"--url, the query", drawn("query", 12, letters), drawn("query", 12, letters)},
	{"--witness, the query", drawn("job", 12, letters), drawn("job", 12, letters)},
	{"--witness, the right", drawn("right", 24, letters), drawn("right", 24, letters)},
}

var brokenLine = regexp.MustCompile(`\n +`)

func givenText(name string) string {
	return given[slices.IndexFunc(given, func(c planted) bool { return c.name == name })].text
}

// found are the forms of a canary that stand in a text.
func (c planted) found(text string) (form string, at int) {
	if c.core == "" { // a short one: chance has to be told apart
		for _, before := range []string{"now ", "with ", "of ", "by ", "="} {
			if at := strings.Index(text, before+c.text); at >= 0 {
				return c.text, at
			}
		}
		return "", -1
	}
	for _, form := range wire.Forms(c.core) {
		if at := strings.Index(text, form); at >= 0 {
			return form, at
		}
	}
	return "", -1
}

// Every secret, in whichever place it comes to a run, is in no output. The verdict is that of an
// adapter whose secrets stand where they stand: whoever judges the transcript comes to the same
// report.
func TestCanaryTable(t *testing.T) {
	for name, outputs := range map[string]func(*testing.T) (map[string]string, []planted){
		"started":             func(t *testing.T) (map[string]string, []planted) { return startedOutputs(t, everything) },
		"reached":             func(t *testing.T) (map[string]string, []planted) { return reachedOutputs(t, everything) },
		"started, for others": func(t *testing.T) (map[string]string, []planted) { return startedOutputs(t, attested) },
		"reached, for others": func(t *testing.T) (map[string]string, []planted) { return reachedOutputs(t, attested) },
	} {
		t.Run(name, func(t *testing.T) {
			expensive(t)
			said, more := outputs(t)
			var all []planted
			all = append(append(append(append(all, given...), shaped()...), titled()...), more...)
			for where, text := range said { // reports for a screen break long words
				if !strings.Contains(where, "json") {
					said[where] = text + brokenLine.ReplaceAllString(text, "")
				}
			}
			leaks, in := map[string][]string{}, map[string]bool{}
			for _, c := range all {
				for _, where := range slices.Sorted(maps.Keys(said)) {
					if form, at := c.found(said[where]); at >= 0 {
						leaks[c.name] = append(leaks[c.name], where)
						in[where] = true
						if len(leaks[c.name]) == 1 {
							t.Errorf("%s holds %s: …%.160q…", where, c.name, said[where][max(0, at-50):min(len(said[where]), at+len(form)+40)])
						}
					}
				}
			}
			n := 0
			for name, where := range leaks {
				n += len(where)
				t.Logf("%s: %v", name, where)
			}
			t.Logf("%d of %d canaries in %d of %d outputs, %d pairs", len(leaks), len(all), len(in), len(said), n)
		})
	}
}

// everything has the adapter judged in every way that writes something, and returns all that was
// written, by name.
func everything(t *testing.T, target ...string) map[string]string {
	t.Helper()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	said := map[string]string{}
	do := func(as string, args ...string) {
		began := time.Now()
		_, said[as] = obeyed(args...)
		t.Logf("%s: %s", as, time.Since(began))
	}
	with := func(args ...string) []string { return append(args, target...) }
	every := []string{"-v", "--seed", "7", "--phases", "negative", "--max-time", "2s", "--max-wait", "1s", "--transcript", at("run.ndjson")}
	for _, format := range reports.Formats() {
		every = append(every, "--report", format+"="+at("report."+format))
	}
	do("run", with(every...)...)
	do("trace", with("--trace", "--run", "AQL-4.6-01", "--transcript", at("run.ndjson.gz"), "--report", "json="+at("traced.json"))...)
	do("baseline", with("--run", "AQL-4.*", "--baseline", at("known.yaml"), "--update-baseline")...)
	do("judge", "judge", "-v", at("run.ndjson"), "--report", "json="+at("judged.json"))
	do("seal", "seal", at("report.json"), "--transcript", at("run.ndjson"), "-o", at("sealed.json"))
	do("verify", "verify", at("sealed.json"), "--transcript", at("run.ndjson"))
	do("diff", "diff", at("report.json"), at("traced.json"))
	do("compare", with(append([]string{"compare", "--run", "AQL-4.6-01"}, "--to-cmd", "refadapter --mode all")...)...)
	do("doctor", with("doctor")...)
	do("dry run", with("--dry-run")...)
	do("init", append([]string{"init", "-o", at("drafted.yaml")}, withoutHints(target)...)...)
	do("no adapter", with("--timeout", "1ns", "--report", "json="+at("nothing.json"))...)
	if line := regexp.MustCompile(`aql-conform replay (v1:[\w-]+)`).FindStringSubmatch(said["run"]); line != nil {
		do("replay", with("replay", line[1])...)
	}
	ctx, end := context.WithCancel(t.Context())
	var watched bytes.Buffer
	obeyedIn(ctx, &until{&watched, "watching", end}, with("watch", "--path", at("known.yaml"), "--run", "AQL-4.6-01")...)
	end()
	said["watch"] = watched.String()
	if read(t, at("judged.json")) != read(t, at("report.json")) || !strings.HasPrefix(said["verify"], "VERIFIED") {
		t.Errorf("under a veil it is another verdict: %s%s", said["judge"], said["verify"])
	}
	if strings.Contains(said["run"], "stand in the transcript as they were") {
		t.Error("no veil fits")
	}
	withFiles(t, said, folder, len(reports.Formats())+7)
	return said
}

// An until is a writer that calls a function once a word is written.
type until struct {
	*bytes.Buffer
	word string
	end  func()
}

func (u *until) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(u.word)) {
		u.end()
	}
	return u.Buffer.Write(b)
}

// withoutHints is the target for init, which takes no hints.
func withoutHints(target []string) []string {
	target = slices.Clone(target)
	for i, word := range target {
		if word == "--hints" || word == "--ledger" {
			return slices.Concat(target[:i], withoutHints(target[i+2:]))
		}
		if word == "--no-hints" {
			return slices.Concat(target[:i], withoutHints(target[i+1:]))
		}
	}
	return target
}

// A procedure does something with an adapter and returns all that was written, by name.
type procedure func(t *testing.T, target ...string) map[string]string

func startedOutputs(t *testing.T, do procedure) (said map[string]string, more []planted) {
	folder := t.TempDir()
	t.Setenv("SIGN_IN", givenText("a hint from the environment"))
	hints := filepath.Join(folder, "hints.yaml")
	write(t, hints, []byte("version: 1\npermissions: {allow: [execute]}\nhooks: {before: sh -c 'echo $HOOK_SECRET >&2'}\n"+
		"samples:\n  execute_export: {password: ['"+givenText("a sensitive hint")+"', '${SIGN_IN}']}\n"))
	said = do(t, "--cmd", "heldadapter gossip WEBHOOK,SHORTPIN,LETTERS,API_KEY,CACHE,HOOK_SECRET --token "+givenText("--token of the command"),
		"-e", "WEBHOOK="+givenText("-e, an address"), "-e", "SHORTPIN="+givenText("-e, a short number"), "-e", "LETTERS="+givenText("-e, letters alone"),
		"-e", "API_KEY="+givenText("-e, a key"), "-e", "CACHE="+givenText("-e, an address with a password"),
		"-e", "HOOK_SECRET="+givenText("the environment of a hook"), "--hints", hints)
	_, said["does not start"] = obeyed("--cmd", "sh -c 'echo $0 $WEBHOOK $LETTERS by $SHORTPIN >&2; env >&2; exit 3' --token "+givenText("--token of the command"),
		"-e", "WEBHOOK="+givenText("-e, an address"), "-e", "SHORTPIN="+givenText("-e, a short number"), "-e", "LETTERS="+givenText("-e, letters alone"))
	return said, nil
}

// printing is a command that prints a text without naming it.
func printing(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "printed")
	write(t, file, []byte(text+"\n"))
	return "cat " + file
}

func reachedOutputs(t *testing.T, do procedure) (said map[string]string, more []planted) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	var mu sync.Mutex
	ledgers := ""
	address, sessions := gossipingServer(t, func(r *http.Request) (all []planted) {
		user, password, _ := r.BasicAuth()
		for _, text := range []string{user, password, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Header.Get("X-Pass"), r.URL.Query().Get("tenant")} {
			if text != "" {
				all = append(all, planted{"echo", text, text})
			}
		}
		return all
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		if raw, err := os.ReadFile(ledger); err == nil && len(ledgers) < 1<<20 {
			ledgers += string(raw)
		}
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(givenText("--url, the user"), givenText("--url, the password"))
	u.RawQuery = "tenant=" + givenText("--url, the query")
	said = do(t, "--url", u.String(), "--header", "X-Pass: "+givenText("--header"), "--no-hints", "--ledger", ledger, "--allow", "create,update,delete")
	_, said["with Bearer"] = obeyed("--url", address, "--header", "Authorization: Bearer "+givenText("--header, Bearer"), "--run", "AQL-4.6-01", "--trace", "--no-hints")
	_, said["with a token command"] = obeyed("--url", address, "--token-cmd", printing(t, givenText("--token-cmd")), "--run", "AQL-4.6-01", "--trace", "--no-hints", "-v")
	said["ledger"] = ledgers
	for _, id := range sessions() {
		more = append(more, planted{fmt.Sprintf("session %.3s…", id), id, id})
	}
	return said, more
}
