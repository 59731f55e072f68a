package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// HasListOf reports whether the data of an answer has the requested list, in any place and shape.
// Other checks judge place and shape.
func HasListOf(data probes.Value, query string) bool {
	other := map[string]string{"operations": "types", "types": "operations"}[query]
	switch {
	case data.Has(query) || data.Is(probes.Array):
		return true
	case data.Has(other):
		return false
	}
	return slices.ContainsFunc(data.Members(), func(m probes.Member) bool {
		return m.Value.Is(probes.Array) && !strings.HasPrefix(m.Name, "_")
	})
}

// SecondSession is the label of a session that only introspects.
const SecondSession = "/int-7.3-05"

// comparableContent returns what an introspection answer says, without metadata, session ids and
// the order of lists. Members of _protocol count only if both answers have _protocol; INT-4.1.1-01
// covers its absence.
func comparableContent(o, other probes.Observation) string {
	protocol := ""
	if p := o.Data().At("_protocol"); p.Is(probes.Object) && other.Data().At("_protocol").Is(probes.Object) {
		for _, name := range []string{"version", "conformance", "mode", "capabilities", "limits", "concurrency"} {
			protocol += name + ":" + CanonicalUnordered(p.At(name)) + ","
		}
	}
	return string(o.Outcome) + o.Code() + protocol + CanonicalUnordered(o.Data())
}

// CanonicalUnordered is Canonical without the order of lists, because no list of introspection is
// ordered.
func CanonicalUnordered(v probes.Value) string {
	var parts []string
	switch v.Kind() {
	case probes.Array:
		for _, item := range v.Items() {
			parts = append(parts, CanonicalUnordered(item))
		}
	case probes.Object:
		for _, m := range v.Members() {
			if !strings.HasPrefix(m.Name, "_") && m.Name != "warnings" && !strings.Contains(strings.ToLower(m.Name), "session") && !model.Volatile(m.Name) {
				said := CanonicalUnordered(m.Value)
				if m.Name == "examples" && m.Value.Is(probes.Array) {
					said = shapeOf(m.Value) // an example may name what exists at the moment
				}
				parts = append(parts, m.Name+":"+said)
			}
		}
	default:
		return v.Canonical(nil)
	}
	slices.Sort(parts)
	return string(v.Kind()) + "{" + strings.Join(parts, ",") + "}"
}

// shapeOf returns the members and the kinds in a value, without the values.
func shapeOf(v probes.Value) string {
	parts := []string{string(v.Kind())}
	for _, m := range v.Members() {
		parts = append(parts, m.Name+":"+shapeOf(m.Value))
	}
	for _, item := range v.Items() {
		parts = append(parts, shapeOf(item))
	}
	slices.Sort(parts[1:])
	return strings.Join(parts, ",")
}

// SameContent reports whether two introspection answers say the same.
func SameContent(x, y probes.Observation) bool {
	return comparableContent(x, y) == comparableContent(y, x)
}

// Bounds returns a pair of limits of a parameter record if both are numbers.
func Bounds(s model.Subject, low, high string) (least, most float64, ok bool) {
	least, hasLow := s.Par.Raw.At(low).Float()
	most, hasHigh := s.Par.Raw.At(high).Float()
	return least, most, hasLow && hasHigh
}

// ReversedBounds returns a documented pair of limits of which the lower exceeds the upper.
func ReversedBounds(s model.Subject) (pair string, ok bool) {
	for _, p := range [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}} {
		if least, most, both := Bounds(s, p[0], p[1]); both && least > most {
			return p[0] + " above " + p[1], true
		}
	}
	return "", false
}

// SymbolicDefaults are defaults that stand for a computed value.
var SymbolicDefaults = strings.Fields("now today auto none unlimited")

// ValueMismatch says why a value does not fit the parameter's record, or "". In addition to Misfit
// it checks enums of numbers and booleans, and patterns of other dialects.
func ValueMismatch(s model.Subject, v probes.Value) string {
	if why := s.Misfit(s.Par, v); why != "" {
		return why
	}
	if enum := s.Par.Raw.At("enum").Items(); len(enum) > 0 && (v.Is(probes.Number) || v.Is(probes.Boolean)) {
		if CountDistinct(append(slices.Clone(enum), v)) > CountDistinct(enum) {
			return "outside the enum"
		}
	}
	if p, err := schemas.CompilePattern(s.Par.Raw.At("pattern").Text()); err == nil && v.Is(probes.String) && s.Par.Raw.Has("pattern") {
		if matches, err := p.Match(v.Text()); err == nil && !matches {
			return "not matching the pattern"
		}
	}
	return ""
}

// RequireDetails makes a check on parts of records not proven, instead of not applicable, if
// records are missing.
func RequireDetails(on func(*model.Adapter) []model.Subject) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
		if all := on(f); len(all) > 0 {
			return all
		}
		return slices.DeleteFunc(model.EachDetailed(f), func(s model.Subject) bool { return s.Ruling == nil })
	}
}

// EachParameterRecord returns every parameter. A parameter without a record is not proven;
// AQL-4.3-03 covers it.
func EachParameterRecord(f *model.Adapter) []model.Subject {
	all := model.EachParameter(f)
	for i, s := range all {
		if !s.Par.Raw.Is(probes.Object) {
			all[i] = s.WithRuling(ruling.NotProven("a record of "+s.Name, s.Par.Raw).Because("AQL-4.3-03"))
		}
	}
	return all
}

// MatchesKind reports whether a value is of one of the kinds.
func MatchesKind(kinds []string, v probes.Value) bool {
	return slices.ContainsFunc(kinds, func(k string) bool {
		return k == string(v.Kind()) || k == "integer" && v.Whole()
	})
}

// OwnKindCount is how many kinds of object the script between two listings creates, changes and
// removes.
const OwnKindCount = 3

// JudgeListing rules on the place and shape of a listing: an array of records with a name at
// data.<query>.
func JudgeListing(o probes.Observation, query string) ruling.Ruling {
	list := o.Data().At(query)
	switch {
	case !o.Succeeded() || !HasListOf(o.Data(), query):
		return ruling.NotProven("an answer to the query "+query, o).Because("AQL-7.2-04")
	case !list.Is(probes.Array) && o.Data().Is(probes.Object):
		return ruling.Violates("an array at data."+query, DescribeShape(o.Data(), query)).Mend(placeFix(o.Data(), query))
	case !list.Is(probes.Array):
		return ruling.Violates("an object with the member "+query, "data of the kind "+string(o.Data().Kind())).Mend(
			fmt.Sprintf("put the array into an object: {%q: [...]}", query))
	}
	for i, entry := range list.Items() {
		at := fmt.Sprintf("data.%s[%d]", query, i)
		switch name := entry.At("name"); {
		case !entry.Is(probes.Object):
			return ruling.Violates("a record at "+at, entry).Mend(fmt.Sprintf("list each entry of %s as an object with a name", query))
		case name.Is(probes.Absent):
			return ruling.Violates("a name at "+at, "the members "+strings.Join(entry.Names(), ", ")).Mend("give each entry its name in the member name")
		case !name.Is(probes.String) || name.Text() == "":
			return ruling.Violates("a name at "+at, name).Mend("give each entry a name that is a text and not empty")
		}
	}
	return ruling.Conforms()
}

// placeFix says how a listing that stands elsewhere gets into its place.
func placeFix(data probes.Value, query string) string {
	if grouped := data.At(query); grouped.Is(probes.Object) {
		return fmt.Sprintf("list all entries in one array under data.%s; now they are divided by %s", query, strings.Join(grouped.Names(), ", "))
	}
	for _, m := range data.Members() {
		if m.Value.Is(probes.Array) && !strings.HasPrefix(m.Name, "_") {
			return fmt.Sprintf("move the array from data.%s to data.%s", m.Name, query)
		}
	}
	return fmt.Sprintf("put an array of records into data.%s", query)
}

// DescribeShape describes, as a noun phrase, what is in the place of a list.
func DescribeShape(data probes.Value, member string) string {
	if data.Has(member) {
		return "the kind " + string(data.At(member).Kind())
	}
	return "the members " + strings.Join(data.Names(), ", ")
}

// CountDistinct counts the values that differ as JSON.
func CountDistinct(values []probes.Value) int {
	seen := map[string]bool{}
	for _, v := range values {
		seen[v.Canonical(nil)] = true
	}
	return len(seen)
}

// FoldName returns a name in lower case without underscores.
func FoldName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }

// TypeKinds are the kinds of types. Introspection document, section 3.5.
var TypeKinds = []string{"enum", "object", "scalar", "union"}

// OperationEnum returns the values that a schema allows for operation, at any depth.
func OperationEnum(schema probes.Value) []string {
	var names []string
	for _, m := range schema.Members() {
		if m.Name == "operation" {
			names = append(names, append(m.Value.At("enum").Scalars(), m.Value.At("const").Text())...)
			for _, arm := range slices.Concat(m.Value.At("oneOf").Items(), m.Value.At("anyOf").Items()) {
				names = append(names, append(arm.At("enum").Scalars(), arm.At("const").Text())...)
			}
		}
		names = append(names, OperationEnum(m.Value)...)
	}
	for _, item := range schema.Items() {
		names = append(names, OperationEnum(item)...)
	}
	return names
}
