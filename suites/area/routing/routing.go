package routing

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachAstray is every operation that could be sent to a wrong endpoint with a
// request known to be valid.
func eachAstray(f *model.Adapter) []model.Subject {
	if !model.SeveralEndpointTools(f) {
		return nil
	}
	all := model.EachUsable(f)
	for i, s := range all {
		if check.Homeless(f, s.Op) {
			all[i] = s.WithRuling(ruling.NotProven("the endpoint of "+s.Name, "none documented").Because("AQL-10.1-05"))
		}
	}
	return all
}

// The steps of the requests to wrong tools, and of one with its parameters next to operation (section 4.2).
const (
	misrouted       = "misrouted request"
	misroutedBeside = "parameters next to operation at a wrong endpoint"
)

// besideOperation moves the parameters of a request out of params.
func besideOperation(p probes.Probe) probes.Probe {
	beside := p.Drop("params")
	for name, value := range p.Params() {
		beside = beside.Top(name, value)
	}
	return beside
}

func astray(s model.Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	for i, t := range check.WrongTools(s.Adapter, s.Op) {
		step := probes.Nth(misrouted, i)
		ps = append(ps, s.FreshCall(step).To(t).As(step))
	}
	return ps
}

// Section 6.2.
var misroutedOperationIsRefused = check.Check{
	Requirement: "AQL-6.2-03",
	Rule:        "An operation sent to any endpoint tool other than its own is refused: all operations times all other endpoints.",
	Why:         "The endpoint is what a host grants a model; an operation that runs through another endpoint runs past that grant.",
	On:          eachAstray,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ps := astray(s)
		if s.Op.Category == "UPDATE" || s.Op.Category == "DELETE" {
			if own, ok := astrayOwn(s); ok {
				ps = own
			}
		}
		answered := false
		for _, p := range ps {
			o := ask(p)
			answered = answered || o.Code() == "NOT_FOUND_RESOURCE" && slices.Contains(check.WrongTools(s.Adapter, s.Op), o.Probe.Tool)
		}
		// What changes or removes an object is sent with its identifier in params alone.
		if (s.Op.Category == "READ" || s.Op.Category == "CREATE") && len(ps) > 1 && len(ps[1].Params()) > 0 {
			ask(besideOperation(ps[1]).As(misroutedBeside))
		}
		if answered && s.Op.Category != "READ" {
			for _, p := range absentAstray(s.Adapter) {
				ask(p)
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		sent := got.Under(misrouted)
		if len(sent) == 0 {
			return ruling.NotApplicable("every other tool stands for the operation's own endpoint")
		}
		control := got[0]
		var rs []ruling.Ruling
		if o := got.Step(misroutedBeside); o.Succeeded() { // a refusal may be for the place of the parameters
			rs = append(rs, ruling.Violates("a refusal by "+o.Probe.Tool+" of parameters next to operation, too", o).By(control))
		}
		for _, o := range sent {
			switch {
			case o.Succeeded():
				rs = append(rs, ruling.Violates("a refusal by "+o.Probe.Tool, o).By(control))
			case handled(got, o):
				rs = append(rs, ruling.Departs("a refusal for the endpoint, as for "+got.Step(absentMisrouted).Probe.Operation(), o).By(control, got.Step(absentMisrouted), got.Step(absentAtHome)))
			case control.Refused() && control.Code() == o.Code():
				rs = append(rs, ruling.NotProven("a refusal for the endpoint, not for the parameters", o))
			case elsewhere(s.Adapter, got, o), !o.Refused() && !o.RefusedBelow():
				rs = append(rs, ruling.NotProven("a refusal for the endpoint", o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "check that the operation belongs to the endpoint that received it, before anything else",
}

const (
	absentAtHome    = "absent resource"
	absentMisrouted = "absent resource at a wrong endpoint"
)

// absentAstray asks a READ for what does not exist, by its own tool and by a wrong one.
func absentAstray(f *model.Adapter) []probes.Probe {
	for _, s := range f.ProvenReads() {
		for _, p := range s.Op.Parameters {
			absent, known := f.Absent[f.AbsentKey(s.Op, p)]
			if wrong := check.WrongTools(f, s.Op); known && p.Required && len(wrong) > 0 {
				call := s.ValidCall().With(p.Name, absent.Go())
				return []probes.Probe{call.As(absentAtHome), call.To(wrong[0]).As(absentMisrouted)}
			}
		}
	}
	return nil
}

// handled reports whether a wrong tool looked for the object of a request, as the own tool does, though the adapter
// refuses a READ of what does not exist for its endpoint: the operation reached its handler there.
func handled(got probes.Answers, o probes.Observation) bool {
	const absent = "NOT_FOUND_RESOURCE"
	wrong := got.Step(absentMisrouted)
	return got[0].Code() == absent && o.Code() == absent && got.Step(absentAtHome).Code() == absent && wrong.Refused() && wrong.Code() != absent && !wrong.Deferred()
}

// astrayOwn sends a change or removal of an object made for it to the wrong tools:
// an absent identifier would be refused by both, and prove nothing.
func astrayOwn(s model.Subject) ([]probes.Probe, bool) {
	maker, path, ok := check.MakerOf(s.Adapter, s.Op)
	if !ok {
		return nil, false
	}
	const created = "change at a wrong endpoint: created"
	ps := []probes.Probe{maker.FreshCall(created).As(created)}
	for i, t := range check.WrongTools(s.Adapter, s.Op) {
		p := s.ValidCall().To(t)
		for name := range path {
			p = p.With(name, probes.From(0, path[name]...))
		}
		ps = append(ps, p.As(probes.Nth(misrouted, i)))
	}
	return ps, true
}

// Operations document, section 6.3.
var misroutingHasItsDefinedCode = check.Check{
	Requirement: "OPS-6.3-03",
	Rule:        "A misrouted call is answered with the code VALIDATION_ENDPOINT_MISMATCH.",
	Why:         "The code tells a model to send the same request elsewhere, not to change it.",
	On:          eachAstray,
	Ask:         astray,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return eachMismatch(s, got, func(o probes.Observation) ruling.Ruling {
			if o.Code() != "VALIDATION_ENDPOINT_MISMATCH" {
				return ruling.Violates("error VALIDATION_ENDPOINT_MISMATCH", o)
			}
			return ruling.Conforms().By(o)
		})
	},
	Fix: "answer misrouted operations with VALIDATION_ENDPOINT_MISMATCH",
}

// elsewhere reports whether a refusal by a wrong tool may have another reason than the endpoint: a
// conflict, a limit, or a right that is missing. The code of a missing right tells of the endpoint
// where the caller has the right to the operation, and to something else of a tool with that code.
func elsewhere(f *model.Adapter, got probes.Answers, o probes.Observation) bool {
	if strings.HasPrefix(o.Code(), "CONFLICT_") {
		return !ofTheEndpoint(f, got, o.Code())
	}
	told := func(other probes.Observation) bool { return other.Code() == o.Code() && takes(f, other.Probe.Tool) }
	control := got[0]
	return o.Deferred() && !(strings.HasPrefix(o.Code(), "PERMISSION_") && !control.Deferred() && !control.Lost() &&
		slices.ContainsFunc(got.Under(misrouted), told))
}

// ofTheEndpoint reports whether every wrong tool gives the same code for a READ that its own tool carries out: it changes
// nothing that could be in conflict.
func ofTheEndpoint(f *model.Adapter, got probes.Answers, code string) bool {
	op, _ := f.Operation(got[0].Probe.Operation())
	return op.Category == "READ" && got[0].Succeeded() && !slices.ContainsFunc(got.Under(misrouted), func(o probes.Observation) bool { return o.Code() != code })
}

// takes reports whether a tool let the caller through to an operation of its own.
func takes(f *model.Adapter, tool string) bool {
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool {
		reply := f.KnownGood[o.Name].Reply
		return o.Tool == tool && (reply.Succeeded() || reply.Refused() && !reply.Deferred())
	})
}

// eachMismatch rules on the refusals of misrouted requests.
func eachMismatch(s model.Subject, got probes.Answers, judge func(o probes.Observation) ruling.Ruling) ruling.Ruling {
	var rs []ruling.Ruling
	for _, o := range got.Under(misrouted) {
		below := o.Outcome == probes.RPCError || o.Outcome == probes.ToolText && o.RefusedBelow()
		if (o.Refused() || below && got[0].Succeeded()) && !elsewhere(s.Adapter, got, o) && !(got[0].Refused() && got[0].Code() == o.Code()) {
			rs = append(rs, judge(o))
		}
	}
	if len(rs) == 0 {
		return ruling.NotApplicable("does not hold: a misrouted call was refused")
	}
	return ruling.Worst(rs...)
}

// Operations document, section 6.3.
var misroutingDetailsNameBothEndpoints = check.Check{
	Requirement: "OPS-6.3-04",
	Rule:        "The mismatch answer tells the operation, the expected endpoint and the actual endpoint in details.",
	Why:         "Both endpoints in the details let a program repair the call without reading prose.",
	On:          eachAstray,
	Ask:         astray,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return eachMismatch(s, got, func(o probes.Observation) ruling.Ruling {
			if o.Code() != "VALIDATION_ENDPOINT_MISMATCH" {
				return ruling.NotApplicable("does not hold: VALIDATION_ENDPOINT_MISMATCH was seen")
			}
			d := o.Details()
			switch {
			case d.At("operation").Text() != s.Name:
				return ruling.Violates("details.operation "+s.Name, d.At("operation")).By(o)
			case !means(s, d.At("expected_endpoint").Text(), s.Op.Tool):
				return ruling.Violates("details.expected_endpoint "+s.Op.Endpoint, d.At("expected_endpoint")).By(o)
			case !means(s, d.At("actual_endpoint").Text(), o.Probe.Tool):
				return ruling.Violates("details.actual_endpoint naming "+o.Probe.Tool, d.At("actual_endpoint")).By(o)
			}
			return ruling.Conforms().By(o)
		})
	},
	Fix: "put operation, expected_endpoint and actual_endpoint into details",
}

// means reports whether an endpoint word stands for a tool: its name, its family,
// or a category it hosts, in any letter case, and without the suffix of a deployment.
func means(s model.Subject, word, tool string) bool {
	if probes.StandsFor(word, tool) {
		return true
	}
	for added := range additions(s.Adapter) {
		if _, suffix, _ := strings.Cut(added, " "); suffix != "" && probes.StandsFor(word, strings.TrimSuffix(tool, suffix)) {
			return true
		}
	}
	for _, o := range s.Operations {
		if o.Tool == tool && word != "" && (strings.EqualFold(o.Endpoint, word) || strings.EqualFold(o.Category, word)) {
			return true
		}
	}
	return false
}

// Section 3.2.
var endpointIsCheckedBeforeParameters = check.Check{
	Requirement: "AQL-3.2-02",
	Rule:        "Endpoint membership is checked before parameters are extracted and validated.",
	Why:         "The endpoint is checked before the parameters, so that a misrouted call gets the error about its endpoint.",
	On: func(f *model.Adapter) []model.Subject {
		if !model.SeveralEndpointTools(f) {
			return nil
		}
		return model.Only(model.EachDomain, func(s model.Subject) bool {
			ok, _ := f.Callable(s.Op)
			return ok && s.Op.Category == "READ" && len(check.WrongTools(f, s.Op)) > 0 &&
				slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Required })
		})(f)
	},
	Ask: func(s model.Subject) []probes.Probe {
		bare := s.Request(s.Op, map[string]any{})
		ps := []probes.Probe{bare, bare.To(check.WrongTools(s.Adapter, s.Op)[0]).As("misrouted call")}
		if o, wrong, ok := check.MisroutedRead(s.Adapter); ok {
			ps = append(ps, s.KnownGood[o].Probe.To(wrong).As("valid misrouted call"))
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		own, other, valid := got[0], got.Step("misrouted call"), got.Step("valid misrouted call")
		switch {
		case valid.Succeeded():
			return ruling.NotProven("a refusal of a valid misrouted call", valid).Because("AQL-6.2-03")
		case own.Code() == "VALIDATION_ENDPOINT_MISMATCH" || own.Code() == "NOT_FOUND_OPERATION":
			return ruling.NotProven("dispatch by the documented tool", own).Because("AQL-6.2-05")
		case other.Succeeded() || !other.Refused():
			return ruling.NotProven("a refusal of the misrouted call", other).Because("AQL-6.2-03")
		case own.Refused() && own.Code() == other.Code():
			return ruling.Violates("a refusal for the endpoint", other).By(own)
		}
		return ruling.Conforms().By(other)
	},
	Fix: "validate the endpoint before extracting parameters",
}
