package probes

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// commandMethod marks a probe that asks the author's machine, not the adapter.
const commandMethod = "$command/"

// A Runner runs the command that the author gave under a name, for example
// "safety.code_cmd". about says what it is wanted for, by name. It returns what the
// command wrote; an error is why it did not run to a good end.
type Runner func(ctx context.Context, name string, about map[string]string) (output string, err error)

// Command returns the probe that runs a command of the author: what a person would
// read or do beside the wire. conn is the connection whose adapter it concerns.
func Command(conn, name string, about map[string]string) Probe {
	return Request(conn, commandMethod+name, about)
}

// CommandName returns the name of the command that the probe runs; empty when it is
// a request to the adapter.
func (p Probe) CommandName() string {
	name, _ := strings.CutPrefix(p.Method, commandMethod)
	if name == p.Method {
		return ""
	}
	return name
}

// Output returns what a command wrote, without the space around it; empty when it
// did not run to a good end.
func (o Observation) Output() string { return strings.TrimSpace(o.Result().At("output").Text()) }

// Commands sets what runs the author's commands. Without it, none is run.
func (e *Engine) Commands(run Runner) { e.runner = run }

// command runs a command and writes its output down as an answer, so that a judge
// reads it like any other.
func (e *Engine) command(ctx context.Context, p Probe) Observation {
	if e.runner == nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "no commands are run"}
	}
	about := map[string]string{}
	_ = json.Unmarshal(p.Raw(), &about) // made from such a map
	output, err := e.runner(ctx, p.CommandName(), about)
	if err != nil {
		return Observation{Probe: p, Outcome: Gone, Exit: fmt.Sprintf("command %s: %v", p.CommandName(), err)}
	}
	answer := ValueOf(map[string]any{"jsonrpc": "2.0", "id": 0, "result": map[string]string{"output": output}})
	return Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: answer.Raw()}})
}
