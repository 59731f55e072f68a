package types

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// everyday are words for types that need no registry, in any letter case.
var everyday = strings.Fields(`string text str number num int integer long float double decimal bigint boolean bool object array list map dict set any unknown
	null void never none json date time datetime timestamp duration uuid id uri url email binary bytes base64 true false`)

// protocolNames are types that the specification itself defines.
var protocolNames = strings.Fields(`SemanticCategory OperationInput OperationResult OperationSuccess OperationFailure EndpointPermissions
	OperationInfo OperationDetails OperationExample ParameterInfo TypeInfo TypeDetails TypeKind ComputedFieldInfo AggregationSupport RelationshipCapabilities`)

// pascalCase is the working mark of a domain type.
var pascalCase = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// A mention is one place of introspection that names a type.
type mention struct {
	name  string       // the bare type name
	where string       // the place, as printed
	label bool         // a returns label, which may be anonymous
	by    probes.Probe // the lookup that shows it
	inner bool         // in the record of a property, which the specification does not define
}

func (m mention) outer() bool { return !m.inner }

// mentions returns every place that names a type, in the order of the listings.
func mentions(f *model.Adapter) []mention {
	var all []mention
	add := func(expr, where string, label, inner bool, by probes.Probe) {
		e, err := probes.ParseType(expr)
		if err != nil {
			return // outside the grammar: nothing may be concluded
		}
		for _, name := range e.Leaves() {
			all = append(all, mention{name, where, label, by, inner})
		}
	}
	var record func(raw probes.Value, where string, inner bool, by probes.Probe)
	record = func(raw probes.Value, where string, inner bool, by probes.Probe) {
		add(raw.At("type").Text(), where, false, inner, by)
		if items := raw.At("items"); items.Is(probes.Object) {
			record(items, where+".items", inner, by)
		}
		for _, p := range raw.At("properties").Items() {
			record(p, where+"."+p.At("name").Text(), true, by)
		}
		for _, p := range raw.At("properties").Members() {
			record(p.Value, where+"."+p.Name, true, by)
		}
	}
	for _, o := range f.Operations {
		by := f.Lookup("operations", o.Name)
		for _, p := range o.Parameters {
			record(p.Raw, o.Name+"."+p.Name, false, by)
		}
		for _, c := range o.Details.At("computed_fields").Items() {
			add(c.At("type").Text(), o.Name+".computed_fields", false, false, by)
		}
		add(o.Details.At("returns", "name").Text(), o.Name+".returns", true, false, by)
	}
	for _, t := range f.Types {
		by := f.Lookup("types", t.Name)
		for _, field := range t.Details.At("fields").Items() {
			record(field, t.Name+"."+field.At("name").Text(), false, by)
		}
		for _, m := range t.Details.At("members").Items() {
			add(m.Text(), t.Name+".members", false, false, by)
		}
	}
	return all
}

// mentionsOf returns the places that name one type.
func mentionsOf(f *model.Adapter, name string) []mention {
	return slices.DeleteFunc(mentions(f), func(m mention) bool { return m.name != name })
}

// eachMentioned is every type name that introspection mentions, each once.
func eachMentioned(f *model.Adapter) []model.Subject {
	var all []model.Subject
	for _, m := range mentions(f) {
		if !slices.ContainsFunc(all, func(s model.Subject) bool { return s.Name == m.name }) {
			all = append(all, model.Subject{Adapter: f, Name: m.name, Kind: probes.Type{Name: m.name}})
		}
	}
	return all
}

// registeredAs returns the listed type whose name differs only in letter case and
// underscores.
func registeredAs(f *model.Adapter, name string) (probes.Type, bool) {
	for _, t := range f.Types {
		if t.Name != name && check.FoldName(t.Name) == check.FoldName(name) {
			return t, true
		}
	}
	return probes.Type{}, false
}

// Section 9.2.
var referencedTypesCanBeLookedUp = check.Check{
	Requirement: "AQL-9.2-01",
	Rule:        "Each domain type that the adapter refers to can be found with the types query, in the list and by name.",
	Why:         "A type name without a type sends a model to look for something that is not there.",
	On: check.RequireDetails(model.Only(eachMentioned, func(s model.Subject) bool {
		return !slices.Contains(everyday, strings.ToLower(s.Name)) && slices.ContainsFunc(mentionsOf(s.Adapter, s.Name), mention.outer)
	})),
	Ask: bothTypes,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, listed := s.Adapter.Type(s.Name)
		record := got.Step("record")
		found := record.Data().At("type").Is(probes.Object)
		twin, folds := registeredAs(s.Adapter, s.Name)
		places := slices.DeleteFunc(mentionsOf(s.Adapter, s.Name), func(m mention) bool { return m.inner })
		binding := slices.IndexFunc(places, func(m mention) bool { return !m.label })
		switch {
		case listed && found:
			return ruling.Conforms()
		case record.Deferred():
			return ruling.NotProven("an answer to the lookup of "+s.Name, record)
		case listed:
			return ruling.NotProven("the record of "+s.Name, record).Because("AQL-7.3-04")
		case !got[0].Data().At("types").Is(probes.Array):
			return ruling.NotProven("a list of types", got[0]).Because("AQL-7.3-03")
		case folds:
			return ruling.NotProven("the type "+s.Name, "the type "+twin.Name).Because("INT-8.1-08")
		case found:
			return ruling.Departs("the type "+s.Name+" in the list", "found by name only").By(got[0])
		case slices.Contains(protocolNames, s.Name):
			return ruling.Conforms().Noting("a type of the protocol, which need not be listed")
		case binding < 0:
			return ruling.Departs("the type "+s.Name+" that "+places[0].where+" names", "none").By(record)
		case !pascalCase.MatchString(s.Name):
			return ruling.Departs("the type "+s.Name+" that "+places[binding].where+" names", "none").By(record)
		}
		return ruling.Violates("the type "+s.Name+" that "+places[binding].where+" names", "none").By(record)
	},
	Fix: "register each type that parameters, fields and members name, or use a primitive",
}

// Section 9.2.
var typeNamesAreUsedConsistently = check.Check{
	Requirement: "INT-8.1-08",
	Rule:        "One type is called by the same name and has the same kind wherever it is mentioned.",
	Why:         "A name is matched exactly: two spellings are two types, one of which does not exist.",
	On:          check.RequireDetails(eachMentioned),
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.TypesListing(), mentionsOf(s.Adapter, s.Name)[0].by}
	},
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		t, folds := registeredAs(s.Adapter, s.Name)
		_, exact := s.Adapter.Type(s.Name)
		places := mentionsOf(s.Adapter, s.Name)
		where := places[max(0, slices.IndexFunc(places, mention.outer))].where
		switch {
		case exact || !folds:
			return ruling.Conforms()
		case t.Kind == "scalar", !slices.ContainsFunc(places, mention.outer), slices.Contains(everyday, strings.ToLower(s.Name)):
			return ruling.Departs("the registered spelling "+t.Name+" in "+where, s.Name)
		}
		return ruling.Violates("the registered spelling "+t.Name+" in "+where, s.Name)
	},
	Fix: "write each type name everywhere as it is registered",
}

// Section 9.2.
var returnsKindFitsTheRegisteredType = check.Check{
	Requirement: "INT-8.1-08",
	Why:         "The kind in returns says how to read the type; the registry has the last word on it.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		_, registered := s.Adapter.Type(s.Op.Details.At("returns", "name").Text())
		return registered
	}),
	Ask: func(s model.Subject) []probes.Probe {
		return append(model.Details(s), s.Lookup("types", s.Op.Details.At("returns", "name").Text()))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		returns := s.Op.Details.At("returns")
		t, _ := s.Adapter.Type(returns.At("name").Text())
		listed, kind := t.Summary.At("kind").Text(), returns.At("kind")
		switch {
		case !slices.Contains(check.TypeKinds, kind.Text()):
			return ruling.NotProven("a defined kind in returns", kind).Because("INT-3.3-08")
		case !slices.Contains(check.TypeKinds, t.Kind):
			return ruling.NotProven("a defined kind of "+t.Name, t.Kind).Because("INT-3.5-02")
		case listed != "" && listed != t.Kind:
			return ruling.NotProven("one kind of "+t.Name, listed+" and "+t.Kind).Because("INT-3.5-05")
		case kind.Text() != t.Kind:
			return ruling.Violates("the kind of "+t.Name+", "+t.Kind+", in returns", kind).By(got...)
		}
		return ruling.Conforms()
	},
	Fix: "show in returns the kind under which the type is registered",
}

// Operations document, section 5.2.
var parameterTypesUseKnownVocabulary = check.Check{
	Requirement: "OPS-5.2-02",
	Rule:        "Parameter types are drawn from string, number, boolean, object, array - or a resolvable named type.",
	Why:         "Type names of programming languages are ambiguous in JSON. The five JSON types and the registry are not.",
	On:          check.RequireDetails(model.EachParameter),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		e, err := probes.ParseType(s.Par.Type)
		switch {
		case s.Par.Type == "":
			return ruling.NotProven("a type of "+s.Name, s.Par.Raw.At("type")).Because("INT-3.4-02")
		case err != nil:
			return ruling.NotProven("a type expression that can be read", s.Par.Type)
		case vague(e):
			return ruling.Departs("a type that says what to send", s.Par.Type)
		}
		for _, name := range e.Leaves() {
			if _, registered := s.Adapter.Type(name); registered {
				continue
			}
			if slices.Contains(everyday, strings.ToLower(name)) {
				return ruling.Departs("string, number, boolean, object, array or a registered type", name)
			}
			if _, folds := registeredAs(s.Adapter, name); folds {
				return ruling.NotProven("a registered type", name).Because("INT-8.1-08")
			}
			return ruling.NotProven("a registered type", name).Because("AQL-9.2-01")
		}
		return ruling.Conforms()
	},
	Fix: "use string, number, integer, boolean, object, array or the name of a registered type",
}

// vague reports whether an expression admits any value.
func vague(e probes.TypeExpr) bool {
	return e.Form == probes.Primitive && e.Name == "any" || slices.ContainsFunc(e.Parts, vague)
}
