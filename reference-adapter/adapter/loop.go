package adapter

import "slices"

// The modes of the execution safety loop (spec 8.6.1).
const (
	enforcingLoop  = "enforcing"
	monitoringLoop = "monitoring"
	loggingLoop    = "logging"
	disabledLoop   = "disabled"
)

// countingLoop enforces the step limit and knows no other stage: the least that
// conforms (spec 8.7.5).
const countingLoop = "counting"

// loopChoices are what an adapter can be told, the one that it has otherwise first.
var loopChoices = []string{enforcingLoop, monitoringLoop, loggingLoop, disabledLoop, countingLoop}

// safety is the execution safety loop of one adapter: which agents are executing,
// and how their reports are evaluated (spec 8.6, 8.7).
type safety struct {
	mode    string
	stages  []stage
	running map[string]*execution // by agent
	past    map[string]*execution // by execution_id, running ones included
	last    int
}

func newSafety(mode string) safety {
	if mode == countingLoop {
		l := newSafety(enforcingLoop)
		l.stages = []stage{stepLimit}
		return l
	}
	return safety{mode: mode, stages: slices.Clone(pipeline), running: map[string]*execution{}, past: map[string]*execution{}}
}

// countOnly takes away what other stages would be set by.
func (a *Adapter) countOnly() {
	for i := range a.operations {
		if a.operations[i].Name == "execute_agent" {
			a.operations[i].Parameters = a.operations[i].Parameters[:2]
		}
	}
	a.types = slices.DeleteFunc(a.types, func(t typeInfo) bool { return t.Name == "RiskTolerance" })
}

func agentName(description string) parameter {
	return parameter{Name: "element_name", Type: "string", Required: true, MinLength: ref(1), MaxLength: ref(100), Description: description}
}

func patternList(name string, defaults []string, description string) parameter {
	return parameter{Name: name, Type: "string[]", Items: map[string]any{"type": "string"}, Default: defaults,
		Description: description + ", as globs over the text of the intended action"}
}

func agentResult(description string) typeInfo {
	return typeInfo{Name: "AgentExecution", Kind: "object", Description: description}
}

func loopOperations() []operation {
	return []operation{
		{
			Name: "execute_agent", Category: "EXECUTE", Feature: safetyLoop,
			Description: "Start an agent inside the execution safety loop; it stays pending until a person has approved it beside this adapter",
			Parameters: []parameter{
				agentName("Name of the agent to start"),
				{Name: "max_autonomous_steps", Type: "integer", Default: 10, Minimum: ref(1), Maximum: ref(1000),
					Description: "maxAutonomousSteps: how many steps the agent may report before a person has to let it go on"},
				{Name: "risk_tolerance", Type: "RiskTolerance", Enum: riskTolerances, Default: "moderate",
					Description: "riskTolerance: conservative pauses above a risk of 25, moderate above 50, aggressive above 75"},
				patternList("deny", defaultDeny, "Actions that block the agent"),
				patternList("requires_approval", defaultApproval, "requiresApproval: actions that wait for a person"),
				patternList("auto_approve", defaultAuto, "autoApprove: actions that pass without further evaluation"),
			},
			Returns:  agentResult("The execution, pending or running"),
			Examples: []example{{"Start an agent that may take five steps", request("execute_agent", map[string]any{"element_name": "planner", "max_autonomous_steps": 5})}},
			run:      executeAgent,
		},
		{
			Name: "record_execution_step", Category: "CREATE", Feature: safetyLoop,
			Description: "Report the next action of an executing agent, before it is done and wherever it is done, and learn whether the agent may proceed",
			Parameters: []parameter{
				agentName("Agent that reports"),
				{Name: "stepDescription", Type: "string", Description: "What was just done"},
				{Name: "outcome", Type: "StepOutcome", Enum: stepOutcomes, Description: "How that ended; failure pauses the agent"},
				{Name: "nextActionHint", Type: "string", Required: true, MinLength: ref(1), Description: "What is intended next, in enough detail to judge it"},
				{Name: "findings", Type: "string", Description: "What was learnt from the last step"},
			},
			Returns:  typeInfo{Name: "StepReport", Kind: "object", Description: "The report as taken, with the directive that decides"},
			Examples: []example{{"Report a harmless action", request("record_execution_step", map[string]any{"element_name": "planner", "nextActionHint": "reading README.md"})}},
			run:      recordStep,
		},
		{
			Name: "complete_execution", Category: "EXECUTE", Feature: safetyLoop,
			Description: "End the execution of an agent that has done its work",
			Parameters:  []parameter{agentName("Agent that is done")},
			Returns:     agentResult("The completed execution"),
			Examples:    []example{{"The agent is done", request("complete_execution", map[string]any{"element_name": "planner"})}},
			run:         completeExecution,
		},
		{
			Name: "abort_execution", Category: "EXECUTE", Feature: safetyLoop,
			Description: "End the execution of an agent before its work is done",
			Parameters:  []parameter{agentName("Agent to end"), {Name: "reason", Type: "string", Description: "Why it ends"}},
			Returns:     agentResult("The cancelled execution"),
			Examples:    []example{{"The user gave up", request("abort_execution", map[string]any{"element_name": "planner", "reason": "cancelled by the user"})}},
			run:         abortExecution,
		},
		{
			Name: "get_execution", Category: "READ", Feature: safetyLoop,
			Description: "Get the state of the execution of an agent",
			Parameters:  []parameter{executionID("Return the execution with this identifier")},
			Returns:     agentResult("The execution as it stands"),
			Examples:    []example{{"Look at an execution", request("get_execution", map[string]any{"execution_id": "execution_1"})}},
			run:         getExecution,
		},
		{
			Name: "confirm_operation", Category: "EXECUTE", Feature: safetyLoop,
			Description: "Confirm what an agent of the execution safety loop waits for, with the code that only the person beside this adapter is shown",
			Parameters: []parameter{
				agentName("Agent that waits"),
				{Name: "confirmation_token", Type: "string", Required: true, MinLength: ref(1), Description: "Token of what is to be confirmed"},
				{Name: "approval_code", Type: "string", Required: true, MinLength: ref(1), Sensitive: true, Description: "Code that the person was shown"},
			},
			Returns:  typeInfo{Name: "Confirmation", Kind: "object", Description: "What was confirmed"},
			Examples: []example{{"Confirm an action", request("confirm_operation", map[string]any{"element_name": "planner", "confirmation_token": "token of the refusal", "approval_code": "code of the person"})}},
			run:      confirmOperation,
		},
	}
}
