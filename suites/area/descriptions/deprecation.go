package descriptions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Introspection document, section 8.2.2.
var inapplicableElementTypesAreNoted = check.Check{
	Requirement: "INT-8.2.2-03",
	Rule:        "Operations that do not apply to some element types say so.",
	Why:         "A shared enum can list values that some of its operations reject.",
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
			said := o.Message() + " " + strings.ToLower(strings.ReplaceAll(o.Code(), "_", " "))
			if o.Refused() && !o.Deferred() && check.NotApplicablePattern.MatchString(said) && !excepted(s, v) {
				rs = append(rs, ruling.Violates("a note that "+v.String()+" does not apply to "+s.Op.Name, o).By(got[0]))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "take the value out of the enum, or name the exception in the description",
}

// excepted reports whether the documentation of an operation or of its parameter names a listed value once more, in any number: where it
// lists what does not apply, or in a sentence.
func excepted(s model.Subject, v probes.Value) bool {
	texts := []string{check.Description(s)}
	for _, m := range slices.Concat(s.Par.Raw.Members(), s.Op.Details.Members()) {
		if !slices.Contains(strings.Fields("name type enum default example examples parameters returns errors"), m.Name) {
			texts = append(texts, m.Value.Text())
			texts = append(texts, m.Value.Scalars()...)
		}
	}
	one := vocab.Singular(strings.ToLower(v.Text()))
	return check.WholeWord(v.Text()).MatchString(strings.Join(texts, "\n")) || slices.ContainsFunc(vocab.Words(strings.Join(texts, " ")), func(w string) bool {
		return vocab.Singular(strings.ToLower(w)) == one
	})
}

func kindTrials(s model.Subject) []probes.Value {
	if s.Par.Raw.At("enum").Is(probes.Array) {
		return check.EnumSamples(s)
	}
	all := s.EnumOf(s.Par)
	return all[:min(len(all), check.MaxEnumProbes["CREATE"])]
}

var (
	// outdated matches a notice that something will go away.
	outdated = regexp.MustCompile(`(?i)\b(deprecat\w*|obsolet\w*|veraltet|obsol[eè]te|legacy|déprécié\w*|en desuso)`)
	// leaving matches other words for the same in a description.
	leaving = regexp.MustCompile(`(?i)\b(will be removed|to be removed|no longer|discontinued|retired|phased out|replaced by|superseded by|do not use|don't use|goes away|go away|(?:old|former) (?:name|spelling|form))\b|устар|非推奨|廃止|弃用|废弃`)
	// calledDeprecated matches a description that calls its own parameter deprecated, and not
	// something that the parameter speaks of.
	calledDeprecated = regexp.MustCompile(`(?i)^\W*(?:deprecated|obsolete)\b|\b(?:is|are|now|been|parameter) (?:deprecated|obsolete)\b|\b(?:deprecated|obsolete)\b\s*(?:[.:;,)\]–—-]|since\b|in favou?r\b|from\b|$)|\b(?:veraltet|obsoleto|obsolète)\b`)
	// replacement matches a word on what to do instead, noReplacement one that only looks like it.
	replacement   = regexp.MustCompile(`(?i)\b(use|call|prefer|migrate|switch to|instead|replaced by|superseded by|in favou?r of|omit|leave (?:it )?out|remove it|(?:no|without) effect|ignored|stattdessen|en su lugar|à la place)\b`)
	noReplacement = regexp.MustCompile(`(?i)\b(?:do not|don't|not be|no longer|never) used?\b|\b(?:still |in )+use\b`)
)

// Introspection document, section 8.2.4.
var deprecatedParametersStayListedAndMarked = check.Check{
	Requirement: "INT-8.2.4-01",
	Rule:        "Parameters on their way out are still listed and marked as deprecated.",
	Why:         "A deprecated parameter still works, so it must be documented, and its deprecation as well.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		op, listed := f.Operation(o.Probe.Operation())
		rs := []ruling.Ruling{check.Irrelevant}
		for _, w := range o.Envelope().At("warnings").Items() {
			name := deprecatedParameter(op, o, w)
			i := slices.IndexFunc(op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
			switch {
			case !o.Succeeded() || !listed || name == "" || i < 0 && respelt(op, name):
			case i < 0:
				rs = append(rs, ruling.Violates("the deprecated parameter "+name+" listed with a notice", "not listed").By(o))
			case !marked(op.Parameters[i].Raw) && !markedBeside(op, name):
				rs = append(rs, ruling.Violates("a notice of deprecation on "+name, op.Parameters[i].Raw).By(o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	}},
	Fix: "keep deprecated parameters in introspection and say in their description that they are deprecated",
}

// marked reports whether a record says in its description or in a member of its own that the
// parameter is leaving.
func marked(record probes.Value) bool {
	flagged := func(m probes.Member) bool {
		return outdated.MatchString(m.Name) && !m.Value.False() && !m.Value.Is(probes.Null)
	}
	text := record.At("description").Text()
	return outdated.MatchString(text) || leaving.MatchString(text) || slices.ContainsFunc(record.Members(), flagged)
}

// markedBeside reports whether the description of the operation has a notice that names the parameter.
func markedBeside(op probes.Operation, name string) bool {
	clauses := strings.FieldsFunc(op.Details.At("description").Text(), func(r rune) bool { return strings.ContainsRune(".;!?。；", r) })
	return slices.ContainsFunc(clauses, func(text string) bool {
		return check.WholeWord(name).MatchString(text) && (outdated.MatchString(text) || leaving.MatchString(text))
	})
}

// respelt reports whether a name is that of a documented parameter in another spelling.
func respelt(op probes.Operation, name string) bool {
	return slices.ContainsFunc(op.Parameters, func(p probes.Parameter) bool { return check.FoldName(p.Name) == check.FoldName(name) })
}

// Introspection document, section 8.2.4.
var deprecatedParametersNameTheirReplacement = check.Check{
	Requirement: "INT-8.2.4-02",
	Rule:        "The description of a deprecated parameter tells what to use instead.",
	Why:         "A notice without a way out leaves a model where it was.",
	On:          model.Only(model.EachParameter, func(s model.Subject) bool { return calledDeprecated.MatchString(s.Par.Raw.At("description").Text()) }),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		text := s.Par.Raw.At("description").Text()
		if replacement.MatchString(noReplacement.ReplaceAllString(text, "")) || namesAnother(s, text) {
			return ruling.Conforms()
		}
		return ruling.Violates("what to use instead of "+check.Quoted(s.Par.Name), probes.ValueOf(text))
	},
	Fix: "name the parameter to use instead",
}

// namesAnother reports whether a description names an operation, or another parameter of its own.
// In English a name that is a plain word counts in quotes alone: whatever the status names nothing.
func namesAnother(s model.Subject, text string) bool {
	english := strings.Contains(strings.ToLower(text), "deprecated") || strings.Contains(strings.ToLower(text), "obsolete")
	named := func(name string) bool {
		plain := !strings.Contains(name, "_") && name == strings.ToLower(name)
		pattern := check.WholeWord(name)
		if plain && english {
			pattern = regexp.MustCompile("[`'\"“‘«]" + regexp.QuoteMeta(name) + "[`'\"”’»]")
		}
		return name != s.Par.Name && pattern.MatchString(text)
	}
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return named(p.Name) }) ||
		slices.ContainsFunc(s.Operations, func(o probes.Operation) bool { return o.Name != s.Op.Name && named(o.Name) })
}
