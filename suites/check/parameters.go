package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// EachAccepted is every operation that may be called, with a request built from
// introspection; those that were called and refused are subjects too.
func EachAccepted(f *model.Adapter) []model.Subject {
	all := model.EachDomain(f)
	for i, s := range all {
		if b := s.KnownGoodRequest(); b.Reply.Probe.Tool == "" {
			all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Name+" that may be sent", b))
		}
	}
	return all
}

// Complaint returns the documented parameter that a refusal calls unknown or
// missing although it was sent under that name; "" when it names none.
func Complaint(s model.Subject, o probes.Observation) string {
	if o.Code() != "VALIDATION_UNKNOWN_PARAM" && o.Code() != "VALIDATION_MISSING_PARAM" {
		return ""
	}
	blamed := append(o.Details().At("unknown_params").Scalars(), o.Details().At("param_name").Text())
	for name := range o.Probe.Params() {
		if s.Op.HasParameter(name) && (slices.Contains(blamed, name) || len(o.Details().Members()) == 0 && o.Mentions("'"+name+"'")) {
			return name
		}
	}
	return ""
}

// EveryOptional asks for the proven request, then with each optional parameter
// alone, and where its name is refused with the names it may hide under.
func EveryOptional(s model.Subject, ask model.AskFunc) {
	ask(s.ValidCall())
	for _, p := range Optionals(s) {
		if o := ask(optionalCall(s, p)); Complaint(s, o) == p.Name {
			for _, twin := range twins(s, p, o) {
				ask(s.Anew(40).With(twin, optionalCall(s, p).Params()[p.Name]))
			}
		}
	}
}

// Optionals returns the optional parameters for which a fitting value can be made.
func Optionals(s model.Subject) []probes.Parameter {
	if s.Ruling != nil || !s.KnownGoodRequest().Usable() || s.Op.Category == "EXECUTE" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool {
		return p.Required || len(s.Gen.Values(s.Op, p)) == 0
	})
}

// optionalCall is the proven request with one optional parameter added.
func optionalCall(s model.Subject, p probes.Parameter) probes.Probe {
	return s.Anew(40).With(p.Name, s.Gen.Values(s.Op, p)[0].Go())
}

// twins returns the names under which a renamed parameter may hide.
func twins(s model.Subject, p probes.Parameter, refusal probes.Observation) []string {
	noun := model.Noun(s.Name)
	names := []string{Camel(p.Name), strings.TrimPrefix(p.Name, noun+"_"), noun + "_" + p.Name, p.Name + "s", strings.TrimSuffix(p.Name, "s")}
	names = append(names, refusal.Details().At("valid_params").Scalars()...)
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool { return s.Op.HasParameter(n) || n == "" })
}

// wrongTypes are values whose JSON type decides: no reading of them is a value of
// the documented type.
var wrongTypes = map[string][]any{
	"string":  {map[string]any{"a": 1}},
	"number":  {"not-a-number", map[string]any{}},
	"integer": {"x", map[string]any{}},
	"boolean": {"maybe", map[string]any{}},
	"array":   {map[string]any{"a": 1}},
	"object":  {"x", []any{"x"}},
}

// Mistyped returns the values that violate every arm of the parameter's type;
// none when the type is not understood.
func Mistyped(s model.Subject) []any {
	kinds, ok := s.Kinds(s.Par.Type)
	if !ok || len(kinds) == 0 {
		return nil
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(words, k) })
	}
	var values []any
	for _, v := range wrongTypes[kinds[0]] {
		kind := string(probes.ValueOf(v).Kind())
		if !has(kind) && !(kind == "object" && has("any")) && !(kind == "string" && has("integer", "number") && v != "x" && v != "not-a-number") {
			values = append(values, v)
		}
	}
	return values
}

// EachTyped is every parameter of an understood type on an operation that may be
// called with a wrong value: reads, and creations with permission.
func EachTyped(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range model.EachUsable(f) {
		for _, p := range s.Op.Parameters {
			t := model.Subject{Adapter: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p, Ruling: s.Ruling}
			if (s.Op.Category == "READ" || s.Op.Category == "CREATE" || s.Op.Category == "UPDATE" && p.Name != "input") && len(Mistyped(t)) > 0 {
				all = append(all, t)
			}
		}
	}
	return all
}

func Mistype(s model.Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	for i, v := range Mistyped(s) {
		ps = append(ps, s.Anew(50+i).With(s.Par.Name, v))
	}
	return ps
}

// WantsOtherType reports whether the refusal says in its details that the
// parameter should be of another JSON type than the documented ones.
func WantsOtherType(kinds []string, name string, o probes.Observation) bool {
	if o.Code() != "VALIDATION_INVALID_TYPE" || o.Details().At("param_name").Text() != name {
		return false
	}
	expected := strings.ToLower(o.Details().At("expected_type").Text())
	for _, k := range kinds {
		if strings.Contains(expected, k) || k == "integer" && strings.Contains(expected, "number") {
			return false
		}
	}
	return slices.ContainsFunc([]string{"string", "number", "integer", "boolean", "array", "object"}, func(w string) bool {
		return strings.Contains(expected, w)
	})
}

// Measured reports whether the parameter documents the length of a free text.
func Measured(s model.Subject) bool {
	kinds, ok := s.Kinds(s.Par.Type)
	limited := s.Par.Raw.At("minLength").Is(probes.Number) || s.Par.Raw.At("maxLength").Is(probes.Number)
	return ok && slices.Equal(kinds, []string{"string"}) && limited && !s.Par.Raw.Has("format") && len(s.EnumOf(s.Par)) == 0
}

func Camel(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// UnknownName is a parameter name that no operation can document: it is random
// and has no leading underscore, which would exempt it (section 4.6.1).
func UnknownName(s model.Subject) string { return "aqlx_unknown_" + s.Nonce }

// MasksUnknown reports whether the refusal may have another reason than the
// unknown parameter: the absent resource, or a layer in front of the operation.
func MasksUnknown(s model.Subject, o probes.Observation) bool {
	if o.Deferred() || strings.HasPrefix(o.Code(), "CONFLICT_") {
		return true
	}
	return s.KnownGoodRequest().State == model.ProvenAbsent && o.Code() == s.KnownGoodRequest().Reply.Code()
}

func Warned(o probes.Observation) bool { return len(o.Envelope().At("warnings").Items()) > 0 }

func DocumentedNames(s model.Subject) []string {
	var names []string
	for _, p := range s.Op.Parameters {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Located reports whether a request has to say which resource is meant: a singleton
// needs no identifier.
func Located(s model.Subject) bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Required && probes.IsReference(s.Op, p) })
}

// CrossCutting are the parameters that mean the same on every operation
// (operations document, section 4.4.1), each with word stems that a description of
// that meaning is likely to hold.
var CrossCutting = map[string]string{
	"fields": "field preset propert column member attribut", "limit": "item result entr record page row list return", "offset": "skip item result entr record start from",
	"page": "page", "page_size": "page item result entr record", "per_page": "page item result entr record", "max_results": "item result entr record",
	"first": "item result entr record page return", "last": "item result entr record page return", "after": "cursor page continu item", "before": "cursor page item",
	"cursor": "cursor page continu", "page_token": "token page cursor", "filter": "filter condition match criteri only", "sort": "sort order",
	"include": "include relat section embed", "aggregate": "aggregat count sum", "dry_run": "dry preview simulat without validat", "query": "search text word look find match",
}

func SortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func Numberish(kinds []string) bool {
	return !slices.ContainsFunc(kinds, func(k string) bool { return k != "number" && k != "integer" })
}

var fillers = strings.Fields("the and for that this with from are was will which when only each one all its not can has have may into use")

// Words returns the words of a text that carry meaning.
func Words(text string) []string {
	var all []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 2 && !slices.Contains(fillers, w) && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}
