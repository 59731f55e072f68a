package adapter

import "slices"

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

// Safety is the execution safety loop of one adapter: which agents are executing,
// and how their reports are evaluated (spec 8.6, 8.7).
type Safety struct {
	Mode    string
	Stages  []Stage
	Running map[string]*Execution // by agent
	Past    map[string]*Execution // by execution_id, running ones included
	last    int
}

func newSafety(mode string) Safety {
	if mode == countingLoop {
		l := newSafety(EnforcingLoop)
		l.Stages = []Stage{StepLimit}
		return l
	}
	return Safety{Mode: mode, Stages: slices.Clone(Pipeline), Running: map[string]*Execution{}, Past: map[string]*Execution{}}
}

// countOnly takes away what other stages would be set by.
func (a *Adapter) countOnly() {
	for i := range a.Operations {
		if a.Operations[i].Name == "execute_agent" {
			a.Operations[i].Parameters = a.Operations[i].Parameters[:2]
		}
	}
	a.Types = slices.DeleteFunc(a.Types, func(t TypeInfo) bool { return t.Name == "RiskTolerance" })
}

func agentName(description string) Parameter {
	return Parameter{Name: "element_name", Type: "string", Required: true, MinLength: Ref(1), MaxLength: Ref(100), Description: description}
}

func patternList(name string, defaults []string, description string) Parameter {
	return Parameter{Name: name, Type: "string[]", Items: map[string]any{"type": "string"}, Default: defaults,
		Description: description + ", as globs over the text of the intended action"}
}

func agentResult(description string) TypeInfo {
	return TypeInfo{Name: "AgentExecution", Kind: "object", Description: description}
}

func loopOperations() []Operation {
	return []Operation{
		{
			Name: "execute_agent", Category: "EXECUTE", Feature: SafetyLoop,
			Description: "Start an agent inside the execution safety loop; it stays pending until a person has approved it beside this adapter",
			Parameters: []Parameter{
				agentName("Name of the agent to start"),
				{Name: "max_autonomous_steps", Type: "integer", Default: 10, Minimum: Ref(1), Maximum: Ref(1000),
					Description: "maxAutonomousSteps: how many steps the agent may report before a person has to let it go on"},
				{Name: "risk_tolerance", Type: "RiskTolerance", Enum: riskTolerances, Default: "moderate",
					Description: "riskTolerance: conservative pauses above a risk of 25, moderate above 50, aggressive above 75"},
				patternList("deny", DefaultDeny, "Actions that block the agent"),
				patternList("requires_approval", DefaultApproval, "requiresApproval: actions that wait for a person"),
				patternList("auto_approve", DefaultAuto, "autoApprove: actions that pass without further evaluation"),
			},
			Returns:  agentResult("The execution, pending or running"),
			Examples: []Example{{"Start an agent that may take five steps", Request("execute_agent", map[string]any{"element_name": "planner", "max_autonomous_steps": 5})}},
			Run:      ExecuteAgent,
		},
		{
			Name: "record_execution_step", Category: "CREATE", Feature: SafetyLoop,
			Description: "Report the next action of an executing agent, before it is done and wherever it is done, and learn whether the agent may proceed",
			Parameters: []Parameter{
				agentName("Agent that reports"),
				{Name: "stepDescription", Type: "string", Description: "What was just done"},
				{Name: "outcome", Type: "StepOutcome", Enum: StepOutcomes, Description: "How that ended; failure pauses the agent"},
				{Name: "nextActionHint", Type: "string", Required: true, MinLength: Ref(1), Description: "What is intended next, in enough detail to judge it"},
				{Name: "findings", Type: "string", Description: "What was learnt from the last step"},
			},
			Returns:  TypeInfo{Name: "StepReport", Kind: "object", Description: "The report as taken, with the directive that decides"},
			Examples: []Example{{"Report a harmless action", Request("record_execution_step", map[string]any{"element_name": "planner", "nextActionHint": "reading README.md"})}},
			Run:      recordStep,
		},
		{
			Name: "complete_execution", Category: "EXECUTE", Feature: SafetyLoop,
			Description: "End the execution of an agent that has done its work",
			Parameters:  []Parameter{agentName("Agent that is done")},
			Returns:     agentResult("The completed execution"),
			Examples:    []Example{{"The agent is done", Request("complete_execution", map[string]any{"element_name": "planner"})}},
			Run:         completeExecution,
		},
		{
			Name: "abort_execution", Category: "EXECUTE", Feature: SafetyLoop,
			Description: "End the execution of an agent before its work is done",
			Parameters:  []Parameter{agentName("Agent to end"), {Name: "reason", Type: "string", Description: "Why it ends"}},
			Returns:     agentResult("The cancelled execution"),
			Examples:    []Example{{"The user gave up", Request("abort_execution", map[string]any{"element_name": "planner", "reason": "cancelled by the user"})}},
			Run:         abortExecution,
		},
		{
			Name: "get_execution", Category: "READ", Feature: SafetyLoop,
			Description: "Get the state of the execution of an agent",
			Parameters:  []Parameter{executionID("Return the execution with this identifier")},
			Returns:     agentResult("The execution as it stands"),
			Examples:    []Example{{"Look at an execution", Request("get_execution", map[string]any{"execution_id": "execution_1"})}},
			Run:         getExecution,
		},
		{
			Name: "confirm_operation", Category: "EXECUTE", Feature: SafetyLoop,
			Description: "Confirm what an agent of the execution safety loop waits for, with the code that only the person beside this adapter is shown",
			Parameters: []Parameter{
				agentName("Agent that waits"),
				{Name: "confirmation_token", Type: "string", Required: true, MinLength: Ref(1), Description: "Token of what is to be confirmed"},
				{Name: "approval_code", Type: "string", Required: true, MinLength: Ref(1), Sensitive: true, Description: "Code that the person was shown"},
			},
			Returns:  TypeInfo{Name: "Confirmation", Kind: "object", Description: "What was confirmed"},
			Examples: []Example{{"Confirm an action", Request("confirm_operation", map[string]any{"element_name": "planner", "confirmation_token": "token of the refusal", "approval_code": "code of the person"})}},
			Run:      confirmOperation,
		},
	}
}
