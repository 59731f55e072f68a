package suites

import (
	"encoding/json"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// Section 4.5.3 is tried on one object of ours per operation, which the requests
// below must not change. Where none can be made, the rows that only ask for a
// refusal use the identifier that a READ has reported as not found.

// The takes of the requests that input validation has to refuse.
const (
	refuseTake = 45 * specimenStage
	partlyTake = 46 * specimenStage
)

// eachRefusing is every UPDATE operation with an input that may be called.
func eachRefusing(f *Face) []Subject {
	all := eachUpdate(f)
	for i, s := range all {
		_, why := f.specimen(s.Name)
		switch _, documented := inputOf(s.Op); {
		case !documented:
			all[i] = s.settle(NotProven("a documented parameter input", "none").Because("AQL-4.5-01"))
		case why != nil && s.Baseline().State != Missing:
			all[i] = s.settle(*why)
		}
	}
	return all
}

// An inputTrial is the script of one row: an object, a change that has to work, and the
// requests that have to be refused.
type inputTrial struct {
	sp  specimen
	own bool // there is an object of ours
}

func inputTrialOf(s Subject) inputTrial {
	sp, why := s.specimen(s.Name)
	if why != nil {
		return inputTrial{specimen{Subject: s}, false}
	}
	return inputTrial{sp, true}
}

// request is the update of our object, or of what is not there, without input.
func (t inputTrial) request(take int) probes.Probe {
	if !t.own {
		return t.sp.ValidCall().Without("input").Anew(take)
	}
	return t.sp.on(take)
}

// begin makes the object and shows that it can be changed.
func (t inputTrial) begin(ask Asking) bool {
	if !t.own {
		return !ask(t.sp.ValidCall()).Lost()
	}
	if !t.sp.begin(ask, refuseTake, nil) {
		return false
	}
	text, ok := t.sp.text()
	return ok && ask(t.sp.on(refuseTake+10).With("input", map[string]any{text.Name: t.sp.stamp(refuseTake) + "-ok"})).Succeeded()
}

// outcome splits what an inputTrial asked: control says why there is nothing to
// judge, because no object could be made and changed. A refusal by what refuses
// everything shows nothing.
func (t inputTrial) outcome(got []probes.Observation, from int) (control *Ruling, rest []probes.Observation) {
	for _, o := range got {
		if o.Probe.Take >= from {
			rest = append(rest, o)
		}
	}
	if len(rest) > 0 {
		return nil, rest
	}
	r := NotProven("an update of our own object that succeeds", got[len(got)-1]).Because("AQL-4.5-03")
	if _, ok := t.sp.text(); t.own && !ok {
		r = NotProven("a field that plays the part of text, to show that an update succeeds", "none").Mend(resourceHint)
	}
	return &r, nil
}

// refusingInput is a check that some requests, built from the update without input, are
// refused.
func refusingInput(id, fix string, take int, bad func(t inputTrial) []probes.Probe, judge func(t inputTrial, got []probes.Observation) Ruling) Check {
	return Check{
		Requirement: id,
		On:          eachRefusing,
		Lane:        probes.Serial,
		Fix:         fix,
		Drive: func(s Subject, ask Asking) {
			t := inputTrialOf(s)
			if !t.begin(ask) {
				return
			}
			for _, p := range bad(t) {
				ask(p)
			}
		},
		Judge: func(s Subject, got []probes.Observation) Ruling {
			t := inputTrialOf(s)
			if len(bad(t)) == 0 {
				return NotApplicable("nothing that could be refused")
			}
			control, rest := t.outcome(got, take)
			if control != nil {
				return *control
			}
			return judge(t, rest)
		},
	}
}

// beforehand reports whether a refusal says nothing about the request: the
// resource is not there, or something stands before the operation.
func (t inputTrial) beforehand(o probes.Observation) bool {
	return o.Deferred() || !t.own && (strings.HasPrefix(o.Code(), "NOT_FOUND") || strings.HasPrefix(o.Code(), "INTERNAL_"))
}

// Section 4.5.3. An update that changes nothing hides that something was forgotten.
var _ = register(refusingInput("AQL-4.5.3-01", "require input", refuseTake+100, withoutInput, func(t inputTrial, got []probes.Observation) Ruling {
	for _, o := range got {
		if o.Succeeded() {
			return Violates("a refusal of an update without input", o)
		}
	}
	if t.beforehand(got[0]) {
		return NotProven("a refusal of an update without input", got[0])
	}
	return Conforms().By(got[0])
}))

func withoutInput(t inputTrial) []probes.Probe {
	return []probes.Probe{t.request(refuseTake + 100), t.sp.Request(t.sp.Op, nil).Anew(refuseTake + 101)}
}

// Section 4.5.3. The code tells a program what to add.
var _ = register(refusingInput("AQL-4.5.3-02", "answer a missing input with VALIDATION_MISSING_PARAM", refuseTake+100, withoutInput, func(t inputTrial, got []probes.Observation) Ruling {
	o := got[0]
	named := o.Details().At("param_name").Text()
	switch {
	case o.Succeeded():
		return NotProven("a refusal of an update without input", o).Because("AQL-4.5.3-01")
	case t.beforehand(o), strings.HasPrefix(o.Code(), "NOT_FOUND"), o.RefusedBelow():
		return NotProven("a refusal for the missing input", o)
	case o.Code() == "VALIDATION_MISSING_PARAM" && named != "" && named != "input" && t.sp.Op.HasParameter(named):
		return Departs("input named as missing", named).By(o)
	case o.Code() == "VALIDATION_MISSING_PARAM":
		return Conforms().By(o)
	case !t.own:
		return NotProven("error VALIDATION_MISSING_PARAM for an existing resource", o)
	}
	return Violates("error VALIDATION_MISSING_PARAM", o)
}))

// Section 4.5.3. Serialised JSON is a string like any other: an adapter that parses
// it accepts two languages and documents one.
var _ = register(refusingInput("AQL-4.5.3-03", "refuse an input that is no JSON object", refuseTake+110, noObjects, func(t inputTrial, got []probes.Observation) Ruling {
	var rs []Ruling
	for _, o := range got[1:] {
		switch {
		case o.Succeeded() && o.Probe.Params()["input"] == nil && got[0].Succeeded():
			rs = append(rs, NotProven("a refusal of an update without input", got[0]).Because("AQL-4.5.3-01")) // null counts as absent
		case o.Succeeded():
			rs = append(rs, Violates("a refusal of input "+probes.ValueOf(o.Probe.Params()["input"]).String(), o))
		case t.beforehand(o):
			rs = append(rs, NotProven("a refusal of an input that is no object", o))
		default:
			rs = append(rs, Conforms().By(o))
		}
	}
	return Worst(rs...)
}))

// noObjects are the update without input, and with inputs of every other kind.
func noObjects(t inputTrial) []probes.Probe {
	field := "title"
	if text, ok := t.sp.text(); ok {
		field = text.Name
	}
	value := t.sp.Gen.Marker("-45110-x")
	object, _ := json.Marshal(map[string]any{field: value})
	ps := []probes.Probe{t.request(refuseTake + 110)}
	for i, v := range []any{value, 5, true, []any{}, []any{map[string]any{field: value}}, nil, string(object)} {
		ps = append(ps, t.request(refuseTake+111+i).With("input", v))
	}
	return ps
}

// unknownField is the name of a field that no type declares.
func unknownField(t inputTrial) string { return "aqlx_unknown_" + t.sp.Nonce }

// open reports whether an input says that it takes fields beside those it declares.
func (f *Face) open(input probes.Parameter) bool {
	named, _ := f.Type(input.Type)
	return input.Raw.At("additionalProperties").True() || named.Details.At("additionalProperties").True()
}

func unknownFields(t inputTrial) []probes.Probe {
	input, _ := inputOf(t.sp.Op)
	if _, declared := t.sp.fieldsOf(input, probes.Operation{}); !declared || t.sp.open(input) {
		return nil
	}
	return []probes.Probe{t.request(refuseTake+300).With("input", map[string]any{unknownField(t): 1})}
}

// Section 4.5.3. A misspelt field that is dropped looks to the model like a change.
var _ = register(refusingInput("AQL-4.5.3-06", "refuse fields of input that the resource does not have", refuseTake+300, unknownFields, func(t inputTrial, got []probes.Observation) Ruling {
	switch o := got[0]; {
	case o.Succeeded():
		return Violates("error VALIDATION_UNKNOWN_FIELD", o)
	case t.beforehand(o):
		return NotProven("a refusal of the unknown field", o)
	}
	return Conforms()
}))

// Section 4.5.3. Fields and parameters live in different places and are mended there.
var _ = register(refusingInput("AQL-4.5.3-07", "answer an unknown field of input with VALIDATION_UNKNOWN_FIELD", refuseTake+300, unknownFields, func(t inputTrial, got []probes.Observation) Ruling {
	switch o := got[0]; {
	case !o.Refused():
		return NotApplicable("does not hold: AQL-4.5.3-06 was refused")
	case t.beforehand(o) || !o.Mentions(unknownField(t)) && o.Code() != "VALIDATION_UNKNOWN_FIELD":
		return NotProven("a refusal that names the unknown field", o)
	case o.Code() != "VALIDATION_UNKNOWN_FIELD":
		return Violates("error VALIDATION_UNKNOWN_FIELD", o)
	}
	return Conforms()
}))
