// Package export makes documents of a run that are no findings: evidence for the runner of
// the specification, changes between two runs, secrets to hide, and a draft of hints.
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

// A bundle of evidence holds what a run observed in the form that the runner of the
// specification reads, so that a second judge can look at the same adapter. Only
// answers go into it that are MCP-AQL envelopes: the form has no place for those of a
// layer below, and what was refused there is not shown, neither as kept nor as broken.

// maxResponse is the size in bytes above which an answer is left out of a bundle.
const maxResponse = 4 << 20

// Evidence returns what the plan observed on its main face. It is a pure function of
// the record, like the findings; call it after Judge.
func Evidence(p *plan.Plan, record probes.Record) *reports.Evidence {
	e := reports.NewEvidence()
	if len(p.Adapters) == 0 {
		return e
	}
	b := bundling{e, p, p.Adapters[0], record}
	b.introspection()
	b.acceptedParameters()
	b.missing()
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

// A bundling gathers the evidence on one face.
type bundling struct {
	*reports.Evidence
	plan   *plan.Plan
	face   *model.Adapter
	record probes.Record
}

// response returns the envelope of an answer in the form of a bundle; nil when there
// is none, or none that can stand in a document.
func response(o probes.Observation) json.RawMessage {
	if !o.Envelope().Is(probes.Object) {
		return nil
	}
	return quotable(o.Envelope())
}

// quotable returns the bytes of a value; nil where they cannot stand in a document.
func quotable(v probes.Value) json.RawMessage {
	if raw := v.Raw(); len(raw) > 0 && len(raw) <= maxResponse && utf8.Valid(raw) {
		return raw
	}
	return nil
}

// cases calls each for the observations of every case of the requirements on the
// face, in the order of the catalogue.
func (b bundling) cases(each func(s model.Subject, got []probes.Observation), requirements ...string) {
	for _, c := range b.plan.Cases {
		if c.Subject.Adapter == b.face && c.Subject.Ruling == nil && (len(requirements) == 0 || slices.Contains(requirements, c.Check.Requirement)) {
			each(c.Subject, c.Got())
		}
	}
}

// plain reports whether an observation is of a call that is well-formed but for its
// parameters and sent where it belongs, and returns its operation.
func (b bundling) plain(o probes.Observation) (probes.Operation, bool) {
	p := o.Probe
	op, listed := b.face.Operation(p.Operation())
	if !listed || p.Method != "" || p.Raw() != nil || p.Frame != nil || !b.face.OwnsConnection(p.Conn) {
		return op, false
	}
	home := p.Tool == op.Tool || p.Tool == b.face.Unified || op.Name == "introspect" && slices.Contains(b.face.AQL, p.Tool)
	_, object := p.Args()["params"].(map[string]any)
	_, given := p.Args()["params"]
	return op, home && (object && len(p.Args()) == 2 || !given && len(p.Args()) == 1)
}

// introspection takes over what the adapter says of itself.
func (b bundling) introspection() {
	f := b.face
	for _, each := range b.plan.Adapters {
		modes := map[string][]string{"semantic": {"crude"}, "single": {"single"}, "all": {"crude", "single"}}[each.Mode()]
		for _, mode := range modes { // what this document calls semantic was called crude before
			if each.Introspect != "" && !slices.Contains(b.EndpointModes, mode) {
				b.EndpointModes = append(b.EndpointModes, mode)
			}
		}
	}
	if f.Introspect == "" {
		return
	}
	b.Introspection.OperationsList = response(f.Listed)
	types := f.TypesListing().Key()
	for o := range b.record.All() {
		if o.Probe.Key() == types {
			b.Introspection.TypesList = response(o)
		}
	}
	for _, o := range f.Operations {
		if raw := quotable(o.Details); raw != nil {
			b.Introspection.OperationDetails = append(b.Introspection.OperationDetails, raw)
		}
	}
}

// errors takes the first refusal of each sort that each operation showed, and that
// requests of no operation showed. The message of one that is about a parameter has to
// name it.
func (b bundling) errors() {
	seen := map[string]bool{}
	b.cases(func(_ model.Subject, got []probes.Observation) {
		for _, o := range got {
			if o.Succeeded() || !o.Envelope().Has("error") || !b.face.IsAQLCall(o) {
				continue // what has an error and no success is no refusal, and has to be seen
			}
			op, listed := b.face.Operation(o.Probe.Operation())
			if !listed {
				op.Name = "no listed operation"
			}
			name := op.Name + " " + o.Code()
			if raw := response(o); raw != nil && !seen[name] && !harmed(o) {
				seen[name] = true
				b.ErrorTests = append(b.ErrorTests, reports.ErrorEvidence{Name: name, MustMention: b.blamed(o), Response: raw})
			}
		}
	})
}

// traced matches what the runner takes for a line of a stack trace: the letters "at"
// before a word, also where they end another word ("what it is", "at most").
var traced = regexp.MustCompile(`(?i)at\s+\S`)

// harmed reports whether a refusal with which nothing is wrong would accuse its adapter.
func harmed(o probes.Observation) bool {
	if !Misread(o.Message()) {
		return false
	}
	departures, err := schemas.Check("operation-result", "", o.Envelope().Raw())
	return err == nil && len(departures) == 0
}

// Misread reports whether the runner would take a message for a stack trace that holds
// nothing of the kind.
func Misread(message string) bool {
	return traced.MatchString(message) && len(vocab.LeaksIn(message, nil)) == 0
}

// blamed returns the parameter that a refusal has to be about, if there is one.
func (b bundling) blamed(o probes.Observation) []string {
	op, plain := b.plain(o)
	name := ""
	switch {
	case !plain:
	case o.Code() == "VALIDATION_MISSING_PARAM":
		name = left(op, o.Probe)
	case o.Code() == "VALIDATION_UNKNOWN_PARAM":
		name = added(op, o.Probe)
	}
	if name == "" {
		return []string{}
	}
	return []string{name}
}

// batch takes the first batch that was answered with results.
func (b bundling) batch() {
	b.cases(func(_ model.Subject, got []probes.Observation) {
		for _, o := range got {
			if !b.face.IsAQLCall(o) || check.EntryCount(o.Probe) == 0 || b.BatchExample != nil {
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

// selection looks whether a READ showed less when it was asked for less.
func (b bundling) selection() {
	b.cases(func(_ model.Subject, got []probes.Observation) {
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
