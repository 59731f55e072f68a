package export

import (
	"encoding/json"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// omittedParameter returns the only required parameter that a call omits; "" if there are several
// or a name is undocumented.
func omittedParameter(op probes.Operation, p probes.Probe) string {
	missing := ""
	for _, par := range op.Parameters {
		if _, given := p.Params()[par.Name]; par.Required && !given {
			if missing != "" && missing != par.Name {
				return ""
			}
			missing = par.Name
		}
	}
	for name := range p.Params() {
		if !op.HasParameter(name) {
			return ""
		}
	}
	return missing
}

// undocumentedParameter returns the only undocumented parameter of a call with all required ones;
// "" if there are several. Names with a leading underscore belong to the protocol, and null may be
// ignored.
func undocumentedParameter(op probes.Operation, p probes.Probe) string {
	more := ""
	for name, v := range p.Params() {
		if op.HasParameter(name) {
			continue
		}
		if more != "" || strings.HasPrefix(name, "_") || name == "confirmation_token" || probes.ValueOf(v).Is(probes.Null) {
			return ""
		}
		more = name
	}
	for _, par := range op.Parameters {
		if _, given := p.Params()[par.Name]; par.Required && !given {
			return ""
		}
	}
	return more
}

// acceptedParameters lists the parameters of successful requests by operation. An undocumented one
// counts if it was sent alone and the answer has no warning.
func (b evidenceBuilder) acceptedParameters() {
	accepted := map[string]map[string]bool{}
	note := func(o probes.Observation) {
		op, plain := b.isPlainCall(o)
		if !plain || !o.Succeeded() {
			return
		}
		if accepted[op.Name] == nil {
			accepted[op.Name] = map[string]bool{}
		}
		for name, v := range o.Probe.Params() {
			if op.HasParameter(name) && !probes.ValueOf(v).Is(probes.Null) {
				accepted[op.Name][name] = true
			}
		}
		if name := undocumentedParameter(op, o.Probe); name != "" && !check.HasWarnings(o) {
			accepted[op.Name][name] = true
		}
	}
	for _, base := range b.adapter.KnownGood {
		note(base.Reply)
	}
	b.forEachCase(func(_ model.Subject, got probes.Answers) {
		for _, o := range got {
			note(o)
		}
	})
	for op, names := range accepted {
		b.AcceptedParameters[op] = slices.Sorted(maps.Keys(names))
	}
}

// missing adds one answer for each required parameter to a request without it. It prefers a
// success.
func (b evidenceBuilder) missing() {
	found := map[string]probes.Observation{}
	note := func(o probes.Observation) {
		op, plain := b.isPlainCall(o)
		if !plain || response(o) == nil {
			return
		}
		name := omittedParameter(op, o.Probe)
		known, seen := found[op.Name+"\x00"+name]
		masked := o.Refused() && (o.Deferred() || b.adapter.KnownGood[op.Name].State == model.ProvenAbsent && o.Code() == b.adapter.KnownGood[op.Name].Reply.Code())
		if name != "" && !masked && (!seen || !known.Succeeded() && o.Succeeded()) {
			found[op.Name+"\x00"+name] = o
		}
	}
	b.forEachCase(func(_ model.Subject, got probes.Answers) {
		for _, o := range got {
			note(o)
		}
	}, "OPS-5.4-01", "AQL-5.3-01")
	for o := range b.record.All() { // generated input, if the answer clearly is about the parameter
		op, _ := b.isPlainCall(o)
		name := omittedParameter(op, o.Probe)
		if _, known := found[op.Name+"\x00"+name]; !known && (o.Succeeded() || o.Code() == "VALIDATION_MISSING_PARAM" && o.Mentions(name)) {
			note(o)
		}
	}
	for _, op := range b.adapter.Operations {
		for _, p := range op.Parameters {
			if o, ok := found[op.Name+"\x00"+p.Name]; ok && p.Required {
				answer := reports.ParameterAnswer{Operation: op.Name, Parameter: p.Name, Response: response(o)}
				b.ParameterTests.MissingRequired = append(b.ParameterTests.MissingRequired, answer)
			}
		}
	}
}

// leaveOut takes the records out of which a required parameter was not left out in any request: what
// removes or executes is not tried without what it is about. The runner would take what was not
// tried for what is not enforced.
func (b evidenceBuilder) leaveOut() {
	untried := Untried(b.plan, b.Evidence)
	b.Introspection.OperationDetails = slices.DeleteFunc(b.Introspection.OperationDetails, func(raw json.RawMessage) bool {
		record, err := probes.ParseValue(raw)
		name := record.At("name").Text()
		return err == nil && slices.ContainsFunc(untried, func(p string) bool { return strings.HasPrefix(p, name+".") })
	})
}

// Untried lists the required parameters, as operation.parameter, of which a bundle does not show
// that they are demanded.
func Untried(p *plan.Plan, e *reports.Evidence) []string {
	var all []string
	for _, f := range p.Adapters[:min(1, len(p.Adapters))] {
		for _, op := range f.Operations {
			for _, par := range op.Parameters {
				shown := func(a reports.ParameterAnswer) bool { return a.Operation == op.Name && a.Parameter == par.Name }
				if par.Required && !slices.ContainsFunc(e.ParameterTests.MissingRequired, shown) {
					all = append(all, op.Name+"."+par.Name)
				}
			}
		}
	}
	return all
}

// unknown adds one answer for each operation to an undocumented parameter. It prefers a success.
func (b evidenceBuilder) unknown() {
	found := map[string]probes.Observation{}
	b.forEachCase(func(s model.Subject, got probes.Answers) {
		for _, o := range got {
			op, plain := b.isPlainCall(o)
			known, seen := found[op.Name]
			switch {
			case !plain || undocumentedParameter(op, o.Probe) == "" || response(o) == nil:
			case op.Name != "introspect" && check.MayMaskUnknown(s, o):
			case !seen || !known.Succeeded() && o.Succeeded():
				found[op.Name] = o
			}
		}
	}, "AQL-4.6-01", "OPS-9.2-06")
	for _, op := range b.adapter.Operations {
		if o, ok := found[op.Name]; ok {
			answer := reports.ParameterAnswer{Operation: op.Name, Parameter: undocumentedParameter(op, o.Probe), Response: response(o)}
			b.ParameterTests.UnknownParameter = append(b.ParameterTests.UnknownParameter, answer)
		}
	}
}

// defaults adds answers that show the stored default of an omitted parameter. It omits symbolic
// defaults, those that are equal except for letter case, lists and objects, because a bundle cannot
// represent them.
func (b evidenceBuilder) defaults() {
	b.forEachCase(func(s model.Subject, got probes.Answers) {
		want := s.Par.Raw.At("default")
		if s.Op.Category != "CREATE" || want.Is(probes.Array) || want.Is(probes.Object) || check.JudgeDefault(s, got).Verdict == reports.NotProven {
			return
		}
		defer runtime.KeepAlive(plan.Pin(got))
		v, o := check.ReadBack(s, got)
		path, ok := pathTo(o, v)
		literal := !v.Is(probes.String) || v.Text() == want.Text() || !strings.EqualFold(strings.TrimSpace(v.Text()), strings.TrimSpace(want.Text()))
		if raw := response(o); ok && raw != nil && literal && rawJSON(want) != nil && !slices.Contains(check.SymbolicDefaults, strings.ToLower(want.Text())) {
			b.ParameterTests.OptionalDefaults = append(b.ParameterTests.OptionalDefaults, reports.DefaultEvidence{
				Operation: s.Op.Name, Parameter: s.Par.Name, Path: path, Value: rawJSON(want), Response: raw,
			})
		}
	}, "OPS-5.4-09")
}

// constraints adds the answers to values that a constraint excludes, if they show whether it is
// enforced.
func (b evidenceBuilder) constraints() {
	b.forEachCase(func(s model.Subject, got probes.Answers) {
		if check.IsSensitive(s.Par) {
			return // the name would contain the value
		}
		for i, o := range got[min(1, len(got)):] {
			verdict := check.JudgeForbiddenValue(s, got[0], o, "").Verdict
			raw := response(o)
			cut := o.Succeeded() && (slices.Contains(model.PageSizes, s.Par.Name) || check.HasWarnings(o))
			recased := i > 0 && check.HasEnum(s) // an adapter may ignore letter case
			if raw == nil || cut || recased || verdict != reports.Pass && verdict != reports.Fail {
				continue
			}
			b.ConstraintTests = append(b.ConstraintTests, reports.ConstraintTestEvidence{
				Name: s.Name + " " + check.BriefValue(model.ValueIn(o.Probe, s.Par.Name)), Documented: true, Response: raw,
			})
		}
	}, "OPS-5.4-04", "OPS-5.4-05", "OPS-5.4-07", "OPS-5.4-08")
}
