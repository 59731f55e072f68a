package update

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The script "refused input" tries section 4.5.3 on one object of ours per operation,
// which the requests below must not change. Where none can be made, the rows that only
// ask for a refusal use the identifier that a READ has reported as not found.

// eachRefusing is every UPDATE operation with an input that may be called.
func eachRefusing(f *model.Adapter) []model.Subject {
	all := check.EachUpdate(f)
	for i, s := range all {
		_, why := f.TestObject(s.Name)
		switch _, documented := check.InputOf(s.Op); {
		case !documented:
			all[i] = s.WithRuling(ruling.NotProven("a documented parameter input", "none").Because("AQL-4.5-01"))
		case why != nil && s.KnownGoodRequest().State != model.ProvenAbsent:
			all[i] = s.WithRuling(*why)
		}
	}
	return all
}

// An inputTrial is the script of one row: an object, a change that has to work, and the
// requests that have to be refused.
type inputTrial struct {
	sp  model.TestObject
	own bool // there is an object of ours
}

func inputTrialOf(s model.Subject) inputTrial {
	sp, why := s.TestObject(s.Name)
	if why != nil {
		return inputTrial{model.TestObject{Subject: s}, false}
	}
	return inputTrial{sp, true}
}

// request is the update of our object, or of what is not there, without input.
func (t inputTrial) request(step string) probes.Probe {
	if !t.own {
		return t.sp.ValidCall().Without("input").Anew(step)
	}
	return t.sp.Apply(step)
}

// begin makes the object and shows that it can be changed.
func (t inputTrial) begin(ask model.AskFunc) bool {
	if !t.own {
		return !ask(t.sp.ValidCall()).Lost()
	}
	if !check.CreateWithFields(t.sp, ask, "refused input", nil) {
		return false
	}
	field, value, ok := t.sp.ValidChange(t.sp.ScriptMark("refused input") + "-ok")
	return ok && ask(t.sp.Apply("refused input: valid update").With("input", map[string]any{field.Name: value})).Succeeded()
}

// outcome returns the answers under a step that has to be refused. control says why
// there is nothing to judge: no object could be made and changed. A refusal by an
// operation that refuses everything shows nothing.
func (t inputTrial) outcome(got probes.Answers, step string) (control *ruling.Ruling, refused probes.Answers) {
	if refused = got.Under(step); len(refused) > 0 {
		return nil, refused
	}
	r := ruling.NotProven("an update of our own object that succeeds", got.Last()).Because("AQL-4.5-03")
	if _, _, ok := t.sp.ValidChange(""); t.own && !ok {
		r = ruling.NotProven("a field that plays the part of text, to show that an update succeeds", "none").Mend(t.sp.FieldHint("text"))
	}
	return &r, nil
}

// refusingInput is a check that some requests, built from the update without input, are
// refused.
func refusingInput(id, fix, step string, bad func(t inputTrial) []probes.Probe, judge func(t inputTrial, got probes.Answers) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          eachRefusing,
		Lane:        probes.Serial,
		Fix:         fix,
		Drive: func(s model.Subject, ask model.AskFunc) {
			t := inputTrialOf(s)
			if !t.begin(ask) {
				return
			}
			for _, p := range bad(t) {
				ask(p)
			}
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			t := inputTrialOf(s)
			if len(bad(t)) == 0 {
				return ruling.NotApplicable("nothing that could be refused")
			}
			control, refused := t.outcome(got, step)
			if control != nil {
				return *control
			}
			return judge(t, refused)
		},
	}
}

// beforehand reports whether a refusal says nothing about the request: the
// resource is not there, or something stands before the operation.
func (t inputTrial) beforehand(o probes.Observation) bool {
	return o.Deferred() || !t.own && (strings.HasPrefix(o.Code(), "NOT_FOUND") || strings.HasPrefix(o.Code(), "INTERNAL_"))
}

// Section 4.5.3.
var updateWithoutInputIsRefused = refusingInput("AQL-4.5.3-01", "require input", "refused input: no input", withoutInput, func(t inputTrial, got probes.Answers) ruling.Ruling {
	for _, o := range got {
		if o.Succeeded() {
			return ruling.Violates("a refusal of an update without input", o)
		}
	}
	if t.beforehand(got[0]) {
		return ruling.NotProven("a refusal of an update without input", got[0])
	}
	return ruling.Conforms().By(got[0])
}).WithRule(
	"An UPDATE request without input is refused.",
	"An update that changes nothing hides that something was forgotten.")

func withoutInput(t inputTrial) []probes.Probe {
	return []probes.Probe{t.request("refused input: no input")}
}

// Section 4.5.3.
var missingInputHasItsDefinedCode = refusingInput("AQL-4.5.3-02", "answer a missing input with VALIDATION_MISSING_PARAM", "refused input: no input", withoutInput, func(t inputTrial, got probes.Answers) ruling.Ruling {
	o := got[0]
	named := o.Details().At("param_name").Text()
	switch {
	case o.Succeeded():
		return ruling.NotProven("a refusal of an update without input", o).Because("AQL-4.5.3-01")
	case t.beforehand(o), strings.HasPrefix(o.Code(), "NOT_FOUND"), o.RefusedBelow():
		return ruling.NotProven("a refusal for the missing input", o)
	case o.Code() == "VALIDATION_MISSING_PARAM" && named != "" && named != "input" && t.sp.Op.HasParameter(named):
		return ruling.Departs("input named as missing", named).By(o)
	case o.Code() == "VALIDATION_MISSING_PARAM":
		return ruling.Conforms().By(o)
	case !t.own:
		return ruling.NotProven("error VALIDATION_MISSING_PARAM for an existing resource", o)
	}
	return ruling.Violates("error VALIDATION_MISSING_PARAM", o)
}).WithRule(
	"The error code for a missing input is VALIDATION_MISSING_PARAM.",
	"The code tells a program what to add.")

// Section 4.5.3.
var inputMustBeObject = refusingInput("AQL-4.5.3-03", "refuse an input that is no JSON object", "refused input: not an object", noObjects, func(t inputTrial, got probes.Answers) ruling.Ruling {
	var rs []ruling.Ruling
	absent := got.Step("refused input: not an object: without input")
	for _, o := range got.Under("refused input: not an object: value") {
		switch {
		case o.Succeeded() && o.Probe.Params()["input"] == nil && absent.Succeeded():
			rs = append(rs, ruling.NotProven("a refusal of an update without input", absent).Because("AQL-4.5.3-01")) // null counts as absent
		case o.Succeeded():
			rs = append(rs, ruling.Violates("a refusal of input "+probes.ValueOf(o.Probe.Params()["input"]).String(), o))
		case t.beforehand(o):
			rs = append(rs, ruling.NotProven("a refusal of an input that is no object", o))
		case o.Code() == "INTERNAL_ERROR":
			rs = append(rs, ruling.NotProven("a refusal of an input that is no object", o).Because("OPS-5.4-01"))
		default:
			rs = append(rs, ruling.Conforms().By(o))
		}
	}
	return ruling.Worst(rs...)
}).WithRule(
	"Input that is not a JSON object is refused.",
	"Serialised JSON is a string like any other: an adapter that parses it accepts two languages and documents one.")

// noObjects are the update without input, and with inputs of every other kind. What counts as nothing in many
// languages is not the same as no input.
func noObjects(t inputTrial) []probes.Probe {
	field := "title"
	if text, ok := t.sp.TextField(); ok {
		field = text.Name
	}
	value := t.sp.Gen.Marker("-45110-x")
	object, _ := json.Marshal(map[string]any{field: value})
	ps := []probes.Probe{t.request("refused input: not an object: without input")}
	for i, v := range []any{value, 5, true, []any{}, []any{map[string]any{field: value}}, nil, string(object), 0, false, ""} {
		ps = append(ps, t.request(probes.Nth("refused input: not an object: value", i)).With("input", v))
	}
	return ps
}

// unknownField is the name of a field that no type declares.
func unknownField(t inputTrial) string { return "aqlx_unknown_" + t.sp.Nonce }

// open reports whether an input says that it takes fields beside those it declares.
func open(f *model.Adapter, input probes.Parameter) bool {
	named, _ := f.Type(input.Type)
	return slices.ContainsFunc([]probes.Value{input.Raw, named.Details}, func(record probes.Value) bool {
		more := record.At("additionalProperties") // true, or the schema of each more
		return more.True() || more.Is(probes.Object)
	})
}

// ofEach is the most telling of the rulings on the answers.
func ofEach(got probes.Answers, judge func(o probes.Observation) ruling.Ruling) ruling.Ruling {
	var rs []ruling.Ruling
	for _, o := range got {
		rs = append(rs, judge(o))
	}
	return ruling.Worst(rs...)
}

func unknownFields(t inputTrial) []probes.Probe {
	input, _ := check.InputOf(t.sp.Op)
	if _, declared := t.sp.FieldsOf(input, probes.Operation{}); !declared || open(t.sp.Subject.Adapter, input) {
		return nil
	}
	// A field that is valid stands beside it: who drops what is unknown may refuse what is left
	// because nothing is.
	fields := map[string]any{unknownField(t): 1}
	if field, value, ok := t.sp.ValidChange(t.sp.ScriptMark("refused input") + "-ok"); t.own && ok {
		fields[field.Name] = value
	}
	// A null removes, and the removal of a field that there cannot be is dropped as easily as a value.
	removal := maps.Clone(fields)
	removal[unknownField(t)] = nil
	return []probes.Probe{t.request("refused input: unknown field").With("input", fields), t.request("refused input: unknown field: null").With("input", removal)}
}

// Section 4.5.3.
var unknownFieldInsideInputIsRefused = refusingInput("AQL-4.5.3-06", "refuse fields of input that the resource does not have", "refused input: unknown field", unknownFields, func(t inputTrial, got probes.Answers) ruling.Ruling {
	return ofEach(got, func(o probes.Observation) ruling.Ruling {
		switch {
		case o.Succeeded():
			return ruling.Violates("error VALIDATION_UNKNOWN_FIELD", o)
		case t.beforehand(o):
			return ruling.NotProven("a refusal of the unknown field", o)
		}
		return ruling.Conforms()
	})
}).WithRule(
	"A field of input that the resource schema does not know is refused.",
	"A misspelt field that is dropped looks to the model like a change.")

// Section 4.5.3.
var unknownFieldHasItsOwnCode = refusingInput("AQL-4.5.3-07", "answer an unknown field of input with VALIDATION_UNKNOWN_FIELD", "refused input: unknown field", unknownFields, func(t inputTrial, got probes.Answers) ruling.Ruling {
	return ofEach(got, func(o probes.Observation) ruling.Ruling {
		switch {
		case !o.Refused():
			return ruling.NotApplicable("does not hold: AQL-4.5.3-06 was refused")
		case t.beforehand(o) || !o.Mentions(unknownField(t)) && o.Code() != "VALIDATION_UNKNOWN_FIELD":
			return ruling.NotProven("a refusal that names the unknown field", o)
		case o.Code() != "VALIDATION_UNKNOWN_FIELD":
			return ruling.Violates("error VALIDATION_UNKNOWN_FIELD", o)
		}
		return ruling.Conforms()
	})
}).WithRule(
	"The code used for an unknown input field is VALIDATION_UNKNOWN_FIELD, distinct from the code for unknown parameters.",
	"Fields and parameters live in different places and are mended there.")
