package adapter

var (
	agentStates       = []string{"pending", "running", "completed", "cancelled"}
	StepOutcomes      = []string{"success", "failure", "skipped"}
	safetyTiers       = []string{"advisory", "confirm", "verify", "danger_zone"}
	riskTolerances    = []string{"conservative", "moderate", "aggressive"}
	notificationTypes = []string{"permission_pending", "autonomy_pause", "danger_zone", "status", "error"}
)

// loopTypes are the types that the execution safety loop adds (spec 8.7.1, 8.7.3).
func loopTypes() []TypeInfo {
	return []TypeInfo{
		{Name: "AgentState", Kind: "enum", Description: "States of the execution of an agent; a pending one waits for the approval of a person", Values: agentStates},
		{Name: "StepOutcome", Kind: "enum", Description: "How a step ended", Values: StepOutcomes},
		{Name: "RiskTolerance", Kind: "enum", Description: "How much risk an agent may take without a person", Values: riskTolerances},
		{Name: "SafetyTier", Kind: "enum", Description: "Tiers of risk: 0 to 30, to 60, to 85, to 100", Values: safetyTiers},
		{Name: "NotificationType", Kind: "enum", Description: "Events that an agent is told of", Values: notificationTypes},
		{Name: "AgentExecution", Kind: "object", Description: "An agent that runs inside the safety loop", Fields: []Parameter{
			Field("execution_id", "string", true, "Identifier of the execution"), Field("element_name", "string", true, "Name of the agent"),
			Field("status", "AgentState", true, "State of the execution"), Field("max_autonomous_steps", "integer", true, "Steps before a person has to let it go on"),
			DateTime("started_at", true, "When it was started, UTC"), DateTime("finished_at", false, "When it reached a final state, UTC")}},
		{Name: "StepReport", Kind: "object", Description: "A reported step", Fields: []Parameter{
			Field("execution_id", "string", true, "Execution that it belongs to"), Field("element_name", "string", true, "Agent that reported"),
			Field("step", "integer", true, "Number of the report, the first is 1"),
			Field("directive", "AutonomyDirective", false, "Whether the agent may proceed; absent where nothing is evaluated")}},
		{Name: "AutonomyDirective", Kind: "object", Description: "Whether the agent may proceed, and why", Fields: []Parameter{
			Field("continue", "boolean", true, "Whether the agent may proceed"), List("factors", "string", "What decided"),
			Field("stopped", "boolean", false, "True if the agent is blocked"), Field("reason", "string", false, "Why it is paused or stopped"),
			Field("stepsRemaining", "integer", false, "Steps before a person has to let it go on"),
			Field("nextStepRisk", "SafetyTier", false, "Tier of the reported action"), Field("riskScore", "integer", false, "Risk of the reported action, 0 to 100"),
			Field("notifications", "AgentNotification[]", false, "What happened since the last report")}},
		{Name: "AgentNotification", Kind: "object", Description: "An event that an agent is told of", Fields: []Parameter{
			Field("type", "NotificationType", true, "Kind of the event"), Field("message", "string", true, "The event in words"),
			Field("metadata", "object", false, "What it is about: operation, reason, level, verificationId"),
			DateTime("timestamp", true, "When it happened, UTC")}},
		{Name: "Confirmation", Kind: "object", Description: "Something that was confirmed", Fields: []Parameter{
			Field("element_name", "string", true, "Agent that waited"), Field("confirmed", "string", true, "Operation or action that may go on now")}},
	}
}
