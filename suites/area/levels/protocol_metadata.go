package levels

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Introspection document, section 4.1.1.
var listingCarriesProtocolMetadataWithVersion = check.Check{
	Requirement: "INT-4.1.1-01",
	Rule:        "The operations listing carries a _protocol object with a version string.",
	Why:         "The version says which text the adapter follows; every reader of a listing needs it, not only the first.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.Listing(), s.Listing().Anew("protocol metadata: listing again")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got {
			protocol := o.Data().At("_protocol")
			version := protocol.At("version")
			switch {
			case !o.Succeeded():
				rs = append(rs, ruling.NotProven("a listing of operations", o).Because("AQL-7.2-04"))
			case o.Envelope().At("_protocol").Is(probes.Object) && protocol.Is(probes.Absent):
				rs = append(rs, ruling.Violates("_protocol inside data", "_protocol beside data, readable but misplaced").By(o))
			case !protocol.Is(probes.Object):
				rs = append(rs, ruling.Violates("an object data._protocol", protocol).By(o))
			case !version.Is(probes.String) || version.Text() == "":
				rs = append(rs, ruling.Violates("a version in _protocol", version).By(o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "put _protocol with a version string into data of every operations listing",
}

// semver is the form of a semantic version; its first group is the release.
var semver = regexp.MustCompile(`^((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`)

// Introspection document, section 4.1.1.
var protocolVersionIsSemanticVersion = check.Check{
	Requirement: "INT-4.1.1-02",
	Rule:        "The version value is in semantic-version format.",
	Why:         "Versions are compared by machines, in one form.",
	On:          check.ProtocolWith("version"),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		version := s.Protocol.At("version")
		form := semver.FindStringSubmatch(version.Text())
		switch {
		case !version.Is(probes.String) || version.Text() == "":
			return ruling.NotProven("a version string", version).Because("INT-4.1.1-01")
		case form == nil:
			return ruling.Violates("a semantic version", version)
		case form[1] != "1.0.0":
			return ruling.Departs("a known version of the specification", version)
		}
		return ruling.Conforms()
	},
	Fix: "state the version of the specification as major.minor.patch, for example " + catalogue.SpecVersion,
}

// worded returns a check that a member of _protocol is one of some words.
func worded(requirement, member string, words []string, note map[string]string) check.Check {
	return check.Check{
		Requirement: requirement,
		On:          check.ProtocolWith(member),
		Ask:         model.Listing,
		Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
			v := s.Protocol.At(member)
			if v.Is(probes.String) && slices.Contains(words, v.Text()) {
				return ruling.Conforms()
			}
			return ruling.Violates("one of "+strings.Join(words, ", ")+" as "+member, v).Noting(note[v.Text()])
		},
		Fix: "write " + strings.Join(words, " or ") + " as _protocol." + member,
	}
}

// Introspection document, section 4.1.1.
var statedLevelUsesDefinedWord = worded("INT-4.1.1-04", "conformance", []string{"level-1", "level-2"}, nil).WithRule(
	"A stated conformance level is level-1 or level-2.",
	"A level in own words cannot be compared.")

// Introspection document, section 4.1.1.
var statedModeUsesDefinedWord = worded("INT-4.1.1-06", "mode", []string{"semantic", "single", "all"},
	map[string]string{"crude": "crude is the word of earlier drafts for semantic"}).WithRule(
	"A stated mode is semantic, single or all.",
	"The mode tells a client which tools to expect.")

// Introspection document, section 4.1.1.
var protocolMetadataStatesMode = check.Check{
	Requirement: "INT-4.1.1-05",
	Rule:        "_protocol states the endpoint mode.",
	Why:         "Without the mode a client has to infer from tool names how operations are routed.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		mode := s.Protocol.At("mode")
		switch {
		case !s.Protocol.Is(probes.Object):
			return ruling.NotProven("a _protocol object", s.Protocol).Because("INT-4.1.1-01")
		case mode.Is(probes.Absent), mode.Is(probes.Null):
			return ruling.Violates("the mode in _protocol", mode)
		}
		return ruling.Conforms()
	},
	Fix: "state semantic, single or all as _protocol.mode",
}

// capabilityFlags are the capabilities that are true or false by definition.
var capabilityFlags = strings.Fields(`batch field_selection aggregations computed_fields pagination relationship_queries warnings
	confirmation dangerous_operations`)

// Introspection document, section 4.1.1.
var capabilityFlagsAreBooleans = check.Check{
	Requirement: "INT-4.1.1-08",
	Rule:        "capabilities, when present, is an object whose recognised members are booleans.",
	Why:         "A flag is a boolean. A list of names or a word needs special code for each adapter.",
	On:          check.ProtocolWith("capabilities"),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		capabilities := s.Protocol.At("capabilities")
		if !capabilities.Is(probes.Object) {
			return ruling.Violates("an object capabilities", capabilities)
		}
		for _, name := range capabilityFlags {
			if v := capabilities.At(name); !v.Is(probes.Absent) && !v.Is(probes.Boolean) {
				return ruling.Violates("a boolean capabilities."+name, v)
			}
		}
		return ruling.Conforms()
	},
	Fix: "make capabilities an object of booleans",
}

// Section 9.3.3.
var concurrencyMetadataIsWellTyped = check.Check{
	Requirement: "AQL-9.3.3-01",
	Rule:        "Concurrency metadata may be exposed in _protocol.",
	Why:         "Clients act on the concurrency flags. A word in place of a flag has no effect.",
	On:          check.ProtocolWith("concurrency", "supports_etag", "max_concurrent_requests"),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		most := s.Protocol.At("max_concurrent_requests")
		count, _ := most.Float()
		switch p := s.Protocol; {
		case p.Has("concurrency") && !p.At("concurrency").Is(probes.String):
			return ruling.Violates("a string concurrency", p.At("concurrency"))
		case p.Has("supports_etag") && !p.At("supports_etag").Is(probes.Boolean):
			return ruling.Violates("a boolean supports_etag", p.At("supports_etag"))
		case p.Has("max_concurrent_requests") && (!most.Whole() || count < 1):
			return ruling.Violates("a positive whole number max_concurrent_requests", most)
		}
		return ruling.Conforms()
	},
	Fix: "write concurrency as a string, supports_etag as a boolean, max_concurrent_requests as a positive number",
}

// remembers reports whether the adapter advertises a feature that ties requests to
// the session they came in: tokens, the safety loop, or warnings, which are given
// once per session (section 2.3.3).
func remembers(f *model.Adapter) bool {
	flags := f.Protocol.At("capabilities")
	loop := flags.At("execution_safety_loop").Text()
	return flags.At("confirmation").True() || flags.At("warnings").True() || loop != "" && loop != "disabled"
}

// Section 2.3.5.
var ownSessionIdentifierAppearsInIntrospection = check.Check{
	Requirement: "AQL-2.3.5-07",
	Rule:        "An adapter that needs session tracking makes its own identifier at initialize and shows it in _protocol.",
	Why:         "MCP has no session identifier to refer to; an adapter that keeps state per session has to show its own, or nobody can say which state is meant.",
	On:          model.Given(remembers, model.IntrospectSubject),
	Lane:        probes.Disposable,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if len(ofSession(ask(s.Listing()))) > 0 {
			ask(s.Listing().Over(probes.InSession(s.Conn + "/other-identifier")).As(otherSession))
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		own := ofSession(got[0])
		if len(own) == 0 {
			return ruling.Violates("a session identifier in _protocol", "none")
		}
		other := got.Step(otherSession)
		theirs := ofSession(other)
		for name, v := range own {
			if t := theirs[name]; other.Succeeded() && t != v || strings.ContainsAny(v, "0123456789") && !number.MatchString(v) {
				return ruling.Conforms().By(got[0])
			}
		}
		if !other.Succeeded() {
			return ruling.NotProven("a listing in a second session", other).By(got[0])
		}
		return ruling.Violates("a session identifier in _protocol", "the same in two sessions").By(got[0], other)
	},
	Fix: "make an identifier at initialize and show it as _protocol.session_id",
}

const otherSession = "session identifier: listing in a second session"

// number matches numbers, which are limits more often than identifiers.
var number = regexp.MustCompile(`^-?[0-9.]+$|^(true|false)$`)

// ofSession returns the values of _protocol that stand below a name that speaks of a session, by their place.
func ofSession(o probes.Observation) map[string]string {
	found := map[string]string{}
	var walk func(v probes.Value, place string, named bool)
	walk = func(v probes.Value, place string, named bool) {
		for _, m := range v.Members() {
			below := named || strings.Contains(strings.ToLower(m.Name), "session")
			if text := m.Value.Scalars(); below && !m.Value.Is(probes.Object) && len(text) > 0 && text[0] != "" {
				found[place+"."+m.Name] = text[0]
			}
			walk(m.Value, place+"."+m.Name, below)
		}
	}
	walk(o.Data().At("_protocol"), "data", false)
	walk(o.Envelope().At("_protocol"), "envelope", false)
	return found
}
