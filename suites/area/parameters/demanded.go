package parameters

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Introspection document, section 8.1.1.
var optionalParametersMayBeLeftOut = check.Check{
	Requirement: "INT-8.1.1-04",
	Rule:        "A request with only the documented required parameters is not refused as incomplete, so everything demanded is documented as required.",
	Why:         "A parameter that the adapter requires must be documented as required. Otherwise the first call of every model fails.",
	On:          check.EachSendable,
	Drive: func(s model.Subject, ask model.AskFunc) {
		o := ask(s.ValidCall())
		if bare, less := requiredAlone(s); less {
			if moved := movedMark(s, bare); moved != "" && !ask(s.FreshCall(markMoved).With(moved, s.Gen.Marker("-beside")).Anew(markMoved)).Succeeded() {
				return // the other text may demand what is left out
			}
			o = ask(bare)
		}
		if p := leftOutAndBlamed(s, o); p.Name != "" {
			if all := s.Gen.Values(s.Op, p); len(all) > 0 {
				ask(o.Probe.With(p.Name, all[0].Go()).As(blamedBeside))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		whole, demanded := got.Find(blamedBeside)
		if demanded {
			got = got[:len(got)-1]
		}
		if whole, moved := got.Find(markMoved); moved && !whole.Succeeded() {
			return ruling.NotProven("a creation with another text that succeeds", whole)
		}
		o := got[len(got)-1]
		_, less := requiredAlone(s)
		switch {
		case demanded && whole.Succeeded():
			return demandedAnyway(s, o, leftOutAndBlamed(s, o).Name).By(o, whole)
		case o.Deferred() || less && !o.Succeeded() && o.Code() != "VALIDATION_MISSING_PARAM":
			return ruling.NotProven("an answer about the request", o)
		case s.KnownGoodRequest().Usable() && (!less || o.Succeeded()):
			return ruling.Conforms()
		case !s.Op.Details.Is(probes.Object): // its parameters are not known at all
			return ruling.NotProven("details of "+s.Name, "none").Because("AQL-7.3-02")
		case o.Code() != "VALIDATION_MISSING_PARAM":
			return ruling.NotProven("a request of "+s.Name+" that is known to be valid", o)
		case check.BlamedKnownName(s, o) != "":
			return ruling.NotProven("the documented names accepted", o).Because("AQL-4.3-02")
		}
		name := o.Details().At("param_name").Text()
		for _, p := range s.Op.Parameters {
			if p.Name == name && p.Required {
				return ruling.NotProven("the documented names accepted", o).Because("AQL-4.3-02")
			}
		}
		return demandedAnyway(s, o, name)
	},
	Fix: "document every demanded parameter with required: true",
}

// markMoved is the step of a known-good creation that gives a further text: the one that has the mark where its own is left out.
const markMoved = "required parameters: with another text"

// movedMark is the optional parameter that has the mark in a creation without the optional ones of the known-good request.
func movedMark(s model.Subject, bare probes.Probe) string {
	for _, q := range s.Op.Parameters {
		if _, given := bare.Params()[q.Name]; given && !q.Required {
			return q.Name
		}
	}
	return ""
}

// blamedBeside is the step of a request with the parameter that a refusal has named.
const blamedBeside = "required parameters: with the one that was blamed"

// leftOutAndBlamed is the parameter without a default that a refusal names, though it was not sent.
func leftOutAndBlamed(s model.Subject, o probes.Observation) probes.Parameter {
	for _, p := range s.Op.Parameters {
		named := strings.HasPrefix(o.Code(), "VALIDATION_") && o.Details().At("param_name").Text() == p.Name
		if o.Refused() && named && !p.Required && model.ValueIn(o.Probe, p.Name).Is(probes.Absent) && !p.Raw.Has("default") {
			return p
		}
	}
	return probes.Parameter{}
}

// demandedAnyway rules on a parameter that is documented as optional, or not at all, and demanded. Where the details name none,
// it is one of those in the message.
func demandedAnyway(s model.Subject, o probes.Observation, name string) ruling.Ruling {
	const want = "the documented required parameters to suffice"
	if slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool {
		blamed := p.Name == name || name == "" && !p.Required && check.WholeWord(p.Name).MatchString(o.Message())
		return blamed && conditional(s, p.Name)
	}) {
		return ruling.Departs(want, o).Noting("a description states the condition")
	}
	return ruling.Violates(want, o)
}

// requiredAlone is a known-good request without its optional parameters; less is false where it has none.
// A creation whose mark is in one of these gets it in each required text that takes it, or else in another optional one.
func requiredAlone(s model.Subject) (p probes.Probe, less bool) {
	const step = "required parameters alone"
	p = s.FreshCall(step)
	known := p.Params()
	for _, q := range s.Op.Parameters {
		if _, given := known[q.Name]; given && !q.Required {
			p, less = p.Without(q.Name), true
		}
	}
	if !less || s.Op.Category != "CREATE" {
		return p.As(step), less && s.KnownGoodRequest().Usable()
	}
	mark, marked := probes.ValueOf(s.Gen.Marker("-required")), false
	takes := func(q probes.Parameter) bool {
		return q.Type == "string" && s.Misfit(q, mark) == "" && !probes.IsReference(s.Op, q) && !q.Raw.Has("format")
	}
	for _, q := range s.Op.Parameters {
		if q.Required && takes(q) {
			p, marked = p.With(q.Name, mark.Go()), true
		}
	}
	for _, q := range s.Op.Parameters {
		if _, given := known[q.Name]; !marked && !q.Required && !given && takes(q) {
			p, marked = p.With(q.Name, mark.Go()), true
		}
	}
	return p.As(step), s.KnownGoodRequest().Usable()
}

// condition matches words in which a description says when a parameter is needed.
var condition = regexp.MustCompile(`(?i)\b(either|at least one|one of|unless|required (if|when|with)|only (if|when|with))\b`)

// conditional reports whether a description states the condition under which the
// optional parameter is demanded: in such words, or by naming the alternatives.
func conditional(s model.Subject, demanded string) bool {
	texts := check.Description(s)
	for _, p := range s.Op.Parameters {
		if p.Name == demanded {
			texts += "\n" + p.Raw.At("description").Text()
		}
	}
	named := func(p probes.Parameter) bool {
		return !p.Required && p.Name != demanded && regexp.MustCompile(`\b`+regexp.QuoteMeta(p.Name)+`\b`).MatchString(texts)
	}
	return condition.MatchString(texts) || slices.ContainsFunc(s.Op.Parameters, named)
}
