package check

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The modes of the execution safety loop. Section 8.6.1.
const (
	Enforcing  = "enforcing"
	Monitoring = "monitoring"
	Logging    = "logging"
	Disabled   = "disabled"
)

var LoopModes = []string{Enforcing, Monitoring, Logging, Disabled}

// LoopOperations are the operations that make up the loop. Section 8.6.7.
var LoopOperations = strings.Fields("execute_agent record_execution_step complete_execution abort_execution")

// LoopCapability is the capability of the loop in one of the places where it is
// found: the example of section 8.6.1 has it beside the operations, the schema in
// _protocol.
func LoopCapability(f *model.Adapter, listing probes.Observation) (key string, value probes.Value) {
	return CapabilityIn(listing, func(name string) bool { return name == "execution_safety_loop" })
}

func CapabilityIn(listing probes.Observation, fits func(name string) bool) (key string, value probes.Value) {
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

// LoopMode is the mode that the capability states: absent when there is no capability.
func LoopMode(f *model.Adapter) probes.Value {
	_, value := LoopCapability(f, f.Listed)
	return value
}

// LoopTraced reports whether there is a trace of the loop: an operation of it, or the
// capability.
func LoopTraced(f *model.Adapter) bool {
	listed := slices.ContainsFunc(LoopOperations, func(name string) bool { _, ok := f.Operation(name); return ok })
	return listed || !LoopMode(f).Is(probes.Absent)
}

// InLoop is the adapter, where its loop is in one of the modes and all is given that
// a script with an agent takes: permission, the operations, the hints. Other modes
// excuse the adapter; a mode that cannot be told does not.
func InLoop(modes []string, hints ...string) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		mode := LoopMode(f)
		if !LoopTraced(f) || slices.Contains(LoopModes, mode.Text()) && !slices.Contains(modes, mode.Text()) {
			return nil
		}
		s := model.Subject{Adapter: f, Name: "record_execution_step"}
		s.Op, _ = f.Operation(s.Name)
		if r, lacks := LoopLacks(f, mode, append([]string{"safety.agent"}, hints...)); lacks {
			s = s.WithRuling(r)
		}
		return []model.Subject{s}
	}
}

// LoopLacks says what keeps the loop from being driven.
func LoopLacks(f *model.Adapter, mode probes.Value, hints []string) (ruling.Ruling, bool) {
	switch {
	case mode.Is(probes.Absent):
		return ruling.NotProven("the mode of the safety loop", "no capability execution_safety_loop").Because("AQL-8.6.1-05"), true
	case !slices.Contains(LoopModes, mode.Text()):
		return ruling.NotProven("the mode of the safety loop", mode).Because("AQL-8.6.1-06"), true
	case !f.May.Execute:
		return ruling.NotProven("permission to execute", "none").Mend("--allow execute"), true
	}
	for _, name := range hints {
		if _, given := f.Hint(name); !given {
			return model.HintMissing(name, LoopHints[name]), true
		}
	}
	for _, name := range []string{"execute_agent", "record_execution_step"} {
		if _, listed := f.Operation(name); !listed && mode.Text() != Disabled {
			return ruling.NotProven("the operation "+name, "none").Because("AQL-8.6.7-04"), true
		}
	}
	return ruling.Ruling{}, false
}

// LoopHints say what each hint about the loop is.
var LoopHints = map[string]string{
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

// The scenes of the safety loop. Each is one script that many checks look at; it has
// room for variants behind its number.
const (
	ReportScene     Scene = 10 * (1 + iota) // ten different reports, some of actions elsewhere
	WordingScene                            // the parameters of a report, one by one
	LimitScene                              // harmless reports until the pause
	SettingScene                            // the same under limits that are set
	FailureScene                            // a failed step
	PatternScene                            // action patterns
	StopScene                               // a hard block, with a second agent beside
	PrecedenceScene                         // patterns that contradict each other
	TierScene                               // actions of each tier
	ToleranceScene                          // one action under each risk tolerance
	GateScene                               // an operation that is held up
	ConfirmScene                            // a pause that a person ends
	EndScene                                // ends of executions
	LenientScene                            // modes that do not bind
	laterScenes                             // the first number for scenes told elsewhere
)

// The scenes of out-of-band verification, each with agents of its own, numbered behind
// those of the loop.
const (
	ConsentScene = laterScenes + iota
	WaysScene
	DangerScene
	CalmScene
	WrongScene
	ReuseScene
	ErrorScene
	RefusalScene
	OutsideScene
	FreshScene
	ParalysisScene
	StaleScene
	AfreshScene
	DeadScene
	GuessScene
	BlockRestartScene
	PauseRestartScene
	GuessRestartScene
)

// Numbers of codes and attempts: Section 8.8.5 lets ten fail.
const (
	ManyCodes   = 20
	FewIDs      = 10
	ManyGuesses = 12
)

// LiftsBlock is the author's command that lifts the block of an agent.
const LiftsBlock = "safety.admin_unblock_cmd"
