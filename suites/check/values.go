package check

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Shared code of the checks on documented values: a valid request with one changed value, and what
// an error says about that value.

// EachVariableParameter returns every documented parameter for which the condition holds, on
// operations that were called. Identifiers of operations that change or remove keep their value,
// because another one might name a foreign object.
func EachVariableParameter(holds func(model.Subject) bool) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		var all []model.Subject
		for _, s := range EachSendable(f) {
			ambiguous := len(DocumentedNames(s)) < len(s.Op.Parameters)
			for _, p := range s.Op.Parameters {
				t := model.Subject{Adapter: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p, Ruling: s.Ruling}
				if !holds(t) || p.Name == "input" && s.Op.Category == "UPDATE" {
					continue
				}
				if ambiguous {
					t = t.WithRuling(ruling.NotProven("one record for each parameter of "+s.Op.Name, "several").Because("INT-3.3-35"))
				}
				if changes := s.Op.Category != "READ" && s.Op.Category != "CREATE"; changes && probes.IsReference(s.Op, p) && !probes.IsEcho(p) {
					t = t.WithRuling(ruling.NotProven("another value of "+t.Name+" that is surely nobody's", "none"))
				}
				all = append(all, t)
			}
		}
		return all
	}
}

// RequireUsable makes subjects without a known-good request not proven.
func RequireUsable(on func(*model.Adapter) []model.Subject) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		all := on(f)
		for i, s := range all {
			if b := s.KnownGoodRequest(); s.Ruling == nil && !b.Usable() {
				all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Op.Name+" that is known to be valid", b))
			}
		}
		return all
	}
}

// WithValue is the known-good request with another value of the parameter. index numbers the requests
// for the parameter. A creation gets its own mark.
func WithValue(s model.Subject, index int, v any) probes.Probe {
	position := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == s.Par.Name })
	return s.FreshCall(probes.Nth(probes.Nth("parameter", position)+": value", index)).With(s.Par.Name, v)
}

// AcceptsKind reports whether the parameter's type admits one of the JSON kinds.
func AcceptsKind(s model.Subject, kinds ...string) bool {
	own, ok := s.Kinds(s.Par.Type)
	return ok && slices.ContainsFunc(own, func(k string) bool { return slices.Contains(kinds, k) })
}

// NameRequirement is the requirement that forbids rejecting the name of the parameter.
func NameRequirement(p probes.Parameter) string {
	if p.Required {
		return "AQL-4.3-02"
	}
	return "INT-8.1.2-07"
}

// BlamesOnlyValue reports whether an error blames the value of the subject's parameter alone. A
// rule that involves two parameters does not contradict the record of one.
func BlamesOnlyValue(s model.Subject, o probes.Observation) bool {
	if !strings.HasPrefix(o.Code(), "VALIDATION_") || o.Code() == "VALIDATION_PAYLOAD_TOO_LARGE" || !BlamesParameter(o, s.Par.Name) {
		return false
	}
	joined := func(p probes.Parameter) bool {
		return p.Name != s.Par.Name && utf8.RuneCountInString(p.Name) > 2 && WholeWord(p.Name).MatchString(o.Message()) && !strings.Contains(s.Op.Name, p.Name)
	}
	return !slices.ContainsFunc(s.Op.Parameters, joined)
}

// WholeWord returns a pattern that matches the word.
func WholeWord(word string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `\b`)
}

// BriefValue formats a value for want; a long text is described by its length.
func BriefValue(v probes.Value) string {
	if n := utf8.RuneCountInString(v.Text()); n > 40 {
		return fmt.Sprintf("of %d characters", n)
	}
	return ruling.Clip(v.String())
}

// JudgeForbiddenValue rules on the answer to a value that the documentation excludes.
func JudgeForbiddenValue(s model.Subject, control, o probes.Observation, why string) ruling.Ruling {
	want := fmt.Sprintf("a refusal of %s for %s, %s", BriefValue(model.ValueIn(o.Probe, s.Par.Name)), Quoted(s.Par.Name), why)
	switch {
	case o.Succeeded():
		return ruling.Violates(want, o).By(control)
	case o.Code() == "VALIDATION_UNKNOWN_PARAM":
		return ruling.NotProven(want, o).Because(NameRequirement(s.Par))
	case o.Deferred(), control.Refused() && control.Code() == o.Code():
		return ruling.NotProven(want, o)
	case o.Code() == "INTERNAL_ERROR":
		return ruling.Departs(want+", before the handler runs", o).By(control)
	case strings.HasPrefix(o.Code(), "NOT_FOUND_") && probes.IsReference(s.Op, s.Par):
		return ruling.NotProven(want, o).Noting("whether the value or the object was looked at cannot be told")
	case strings.HasPrefix(o.Code(), "NOT_FOUND_"):
		return ruling.Violates(want+", before the handler runs", o).By(control)
	case strings.HasPrefix(o.Code(), "VALIDATION_"), o.RefusedBelow():
		return ruling.Conforms().By(o)
	}
	return ruling.NotProven(want, o)
}

// innerPathPattern matches an error message that demands the value inside another one.
var innerPathPattern = regexp.MustCompile(`(?i)\b(?:inside|within|under|nested in|belongs? (?:in|to)|part of|member of)\s+(?:the\s+)?["'` + "`" + `]?([a-z_][a-zA-Z0-9_.]*)`)

// demandPattern matches a sentence that says where a value has to stand.
var demandPattern = regexp.MustCompile(`(?i)\b(?:must|should|has to|have to|needs? to|expected|belongs|move|put|place|nest|nested)\b`)

// frames are the parts of a request around its parameters, as errors name them.
var frames = strings.Fields("arguments args request body data payload params parameters input")

// DemandedPath returns the path, such as metadata.tags, where an error demands a parameter of the
// operation; "" if there is none. Many errors give the place of the value in the request, or name
// what the value belongs to: a path leads into another parameter, or the error demands it.
func DemandedPath(op probes.Operation, name string, o probes.Observation) string {
	if !strings.HasPrefix(o.Code(), "VALIDATION_") || !BlamesParameter(o, name) && !o.Mentions(name) {
		return ""
	}
	texts := append([]string{o.Message()}, o.Details().Scalars()...)
	dotted := regexp.MustCompile(`\b([a-zA-Z_][a-zA-Z0-9_]*(?:\.[a-zA-Z_][a-zA-Z0-9_]*)*\.` + regexp.QuoteMeta(name) + `)\b`)
	for _, t := range texts {
		if m := dotted.FindStringSubmatch(t); m != nil {
			path := strings.Split(m[1], ".")
			for len(path) > 1 && (slices.Contains(frames, path[0]) || path[0] == op.Name) {
				path = path[1:]
			}
			if len(path) > 1 && (op.HasParameter(path[0]) || demandPattern.MatchString(o.Message())) {
				return strings.Join(path, ".")
			}
		}
	}
	if m := innerPathPattern.FindStringSubmatch(o.Message()); m != nil && WholeWord(name).MatchString(o.Message()) && m[1] != name {
		if first, _, _ := strings.Cut(m[1], "."); op.HasParameter(first) && !slices.Contains(frames, first) {
			return m[1] + "." + name
		}
	}
	return ""
}

// HasEnum reports whether the values of the parameter are enumerated.
func HasEnum(s model.Subject) bool {
	return len(s.EnumOf(s.Par)) > 0 && AcceptsKind(s, "string", "number", "integer") && !AcceptsKind(s, "array", "object")
}

// NumericBound returns a documented bound of a number. Bounds that a double cannot represent
// exactly are ignored.
func NumericBound(s model.Subject, name string) (float64, bool) {
	v, ok := s.Par.Raw.At(name).Float()
	return v, ok && math.Abs(v) < 1e15
}

// HasNumericBounds reports whether the parameter documents bounds of a number.
func HasNumericBounds(s model.Subject) bool {
	return AcceptsKind(s, "number", "integer") && (s.Par.Raw.At("minimum").Is(probes.Number) || s.Par.Raw.At("maximum").Is(probes.Number))
}

// LongestList is the length of the longest list in an answer.
func LongestList(data probes.Value) int {
	most := len(data.Items())
	for _, m := range data.Members() {
		most = max(most, LongestList(m.Value))
	}
	return most
}

// MaxEnumProbes bounds how many values of one enum are tried. Each trial of a CREATE creates an
// object.
var MaxEnumProbes = map[string]int{"READ": 24, "CREATE": 8}

// EnumSamples returns the values of the inline enum to try. It includes the last one, because
// handlers often lack the newest value.
func EnumSamples(s model.Subject) []probes.Value {
	all := s.Par.Raw.At("enum").Items()
	if most := max(MaxEnumProbes[s.Op.Category], 3); len(all) > most {
		all = append(slices.Clone(all[:most-1]), all[len(all)-1])
	}
	return all
}

// Words in errors about the size of a number, the length or format of a text, a type, or the
// meaning of a value.
var (
	sizeWords    = regexp.MustCompile(`(?i)\b(minimum|maximum|min|max|at (?:least|most)|less|fewer|greater|more|between|range|above|below|exceeds?|too (?:large|small|big|high|low)|up to|smaller|larger)\b|[<>]=|\d+ (?:to|and|or) \d+|\d+\s*(?:-|–|\.\.)\s*\d+`)
	lengthWords  = regexp.MustCompile(`(?i)\b(characters?|chars|letters|bytes|length|too (?:long|short)|longer|shorter|minLength|maxLength)\b`)
	FormWords    = regexp.MustCompile(`(?i)\b(match(?:es)?|pattern|format|regex|regular expression)\b`)
	KindWords    = regexp.MustCompile(`(?i)\b(type|string|number|integer|boolean|object|array)s?\b`)
	MeaningWords = regexp.MustCompile(`(?i)\b(unknown|not found|no such|does not exist|doesn't exist|unavailable|reserved|already|taken)\b`)
	WaitPattern  = regexp.MustCompile(`(?i)(wait|delay|sleep|timeout|duration|interval|seconds|millis|_ms$)`)
)

// BlamesType reports whether a refusal is about the type of a value: by its code, or by its
// words where the code is none of the specification's for validation.
func BlamesType(o probes.Observation) bool {
	if strings.HasPrefix(o.Code(), "VALIDATION_") {
		return o.Code() == "VALIDATION_INVALID_TYPE"
	}
	return KindWords.MatchString(o.Message())
}

// UntoldElements reports whether the elements of an array are objects whose members nothing
// documents: what such an object needs cannot be known.
func UntoldElements(s model.Subject) bool {
	items := s.Par.Raw.At("items")
	e := probes.Parameter{Type: items.At("type").Text(), Raw: items}
	kinds, known := s.Kinds(e.Type)
	fields, _ := s.FieldsOf(e, probes.Operation{})
	return known && slices.Contains(kinds, "object") && len(fields) == 0
}

// AboutSize reports whether the error is about the size of a number.
func AboutSize(o probes.Observation) bool {
	return !MeaningWords.MatchString(o.Message()) && (sizeWords.MatchString(o.Message()) || strings.Contains(o.Code(), "RANGE") ||
		o.Details().Has("minimum") || o.Details().Has("maximum"))
}

// BoundByOthers reports whether an object that the operation names may bound a value more closely than
// introspection can tell, as a sensor its readings: the operation writes, and the error names neither the
// documented bound that was sent nor the number beside it, as of a bound that is not included.
func BoundByOthers(s model.Subject, value probes.Value, o probes.Observation) bool {
	sent, _ := value.Float()
	told := numbers.FindAllString(o.Message()+" "+withoutEcho(s, o.Details(), sent).String(), -1)
	documented := slices.ContainsFunc([]string{"minimum", "maximum"}, func(name string) bool {
		bound, ok := NumericBound(s, name)
		return ok && bound == sent && slices.ContainsFunc(told, func(text string) bool {
			n, err := strconv.ParseFloat(text, 64)
			return err == nil && math.Abs(n-bound) <= 1
		})
	})
	return s.Op.Category != "READ" && !documented && slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name != s.Par.Name && probes.IsReference(s.Op, p) })
}

// Compared reports whether a call gives another number, date or time of the same type: the one may have to be below the other. A
// reference is compared with nothing.
func Compared(op probes.Operation, p probes.Parameter, call probes.Probe) bool {
	form := p.Raw.At("format").Text()
	ordered := p.Type == "number" || p.Type == "integer" || p.Type == "string" && (strings.HasPrefix(form, "date") || form == "time")
	return ordered && slices.ContainsFunc(op.Parameters, func(q probes.Parameter) bool {
		return q.Name != p.Name && q.Type == p.Type && !probes.IsReference(op, q) && q.Raw.At("format").Text() == form && !model.ValueIn(call, q.Name).Is(probes.Absent)
	})
}

// withoutEcho is the details of an error without the one member that repeats the value that was sent, where another member tells a bound
// that introspection does not.
func withoutEcho(s model.Subject, details probes.Value, sent float64) probes.Value {
	rest, echoes, others := map[string]any{}, 0, false
	for _, m := range details.Members() {
		n, number := m.Value.Float()
		if number && n == sent {
			echoes++
			continue
		}
		rest[m.Name] = m.Value.Go()
		low, _ := NumericBound(s, "minimum")
		high, _ := NumericBound(s, "maximum")
		others = others || number && n != low && n != high
	}
	if echoes != 1 || !others {
		return details
	}
	return probes.ValueOf(rest)
}

var numbers = regexp.MustCompile(`-?\d+(?:\.\d+)?`)

// AboutLength reports whether the error is about the length of a text and not about its format.
func AboutLength(o probes.Observation) bool {
	return !MeaningWords.MatchString(o.Message()) && !FormWords.MatchString(o.Message()) && (lengthWords.MatchString(o.Message()) ||
		strings.Contains(o.Code(), "LENGTH") || o.Details().Has("minLength") || o.Details().Has("maxLength"))
}

// MaxAcceptedLength is the length above which a limit on the whole request may cause the error.
const MaxAcceptedLength = 100000
