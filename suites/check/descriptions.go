package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// EachRecord is every listed type whose record was delivered and whose kind is
// beyond doubt; the others are the concern of the rows named.
func EachRecord(f *model.Adapter) []model.Subject {
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

// EachRecordOf is every such type of one kind.
func EachRecordOf(kind string) func(*model.Adapter) []model.Subject {
	return model.Only(EachRecord, func(s model.Subject) bool { return s.Kind.Kind == kind })
}

func Among(values []probes.Value, v probes.Value) bool {
	return slices.ContainsFunc(values, func(w probes.Value) bool { return w.Equal(v) })
}

// Blames reports whether a refusal is about the value of one parameter.
func Blames(o probes.Observation, name string) bool {
	if named := o.Details().At("param_name").Text(); named != "" {
		return named == name
	}
	return o.Mentions(name)
}

// An instance is one example that an operation documents as an object.
type instance struct {
	Record  probes.Value
	Request probes.Value
}

// Instances returns the examples of an operation that are objects.
func Instances(s model.Subject) []instance {
	var all []instance
	for _, e := range s.Op.Details.At("examples").Items() {
		if e.Is(probes.Object) {
			all = append(all, instance{e, e.At("request")})
		}
	}
	return all
}

// Misfitting says in what an example departs from the record of its operation, or
// "". Other members beside operation count only where the adapter does not read
// them as parameters.
func Misfitting(s model.Subject, request probes.Value, topLevel bool) string {
	if name := request.At("operation"); name.Text() != s.Op.Name {
		return "operation " + name.String()
	}
	params := request.At("params")
	if !MissingOr(params, probes.Object) {
		return "params " + ruling.Clip(params.String())
	}
	given := params.Members()
	for _, m := range request.Members() {
		switch {
		case m.Name == "operation" || m.Name == "params" || strings.HasPrefix(m.Name, "_"):
		case !topLevel:
			return "the member " + m.Name + " beside operation"
		default:
			given = append(given, m)
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
		if why := Unfit(t, m.Value); known && why != "" {
			return m.Name + " " + ruling.Clip(m.Value.String()) + ", " + why
		}
	}
	return ""
}

// Executable returns the examples that fit their record, as requests that can be
// sent: a creation carries our mark and refers to what exists, a change or a
// removal names what was proven absent.
func Executable(s model.Subject) []probes.Probe {
	var ps []probes.Probe
	for i, e := range Instances(s) {
		if !e.Request.Is(probes.Object) || Misfitting(s, e.Request, false) != "" {
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
			p = p.With(m.Name, own(s, m, 20000+i))
		}
		ps = append(ps, p)
	}
	return ps
}

// toolOf is the tool by which the operation is called.
func toolOf(s model.Subject) string {
	if s.Op.Name == "introspect" {
		return s.Introspect
	}
	return s.Op.Tool
}

// own replaces a value of an example that would touch what is not ours.
func own(s model.Subject, m probes.Member, take int) any {
	if s.Op.Category == "READ" || s.Op.Category == "EXECUTE" {
		return m.Value.Go()
	}
	par, _ := Parameter(s, m.Name)
	proven := s.Anew(take).Params()[m.Name]
	marked := strings.HasPrefix(probes.ValueOf(proven).Text(), s.Gen.Marker(""))
	if proven != nil && (probes.IsReference(s.Op, par) || marked && s.Op.Category == "CREATE") {
		return proven
	}
	return m.Value.Go()
}

// NotApplicableText matches a refusal that says a value does not apply here.
var NotApplicableText = regexp.MustCompile(`(?i)\b(not applicable|in-?applicable|(?:does|do) not apply|(?:is|are) not supported|unsupported|not available for|cannot be (?:used|applied|executed|run)|can't be (?:used|applied)|not (?:allowed|valid|possible) for)\b`)

var typeName = regexp.MustCompile(`^(type|kind)$|_(type|kind)$`)

// Discriminates reports whether the parameter chooses a kind of element from an
// enum.
func Discriminates(s model.Subject) bool { return Enumerable(s) && typeName.MatchString(s.Par.Name) }

// Documents reports whether the operation documents one of the parameters.
func Documents(names string) func(model.Subject) bool {
	return func(s model.Subject) bool { return slices.ContainsFunc(strings.Fields(names), s.Op.HasParameter) }
}

func Size(v probes.Value) int { return len(v.Raw()) }

// BytesPerToken is the usual estimate for English text and JSON.
const BytesPerToken = 4

// Grouped writes a count with a comma at the thousands.
func Grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", Grouped(n/1000), n%1000)
}

// SnakeCase is anchored at both ends of the text, so that no newline slips through.
var SnakeCase = regexp.MustCompile(`\A[a-z][a-z0-9_]*\z`)

func ListingAndDetails(s model.Subject) []probes.Probe {
	return append(model.Listing(s), model.Details(s)...)
}

// Canonical are the verbs of section 8.5.1, by category; additional those that
// section 6.2 of the operations document allows beside them.
var (
	Canonical = map[string][]string{
		"CREATE": {"create"}, "READ": {"get", "list"}, "UPDATE": {"update"}, "DELETE": {"delete"}, "EXECUTE": {"execute", "cancel"},
	}
	Additional = map[string][]string{
		"CREATE":  {"add", "upload", "register", "import", "insert"},
		"READ":    {"search", "find", "export", "count"},
		"UPDATE":  {"edit", "set", "rename", "move", "patch", "merge"},
		"DELETE":  {"remove", "purge", "unregister", "clear", "drop"},
		"EXECUTE": {"run", "start", "stop", "resume", "trigger", "invoke"},
	}
	// Synonyms say the same as the canonical verb and no more than it.
	Synonyms = map[string][]string{
		"CREATE": {"make", "new"}, "READ": {"fetch", "retrieve", "read", "show", "view", "enumerate"},
		"UPDATE": {"modify", "change", "alter"}, "DELETE": {"destroy", "erase"}, "EXECUTE": {"launch", "perform", "abort", "terminate", "kill"},
	}
	// Mixed are the words for one kind of action of which an adapter should choose one.
	Mixed = map[string][][]string{
		"READ":   {{"get", "fetch", "retrieve", "read", "show", "view"}, {"list", "find_all", "enumerate"}},
		"UPDATE": {{"update", "edit", "modify", "change", "alter"}},
		"DELETE": {{"delete", "remove", "destroy", "erase"}},
	}
)

// Description returns what introspection says about an operation, both places.
func Description(s model.Subject) string {
	return s.Op.Summary.At("description").Text() + "\n" + s.Op.Details.At("description").Text()
}
