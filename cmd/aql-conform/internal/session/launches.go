package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/web"
	"github.com/aql-conform/aql-conform/suites/export"
)

// commandHints are the hints that name a command to be run beside the adapter, by
// the names of the catalogue.
var commandHints = []string{"reconfigure_cmd", "tool_change_cmd", "safety.code_cmd", "safety.approve_cmd", "safety.admin_unblock_cmd", "audit_cmd", "narrow_token_cmd", "foreign_token_cmd"}

// launchHints are the hints that name another launch, with the label of the
// connections to it.
var launchHints = map[string]string{"restart": probes.Restarted, "low_rate_launch": probes.Limited}

// helpers are the commands of the hints file by name, split and ready.
type helpers map[string][]string

// helpers splits the commands that are run, and the launches that are made, when a
// check asks for them.
func (t told) helpers() (helpers, error) {
	all := helpers{}
	names := slices.Clone(commandHints)
	for name := range launchHints {
		names = append(names, name)
	}
	for _, name := range names {
		line, given := t.Word(name)
		if !given {
			continue
		}
		key, _ := fixtures.Place(name)
		words, err := console.Split(t.file+": "+key, line)
		if err != nil {
			return nil, err
		}
		all[name] = words
	}
	return all, nil
}

// assist lets the engine run the author's commands and make the author's launches.
func (s *Session) assist() {
	s.engine.Commands(func(ctx context.Context, name string, about map[string]string) (string, error) {
		output, err := s.helper(ctx, name, about)
		if !export.PrintsCode(name) && !slices.Contains(slices.Collect(maps.Values(web.TokenCommands)), name) {
			output = ""
		}
		return strings.TrimSpace(output), err
	})
	s.engine.Waits(s.flags.MaxWait, probes.Sleep)
	for name, label := range launchHints {
		command, given := s.helpers[name]
		if !given {
			continue
		}
		launch := probes.Launch{Target: s.Main.Target, Ends: name == "restart"}
		if s.Main.URL != "" {
			launch.Before = func(ctx context.Context) error {
				_, err := s.helper(ctx, name, nil)
				return err
			}
		} else {
			launch.Target.Command = command
		}
		s.engine.Offer("main", label, launch)
	}
}

// helper runs one command of the hints file. What it is wanted for stands in variables
// such as AQL_CONFORM_CHALLENGE.
func (s *Session) helper(ctx context.Context, name string, about map[string]string) (string, error) {
	command, given := s.helpers[name]
	if !given {
		return "", errors.New("the hints file does not name it")
	}
	var variables []string
	for key, value := range about {
		variables = append(variables, "AQL_CONFORM_"+strings.ToUpper(key)+"="+value)
	}
	output, problems, err := s.alongside(ctx, command, s.flags.StartTimeout, variables...)
	if err != nil && problems != "" {
		err = fmt.Errorf("%w: %s", err, strings.Join(lastLines(problems, 1), ""))
	}
	return output, err
}
