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

// LoopModes are all modes of the loop.
var LoopModes = []string{Enforcing, Monitoring, Logging, Disabled}

// LoopOperations are the operations of the loop. Section 8.6.7.
var LoopOperations = strings.Fields("execute_agent record_execution_step complete_execution abort_execution")

// LoopCapability returns the capability of the loop. The example in section 8.6.1 has it next to
// the operations, the schema in _protocol.
func LoopCapability(f *model.Adapter, listing probes.Observation) (key string, value probes.Value) {
	return CapabilityIn(listing, func(name string) bool { return name == "execution_safety_loop" })
}

// CapabilityIn returns the first capability whose name fits, in any of the usual places.
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

// LoopMode is the mode that the capability states; absent if there is no capability.
func LoopMode(f *model.Adapter) probes.Value {
	_, value := LoopCapability(f, f.Listed)
	return value
}

// LoopPresent reports whether the adapter lists an operation of the loop or its capability. One that states false says
// that it has none.
func LoopPresent(f *model.Adapter) bool {
	mode := LoopMode(f)
	return loopListed(f) || !mode.Is(probes.Absent) && !mode.False()
}

func loopListed(f *model.Adapter) bool {
	return slices.ContainsFunc(LoopOperations, func(name string) bool { _, ok := f.Operation(name); return ok })
}

// LoopIsOff reports whether an adapter says that it has no loop, and lists no operation of one: there is nothing to ask.
func LoopIsOff(f *model.Adapter) bool {
	mode := LoopMode(f)
	return (mode.Text() == Disabled || mode.False()) && !loopListed(f)
}

// InLoopModes returns the adapter if its loop is in one of the modes. It is not proven without the
// permission, operations and hints that an agent needs. Other modes excuse the adapter; an unknown
// mode does not.
func InLoopModes(modes []string, hints ...string) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		mode := LoopMode(f)
		if !LoopPresent(f) || slices.Contains(LoopModes, mode.Text()) && !slices.Contains(modes, mode.Text()) {
			return nil
		}
		s := model.Subject{Adapter: f, Name: "record_execution_step"}
		s.Op, _ = f.Operation(s.Name)
		if r, lacks := LoopObstacle(f, mode, append([]string{"safety.agent"}, hints...)); lacks {
			s = s.WithRuling(r)
		}
		return []model.Subject{s}
	}
}

// LoopObstacle returns the ruling on what prevents an agent in the loop.
func LoopObstacle(f *model.Adapter, mode probes.Value, hints []string) (ruling.Ruling, bool) {
	if r, lacks := LoopUnprepared(f, mode, hints); lacks {
		return r, true
	}
	_, reports := f.Operation(ReportOperation)
	_, starts := f.Operation("execute_agent")
	switch {
	case mode.Text() == Disabled:
	case !reports:
		return ruling.NotProven("the operation "+ReportOperation, "none").Because("AQL-8.6.7-04"), true
	case !starts: // permitted where the loop is on by configuration
		return ruling.NotProven("the operation execute_agent", "none"), true
	}
	return ruling.Ruling{}, false
}

// LoopUnprepared returns the ruling on what the run or the capability lacks to ask for the loop, whatever is listed.
func LoopUnprepared(f *model.Adapter, mode probes.Value, hints []string) (ruling.Ruling, bool) {
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
	return ruling.Ruling{}, false
}

// LoopHints describe the hints about the loop.
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
	AuditCommand:               "a command that prints the audit trail of the adapter",
	"confirm":                  "an operation that waits for a confirmation",
}

// scenarioNumbers is the distance of the numbers of scenarios. It makes the names of agents short.
const scenarioNumbers = 10_000

// The scenarios of the safety loop. Several checks share each of them.
const (
	ReportScenario          Scenario = "reports"            // ten different reports, some of actions in other places
	ReportParameterScenario Scenario = "report parameters"  // the parameters of a report, one by one
	StepLimitScenario       Scenario = "step limit"         // harmless reports until the pause
	ConfiguredLimitScenario Scenario = "configured limit"   // the same with configured limits
	FailedStepScenario      Scenario = "failed step"        // a failed step
	OutcomeScenario         Scenario = "outcomes"           // reports with an outcome, and the same ones without
	PatternScenario         Scenario = "patterns"           // action patterns
	AutoApproveScenario     Scenario = "approved by itself" // an action on the list of those that pass, and off it
	HardBlockScenario       Scenario = "hard block"         // a hard block of one of two agents
	PrecedenceScenario      Scenario = "precedence"         // contradicting patterns
	TierScenario            Scenario = "tiers"              // actions of each tier
	ToleranceScenario       Scenario = "tolerance"          // one action under each risk tolerance
	GateScenario            Scenario = "blocked operation"  // a blocked operation
	ConfirmScenario         Scenario = "confirmed pause"    // a pause that a person ends
	ExecutionEndScenario    Scenario = "ends of executions" // ends of executions
	NonBindingModeScenario  Scenario = "non-binding mode"   // modes that do not enforce
)

// The scenarios of out-of-band verification. Each has its own agents.
const (
	CollectCodesScenario         Scenario = "codes"
	BypassScenario               Scenario = "bypass"
	DangerTierScenario           Scenario = "danger tier"
	NoChallengeScenario          Scenario = "no challenge"
	WrongCodeScenario            Scenario = "wrong code"
	CodeReuseScenario            Scenario = "code reuse"
	VerifyErrorScenario          Scenario = "verify errors"
	BlockedAgentScenario         Scenario = "blocked agent"
	BlockBypassScenario          Scenario = "block bypass"
	StartBlockedAgentScenario    Scenario = "start of a blocked agent"
	ParallelStartScenario        Scenario = "parallel start"
	ExpiredCodeScenario          Scenario = "expired code"
	ExpiredPauseScenario         Scenario = "expired pause"
	ExpiredBlockScenario         Scenario = "expired block"
	GuessingScenario             Scenario = "guessing"
	RestartWhileBlockedScenario  Scenario = "restart while blocked"
	KilledWhileBlockedScenario   Scenario = "killed while blocked"
	RestartWhilePausedScenario   Scenario = "restart while paused"
	RestartAfterGuessingScenario Scenario = "restart after guessing"
	AuditedFailureScenario       Scenario = "audited failure" // a wrong code, with a look at the audit trail before and after
)

// Numbers of codes, challenges and attempts. Section 8.8.5 allows ten failures.
const (
	MinCodes        = 20
	MinChallengeIDs = 10
	MaxGuesses      = 12
)

// UnblockCommand is the command that lifts the block of an agent.
const UnblockCommand = "safety.admin_unblock_cmd"
