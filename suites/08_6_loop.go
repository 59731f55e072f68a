package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// The modes of the execution safety loop. Section 8.6.1.
const (
	enforcing  = "enforcing"
	monitoring = "monitoring"
	logging    = "logging"
	disabled   = "disabled"
)

var loopModes = []string{enforcing, monitoring, logging, disabled}

// loopOperations are the operations that make up the loop. Section 8.6.7.
var loopOperations = strings.Fields("execute_agent record_execution_step complete_execution abort_execution")

// loopCapability is the capability of the loop in one of the places where it is
// found: the example of section 8.6.1 has it beside the operations, the schema in
// _protocol.
func (f *Face) loopCapability(listing probes.Observation) (key string, value probes.Value) {
	return capabilityIn(listing, func(name string) bool { return name == "execution_safety_loop" })
}

func capabilityIn(listing probes.Observation, fits func(name string) bool) (key string, value probes.Value) {
	for _, place := range []probes.Value{
		listing.Data().At("_protocol", "capabilities"), listing.Data().At("capabilities"),
		listing.Envelope().At("capabilities"), listing.Envelope().At("_protocol", "capabilities"),
	} {
		for _, m := range place.Members() {
			if fits(m.Name) {
				return m.Name, m.Value
			}
		}
	}
	return "", probes.Value{}
}

// loopMode is the mode that the capability states: absent when there is no capability.
func (f *Face) loopMode() probes.Value {
	_, value := f.loopCapability(f.Listed)
	return value
}

// loopTraced reports whether there is a trace of the loop: an operation of it, or the
// capability.
func (f *Face) loopTraced() bool {
	listed := slices.ContainsFunc(loopOperations, func(name string) bool { _, ok := f.Operation(name); return ok })
	return listed || !f.loopMode().Is(probes.Absent)
}

// inLoop is the adapter, where its loop is in one of the modes and all is given that
// a script with an agent takes: permission, the operations, the hints. Other modes
// excuse the adapter; a mode that cannot be told does not.
func inLoop(modes []string, hints ...string) func(*Face) []Subject {
	return func(f *Face) []Subject {
		mode := f.loopMode()
		if !f.loopTraced() || slices.Contains(loopModes, mode.Text()) && !slices.Contains(modes, mode.Text()) {
			return nil
		}
		s := Subject{Face: f, Name: "record_execution_step"}
		s.Op, _ = f.Operation(s.Name)
		if r, lacks := f.loopLacks(mode, append([]string{"safety.agent"}, hints...)); lacks {
			s = s.settle(r)
		}
		return []Subject{s}
	}
}

// loopLacks says what keeps the loop from being driven.
func (f *Face) loopLacks(mode probes.Value, hints []string) (Ruling, bool) {
	switch {
	case mode.Is(probes.Absent):
		return NotProven("the mode of the safety loop", "no capability execution_safety_loop").Because("AQL-8.6.1-05"), true
	case !slices.Contains(loopModes, mode.Text()):
		return NotProven("the mode of the safety loop", mode).Because("AQL-8.6.1-06"), true
	case !f.May.Execute:
		return NotProven("permission to execute", "none").Mend("--allow execute"), true
	}
	for _, name := range hints {
		if _, given := f.Hint(name); !given {
			return unhinted(name, loopHints[name]), true
		}
	}
	for _, name := range []string{"execute_agent", "record_execution_step"} {
		if _, listed := f.Operation(name); !listed && mode.Text() != disabled {
			return NotProven("the operation "+name, "none").Because("AQL-8.6.7-04"), true
		}
	}
	return Ruling{}, false
}

// loopHints say what each hint about the loop is.
var loopHints = map[string]string{
	"safety.agent":             "an agent that may be started",
	"safety.deny_hint":         "a next action that blocks the agent",
	"safety.approval_hint":     "a next action that needs approval",
	"safety.auto_hint":         "a next action that is approved by itself",
	"safety.confirm_hint":      "a next action of the confirm tier",
	"safety.verify_hint":       "a next action of the verify tier",
	"safety.danger_hint":       "a next action of the danger tier",
	"safety.tolerance":         "a next action whose directive depends on the risk tolerance",
	"safety.step_limit":        "how many steps an agent may report before it is paused",
	"safety.challenge_timeout": "how long a challenge is valid",
	"safety.code_cmd":          "a command that prints the code a person would be shown",
	"safety.approve_cmd":       "a command that approves what the agent waits for",
	"safety.admin_unblock_cmd": "a command that lifts the block of an agent",
	"confirm":                  "an operation that waits for a confirmation",
}
