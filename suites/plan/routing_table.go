package plan

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Routing returns the table of operations by endpoints from the answers for AQL-6.2-03, for the
// first endpoint mode with several endpoint tools; nil if there is none. Call it after Ask.
func (p *Plan) Routing() *reports.Routing {
	for _, f := range p.Adapters {
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

// cell classifies the answer of a wrong endpoint. An error that the right endpoint returns too says
// nothing about routing.
func (c *Case) cell(o probes.Observation) reports.Cell {
	switch control := c.observations[0].Observation(); {
	case o.Succeeded():
		return reports.Executed
	case o.Code() == "VALIDATION_ENDPOINT_MISMATCH":
		return reports.Refused
	case o.Lost() || o.Deferred() || control.Refused() && control.Code() == o.Code():
		return reports.Unknown
	}
	return reports.Otherly
}
