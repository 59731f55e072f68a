package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
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
}

// mentions returns every place that names a type, in the order of the listings.
func mentions(f *Face) []mention {
	var all []mention
	add := func(expr, where string, label bool, by probes.Probe) {
		e, err := probes.ParseType(expr)
		if err != nil {
			return // outside the grammar: nothing may be concluded
		}
		for _, name := range e.Leaves() {
			all = append(all, mention{name, where, label, by})
		}
	}
	record := func(p probes.Parameter, of string, by probes.Probe) {
		add(p.Type, of+"."+p.Name, false, by)
		for items := p.Raw.At("items"); items.Is(probes.Object); items = items.At("items") {
			add(items.At("type").Text(), of+"."+p.Name+".items", false, by)
		}
	}
	for _, o := range f.Operations {
		by := f.Lookup("operations", o.Name)
		for _, p := range o.Parameters {
			record(p, o.Name, by)
		}
		for _, c := range o.Details.At("computed_fields").Items() {
			add(c.At("type").Text(), o.Name+".computed_fields", false, by)
		}
		add(o.Details.At("returns", "name").Text(), o.Name+".returns", true, by)
	}
	for _, t := range f.Types {
		by := f.Lookup("types", t.Name)
		for _, field := range t.Details.At("fields").Items() {
			record(probes.Parameter{Name: field.At("name").Text(), Type: field.At("type").Text(), Raw: field}, t.Name, by)
		}
		for _, m := range t.Details.At("members").Items() {
			add(m.Text(), t.Name+".members", false, by)
		}
	}
	return all
}

// mentionsOf returns the places that name one type.
func mentionsOf(f *Face, name string) []mention {
	return slices.DeleteFunc(mentions(f), func(m mention) bool { return m.name != name })
}

// eachMentioned is every type name that introspection mentions, each once.
func eachMentioned(f *Face) []Subject {
	var all []Subject
	for _, m := range mentions(f) {
		if !slices.ContainsFunc(all, func(s Subject) bool { return s.Name == m.name }) {
			all = append(all, Subject{Face: f, Name: m.name, Kind: probes.Type{Name: m.name}})
		}
	}
	return all
}

// registeredAs returns the listed type whose name differs only in letter case and
// underscores.
func registeredAs(f *Face, name string) (probes.Type, bool) {
	for _, t := range f.Types {
		if t.Name != name && folded(t.Name) == folded(name) {
			return t, true
		}
	}
	return probes.Type{}, false
}

// Section 9.2. A type name without a type sends a model to look for something that
// is not there.
var _ = register(Check{
	Requirement: "AQL-9.2-01",
	On: whereDocumented(only(eachMentioned, func(s Subject) bool {
		return !slices.Contains(everyday, strings.ToLower(s.Name))
	})),
	Ask: bothTypes,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, listed := s.Face.Type(s.Name)
		found := got[1].Data().At("type").Is(probes.Object)
		twin, folds := registeredAs(s.Face, s.Name)
		places := mentionsOf(s.Face, s.Name)
		binding := slices.IndexFunc(places, func(m mention) bool { return !m.label })
		switch {
		case listed && found:
			return Conforms()
		case got[1].Deferred():
			return NotProven("an answer to the lookup of "+s.Name, got[1])
		case listed:
			return NotProven("the record of "+s.Name, got[1]).Because("AQL-7.3-04")
		case !got[0].Data().At("types").Is(probes.Array):
			return NotProven("a list of types", got[0]).Because("AQL-7.3-03")
		case folds:
			return NotProven("the type "+s.Name, "the type "+twin.Name).Because("INT-8.1-08")
		case found:
			return Departs("the type "+s.Name+" in the list", "found by name only").By(got[0])
		case slices.Contains(protocolNames, s.Name):
			return Conforms().Noting("a type of the protocol, which need not be listed")
		case binding < 0:
			return Departs("the type "+s.Name+" that "+places[0].where+" names", "none").By(got[1])
		case !pascalCase.MatchString(s.Name):
			return Departs("the type "+s.Name+" that "+places[binding].where+" names", "none").By(got[1])
		}
		return Violates("the type "+s.Name+" that "+places[binding].where+" names", "none").By(got[1])
	},
	Fix: "register each type that parameters, fields and members name, or use a primitive",
})

// Section 9.2. A name is matched exactly: two spellings are two types, one of which
// does not exist.
var _ = register(Check{
	Requirement: "INT-8.1-08",
	On:          whereDocumented(eachMentioned),
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.TypesListing(), mentionsOf(s.Face, s.Name)[0].by}
	},
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		t, folds := registeredAs(s.Face, s.Name)
		_, exact := s.Face.Type(s.Name)
		where := mentionsOf(s.Face, s.Name)[0].where
		switch {
		case exact || !folds:
			return Conforms()
		case t.Kind == "scalar", slices.Contains(everyday, strings.ToLower(s.Name)):
			return Departs("the registered spelling "+t.Name+" in "+where, s.Name)
		}
		return Violates("the registered spelling "+t.Name+" in "+where, s.Name)
	},
	Fix: "write each type name everywhere as it is registered",
})

// Section 9.2. The kind in returns says how to read the type; the registry has the
// last word on it.
var _ = register(Check{
	Requirement: "INT-8.1-08",
	On: only(eachListed, func(s Subject) bool {
		_, registered := s.Face.Type(s.Op.Details.At("returns", "name").Text())
		return registered
	}),
	Ask: func(s Subject) []probes.Probe {
		return append(details(s), s.Lookup("types", s.Op.Details.At("returns", "name").Text()))
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		returns := s.Op.Details.At("returns")
		t, _ := s.Face.Type(returns.At("name").Text())
		listed, kind := t.Summary.At("kind").Text(), returns.At("kind")
		switch {
		case !slices.Contains(typeKinds, kind.Text()):
			return NotProven("a defined kind in returns", kind).Because("INT-3.3-08")
		case !slices.Contains(typeKinds, t.Kind):
			return NotProven("a defined kind of "+t.Name, t.Kind).Because("INT-3.5-02")
		case listed != "" && listed != t.Kind:
			return NotProven("one kind of "+t.Name, listed+" and "+t.Kind).Because("INT-3.5-05")
		case kind.Text() != t.Kind:
			return Violates("the kind of "+t.Name+", "+t.Kind+", in returns", kind).By(got...)
		}
		return Conforms()
	},
	Fix: "show in returns the kind under which the type is registered",
})

// Operations document, section 5.2. Words of other languages are guesses about
// JSON; the five words and the registry are not.
var _ = register(Check{
	Requirement: "OPS-5.2-02",
	On:          whereDocumented(eachParameter),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		e, err := probes.ParseType(s.Par.Type)
		switch {
		case s.Par.Type == "":
			return NotProven("a type of "+s.Name, s.Par.Raw.At("type")).Because("INT-3.4-02")
		case err != nil:
			return NotProven("a type expression that can be read", s.Par.Type)
		case vague(e):
			return Departs("a type that says what to send", s.Par.Type)
		}
		for _, name := range e.Leaves() {
			if _, registered := s.Face.Type(name); registered {
				continue
			}
			if slices.Contains(everyday, strings.ToLower(name)) {
				return Departs("string, number, boolean, object, array or a registered type", name)
			}
			if _, folds := registeredAs(s.Face, name); folds {
				return NotProven("a registered type", name).Because("INT-8.1-08")
			}
			return NotProven("a registered type", name).Because("AQL-9.2-01")
		}
		return Conforms()
	},
	Fix: "use string, number, integer, boolean, object, array or the name of a registered type",
})

// vague reports whether an expression admits any value.
func vague(e probes.TypeExpr) bool {
	return e.Form == probes.Primitive && e.Name == "any" || slices.ContainsFunc(e.Parts, vague)
}
