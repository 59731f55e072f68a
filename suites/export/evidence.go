// Package export creates documents other than findings: evidence for the runner of the
// specification, changes between two runs, secrets to redact, and a draft hints file.
package export

import (
	"encoding/json"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An evidence bundle has the observations of a run in the format of the runner of the
// specification, so that another tool can judge the same adapter. The format can only represent
// MCP-AQL envelopes, so errors of lower layers are left out.

// The maximum size, in bytes, of an answer in a bundle, and of a listing of introspection. A bundle
// has hundreds of answers.
const (
	maxResponse = 256 << 10
	maxListing  = 4 << 20
)

// Evidence returns the observations of the plan in its main endpoint mode. It is a pure function of
// the record. Call it after Judge.
func Evidence(p *plan.Plan, record probes.Record) *reports.Evidence {
	e := reports.NewEvidence()
	if len(p.Adapters) == 0 {
		return e
	}
	b := evidenceBuilder{e, p, p.Adapters[0], record}
	b.introspection()
	b.acceptedParameters()
	b.missing()
	b.leaveOut()
	b.unknown()
	b.defaults()
	b.errors()
	b.roundTrips()
	b.updates()
	b.batch()
	b.selection()
	b.constraints()
	return e
}

// An evidenceBuilder collects the evidence of one endpoint mode.
type evidenceBuilder struct {
	*reports.Evidence
	plan    *plan.Plan
	adapter *model.Adapter
	record  probes.Record
}

// response returns the envelope of an answer as JSON; nil if there is none or it cannot be
// embedded.
func response(o probes.Observation) json.RawMessage {
	if raw := listing(o); len(raw) <= maxResponse {
		return raw
	}
	return nil
}

// listing is response for an answer that lists operations or types.
func listing(o probes.Observation) json.RawMessage {
	if !o.Envelope().Is(probes.Object) {
		return nil
	}
	return rawJSON(o.Envelope())
}

// rawJSON returns the bytes of a value; nil if they cannot be embedded in a document.
func rawJSON(v probes.Value) json.RawMessage {
	if raw := v.Raw(); len(raw) > 0 && len(raw) <= maxListing && utf8.Valid(raw) {
		return raw
	}
	return nil
}

// forEachCase calls each with the observations of every case of the requirements, in catalogue
// order.
func (b evidenceBuilder) forEachCase(each func(s model.Subject, got probes.Answers), requirements ...string) {
	for _, c := range b.plan.Cases {
		if c.Subject.Adapter == b.adapter && c.Subject.Ruling == nil && (len(requirements) == 0 || slices.Contains(requirements, c.Check.Requirement)) {
			each(*c.Subject, c.Got())
		}
	}
}

// isPlainCall reports whether an observation is of a correctly routed call with nothing unusual
// except its parameters, and returns its operation.
func (b evidenceBuilder) isPlainCall(o probes.Observation) (probes.Operation, bool) {
	p := o.Probe
	op, listed := b.adapter.Operation(p.Operation())
	if !listed || p.Method != "" || p.Raw() != nil || p.Frame != nil || !b.adapter.OwnsConnection(p.Conn) {
		return op, false
	}
	home := p.Tool == op.Tool || p.Tool == b.adapter.Unified || op.Name == "introspect" && slices.Contains(b.adapter.AQL, p.Tool)
	_, object := p.Args()["params"].(map[string]any)
	_, given := p.Args()["params"]
	return op, home && (object && len(p.Args()) == 2 || !given && len(p.Args()) == 1)
}

// introspection adds the introspection answers.
func (b evidenceBuilder) introspection() {
	f := b.adapter
	for _, each := range b.plan.Adapters {
		modes := map[string][]string{"semantic": {"crude"}, "single": {"single"}, "all": {"crude", "single"}}[each.Mode()]
		for _, mode := range modes { // the runner's name for the semantic mode is crude
			if each.Introspect != "" && !slices.Contains(b.EndpointModes, mode) {
				b.EndpointModes = append(b.EndpointModes, mode)
			}
		}
	}
	if f.Introspect == "" {
		return
	}
	b.Introspection.OperationsList = listing(f.Listed)
	types := f.TypesListing().Key()
	for o := range b.record.All() {
		if o.Probe.Key() == types {
			b.Introspection.TypesList = listing(o)
		}
	}
	for _, o := range f.Operations {
		if raw := rawJSON(o.Details); raw != nil {
			b.Introspection.OperationDetails = append(b.Introspection.OperationDetails, raw)
		}
	}
}

// errors adds the first error with each code for each operation, and for requests without a listed
// operation. The message of an error about a parameter must mention it.
func (b evidenceBuilder) errors() {
	seen := map[string]bool{}
	b.forEachCase(func(_ model.Subject, got probes.Answers) {
		for _, o := range got {
			if o.Succeeded() || !o.Envelope().Has("error") || !b.adapter.IsAQLCall(o) {
				continue // an envelope with an error but without success is included
			}
			op, listed := b.adapter.Operation(o.Probe.Operation())
			if !listed {
				op.Name = "no listed operation"
			}
			name := op.Name + " " + o.Code()
			if raw := response(o); raw != nil && !seen[name] && !wouldBeMisread(o) {
				seen[name] = true
				b.ErrorTests = append(b.ErrorTests, reports.ErrorEvidence{Name: name, MustMention: b.blamedParameter(o), Response: raw})
			}
		}
	})
}

// stackTracePattern matches what the runner takes for a stack trace. It also matches ordinary words
// that end in "at" ("what it is", "at most").
var stackTracePattern = regexp.MustCompile(`(?i)at\s+\S`)

// wouldBeMisread reports whether the runner would wrongly reject a correct error.
func wouldBeMisread(o probes.Observation) bool {
	if !MisreadAsStackTrace(o.Message()) {
		return false
	}
	departures, err := schemas.Check("operation-result", "", o.Envelope().Raw())
	return err == nil && len(departures) == 0
}

// MisreadAsStackTrace reports whether the runner would take a harmless message for a stack trace.
func MisreadAsStackTrace(message string) bool {
	return stackTracePattern.MatchString(message) && len(vocab.LeaksIn(message, nil)) == 0
}

// blamedParameter returns the parameter that an error must be about, if there is one.
func (b evidenceBuilder) blamedParameter(o probes.Observation) []string {
	op, plain := b.isPlainCall(o)
	name := ""
	switch {
	case !plain:
	case o.Code() == "VALIDATION_MISSING_PARAM":
		name = omittedParameter(op, o.Probe)
	case o.Code() == "VALIDATION_UNKNOWN_PARAM":
		name = undocumentedParameter(op, o.Probe)
	}
	if name == "" {
		return []string{}
	}
	return []string{name}
}

// batch adds the first batch answer with results.
func (b evidenceBuilder) batch() {
	b.forEachCase(func(_ model.Subject, got probes.Answers) {
		for _, o := range got {
			if !b.adapter.IsAQLCall(o) || check.EntryCount(o.Probe) == 0 || b.BatchExample != nil {
				continue
			}
			answered := check.BatchResults(o).Is(probes.Array)
			b.Capabilities["batch_operations"] = answered
			if answered {
				b.BatchExample = response(o)
			}
		}
	}, "OPS-7.1-02", "OPS-7.2-01", "AQL-10.1-11")
}

// selection records whether a READ returned less when fewer fields were requested.
func (b evidenceBuilder) selection() {
	b.forEachCase(func(_ model.Subject, got probes.Answers) {
		whole := map[string]probes.Observation{}
		for _, o := range got {
			name := o.Probe.Operation()
			if _, part := o.Probe.Params()["fields"]; !part {
				whole[name] = o
			} else if whole[name].Succeeded() && o.Succeeded() {
				fewer := len(o.Data().Raw()) < len(whole[name].Data().Raw())
				b.Capabilities["field_selection"] = b.Capabilities["field_selection"] || fewer
			}
		}
	}, "INT-4.1.1-12", "AQL-10.1-10")
}
