package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// A Target is an adapter and how the operator named it.
type Target struct {
	wire.Target
	shown string   // for the head of the report
	typed []string // the flags that name it, for the line that repeats a finding
}

const example = `for example: aql-conform --cmd './my-adapter --stdio'`

// target returns the one adapter the flags name.
func (f *CheckFlags) target(program []string, stdin io.Reader) (Target, error) {
	var ways []string
	for _, way := range []struct {
		flag  string
		given bool
	}{{"--cmd", f.Cmd != ""}, {"--", program != nil}, {"--url", f.URL != ""}, {"--mcp-config", f.MCPConfig != ""}} {
		if way.given {
			ways = append(ways, way.flag)
		}
	}
	switch {
	case len(ways) == 0 && f.LastFailed != "":
		return Target{}, console.Usage("no adapter is named; --last-failed needs the flags of the run that wrote the report: %s --last-failed %s", "aql-conform --cmd './my-adapter --stdio'", f.LastFailed)
	case len(ways) == 0:
		return Target{}, console.Usage("no adapter is named; " + example)
	case len(ways) > 1:
		return Target{}, console.Usage("%s each name an adapter; name only one; %s", strings.Join(ways, " and "), example)
	case f.Server != "" && f.MCPConfig == "":
		return Target{}, console.Usage("--server %q needs --mcp-config FILE", f.Server)
	}
	switch ways[0] {
	case "--cmd":
		return f.command("--cmd", f.Cmd)
	case "--url":
		return f.reach("--url", f.URL)
	case "--mcp-config":
		return f.configured(stdin)
	}
	if len(program) == 0 || program[0] == "" {
		return Target{}, console.Usage("-- names no program; for example: aql-conform -- ./my-adapter --stdio")
	}
	line := console.Joined(program)
	return f.dressed(Target{Target: wire.Target{Command: program}, shown: line, typed: []string{"--cmd", line}})
}

// other returns the target of --also-cmd or --also-url, else of launch.other in
// the hints file, nil when none is given.
func (f *CheckFlags) other(hints told) (*Target, error) {
	var t Target
	var err error
	switch {
	case f.AlsoCmd != "" && f.AlsoURL != "":
		return nil, console.Usage("--also-cmd and --also-url both name the other endpoint mode; leave one out")
	case f.AlsoCmd != "":
		t, err = f.command("--also-cmd", f.AlsoCmd)
	case f.AlsoURL != "":
		t, err = f.reach("--also-url", f.AlsoURL)
	case hints.Launch.Other != "":
		t, err = f.command(hints.file+": launch.other", hints.Launch.Other)
		t.typed = nil // the file names it again
	default:
		return nil, nil
	}
	return &t, err
}

func (f *CheckFlags) command(flag, line string) (Target, error) {
	words, err := console.Split(flag, line)
	if err != nil {
		return Target{}, err
	}
	return f.dressed(Target{Target: wire.Target{Command: words}, shown: line, typed: []string{flag, line}})
}

func (f *CheckFlags) reach(flag, address string) (Target, error) {
	u, err := url.Parse(address)
	shown := discreet(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return Target{}, console.Usage("%s %q: want an address such as http://localhost:8080/mcp", flag, shown)
	}
	return f.dressed(Target{Target: wire.Target{URL: address}, shown: shown, typed: []string{flag, shown}})
}

// configured reads the target from a file that MCP clients share.
func (f *CheckFlags) configured(stdin io.Reader) (Target, error) {
	r := stdin
	if f.MCPConfig != "-" {
		file, err := os.Open(f.MCPConfig)
		if err != nil {
			return Target{}, console.Usage("--mcp-config: %w", err)
		}
		defer file.Close()
		r = file
	}
	launch, err := fixtures.ReadMCPConfig(r, f.Server)
	var unknown *fixtures.UnknownServerError
	if errors.As(err, &unknown) {
		return Target{}, console.Usage("--mcp-config %s: %w%s", f.MCPConfig, err, console.Meant(unknown.Server, unknown.Known))
	}
	if err != nil {
		return Target{}, console.Usage("--mcp-config %s: %w", f.MCPConfig, err)
	}
	t := Target{typed: []string{"--mcp-config", f.MCPConfig, "--server", launch.Name}}
	if launch.URL != "" {
		return f.reachConfigured(t, launch)
	}
	for _, key := range slices.Sorted(maps.Keys(launch.Env)) {
		t.Env = append(t.Env, key+"="+launch.Env[key])
	}
	t.Command, t.Dir, t.shown = launch.Command, launch.Dir, console.Joined(launch.Command)
	return f.dressed(t)
}

// reachConfigured adds the headers of the file; those of the command line win.
func (f *CheckFlags) reachConfigured(t Target, launch fixtures.Launch) (Target, error) {
	reached, err := f.reach("--mcp-config "+f.MCPConfig+": url", launch.URL)
	if err != nil {
		return t, err
	}
	reached.typed = t.typed
	for name, value := range launch.Header {
		if reached.Header.Get(name) == "" {
			reached.Header.Set(name, value)
		}
	}
	return reached, nil
}

// dressed adds what the flags say beside the target itself.
func (f *CheckFlags) dressed(t Target) (Target, error) {
	t.Revision, t.StartTimeout = f.MCPVersion, f.StartTimeout
	if t.URL != "" {
		var err error
		if t.Header, err = headers(f.Header); err == nil {
			t.Bearer, err = f.bearer(t.URL, t.Header)
		}
		return t, err
	}
	for _, pair := range f.Env {
		if key, _, ok := strings.Cut(pair, "="); !ok || key == "" {
			return t, console.Usage("-e: want KEY=VALUE, for example -e API_TOKEN=$API_TOKEN") // the pair may be the secret
		}
	}
	t.Env = append(t.Env, f.Env...)
	t.Dir = cmp.Or(f.Cwd, t.Dir)
	if t.Dir != "" {
		if info, err := os.Stat(t.Dir); err != nil || !info.IsDir() {
			return t, console.Usage("--cwd %q: no such folder", t.Dir)
		}
	}
	return t, nil
}

// headers reads what was given as 'Name: value'.
func headers(lines []string) (http.Header, error) {
	h := http.Header{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(name, " \t\r\n") || strings.ContainsAny(value, "\r\n") {
			// The line itself may be the secret, so it is not shown.
			return nil, console.Usage(`--header: want 'Name: value', for example 'Authorization: Bearer $TOKEN'`)
		}
		h.Add(name, value)
	}
	return h, nil
}

// misplaced refuses flags that the kind of target cannot use: ignoring them
// would judge something else than the operator thinks.
func (f *CheckFlags) misplaced(targets ...Target) error {
	started, reached := false, false
	for _, t := range targets {
		started = started || t.URL == ""
		reached = reached || t.URL != ""
	}
	switch {
	case len(f.Header) > 0 && !reached:
		return console.Usage("--header needs --url; for an adapter that is started, -e sets its environment")
	case f.OAuth != "" && !reached:
		return console.Usage("--oauth needs --url; for an adapter that is started, -e sets its environment")
	case f.TokenCmd != "" && !reached:
		return console.Usage("--token-cmd needs --url; for an adapter that is started, -e sets its environment")
	case len(f.Env) > 0 && !started:
		return console.Usage("-e needs an adapter that is started; with --url, --header sends credentials")
	case f.Cwd != "" && !started:
		return console.Usage("--cwd needs an adapter that is started, not one at --url; leave one out")
	}
	return nil
}

// again returns the part of a command line that names the target once more. No value of -e or
// --header is in it: any may be a secret, whatever its name. So may an argument of --token-cmd.
func (f *CheckFlags) again(s Secrets, seed uint64, targets ...Target) string {
	var words []string
	for _, t := range targets {
		words = append(words, t.typed...)
	}
	var values []string
	for _, pair := range f.Env {
		key, _, _ := strings.Cut(pair, "=")
		values = append(values, "-e", fromVariable(key, "=", key))
	}
	for _, line := range f.Header {
		name, _, _ := strings.Cut(line, ":")
		values = append(values, "--header", fromVariable(name, ": ", strings.ToUpper(strings.ReplaceAll(name, "-", "_"))))
	}
	tokenCmd := f.TokenCmd
	if strings.ContainsAny(tokenCmd, " \t\n") {
		tokenCmd, values = "", append(values, "--token-cmd", `"$TOKEN_CMD"`)
	}
	for _, flag := range []struct{ name, value string }{
		{"--token-cmd", tokenCmd}, {"--oauth", f.OAuth}, {"--oauth-client", f.OAuthClient}, {"--cwd", f.Cwd}, {"--mcp-version", f.MCPVersion}, {"--allow", strings.Join(f.Allow, ",")}, {"--hints", f.Hints},
	} {
		if flag.value != "" {
			words = append(words, flag.name, flag.value)
		}
	}
	if f.ReadOnly {
		words = append(words, "--read-only")
	}
	if f.NoHints {
		words = append(words, "--no-hints")
	}
	if f.MaxRequests > 0 {
		words = append(words, "--max-requests", strconv.Itoa(f.MaxRequests))
	}
	if f.MaxWrites > 0 {
		words = append(words, "--max-writes", strconv.Itoa(f.MaxWrites))
	}
	for i := range words {
		words[i] = s.Hide(words[i])
	}
	return fmt.Sprintf("%s --seed %d", strings.Join(append([]string{console.Joined(words)}, values...), " "), seed)
}

// shellName matches the name of a variable in a shell.
var shellName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// fromVariable is an argument for a shell: a name, what stands behind it, and a variable for the value.
func fromVariable(name, between, variable string) string {
	if !shellName.MatchString(variable) {
		return console.Quoted(name + between + "…")
	}
	return `"` + name + between + "$" + variable + `"`
}

// userInfo and queryValue match what an address may hold of secrets.
var (
	userInfo   = regexp.MustCompile(`//[^/?#]*@`)
	queryValue = regexp.MustCompile(`([?&])([^=&#]*=|)[^&#]+`)
)

// discreet is an address as lines show it: without its user and password, and without the
// values of its query.
func discreet(address string) string {
	return queryValue.ReplaceAllString(userInfo.ReplaceAllString(address, "//…@"), "$1$2…")
}
