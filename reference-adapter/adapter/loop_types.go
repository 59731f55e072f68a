package adapter

var (
	agentStates       = []string{"pending", "running", "completed", "cancelled"}
	stepOutcomes      = []string{"success", "failure", "skipped"}
	safetyTiers       = []string{"advisory", "confirm", "verify", "danger_zone"}
	riskTolerances    = []string{"conservative", "moderate", "aggressive"}
	notificationTypes = []string{"permission_pending", "autonomy_pause", "danger_zone", "status", "error"}
)

// loopTypes are the types that the execution safety loop adds (spec 8.7.1, 8.7.3).
func loopTypes() []typeInfo {
	return []typeInfo{
		{Name: "AgentState", Kind: "enum", Description: "States of the execution of an agent; a pending one waits for the approval of a person", Values: agentStates},
		{Name: "StepOutcome", Kind: "enum", Description: "How a step ended", Values: stepOutcomes},
		{Name: "RiskTolerance", Kind: "enum", Description: "How much risk an agent may take without a person", Values: riskTolerances},
		{Name: "SafetyTier", Kind: "enum", Description: "Tiers of risk: 0 to 30, to 60, to 85, to 100", Values: safetyTiers},
		{Name: "NotificationType", Kind: "enum", Description: "Events that an agent is told of", Values: notificationTypes},
		{Name: "AgentExecution", Kind: "object", Description: "An agent that runs inside the safety loop", Fields: []parameter{
			field("execution_id", "string", true, "Identifier of the execution"), field("element_name", "string", true, "Name of the agent"),
			field("status", "AgentState", true, "State of the execution"), field("max_autonomous_steps", "integer", true, "Steps before a person has to let it go on"),
			dateTime("started_at", true, "When it was started, UTC"), dateTime("finished_at", false, "When it reached a final state, UTC")}},
		{Name: "StepReport", Kind: "object", Description: "A reported step", Fields: []parameter{
			field("execution_id", "string", true, "Execution that it belongs to"), field("element_name", "string", true, "Agent that reported"),
			field("step", "integer", true, "Number of the report, the first is 1"),
			field("directive", "AutonomyDirective", false, "Whether the agent may proceed; absent where nothing is evaluated")}},
		{Name: "AutonomyDirective", Kind: "object", Description: "Whether the agent may proceed, and why", Fields: []parameter{
			field("continue", "boolean", true, "Whether the agent may proceed"), list("factors", "string", "What decided"),
			field("stopped", "boolean", false, "True if the agent is blocked"), field("reason", "string", false, "Why it is paused or stopped"),
			field("stepsRemaining", "integer", false, "Steps before a person has to let it go on"),
			field("nextStepRisk", "SafetyTier", false, "Tier of the reported action"), field("riskScore", "integer", false, "Risk of the reported action, 0 to 100"),
			field("notifications", "AgentNotification[]", false, "What happened since the last report")}},
		{Name: "AgentNotification", Kind: "object", Description: "An event that an agent is told of", Fields: []parameter{
			field("type", "NotificationType", true, "Kind of the event"), field("message", "string", true, "The event in words"),
			field("metadata", "object", false, "What it is about: operation, reason, level, verificationId"),
			dateTime("timestamp", true, "When it happened, UTC")}},
		{Name: "Confirmation", Kind: "object", Description: "Something that was confirmed", Fields: []parameter{
			field("element_name", "string", true, "Agent that waited"), field("confirmed", "string", true, "Operation or action that may go on now")}},
	}
}
