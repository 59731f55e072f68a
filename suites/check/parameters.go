package check

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// EachSendable returns every operation that may be called with a generated request, whether or not
// the adapter accepted it.
func EachSendable(f *model.Adapter) []model.Subject {
	all := model.EachDomain(f)
	for i, s := range all {
		if b := s.KnownGoodRequest(); b.Reply.Probe.Tool == "" {
			all[i] = s.WithRuling(ruling.NotProven("a request of "+s.Name+" that may be sent", b))
		}
	}
	return all
}

// BlamedKnownName returns the documented parameter that an error calls unknown or missing although
// it was sent; "" if there is none. Where something undocumented was sent too, only the documented
// details say what is meant.
func BlamedKnownName(s model.Subject, o probes.Observation) string {
	if o.Code() != "VALIDATION_UNKNOWN_PARAM" && o.Code() != "VALIDATION_MISSING_PARAM" {
		return ""
	}
	sent, foreign := slices.Sorted(maps.Keys(o.Probe.Params())), false
	blamed := append(o.Details().At("unknown_params").Scalars(), o.Details().At("param_name").Text())
	for _, name := range sent {
		foreign = foreign || !s.Op.HasParameter(name)
		if s.Op.HasParameter(name) && slices.Contains(blamed, name) {
			return name
		}
	}
	if foreign || blamed[0] != "" {
		return ""
	}
	named := quotedIn(o.Message())
	for _, m := range o.Details().Members() {
		named = append(named, m.Value.Text())
	}
	documented := slices.DeleteFunc(named, func(name string) bool { return !s.Op.HasParameter(name) })
	absent := func(name string) bool { return !slices.Contains(sent, name) }
	if len(documented) == 0 || o.Code() == "VALIDATION_MISSING_PARAM" && slices.ContainsFunc(documented, absent) || absent(documented[0]) {
		return ""
	}
	return documented[0] // the others are conditions or offers
}

// RefusesName reports whether an adapter does not know a documented name that was added alone to an
// accepted request. Whatever the error says, no other name can be the unknown one, but for those inside an object.
func RefusesName(s model.Subject, name string, control, o probes.Observation) bool {
	alone := control.Succeeded() && !model.ValueIn(o.Probe, name).Is(probes.Object) && !model.ValueIn(o.Probe, name).Is(probes.Array)
	return BlamedKnownName(s, o) == name || alone && o.Code() == "VALIDATION_UNKNOWN_PARAM"
}

// quotedIn returns what a text has between quotation marks, in order.
func quotedIn(text string) []string {
	var all []string
	for _, m := range quotation.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

var quotation = regexp.MustCompile("[\"'`´‘“„«‹]([^\\s\"'`´‘’“”„«»‹›]+)[\"'`´’”“»›]")

// AskOptionals sends the known-good request, then adds each optional parameter alone. If the
// adapter rejects its name, it tries alternative names.
func AskOptionals(s model.Subject, ask model.AskFunc) {
	control := ask(s.ValidCall())
	for _, p := range Optionals(s) {
		if o := ask(optionalCall(s, p)); RefusesName(s, p.Name, control, o) {
			for _, alternative := range alternativeNames(s, p, o) {
				ask(s.FreshCall("optional parameter").With(alternative, optionalCall(s, p).Params()[p.Name]))
			}
		}
	}
}

// Optionals returns the optional parameters with a sample value.
func Optionals(s model.Subject) []probes.Parameter {
	if s.Ruling != nil || !s.KnownGoodRequest().Usable() || s.Op.Category == "EXECUTE" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool {
		return p.Required || len(s.Gen.Values(s.Op, p)) == 0
	})
}

// optionalCall is the known-good request with one optional parameter. Each makes an object of its
// own, with a key of its own.
func optionalCall(s model.Subject, p probes.Parameter) probes.Probe {
	return WithKeyOf(s, p, s.FreshCall("optional parameter"), 0).With(p.Name, s.Gen.Values(s.Op, p)[0].Go())
}

// WithKeyOf gives a creation that tries a parameter a key that no trial of another parameter has,
// where the client chooses keys. index numbers the requests for the parameter.
func WithKeyOf(s model.Subject, p probes.Parameter, call probes.Probe, index int) probes.Probe {
	position := slices.IndexFunc(s.Op.Parameters, func(q probes.Parameter) bool { return q.Name == p.Name })
	return s.WithOtherKey(call, probes.Nth(probes.Nth("parameter", position)+": value", index))
}

// alternativeNames returns likely names of a renamed parameter.
func alternativeNames(s model.Subject, p probes.Parameter, refusal probes.Observation) []string {
	noun := s.Noun(s.Name)
	names := []string{vocab.CamelCase(p.Name), strings.TrimPrefix(p.Name, noun+"_"), noun + "_" + p.Name, p.Name + "s", strings.TrimSuffix(p.Name, "s")}
	names = append(names, refusal.Details().At("valid_params").Scalars()...)
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool { return s.Op.HasParameter(n) || n == "" })
}

// wrongTypes are values that no lenient reading converts to the documented type.
var wrongTypes = map[string][]any{
	"string":  {map[string]any{"a": 1}},
	"number":  {"not-a-number", map[string]any{}},
	"integer": {"x", map[string]any{}},
	"boolean": {"maybe", map[string]any{}},
	"array":   {map[string]any{"a": 1}},
	"object":  {"x", []any{"x"}},
}

// WrongTypeValues returns values that violate every alternative of the parameter's type; none if
// the type is not understood.
func WrongTypeValues(s model.Subject) []any {
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

// EachTyped returns every parameter of an understood type on an operation that may be called with a
// wrong value.
func EachTyped(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, s := range model.EachUsable(f) {
		for _, p := range s.Op.Parameters {
			t := model.Subject{Adapter: f, Name: s.Name + "." + p.Name, Op: s.Op, Par: p, Ruling: s.Ruling}
			if (s.Op.Category == "READ" || s.Op.Category == "CREATE" || s.Op.Category == "UPDATE" && p.Name != "input") && len(WrongTypeValues(t)) > 0 {
				all = append(all, t)
			}
		}
	}
	return all
}

// WrongTypeProbes returns the known-good request and the same request with each wrong type.
func WrongTypeProbes(s model.Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	for i, v := range WrongTypeValues(s) {
		ps = append(ps, s.FreshCall(probes.Nth("wrong type", i)).With(s.Par.Name, v))
	}
	return ps
}

// WantsOtherType reports whether the error details demand a JSON type other than the documented
// ones.
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

// HasLengthBounds reports whether the parameter documents the length of a free text.
func HasLengthBounds(s model.Subject) bool {
	kinds, ok := s.Kinds(s.Par.Type)
	limited := s.Par.Raw.At("minLength").Is(probes.Number) || s.Par.Raw.At("maxLength").Is(probes.Number)
	return ok && slices.Equal(kinds, []string{"string"}) && limited && !s.Par.Raw.Has("format") && len(s.EnumOf(s.Par)) == 0
}

// UnknownName is a parameter name that no operation documents. It has no leading underscore, which
// would exempt it (section 4.6.1).
func UnknownName(s model.Subject) string { return "aqlx_unknown_" + s.Nonce }

// MayMaskUnknown reports whether the error may have another cause than the unknown parameter: the
// absent resource, or a layer in front of the operation.
func MayMaskUnknown(s model.Subject, o probes.Observation) bool {
	if o.Deferred() || strings.HasPrefix(o.Code(), "CONFLICT_") {
		return true
	}
	return s.KnownGoodRequest().State == model.ProvenAbsent && o.Code() == s.KnownGoodRequest().Reply.Code()
}

// HasWarnings reports whether the envelope has warnings.
func HasWarnings(o probes.Observation) bool { return len(o.Envelope().At("warnings").Items()) > 0 }

// DocumentedNames returns the names of the documented parameters, sorted.
func DocumentedNames(s model.Subject) []string {
	var names []string
	for _, p := range s.Op.Parameters {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// NeedsIdentifier reports whether a request must name a resource. A singleton needs no identifier.
func NeedsIdentifier(s model.Subject) bool {
	return slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Required && probes.IsReference(s.Op, p) })
}

// CrossCutting are the parameters with a common meaning on every operation (operations document,
// section 4.4.1), with word stems of likely descriptions.
var CrossCutting = map[string]string{
	"fields": "field preset propert column member attribut", "limit": "item result entr record page row list return", "offset": "skip item result entr record start from",
	"page": "page", "page_size": "page item result entr record", "per_page": "page item result entr record", "max_results": "item result entr record",
	"first": "item result entr record page return", "last": "item result entr record page return", "after": "cursor page continu item", "before": "cursor page item",
	"cursor": "cursor page continu", "page_token": "token page cursor", "filter": "filter condition match criteri only", "sort": "sort order",
	"include": "include relat section embed", "aggregate": "aggregat count sum", "dry_run": "dry preview simulat without validat", "query": "search text word look find match",
}

// SortedKeys returns the keys of a map, sorted.
func SortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// OnlyNumbers reports whether all kinds are numeric.
func OnlyNumbers(kinds []string) bool {
	return !slices.ContainsFunc(kinds, func(k string) bool { return k != "number" && k != "integer" })
}

var stopWords = strings.Fields("the and for that this with from are was will which when only each one all its not can has have may into use")

// ContentWords returns the words of a text without stop words.
func ContentWords(text string) []string {
	var all []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 2 && !slices.Contains(stopWords, w) && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// WithMember returns a request with one member of an object parameter set, beside those that it has.
func WithMember(p probes.Probe, parameter, member string, value any) probes.Probe {
	object := map[string]any{member: value}
	if given, ok := p.Params()[parameter].(map[string]any); ok {
		object = maps.Clone(given)
		object[member] = value
	}
	return p.With(parameter, object)
}
