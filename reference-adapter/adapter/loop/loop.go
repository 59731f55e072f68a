// Package loop is the execution safety loop, with out-of-band verification: an extension of the adapter.
package loop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// The modes of the execution safety loop (spec 8.6.1).
const (
	EnforcingLoop  = "enforcing"
	MonitoringLoop = "monitoring"
	LoggingLoop    = "logging"
	DisabledLoop   = "disabled"
)

// countingLoop enforces the step limit and knows no other stage: the least that
// conforms (spec 8.7.5).
const countingLoop = "counting"

// loopChoices are what an adapter can be told, the one that it has otherwise first.
var loopChoices = []string{EnforcingLoop, MonitoringLoop, LoggingLoop, DisabledLoop, countingLoop}

// A Loop is the execution safety loop of one adapter with its out-of-band verification: which
// agents are executing, and how their reports are evaluated (spec 8.6 to 8.8).
type Loop struct {
	Mode     string
	Stages   []Stage
	Running  map[string]*Execution // by agent
	Past     map[string]*Execution // by execution_id, running ones included
	Verifier verifier

	counting bool
	last     int
}

// New is a loop in that mode, enforcing for "", whose challenges can be met for life, five
// minutes for 0.
func New(mode string, life time.Duration) (*Loop, error) {
	mode = cmp.Or(mode, loopChoices[0])
	if !slices.Contains(loopChoices, mode) {
		return nil, fmt.Errorf("unknown loop %q: want %s", mode, strings.Join(loopChoices, ", "))
	}
	l := &Loop{Mode: mode, Stages: slices.Clone(Pipeline), Running: map[string]*Execution{}, Past: map[string]*Execution{}, Verifier: newVerifier(life)}
	if mode == countingLoop {
		l.Mode, l.Stages, l.counting = EnforcingLoop, []Stage{StepLimit}, true
	}
	return l, nil
}

// Of is that of an adapter.
func Of(a *adapter.Adapter) *Loop { return a.Extension.(*Loop) }

// Operations are those of the loop and of verification.
func (l *Loop) Operations() []adapter.Operation {
	return append(loopOperations(), verifyOperations()...)
}

// Fill adds the types of the loop and of verification.
func (l *Loop) Fill(a *adapter.Adapter) {
	if a.Has(adapter.SafetyLoop) {
		a.Types = append(a.Types, loopTypes()...)
	}
	if l.counting {
		countOnly(a)
	}
	if a.Has(adapter.Verification) {
		a.Types = append(a.Types, verifyTypes()...)
	}
}

// Announce names the mode among the capabilities.
func (l *Loop) Announce(a *adapter.Adapter, capabilities map[string]any) {
	if a.Has(adapter.SafetyLoop) {
		capabilities["execution_safety_loop"] = l.Mode
	}
}

// countOnly takes away what other stages would be set by.
func countOnly(a *adapter.Adapter) {
	for i := range a.Operations {
		if a.Operations[i].Name == "execute_agent" {
			a.Operations[i].Parameters = a.Operations[i].Parameters[:2]
		}
	}
	a.Types = slices.DeleteFunc(a.Types, func(t adapter.TypeInfo) bool { return t.Name == "RiskTolerance" })
}

func agentName(description string) adapter.Parameter {
	return adapter.Parameter{Name: "element_name", Type: "string", Required: true, MinLength: adapter.Ref(1), MaxLength: adapter.Ref(100), Description: description}
}

func patternList(name string, defaults []string, description string) adapter.Parameter {
	return adapter.Parameter{Name: name, Type: "string[]", Items: map[string]any{"type": "string"}, Default: defaults,
		Description: description + ", as globs over the text of the intended action"}
}

func agentResult(description string) adapter.TypeInfo {
	return adapter.TypeInfo{Name: "AgentExecution", Kind: "object", Description: description}
}

func loopOperations() []adapter.Operation { return append(agentOperations(), endings()...) }

// agentOperations are the operations by which an agent starts and reports.
func agentOperations() []adapter.Operation {
	return []adapter.Operation{
		{
			Name: "execute_agent", Category: "EXECUTE", Feature: adapter.SafetyLoop,
			Description: "Start an agent inside the execution safety loop; it stays pending until a person has approved it beside this adapter",
			Parameters: []adapter.Parameter{
				agentName("Name of the agent to start"),
				{Name: "max_autonomous_steps", Type: "integer", Default: 10, Minimum: adapter.Ref(1), Maximum: adapter.Ref(1000),
					Description: "maxAutonomousSteps: how many steps the agent may report before a person has to let it go on"},
				{Name: "risk_tolerance", Type: "RiskTolerance", Enum: riskTolerances, Default: "moderate",
					Description: "riskTolerance: conservative pauses above a risk of 25, moderate above 50, aggressive above 75"},
				patternList("deny", DefaultDeny, "Actions that block the agent"),
				patternList("requires_approval", DefaultApproval, "requiresApproval: actions that wait for a person"),
				patternList("auto_approve", DefaultAuto, "autoApprove: actions that pass without further evaluation"),
			},
			Returns:  agentResult("The execution, pending or running"),
			Examples: []adapter.Example{{Description: "Start an agent that may take five steps", Request: adapter.Request("execute_agent", map[string]any{"element_name": "planner", "max_autonomous_steps": 5})}},
			Run:      ExecuteAgent,
		},
		{
			Name: "record_execution_step", Category: "CREATE", Feature: adapter.SafetyLoop,
			Description: "Report the next action of an executing agent, before it is done and wherever it is done, and learn whether the agent may proceed",
			Parameters: []adapter.Parameter{
				agentName("Agent that reports"),
				{Name: "stepDescription", Type: "string", Description: "What was just done"},
				{Name: "outcome", Type: "StepOutcome", Enum: StepOutcomes, Description: "How that ended; failure pauses the agent"},
				{Name: "nextActionHint", Type: "string", Required: true, MinLength: adapter.Ref(1), Description: "What is intended next, in enough detail to judge it"},
				{Name: "findings", Type: "string", Description: "What was learnt from the last step"},
			},
			Returns:  adapter.TypeInfo{Name: "StepReport", Kind: "object", Description: "The report as taken, with the directive that decides"},
			Examples: []adapter.Example{{Description: "Report a harmless action", Request: adapter.Request("record_execution_step", map[string]any{"element_name": "planner", "nextActionHint": "reading README.md"})}},
			Run:      recordStep,
		},
	}
}

// endings are the operations that end an execution or look at it, and the one that lets it go on.
func endings() []adapter.Operation {
	return []adapter.Operation{
		{
			Name: "complete_execution", Category: "EXECUTE", Feature: adapter.SafetyLoop,
			Description: "End the execution of an agent that has done its work",
			Parameters:  []adapter.Parameter{agentName("Agent that is done")},
			Returns:     agentResult("The completed execution"),
			Examples:    []adapter.Example{{Description: "The agent is done", Request: adapter.Request("complete_execution", map[string]any{"element_name": "planner"})}},
			Run:         completeExecution,
		},
		{
			Name: "abort_execution", Category: "EXECUTE", Feature: adapter.SafetyLoop,
			Description: "End the execution of an agent before its work is done",
			Parameters:  []adapter.Parameter{agentName("Agent to end"), {Name: "reason", Type: "string", Description: "Why it ends"}},
			Returns:     agentResult("The cancelled execution"),
			Examples:    []adapter.Example{{Description: "The user gave up", Request: adapter.Request("abort_execution", map[string]any{"element_name": "planner", "reason": "cancelled by the user"})}},
			Run:         abortExecution,
		},
		{
			Name: "get_execution", Category: "READ", Feature: adapter.SafetyLoop,
			Description: "Get the state of the execution of an agent",
			Parameters:  []adapter.Parameter{adapter.ExecutionID("Return the execution with this identifier")},
			Returns:     agentResult("The execution as it stands"),
			Examples:    []adapter.Example{{Description: "Look at an execution", Request: adapter.Request("get_execution", map[string]any{"execution_id": "execution_1"})}},
			Run:         getExecution,
		},
		{
			Name: "confirm_operation", Category: "EXECUTE", Feature: adapter.SafetyLoop,
			Description: "Confirm what an agent of the execution safety loop waits for, with the code that only the person beside this adapter is shown",
			Parameters: []adapter.Parameter{
				agentName("Agent that waits"),
				{Name: "confirmation_token", Type: "string", Required: true, MinLength: adapter.Ref(1), Description: "Token of what is to be confirmed"},
				{Name: "approval_code", Type: "string", Required: true, MinLength: adapter.Ref(1), Sensitive: true, Description: "Code that the person was shown"},
			},
			Returns:  adapter.TypeInfo{Name: "Confirmation", Kind: "object", Description: "What was confirmed"},
			Examples: []adapter.Example{{Description: "Confirm an action", Request: adapter.Request("confirm_operation", map[string]any{"element_name": "planner", "confirmation_token": "token of the refusal", "approval_code": "code of the person"})}},
			Run:      confirmOperation,
		},
	}
}
