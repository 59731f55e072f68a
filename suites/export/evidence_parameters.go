package export

import (
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

// left returns the one required parameter that a call left out, where nothing else is
// wrong with its names; "" otherwise.
func left(op probes.Operation, p probes.Probe) string {
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

// added returns the one parameter of a call that is not documented, where all that are
// required are there; "" otherwise. Names that begin with an underscore belong to the
// protocol, and null may be read as nothing.
func added(op probes.Operation, p probes.Probe) string {
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

// acceptedParameters lists the names that each operation was seen to take: those of
// requests that succeeded. A name that is not documented counts where it was sent to
// learn whether it is taken, and no warning speaks of it.
func (b bundling) acceptedParameters() {
	accepted := map[string]map[string]bool{}
	note := func(o probes.Observation) {
		op, plain := b.plain(o)
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
		if name := added(op, o.Probe); name != "" && !check.HasWarnings(o) {
			accepted[op.Name][name] = true
		}
	}
	for _, base := range b.face.KnownGood {
		note(base.Reply)
	}
	b.cases(func(_ model.Subject, got []probes.Observation) {
		for _, o := range got {
			note(o)
		}
	})
	for op, names := range accepted {
		b.AcceptedParameters[op] = slices.Sorted(maps.Keys(names))
	}
}

// missing takes one answer for each required parameter: to a request that differs from
// a valid one by its absence. Of several answers a success is the telling one.
func (b bundling) missing() {
	found := map[string]probes.Observation{}
	note := func(o probes.Observation) {
		op, plain := b.plain(o)
		if !plain || response(o) == nil {
			return
		}
		name := left(op, o.Probe)
		known, seen := found[op.Name+"\x00"+name]
		masked := o.Refused() && (o.Deferred() || b.face.KnownGood[op.Name].State == model.ProvenAbsent && o.Code() == b.face.KnownGood[op.Name].Reply.Code())
		if name != "" && !masked && (!seen || !known.Succeeded() && o.Succeeded()) {
			found[op.Name+"\x00"+name] = o
		}
	}
	b.cases(func(_ model.Subject, got []probes.Observation) {
		for _, o := range got {
			note(o)
		}
	}, "OPS-5.4-01", "AQL-5.3-01")
	for o := range b.record.All() { // what generated input showed of the rest, where the answer tells what it is about
		op, _ := b.plain(o)
		name := left(op, o.Probe)
		if _, known := found[op.Name+"\x00"+name]; !known && (o.Succeeded() || o.Code() == "VALIDATION_MISSING_PARAM" && o.Mentions(name)) {
			note(o)
		}
	}
	for _, op := range b.face.Operations {
		for _, p := range op.Parameters {
			if o, ok := found[op.Name+"\x00"+p.Name]; ok && p.Required {
				answer := reports.ParameterAnswer{Operation: op.Name, Parameter: p.Name, Response: response(o)}
				b.ParameterTests.MissingRequired = append(b.ParameterTests.MissingRequired, answer)
			}
		}
	}
}

// unknown takes one answer for each operation to a name that it does not document. Of
// several answers a success is the telling one.
func (b bundling) unknown() {
	found := map[string]probes.Observation{}
	b.cases(func(s model.Subject, got []probes.Observation) {
		for _, o := range got {
			op, plain := b.plain(o)
			known, seen := found[op.Name]
			switch {
			case !plain || added(op, o.Probe) == "" || response(o) == nil:
			case op.Name != "introspect" && check.MayMaskUnknown(s, o):
			case !seen || !known.Succeeded() && o.Succeeded():
				found[op.Name] = o
			}
		}
	}, "AQL-4.6-01", "OPS-9.2-06")
	for _, op := range b.face.Operations {
		if o, ok := found[op.Name]; ok {
			answer := reports.ParameterAnswer{Operation: op.Name, Parameter: added(op, o.Probe), Response: response(o)}
			b.ParameterTests.UnknownParameter = append(b.ParameterTests.UnknownParameter, answer)
		}
	}
}

// defaults takes the answers in which a creation shows what it stored for a parameter
// that was left out. Defaults that name no value, or are equal but for the letter case,
// cannot be stated in a bundle, nor can lists and objects.
func (b bundling) defaults() {
	b.cases(func(s model.Subject, got []probes.Observation) {
		want := s.Par.Raw.At("default")
		if s.Op.Category != "CREATE" || want.Is(probes.Array) || want.Is(probes.Object) || check.JudgeDefault(s, got).Verdict == reports.NotProven {
			return
		}
		defer runtime.KeepAlive(plan.Pin(got))
		v, o := check.ReadBack(s, got)
		path, ok := wayTo(o, v)
		literal := !v.Is(probes.String) || v.Text() == want.Text() || !strings.EqualFold(strings.TrimSpace(v.Text()), strings.TrimSpace(want.Text()))
		if raw := response(o); ok && raw != nil && literal && quotable(want) != nil && !slices.Contains(check.SymbolicDefaults, strings.ToLower(want.Text())) {
			b.ParameterTests.OptionalDefaults = append(b.ParameterTests.OptionalDefaults, reports.DefaultEvidence{
				Operation: s.Op.Name, Parameter: s.Par.Name, Path: path, Value: quotable(want), Response: raw,
			})
		}
	}, "OPS-5.4-09")
}

// constraints takes the answers to values that a documented constraint rules out, where
// they say whether it is kept.
func (b bundling) constraints() {
	b.cases(func(s model.Subject, got []probes.Observation) {
		if check.IsSensitive(s.Par) {
			return // the value would stand in the name
		}
		for i, o := range got[min(1, len(got)):] {
			verdict := check.JudgeForbiddenValue(s, got[0], o, "").Verdict
			raw := response(o)
			cut := o.Succeeded() && (slices.Contains(model.PageSizes, s.Par.Name) || check.HasWarnings(o))
			recased := i > 0 && check.HasEnum(s) // letter case may be forgiven
			if raw == nil || cut || recased || verdict != reports.Pass && verdict != reports.Fail {
				continue
			}
			b.ConstraintTests = append(b.ConstraintTests, reports.ConstraintTestEvidence{
				Name: s.Name + " " + check.BriefValue(model.ValueIn(o.Probe, s.Par.Name)), Documented: true, Response: raw,
			})
		}
	}, "OPS-5.4-04", "OPS-5.4-05", "OPS-5.4-07", "OPS-5.4-08")
}
