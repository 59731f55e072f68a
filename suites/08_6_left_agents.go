package suites

import "github.com/aql-conform/aql-conform/probes"

// endAgents ends the executions that an interrupted scene has left behind.
func (c *cleaner) endAgents(record probes.Record) {
	ended := map[string]int{} // by agent: when
	var begun []probes.Observation
	for o := range record.All() {
		operation, _ := c.Operation(o.Probe.Operation())
		name, _ := o.Probe.Params()[agentParameter(operation)].(string)
		switch {
		case !o.Succeeded() || name == "":
		case operation.Name == "execute_agent":
			begun = append(begun, o)
		case operation.Name == "complete_execution" || operation.Name == "abort_execution":
			ended[name] = max(ended[name], o.Sent.Seq)
		}
	}
	for _, o := range begun {
		operation, _ := c.Operation("execute_agent")
		name, _ := o.Probe.Params()[agentParameter(operation)].(string)
		if ended[name] < o.Sent.Seq {
			a := agent{Subject: Subject{Face: c.Face}, ask: c.ask, over: o.Probe.Conn, name: name, starts: []probes.Observation{o}}
			a.take = -sceneTakes * (o.Sent.Seq + 1)
			a.call("abort_execution", nil)
		}
	}
}
