package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// EachTypeRecord returns every listed type. A type without a record, or with an ambiguous kind, is
// not proven.
func EachTypeRecord(f *model.Adapter) []model.Subject {
	all := model.EachType(f)
	for i, s := range all {
		record, listed := s.Kind.Details, s.Kind.Summary.At("kind").Text()
		kind := record.At("kind").Text()
		switch {
		case !record.Is(probes.Object), record.At("name").Text() != s.Name:
			all[i] = s.WithRuling(ruling.NotProven("the record of "+s.Name, record).Because("AQL-7.3-04"))
		case kind != "" && listed != "" && kind != listed:
			all[i] = s.WithRuling(ruling.NotProven("one kind of "+s.Name, listed+" and "+kind).Because("INT-3.5-05"))
		}
	}
	return all
}

// EachTypeRecordOf is EachTypeRecord for one kind.
func EachTypeRecordOf(kind string) func(*model.Adapter) []model.Subject {
	return model.Only(EachTypeRecord, func(s model.Subject) bool { return s.Kind.Kind == kind })
}

// Contains reports whether one of the values equals v as JSON.
func Contains(values []probes.Value, v probes.Value) bool {
	return slices.ContainsFunc(values, func(w probes.Value) bool { return w.Equal(v) })
}

// BlamesParameter reports whether an error is about the value of the parameter.
func BlamesParameter(o probes.Observation, name string) bool {
	if named := o.Details().At("param_name").Text(); named != "" {
		return named == name
	}
	return o.Mentions(name)
}

// An example is one documented example that is an object.
type example struct {
	Record  probes.Value
	Request probes.Value
}

// Examples returns the examples of an operation that are objects.
func Examples(s model.Subject) []example {
	var all []example
	for _, e := range s.Op.Details.At("examples").Items() {
		if e.Is(probes.Object) {
			all = append(all, example{e, e.At("request")})
		}
	}
	return all
}

// ExampleMismatch says how an example differs from the record of its operation, or "". Members next
// to operation are a mismatch only if the adapter does not read them as parameters.
func ExampleMismatch(s model.Subject, request probes.Value, topLevel bool) string {
	if name := request.At("operation"); name.Text() != s.Op.Name {
		return "operation " + name.String()
	}
	params := request.At("params")
	if !MissingOr(params, probes.Object) {
		return "params " + ruling.Clip(params.String())
	}
	given := slices.Clone(params.Members())
	for _, m := range request.Members() {
		switch {
		case m.Name == "operation" || m.Name == "params" || strings.HasPrefix(m.Name, "_"):
		case !topLevel:
			return "the member " + m.Name + " beside operation"
		default:
			given = append(given, m)
		}
	}
	for i, m := range given { // an alias, which an adapter may take, stands for its parameter
		for _, p := range s.Op.Parameters {
			if m.Name != p.Name && vocab.CamelCase(p.Name) == m.Name {
				given[i].Name = p.Name
			}
		}
	}
	for _, p := range s.Op.Parameters {
		if p.Required && !slices.ContainsFunc(given, func(m probes.Member) bool { return m.Name == p.Name }) {
			return "no " + p.Name + ", which is required"
		}
	}
	for _, m := range given {
		p, known := Parameter(s, m.Name)
		if !known && m.Name != "confirmation_token" {
			return "the undocumented parameter " + m.Name
		}
		t := s
		t.Par = p
		if why := ValueMismatch(t, m.Value); known && why != "" {
			return m.Name + " " + ruling.Clip(m.Value.String()) + ", " + why
		}
	}
	return ""
}

// ExecutableExamples returns requests for the examples that match their record. A CREATE gets the
// mark of the run and existing references; an UPDATE or DELETE gets absent identifiers.
func ExecutableExamples(s model.Subject) []probes.Probe {
	var ps []probes.Probe
	for i, e := range Examples(s) {
		if !e.Request.Is(probes.Object) || ExampleMismatch(s, e.Request, false) != "" {
			continue
		}
		p := probes.Call(s.Conn, toolOf(s), s.Op.Name, nil)
		for _, m := range e.Request.Members() {
			if m.Name != "params" && m.Name != "operation" {
				p = p.Top(m.Name, m.Value.Go())
			}
		}
		if e.Request.Has("params") {
			p = p.Top("params", map[string]any{})
		}
		for _, m := range e.Request.At("params").Members() {
			p = p.With(m.Name, ownValue(s, m, probes.Nth("example", i)))
		}
		ps = append(ps, p)
	}
	return ps
}

// toolOf returns the tool of the operation.
func toolOf(s model.Subject) string {
	if s.Op.Name == "introspect" {
		return s.Introspect
	}
	return s.Op.Tool
}

// ownValue replaces a value of an example that could affect foreign objects.
func ownValue(s model.Subject, m probes.Member, step string) any {
	if s.Op.Category == "READ" || s.Op.Category == "EXECUTE" {
		return m.Value.Go()
	}
	par, _ := Parameter(s, m.Name)
	proven := s.FreshCall(step).Params()[m.Name]
	marked := strings.HasPrefix(probes.ValueOf(proven).Text(), s.Gen.Marker(""))
	if proven != nil && (probes.IsReference(s.Op, par) || marked && s.Op.Category == "CREATE") {
		return proven
	}
	return m.Value.Go()
}

// NotApplicablePattern matches an error that says that a value is not applicable.
var NotApplicablePattern = regexp.MustCompile(`(?i)\b(not applicable|in-?applicable|(?:does|do) not apply|(?:is|are) not supported|unsupported|not available for|cannot be (?:used|applied|executed|run)|can't be (?:used|applied)|not (?:allowed|valid|possible) for)\b`)

var typeNamePattern = regexp.MustCompile(`^(type|kind)$|_(type|kind)$`)

// IsDiscriminator reports whether the parameter selects an element type from an enum.
func IsDiscriminator(s model.Subject) bool {
	return HasEnum(s) && typeNamePattern.MatchString(s.Par.Name)
}

// DocumentsAny matches operations that document one of the parameters.
func DocumentsAny(names string) func(model.Subject) bool {
	return func(s model.Subject) bool { return slices.ContainsFunc(strings.Fields(names), s.Op.HasParameter) }
}

// ByteSize is the size of a value in bytes.
func ByteSize(v probes.Value) int { return len(v.Raw()) }

// BytesPerToken is the usual estimate for English text and JSON.
const BytesPerToken = 4

// GroupThousands formats a number with thousands separators.
func GroupThousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", GroupThousands(n/1000), n%1000)
}

// SnakeCase uses \A and \z so that a trailing newline does not match.
var SnakeCase = regexp.MustCompile(`\A[a-z][a-z0-9_]*\z`)

// ListingAndDetails asks for the listing and the record of the operation.
func ListingAndDetails(s model.Subject) []probes.Probe {
	return append(model.Listing(s), model.Details(s)...)
}

// CanonicalVerbs are the verbs of section 8.5.1, by category. AdditionalVerbs are those of section
// 6.2 of the operations document.
var (
	CanonicalVerbs = map[string][]string{
		"CREATE": {"create"}, "READ": {"get", "list"}, "UPDATE": {"update"}, "DELETE": {"delete"}, "EXECUTE": {"execute", "cancel"},
	}
	AdditionalVerbs = map[string][]string{
		"CREATE":  {"add", "upload", "register", "import", "insert"},
		"READ":    {"search", "find", "export", "count"},
		"UPDATE":  {"edit", "set", "rename", "move", "patch", "merge"},
		"DELETE":  {"remove", "purge", "unregister", "clear", "drop"},
		"EXECUTE": {"run", "start", "stop", "resume", "trigger", "invoke"},
	}
	// SynonymVerbs mean the same as a canonical verb.
	SynonymVerbs = map[string][]string{
		"CREATE": {"make", "new"}, "READ": {"fetch", "retrieve", "read", "show", "view", "enumerate"},
		"UPDATE": {"modify", "change", "alter"}, "DELETE": {"destroy", "erase"}, "EXECUTE": {"launch", "perform", "abort", "terminate", "kill"},
	}
	// InterchangeableVerbs are groups of verbs of which an adapter should use one.
	InterchangeableVerbs = map[string][][]string{
		"READ":   {{"get", "fetch", "retrieve", "read", "show", "view"}, {"list", "find_all", "enumerate"}},
		"UPDATE": {{"update", "edit", "modify", "change", "alter"}},
		"DELETE": {{"delete", "remove", "destroy", "erase"}},
	}
)

// Description returns the descriptions of an operation from the listing and the details.
func Description(s model.Subject) string {
	return s.Op.Summary.At("description").Text() + "\n" + s.Op.Details.At("description").Text()
}
