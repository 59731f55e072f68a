package levels

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 10.2.
var conformanceClaimStatesItsLevel = check.Check{
	Requirement: "AQL-10.2-01",
	Rule:        "An implementation claiming conformance states its level.",
	Why:         `"Conforms" without a level can mean anything.`,
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		protocol := got[0].Data().At("_protocol")
		claim, attested := s.Hint("attest.claim")
		switch {
		case statedLevel.MatchString(protocol.At("conformance").Text()):
			return ruling.Conforms().Noting("stated: " + ruling.Clip(protocol.At("conformance").Text()))
		case protocol.Has("conformance"):
			return ruling.NotProven("a level in words", protocol.At("conformance")).Because("INT-4.1.1-04")
		case attested && statedLevel.MatchString(claim):
			return ruling.Conforms().Noting("attested: " + ruling.Clip(claim))
		case attested && (claim == "no" || claim == "none"):
			return ruling.NotApplicable("the author claims no conformance")
		case attested:
			return ruling.Violates("a claim that states its level", "a claim without a level: "+claim)
		case protocol.Is(probes.Object):
			return ruling.Violates("_protocol.conformance", protocol)
		}
		return model.HintMissing("attest.claim", "what is claimed, level-1 or level-2, or no")
	},
	Fix: "state the level in _protocol.conformance",
}

// statedLevel is a level in the words of an author. A version has the same digits.
var statedLevel = regexp.MustCompile(`(?i)\b(?:level|l)[-_ ]*[12]\b|^[12]$`)

// capabilities are those the introspection document defines (4.1.1).
var capabilities = strings.Fields(`batch field_selection pagination aggregations computed_fields relationship_queries warnings confirmation
	dangerous_operations`)

// extensions returns what an answer shows beyond the specification: members of the
// envelope, and capabilities that it announces.
func extensions(o probes.Observation) (members, announced []string) {
	for _, name := range o.Envelope().Names() {
		if !check.EnvelopeMembers[name] {
			members = append(members, name)
		}
	}
	told := o.Data().At("_protocol", "capabilities")
	return members, slices.DeleteFunc(beyond(capabilities, told), func(name string) bool {
		return told.At(name).False() || told.At(name).Text() == check.Disabled // what is not offered is no extension
	})
}

// Section 10.2.
var extensionsAreDocumented = check.Check{
	Requirement: "AQL-10.2-03",
	Rule:        "Extensions are documented.",
	Why:         "Clients must not have to rely on undocumented behaviour.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		rs := []ruling.Ruling{check.Irrelevant}
		members, announced := extensions(o)
		for _, name := range append(members, announced...) {
			said, attested := f.Hint("attest.extensions")
			switch {
			case documentsExtension(f, name), attested && said != "no":
				rs = append(rs, ruling.Conforms().By(o))
			case attested:
				rs = append(rs, ruling.Violates("documentation of the extension "+name, "none").By(o))
			default:
				rs = append(rs, model.HintMissing("attest.extensions", "where "+name+" is documented, or no").By(o))
			}
		}
		return ruling.Worst(rs...)
	}},
	Fix: "document the extension, best in introspection",
}

// documentsExtension reports whether a text or member of introspection other than
// the announcement itself names it.
func documentsExtension(f *model.Adapter, name string) bool {
	return f.Remember("extension "+name, func() any {
		texts := f.Remember("texts of introspection", func() any { return textsOfIntrospection(f) }).([2]string)
		return strings.Contains(texts[0], `"`+name+`"`) || strings.Contains(texts[1], name) && check.WholeWord(name).MatchString(texts[1])
	}).(bool)
}

// textsOfIntrospection returns the JSON of all operations and types, and their values alone, a line
// each.
func textsOfIntrospection(f *model.Adapter) [2]string {
	var all []probes.Value
	for _, o := range f.Operations {
		all = append(all, o.Summary, o.Details)
	}
	for _, t := range f.Types {
		all = append(all, t.Summary, t.Details)
	}
	var raw, values strings.Builder
	for _, v := range all {
		raw.Write(v.Raw())
		raw.WriteByte('\n')
		for _, text := range v.Scalars() {
			values.WriteString(text + "\n")
		}
	}
	return [2]string{raw.String(), values.String()}
}

// Introspection document, section 4.1.1.
var statedLevelIsNotAboveResult = check.Check{
	Requirement: "INT-4.1.1-10",
	Rule:        "The stated conformance level is not higher than what the run establishes.",
	Why:         "Clients rely on the stated level. It is compared with the result of the whole run at its end. This check alone knows only whether the author declared that there is one endpoint mode.",
	On:          model.Given(func(f *model.Adapter) bool { return f.Protocol.Has("conformance") }, model.IntrospectSubject),
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		modes, told := s.Hint("modes")
		single := strings.Contains(modes, "single") || strings.Contains(modes, "all")
		both := single && (strings.Contains(modes, "semantic") || strings.Contains(modes, "all"))
		switch {
		case check.StatedLevel(s.Adapter) < 1:
			return ruling.NotProven("a defined level", s.Protocol.At("conformance")).Because("INT-4.1.1-04")
		case check.StatedLevel(s.Adapter) == 2 && told && !both:
			return ruling.Violates("both endpoint modes, as level-2 demands", "the mode "+modes+" alone").By(got[0])
		}
		return ruling.NotProven("the stated level established by this run", "the verdicts of the other requirements").By(got[0])
	},
	Fix: "state the level that the adapter reaches",
}
