package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes/bearer"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
)

// bearer returns where the tokens of a target over HTTP come from; nil where it gets none.
func (f *CheckFlags) bearer(address string, header http.Header) (*bearer.Source, error) {
	way := "--token-cmd"
	if f.OAuth != "" {
		way = "--oauth"
	}
	switch {
	case f.OAuth == "" && f.OAuthClient != "":
		return nil, console.Usage("--oauth-client needs --oauth browser or --oauth device")
	case f.OAuth == "" && f.TokenCmd == "":
		return nil, nil
	case f.OAuth != "" && f.TokenCmd != "":
		return nil, console.Usage("--oauth and --token-cmd both give the token; leave one out")
	case header.Get("Authorization") != "":
		return nil, console.Usage("%s and --header Authorization both give the token; leave one out", way)
	}
	if f.OAuth != "" {
		if err := console.OneOf("--oauth", f.OAuth, []string{"browser", "device"}); err != nil {
			return nil, err
		}
		return bearer.SignIn{Address: address, Header: header, Client: f.OAuthClient, Device: f.OAuth == "device", Show: f.ask}.Source(), nil
	}
	words, err := console.Split("--token-cmd", f.TokenCmd)
	if err != nil {
		return nil, err
	}
	return bearer.New(func(ctx context.Context) (string, error) { return f.printedToken(ctx, words) }), nil
}

// printedToken runs the command that prints a token. What it prints may be a token also where it
// fails, so no error repeats it.
func (f *CheckFlags) printedToken(ctx context.Context, command []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, f.StartTimeout)
	defer cancel()
	output, problems, err := wire.Once(ctx, wire.Target{Command: command})
	token := strings.TrimSpace(output)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("not done within %s (--start-timeout)", f.StartTimeout)
		}
		printed := Secrets(strings.Fields(output))
		if said := strings.Join(lastLines(printed.Hide(problems), 1), ""); said != "" {
			err = fmt.Errorf("%w: %s", err, said)
		}
		return "", fmt.Errorf("--token-cmd: %w", err)
	}
	if !bearer.WellFormed(token) {
		return "", errors.New("--token-cmd: want the token alone on standard output, in printable characters without spaces")
	}
	return token, nil
}

// ask asks the operator to sign in, and opens a browser where there is one.
func (f *CheckFlags) ask(address, code string) {
	w := cmp.Or(f.asks, io.Discard)
	if code != "" {
		fmt.Fprintf(w, "aql-conform: to sign in, open %s and enter the code %s\n", reports.Inert(address), reports.Inert(code))
		return
	}
	fmt.Fprintf(w, "aql-conform: to sign in, open this address in a browser on this machine:\n%s\n", reports.Inert(address))
	if browser := browser(); browser != nil {
		go func() { // whether it works shows when the user has signed in
			_, _, _ = wire.Once(context.Background(), wire.Target{Command: append(browser, address)})
		}()
	}
}

// browser is the command that shows an address; nil for none.
func browser() []string {
	if named := strings.Fields(os.Getenv("BROWSER")); len(named) > 0 {
		return named
	}
	switch {
	case runtime.GOOS == "darwin":
		return []string{"open"}
	case runtime.GOOS == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case os.Getenv("DISPLAY")+os.Getenv("WAYLAND_DISPLAY") != "":
		return []string{"xdg-open"}
	}
	return nil
}

// connect connects to a target. A token is there before: signing in may take a person longer than an
// adapter may take to start.
func (s *Session) connect(ctx context.Context, face string, t Target) error {
	if t.Bearer != nil {
		if _, err := t.Bearer.Token(ctx); err != nil {
			return &wire.StartError{Stage: "token", Err: err}
		}
		s.recorder.Hide(s.hidden()...)
	}
	return s.engine.Open(ctx, face, t.Target)
}

// hidden are all secrets that are known by now: tokens come while a run goes on.
func (o *Order) hidden() Secrets {
	all := slices.Clone(o.secrets)
	targets := []Target{o.Main}
	if o.also != nil {
		targets = append(targets, *o.also)
	}
	for _, t := range targets {
		for _, token := range t.Bearer.Tokens() {
			all.add(token)
		}
	}
	return all
}
