package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes/bearer"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// bearer returns where the tokens of a target over HTTP come from; nil where it gets none.
func (f *CheckFlags) bearer(header http.Header) (*bearer.Source, error) {
	if f.TokenCmd == "" {
		return nil, nil
	}
	if header.Get("Authorization") != "" {
		return nil, console.Usage("--token-cmd and --header Authorization both give the token; leave one out")
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
