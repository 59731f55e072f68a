package descriptions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Introspection document, section 8.2.2.
var inapplicableElementTypesAreNoted = check.Check{
	Requirement: "INT-8.2.2-03",
	Rule:        "Operations that do not apply to some element types say so.",
	Why:         "An enum that is shared by operations promises more than each of them keeps.",
	On:          check.RequireUsable(check.EachVariableParameter(check.IsDiscriminator)),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range kindTrials(s) {
			ps = append(ps, check.WithValue(s, 60+i, v.Go()))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms().By(got[0])}
		for i, o := range got.Rest() {
			v := kindTrials(s)[i]
			texts := check.Description(s) + "\n" + s.Par.Raw.At("description").Text()
			if o.Refused() && !o.Deferred() && check.NotApplicablePattern.MatchString(o.Message()) && !check.WholeWord(v.Text()).MatchString(texts) {
				rs = append(rs, ruling.Violates("a note that "+v.String()+" does not apply to "+s.Op.Name, o).By(got[0]))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "take the value out of the enum, or name the exception in the description",
}

func kindTrials(s model.Subject) []probes.Value {
	if s.Par.Raw.At("enum").Is(probes.Array) {
		return check.EnumSamples(s)
	}
	all := s.EnumOf(s.Par)
	return all[:min(len(all), check.MaxEnumProbes["CREATE"])]
}

// outdated matches a notice that something will go away.
var (
	outdated    = regexp.MustCompile(`(?i)\b(deprecat\w*|obsolete|veraltet|obsoleto|obsol[eè]te|legacy)`)
	replacement = regexp.MustCompile(`(?i)\b(use|instead|replaced by|superseded by|in favou?r of|prefer|see)\b`)
)

// Introspection document, section 8.2.4.
var deprecatedParametersStayListedAndMarked = check.Check{
	Requirement: "INT-8.2.4-01",
	Rule:        "Parameters on their way out are still listed and marked as deprecated.",
	Why:         "What still works has to be seen, and seen to be leaving.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		op, listed := f.Operation(o.Probe.Operation())
		rs := []ruling.Ruling{check.Irrelevant}
		for _, w := range o.Envelope().At("warnings").Items() {
			name := deprecatedParameter(o, w)
			i := slices.IndexFunc(op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
			switch {
			case !o.Succeeded() || !listed || name == "":
			case i < 0:
				rs = append(rs, ruling.Violates("the deprecated parameter "+name+" listed with a notice", "not listed").By(o))
			case !outdated.MatchString(op.Parameters[i].Raw.At("description").Text()) && !marked(op.Parameters[i].Raw):
				rs = append(rs, ruling.Violates("a notice of deprecation on "+name, op.Parameters[i].Raw).By(o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	}},
	Fix: "keep deprecated parameters in introspection and say in their description that they are deprecated",
}

// marked reports whether a record flags deprecation in a member of its own.
func marked(record probes.Value) bool {
	return record.At("deprecated").True() || record.At("deprecated").Is(probes.String) || record.Has("deprecation")
}

// deprecatedParameter returns the parameter of the request that a warning calls
// deprecated; "" when it speaks of something else.
func deprecatedParameter(o probes.Observation, warning probes.Value) string {
	text := warning.At("code").Text() + " " + warning.At("message").Text()
	if !outdated.MatchString(strings.ReplaceAll(text, "_", " ")) || warning.At("details", "type").Text() == "operation" {
		return ""
	}
	item := warning.At("details", "deprecated_item").Text()
	for _, name := range check.SortedKeys(o.Probe.Params()) {
		if name == item || item == "" && check.WholeWord(name).MatchString(warning.At("message").Text()) {
			return name
		}
	}
	return ""
}

// Introspection document, section 8.2.4.
var deprecatedParametersNameTheirReplacement = check.Check{
	Requirement: "INT-8.2.4-02",
	Rule:        "The description of a deprecated parameter tells what to use instead.",
	Why:         "A notice without a way out leaves a model where it was.",
	On:          model.Only(model.EachParameter, func(s model.Subject) bool { return outdated.MatchString(s.Par.Raw.At("description").Text()) }),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		text := s.Par.Raw.At("description").Text()
		named := func(p probes.Parameter) bool {
			return p.Name != s.Par.Name && check.WholeWord(p.Name).MatchString(text)
		}
		if replacement.MatchString(text) || slices.ContainsFunc(s.Op.Parameters, named) {
			return ruling.Conforms()
		}
		return ruling.Violates("what to use instead of "+check.Quoted(s.Par.Name), probes.ValueOf(text))
	},
	Fix: "name the parameter to use instead",
}
