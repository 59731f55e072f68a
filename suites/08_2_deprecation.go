package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// notApplicableText matches a refusal that says a value does not apply here.
var notApplicableText = regexp.MustCompile(`(?i)\b(not applicable|in-?applicable|(?:does|do) not apply|(?:is|are) not supported|unsupported|not available for|cannot be (?:used|applied|executed|run)|can't be (?:used|applied)|not (?:allowed|valid|possible) for)\b`)

var typeName = regexp.MustCompile(`^(type|kind)$|_(type|kind)$`)

// discriminates reports whether the parameter chooses a kind of element from an
// enum.
func discriminates(s Subject) bool { return enumerable(s) && typeName.MatchString(s.Par.Name) }

// Introspection document, section 8.2.2. An enum that is shared by operations
// promises more than each of them keeps.
var _ = register(Check{
	Requirement: "INT-8.2.2-03",
	On:          usable(eachValued(discriminates)),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for i, v := range kindTrials(s) {
			ps = append(ps, s.varied(60+i, v.Go()))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		rs := []Ruling{Conforms().By(got[0])}
		for i, o := range got[1:] {
			v := kindTrials(s)[i]
			texts := description(s) + "\n" + s.Par.Raw.At("description").Text()
			if o.Refused() && !o.Deferred() && notApplicableText.MatchString(o.Message()) && !wholeWord(v.Text()).MatchString(texts) {
				rs = append(rs, Violates("a note that "+v.String()+" does not apply to "+s.Op.Name, o).By(got[0]))
			}
		}
		return Worst(rs...)
	},
	Fix: "take the value out of the enum, or name the exception in the description",
})

func kindTrials(s Subject) []probes.Value {
	if s.Par.Raw.At("enum").Is(probes.Array) {
		return enumTrials(s)
	}
	all := s.EnumOf(s.Par)
	return all[:min(len(all), maxEnumProbes["CREATE"])]
}

// outdated matches a notice that something will go away.
var (
	outdated    = regexp.MustCompile(`(?i)\b(deprecat\w*|obsolete|veraltet|obsoleto|obsol[eè]te|legacy)`)
	replacement = regexp.MustCompile(`(?i)\b(use|instead|replaced by|superseded by|in favou?r of|prefer|see)\b`)
)

// Introspection document, section 8.2.4. What still works has to be seen, and seen
// to be leaving.
var _ = register(Check{
	Requirement: "INT-8.2.4-01",
	Watch: func(f *Face, o probes.Observation) Ruling {
		op, listed := f.Operation(o.Probe.Operation())
		rs := []Ruling{elsewhere}
		for _, w := range o.Envelope().At("warnings").Items() {
			name := deprecatedParameter(o, w)
			i := slices.IndexFunc(op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
			switch {
			case !o.Succeeded() || !listed || name == "":
			case i < 0:
				rs = append(rs, Violates("the deprecated parameter "+name+" listed with a notice", "not listed").By(o))
			case !outdated.MatchString(op.Parameters[i].Raw.At("description").Text()) && !marked(op.Parameters[i].Raw):
				rs = append(rs, Violates("a notice of deprecation on "+name, op.Parameters[i].Raw).By(o))
			default:
				rs = append(rs, Conforms().By(o))
			}
		}
		return Worst(rs...)
	},
	Fix: "keep deprecated parameters in introspection and say in their description that they are deprecated",
})

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
	for _, name := range sortedKeys(o.Probe.Params()) {
		if name == item || item == "" && wholeWord(name).MatchString(warning.At("message").Text()) {
			return name
		}
	}
	return ""
}

// Introspection document, section 8.2.4. A notice without a way out leaves a model
// where it was.
var _ = register(Check{
	Requirement: "INT-8.2.4-02",
	On:          only(eachParameter, func(s Subject) bool { return outdated.MatchString(s.Par.Raw.At("description").Text()) }),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		text := s.Par.Raw.At("description").Text()
		named := func(p probes.Parameter) bool { return p.Name != s.Par.Name && wholeWord(p.Name).MatchString(text) }
		if replacement.MatchString(text) || slices.ContainsFunc(s.Op.Parameters, named) {
			return Conforms()
		}
		return Violates("what to use instead of "+cited(s.Par.Name), probes.ValueOf(text))
	},
	Fix: "name the parameter to use instead",
})
