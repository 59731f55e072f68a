package loop

import "github.com/aql-conform/aql-conform/reference-adapter/adapter"

var (
	agentStates       = []string{"pending", "running", "completed", "cancelled"}
	StepOutcomes      = []string{"success", "failure", "skipped"}
	safetyTiers       = []string{"advisory", "confirm", "verify", "danger_zone"}
	riskTolerances    = []string{"conservative", "moderate", "aggressive"}
	notificationTypes = []string{"permission_pending", "autonomy_pause", "danger_zone", "status", "error"}
)

// loopTypes are the types that the execution safety loop adds (spec 8.7.1, 8.7.3).
func loopTypes() []adapter.TypeInfo {
	return []adapter.TypeInfo{
		{Name: "AgentState", Kind: "enum", Description: "States of the execution of an agent; a pending one waits for the approval of a person", Values: agentStates},
		{Name: "StepOutcome", Kind: "enum", Description: "How a step ended", Values: StepOutcomes},
		{Name: "RiskTolerance", Kind: "enum", Description: "How much risk an agent may take without a person", Values: riskTolerances},
		{Name: "SafetyTier", Kind: "enum", Description: "Tiers of risk: 0 to 30, to 60, to 85, to 100", Values: safetyTiers},
		{Name: "NotificationType", Kind: "enum", Description: "Events that an agent is told of", Values: notificationTypes},
		{Name: "AgentExecution", Kind: "object", Description: "An agent that runs inside the safety loop", Fields: []adapter.Parameter{
			adapter.Field("execution_id", "string", true, "Identifier of the execution"), adapter.Field("element_name", "string", true, "Name of the agent"),
			adapter.Field("status", "AgentState", true, "State of the execution"), adapter.Field("max_autonomous_steps", "integer", true, "Steps before a person has to let it go on"),
			adapter.DateTime("started_at", true, "When it was started, UTC"), adapter.DateTime("finished_at", false, "When it reached a final state, UTC")}},
		{Name: "StepReport", Kind: "object", Description: "A reported step", Fields: []adapter.Parameter{
			adapter.Field("execution_id", "string", true, "Execution that it belongs to"), adapter.Field("element_name", "string", true, "Agent that reported"),
			adapter.Field("step", "integer", true, "Number of the report, the first is 1"),
			adapter.Field("directive", "AutonomyDirective", false, "Whether the agent may proceed; absent where nothing is evaluated")}},
		{Name: "AutonomyDirective", Kind: "object", Description: "Whether the agent may proceed, and why", Fields: []adapter.Parameter{
			adapter.Field("continue", "boolean", true, "Whether the agent may proceed"), adapter.List("factors", "string", "What decided"),
			adapter.Field("stopped", "boolean", false, "True if the agent is blocked"), adapter.Field("reason", "string", false, "Why it is paused or stopped"),
			adapter.Field("stepsRemaining", "integer", false, "Steps before a person has to let it go on"),
			adapter.Field("nextStepRisk", "SafetyTier", false, "Tier of the reported action"), adapter.Field("riskScore", "integer", false, "Risk of the reported action, 0 to 100"),
			adapter.Field("notifications", "AgentNotification[]", false, "What happened since the last report")}},
		{Name: "AgentNotification", Kind: "object", Description: "An event that an agent is told of", Fields: []adapter.Parameter{
			adapter.Field("type", "NotificationType", true, "Kind of the event"), adapter.Field("message", "string", true, "The event in words"),
			adapter.Field("metadata", "object", false, "What it is about: operation, reason, level, verificationId"),
			adapter.DateTime("timestamp", true, "When it happened, UTC")}},
		{Name: "Confirmation", Kind: "object", Description: "Something that was confirmed", Fields: []adapter.Parameter{
			adapter.Field("element_name", "string", true, "Agent that waited"), adapter.Field("confirmed", "string", true, "Operation or action that may go on now")}},
	}
}
