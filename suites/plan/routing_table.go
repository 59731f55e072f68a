package plan

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Routing returns the table operations by endpoints of the first face on which an
// operation can go astray, from the answers that AQL-6.2-03 was judged by; nil when
// there is none. It is known after Ask.
func (p *Plan) Routing() *reports.Routing {
	for _, f := range p.Faces {
		if !model.SeveralEndpointTools(f) {
			continue
		}
		t := &reports.Routing{Endpoints: f.Semantic()}
		for _, c := range p.Cases {
			if c.Check.Requirement == "AQL-6.2-03" && c.Subject.Adapter == f && c.Subject.Op.Name != "" {
				t.Rows = append(t.Rows, c.route(t.Endpoints))
			}
		}
		if len(t.Rows) > 0 {
			return t
		}
	}
	return nil
}

func (c *Case) route(endpoints []string) reports.Route {
	r := reports.Route{Operation: c.Subject.Name}
	for _, tool := range endpoints {
		cell := reports.Unknown
		if tool == c.Subject.Op.Tool || probes.StandsFor(c.Subject.Op.Endpoint, tool) {
			cell = reports.Own
		}
		for _, o := range c.Got() {
			if o.Probe.Tool == tool && o.Probe.Operation() == c.Subject.Name && cell != reports.Own {
				cell = c.cell(o)
			}
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// cell reads what a wrong endpoint answered; a refusal that the right one gives as
// well says nothing about the endpoint.
func (c *Case) cell(o probes.Observation) reports.Cell {
	switch control := *c.kept[0]; {
	case o.Succeeded():
		return reports.Executed
	case o.Code() == "VALIDATION_ENDPOINT_MISMATCH":
		return reports.Refused
	case o.Lost() || o.Deferred() || control.Refused() && control.Code() == o.Code():
		return reports.Unknown
	}
	return reports.Otherly
}
