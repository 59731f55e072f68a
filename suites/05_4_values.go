package suites

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/schemas"
)

// What the rows on documented values share: a valid request in which the value of
// one parameter is changed, and what a refusal of it says about that value.

// eachValued is every documented parameter a condition holds for, on operations
// of which a request was sent. An identifier of an operation that changes or
// removes is never varied: another value might be somebody's object.
func eachValued(holds func(Subject) bool) func(*Face) []Subject {
	return func(f *Face) []Subject {
		var all []Subject
		for _, s := range eachAccepted(f) {
			for _, p := range s.Op.Parameters {
				t := Subject{Face: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p, settled: s.settled}
				if !holds(t) || p.Name == "input" && s.Op.Category == "UPDATE" {
					continue
				}
				if len(documentedNames(s)) < len(s.Op.Parameters) {
					t = t.settle(NotProven("one record for each parameter of "+s.Op.Name, "several").Because("INT-3.3-35"))
				}
				if changes := s.Op.Category != "READ" && s.Op.Category != "CREATE"; changes && probes.IsReference(s.Op, p) {
					t = t.settle(NotProven("another value of "+t.Name+" that is surely nobody's", "none"))
				}
				all = append(all, t)
			}
		}
		return all
	}
}

// usable settles the subjects whose plain request is not known to be valid.
func usable(on func(*Face) []Subject) func(*Face) []Subject {
	return func(f *Face) []Subject {
		all := on(f)
		for i, s := range all {
			if b := s.Baseline(); s.settled == nil && !b.Usable() {
				all[i] = s.settle(NotProven("a request of "+s.Op.Name+" that is known to be valid", b))
			}
		}
		return all
	}
}

// varied is the proven request with another value of the parameter, as the n-th
// question about it; what it creates carries a mark of its own.
func (s Subject) varied(n int, v any) probes.Probe {
	position := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == s.Par.Name })
	return s.anew(10000+100*position+n).With(s.Par.Name, v)
}

// takes reports whether the parameter's type admits one of the JSON kinds.
func (s Subject) takes(kinds ...string) bool {
	own, ok := s.Kinds(s.Par.Type)
	return ok && slices.ContainsFunc(own, func(k string) bool { return slices.Contains(kinds, k) })
}

// nameOwner is the requirement that a refused name of the parameter breaks.
func nameOwner(p probes.Parameter) string {
	if p.Required {
		return "AQL-4.3-02"
	}
	return "INT-8.1.2-07"
}

// accused reports whether a refusal blames the value of the subject's parameter
// and nothing beside it: rules that join two parameters are no contradiction of
// what is documented about one.
func (s Subject) accused(o probes.Observation) bool {
	if !strings.HasPrefix(o.Code(), "VALIDATION_") || o.Code() == "VALIDATION_PAYLOAD_TOO_LARGE" || !blames(o, s.Par.Name) {
		return false
	}
	joined := func(p probes.Parameter) bool {
		return p.Name != s.Par.Name && utf8.RuneCountInString(p.Name) > 2 && wholeWord(p.Name).MatchString(o.Message()) && !strings.Contains(s.Op.Name, p.Name)
	}
	return !slices.ContainsFunc(s.Op.Parameters, joined)
}

func wholeWord(word string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `\b`)
}

// fair rules on the answer to a value that the documentation allows; broken says
// whether the refusal is of the kind the row is about.
func fair(s Subject, control, o probes.Observation, broken func(probes.Observation) bool) Ruling {
	value := valueIn(o.Probe, s.Par.Name)
	want := fmt.Sprintf("the documented value %s of %s accepted", brief(value), cited(s.Par.Name))
	kinds, _ := s.Kinds(s.Par.Type)
	switch {
	case o.Succeeded(), strings.HasPrefix(o.Code(), "CONFLICT_"):
		return Conforms().By(o)
	case complaint(s, o) == s.Par.Name:
		return NotProven(want, o).Because(nameOwner(s.Par))
	case o.Deferred(), control.Refused() && control.Code() == o.Code():
		return NotProven(want, o)
	case demandedPlace(s.Par.Name, o) != "":
		return NotProven(want, o).Because("INT-8.2.2-02")
	case wantsOtherType(kinds, s.Par.Name, o):
		return NotProven(want, o).Because("INT-8.1.1-02")
	case s.accused(o) && broken(o):
		return Violates(want, o).By(control)
	}
	return NotProven(want, o)
}

// brief writes a value for a want line; long texts give their length instead.
func brief(v probes.Value) string {
	if n := utf8.RuneCountInString(v.Text()); n > 40 {
		return fmt.Sprintf("of %d characters", n)
	}
	return clip(v.String())
}

// barred rules on the answer to a value that the documentation forbids.
func barred(s Subject, control, o probes.Observation, why string) Ruling {
	want := fmt.Sprintf("a refusal of %s for %s, %s", brief(valueIn(o.Probe, s.Par.Name)), cited(s.Par.Name), why)
	switch {
	case o.Succeeded():
		return Violates(want, o).By(control)
	case o.Code() == "VALIDATION_UNKNOWN_PARAM":
		return NotProven(want, o).Because(nameOwner(s.Par))
	case o.Deferred(), control.Refused() && control.Code() == o.Code():
		return NotProven(want, o)
	case o.Code() == "INTERNAL_ERROR":
		return Departs(want+", before the handler runs", o).By(control)
	case strings.HasPrefix(o.Code(), "NOT_FOUND_") && probes.IsReference(s.Op, s.Par):
		return NotProven(want, o).Noting("whether the value or the object was looked at cannot be told")
	case strings.HasPrefix(o.Code(), "NOT_FOUND_"):
		return Violates(want+", before the handler runs", o).By(control)
	case strings.HasPrefix(o.Code(), "VALIDATION_"), o.RefusedBelow():
		return Conforms().By(o)
	}
	return NotProven(want, o)
}

// dottedPlace and innerPlace match words that demand a value at another place.
var innerPlace = regexp.MustCompile(`(?i)\b(?:inside|within|under|nested in|belongs? (?:in|to)|part of|member of)\s+(?:the\s+)?["'` + "`" + `]?([a-z_][a-zA-Z0-9_.]*)`)

// demandedPlace returns the place, such as metadata.tags, at which a refusal
// wants the parameter; "" when it speaks of none.
func demandedPlace(name string, o probes.Observation) string {
	if !strings.HasPrefix(o.Code(), "VALIDATION_") || !blames(o, name) && !o.Mentions(name) {
		return ""
	}
	texts := append([]string{o.Message()}, o.Details().Scalars()...)
	dotted := regexp.MustCompile(`\b([a-zA-Z_][a-zA-Z0-9_]*(?:\.[a-zA-Z_][a-zA-Z0-9_]*)*\.` + regexp.QuoteMeta(name) + `)\b`)
	for _, t := range texts {
		if m := dotted.FindStringSubmatch(t); m != nil && m[1] != "params."+name && m[1] != "input."+name {
			return m[1]
		}
	}
	if m := innerPlace.FindStringSubmatch(o.Message()); m != nil && wholeWord(name).MatchString(o.Message()) && m[1] != name && m[1] != "params" && m[1] != "input" {
		return m[1] + "." + name
	}
	return ""
}

// ofLength makes a text of exactly n characters that fits the parameter's pattern
// where it has one; with room, it carries the run's mark, so that no two objects
// of ours share it.
func (s Subject) ofLength(n, take int) (string, bool) {
	if pattern := s.Par.Raw.At("pattern").Text(); pattern != "" {
		text, ok := generate.MatchFor(pattern, n, n)
		return text, ok
	}
	mark := s.Gen.Marker(fmt.Sprintf("-%d-", take))
	if s.Op.Category != "CREATE" || len(mark) > n {
		mark = ""
	}
	return mark + strings.Repeat("a", n-len(mark)), true
}

// misses reports whether the pattern, in any dialect, finds nothing in the text.
func misses(pattern, text string) bool {
	p, err := schemas.CompilePattern(pattern)
	if err != nil {
		return false
	}
	found, err := p.Match(text)
	return err == nil && !found
}
