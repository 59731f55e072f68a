package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// eachProtocol is the adapter where its _protocol object has one of the members.
func eachProtocol(members ...string) func(*Face) []Subject {
	return given(func(f *Face) bool { return slices.ContainsFunc(members, f.Protocol.Has) }, introspecting)
}

// Introspection document, section 4.1.1. The version says which text the adapter
// follows; every reader of a listing needs it, not only the first.
var _ = register(Check{
	Requirement: "INT-4.1.1-01",
	On:          introspecting,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{s.Listing(), s.Listing().Anew(411)} },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, o := range got {
			protocol := o.Data().At("_protocol")
			version := protocol.At("version")
			switch {
			case !o.Succeeded():
				rs = append(rs, NotProven("a listing of operations", o).Because("AQL-7.2-04"))
			case o.Envelope().At("_protocol").Is(probes.Object) && protocol.Is(probes.Absent):
				rs = append(rs, Violates("_protocol inside data", "_protocol beside data, readable but misplaced").By(o))
			case !protocol.Is(probes.Object):
				rs = append(rs, Violates("an object data._protocol", protocol).By(o))
			case !version.Is(probes.String) || version.Text() == "":
				rs = append(rs, Violates("a version in _protocol", version).By(o))
			default:
				rs = append(rs, Conforms().By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "put _protocol with a version string into data of every operations listing",
})

// semver is the form of a semantic version; its first group is the release.
var semver = regexp.MustCompile(`^((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`)

// Introspection document, section 4.1.1. Versions are compared by machines, in one
// form.
var _ = register(Check{
	Requirement: "INT-4.1.1-02",
	On:          eachProtocol("version"),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		version := s.Protocol.At("version")
		form := semver.FindStringSubmatch(version.Text())
		switch {
		case !version.Is(probes.String) || version.Text() == "":
			return NotProven("a version string", version).Because("INT-4.1.1-01")
		case form == nil:
			return Violates("a semantic version", version)
		case form[1] != "1.0.0":
			return Departs("a known version of the specification", version)
		}
		return Conforms()
	},
	Fix: "state the version of the specification as major.minor.patch, for example " + SpecVersion,
})

// worded returns a check that a member of _protocol is one of some words.
func worded(requirement, member string, words []string, note map[string]string) Check {
	return Check{
		Requirement: requirement,
		On:          eachProtocol(member),
		Ask:         listing,
		Judge: func(s Subject, _ []probes.Observation) Ruling {
			v := s.Protocol.At(member)
			if v.Is(probes.String) && slices.Contains(words, v.Text()) {
				return Conforms()
			}
			return Violates("one of "+strings.Join(words, ", ")+" as "+member, v).Noting(note[v.Text()])
		},
		Fix: "write " + strings.Join(words, " or ") + " as _protocol." + member,
	}
}

// Introspection document, section 4.1.1. A level in own words cannot be compared.
var _ = register(worded("INT-4.1.1-04", "conformance", []string{"level-1", "level-2"}, nil))

// Introspection document, section 4.1.1. The mode tells a client which tools to
// expect.
var _ = register(worded("INT-4.1.1-06", "mode", []string{"semantic", "single", "all"},
	map[string]string{"crude": "crude is the word of earlier drafts for semantic"}))

// Introspection document, section 4.1.1. Without the mode a client has to infer
// from tool names how operations are routed.
var _ = register(Check{
	Requirement: "INT-4.1.1-05",
	On:          introspecting,
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		mode := s.Protocol.At("mode")
		switch {
		case !s.Protocol.Is(probes.Object):
			return NotProven("a _protocol object", s.Protocol).Because("INT-4.1.1-01")
		case mode.Is(probes.Absent), mode.Is(probes.Null):
			return Violates("the mode in _protocol", mode)
		}
		return Conforms()
	},
	Fix: "state semantic, single or all as _protocol.mode",
})

// capabilityFlags are the capabilities that are true or false by definition.
var capabilityFlags = strings.Fields(`batch field_selection aggregations computed_fields pagination relationship_queries warnings
	confirmation dangerous_operations`)

// Introspection document, section 4.1.1. A flag is read as yes or no; a list of
// names or a word needs another reader for each adapter.
var _ = register(Check{
	Requirement: "INT-4.1.1-08",
	On:          eachProtocol("capabilities"),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		capabilities := s.Protocol.At("capabilities")
		if !capabilities.Is(probes.Object) {
			return Violates("an object capabilities", capabilities)
		}
		for _, name := range capabilityFlags {
			if v := capabilities.At(name); !v.Is(probes.Absent) && !v.Is(probes.Boolean) {
				return Violates("a boolean capabilities."+name, v)
			}
		}
		return Conforms()
	},
	Fix: "make capabilities an object of booleans",
})

// Section 9.3.3. What is said about concurrency is acted on: a word where a flag
// belongs switches nothing.
var _ = register(Check{
	Requirement: "AQL-9.3.3-01",
	On:          eachProtocol("concurrency", "supports_etag", "max_concurrent_requests"),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		most := s.Protocol.At("max_concurrent_requests")
		count, _ := most.Float()
		switch p := s.Protocol; {
		case p.Has("concurrency") && !p.At("concurrency").Is(probes.String):
			return Violates("a string concurrency", p.At("concurrency"))
		case p.Has("supports_etag") && !p.At("supports_etag").Is(probes.Boolean):
			return Violates("a boolean supports_etag", p.At("supports_etag"))
		case p.Has("max_concurrent_requests") && (!most.Whole() || count < 1):
			return Violates("a positive whole number max_concurrent_requests", most)
		}
		return Conforms()
	},
	Fix: "write concurrency as a string, supports_etag as a boolean, max_concurrent_requests as a positive number",
})

// remembers reports whether the adapter advertises a feature that ties requests to
// the session they came in: tokens, the safety loop, or warnings, which are given
// once per session (section 2.3.3).
func remembers(f *Face) bool {
	flags := f.Protocol.At("capabilities")
	loop := flags.At("execution_safety_loop").Text()
	return flags.At("confirmation").True() || flags.At("warnings").True() || loop != "" && loop != "disabled"
}

// Section 2.3.5. MCP has no session identifier to refer to; an adapter that keeps
// state per session has to show its own, or nobody can say which state is meant.
var _ = register(Check{
	Requirement: "AQL-2.3.5-07",
	On:          given(remembers, introspecting),
	Ask:         listing,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if identified(got[0].Data().At("_protocol")) || identified(got[0].Envelope().At("_protocol")) {
			return Conforms()
		}
		return Violates("a session identifier in _protocol", "none")
	},
	Fix: "make an identifier at initialize and show it as _protocol.session_id",
})

// identified reports whether a member whose name speaks of a session holds an
// identifier.
func identified(v probes.Value) bool {
	for _, m := range v.Members() {
		named := strings.Contains(strings.ToLower(m.Name), "session")
		if named && len(m.Value.Scalars()) > 0 && m.Value.Scalars()[0] != "" || identified(m.Value) {
			return true
		}
	}
	return false
}
