package generated

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// judgeMerge compares the observed object with the expected result of the update (section 4.5.1).
func (or *oracle) judgeMerge(i int, it *item, after probes.Value) {
	c := it.pending
	by := or.script.Steps[c.step].Operation
	before := c.before
	report := func(row, path string, want any, got probes.Value) {
		or.breach(i, row, by, ruling.Violates(fmt.Sprintf("%s %v", path, want), got))
	}
	for _, m := range c.input.Members() {
		if it.verified[m.Name] {
			same := func(path string, sent, shown probes.Value) bool {
				if sent.Is(probes.Null) {
					return or.hasDefault(it, path, shown)
				}
				free := strings.Contains(string(sent.Raw()), or.Nonce) // and no documented values
				return shown.Equal(sent) || converted(sent, shown) || sameText(sent, shown) || sameMoment(sent, shown) || asSet(sent, shown, free) || or.isCode(it.object.Fields, path) && inOneCase(sent, shown) || withoutBlanks(sent, shown) && documentsBlanks(or.Adapter, fieldAt(or.Adapter, it.object.Fields, path))
			}
			compareMerge(m.Name, 0, before.At(m.Name), m.Value, after.At(m.Name), same, report)
		}
	}
	or.judgeRemovedFields(it, c.input, after, report)
	for _, was := range before.Members() {
		if !c.input.Has(was.Name) && it.verified[was.Name] && it.sent[was.Name] && !after.At(was.Name).Equal(was.Value) {
			report("AQL-4.5.1-04", was.Name, check.BriefValue(was.Value)+", as it was", after.At(was.Name))
		}
	}
}

// judgeRemovedFields reports fields that null had removed and that are back.
func (or *oracle) judgeRemovedFields(it *item, input, after probes.Value, report func(row, path string, want any, got probes.Value)) {
	for name, gone := range it.removedByNull {
		if v := after.At(name); gone && !input.Has(name) && !v.Is(probes.Absent) && !v.Is(probes.Null) && it.verified[name] && !or.hasDefault(it, name, v) {
			report("AQL-4.5.1-08", name, "absent, as an update left it", v)
		}
	}
}

// hasDefault reports whether a value is the documented default of the field at a path. A field without a value may show it.
func (or *oracle) hasDefault(it *item, path string, v probes.Value) bool {
	return slices.ContainsFunc([][]probes.Parameter{it.object.Maker.Op.Parameters, it.object.Fields}, func(fields []probes.Parameter) bool {
		usual := fieldAt(or.Adapter, fields, path).Raw.At("default")
		return !usual.Is(probes.Absent) && usual.Equal(v)
	})
}

// storesCallerValue reports whether a field stores exactly what callers set: it is not derived from
// other fields and its text has no format.
func (or *oracle) storesCallerValue(it *item, name string) bool {
	i := slices.IndexFunc(it.object.Fields, func(p probes.Parameter) bool { return p.Name == name })
	if i < 0 || !it.sent[name] {
		return false
	}
	p := it.object.Fields[i]
	kinds, ok := or.Kinds(p.Type)
	if !ok || len(or.EnumOf(p)) > 0 || p.Raw.Has("format") {
		return false
	}
	return !slices.ContainsFunc(kinds, func(k string) bool { return k != "string" && k != "object" && k != "array" })
}

// compareMerge compares one value after an update with the value before it and the input, and
// reports each difference under the requirement that it violates. same tells how a value may be shown; null, as a default.
func compareMerge(path string, depth int, before, input, after probes.Value, same func(path string, sent, shown probes.Value) bool, report func(row, path string, want any, got probes.Value)) {
	row := func(byDepth ...string) string { return byDepth[min(depth, len(byDepth)-1)] }
	switch {
	case input.Is(probes.Null):
		if before.Is(probes.Absent) || before.Is(probes.Null) || after.Is(probes.Absent) || after.Is(probes.Null) || same(path, input, after) {
			return
		}
		if len(after.Items()) == 0 && after.Is(probes.Array) || after.Is(probes.String) && after.Text() == "" {
			return // cleared instead of removed: another requirement covers that
		}
		report(row("AQL-4.5.1-08", "AQL-4.5.2-02"), path, "absent", after)
	case input.Is(probes.Object) && before.Is(probes.Object) && onlyNulls(input):
		usual := slices.DeleteFunc(input.Names(), func(name string) bool { return !same(path+"."+name, probes.ValueOf(nil), after.At(name)) })
		if want := withoutMembers(before, input.Names()); withoutMembers(after, usual) != want && withoutNulls(after) != want {
			rule := "AQL-4.5.2-02"
			if len(input.Members()) == 0 {
				rule = "AQL-4.5.1-10"
			}
			report(rule, path, "as it was, but for "+strings.Join(input.Names(), ", "), after)
		}
	case input.Is(probes.Object) && before.Is(probes.Object):
		for _, m := range input.Members() {
			compareMerge(path+"."+m.Name, depth+1, before.At(m.Name), m.Value, after.At(m.Name), same, report)
		}
		for _, was := range before.Members() {
			if !input.Has(was.Name) && !after.At(was.Name).Equal(was.Value) {
				report(row("AQL-4.5.1-03", "AQL-4.5.1-05"), path+"."+was.Name, check.BriefValue(was.Value)+", as it was", after.At(was.Name))
			}
		}
	case input.Is(probes.Object):
		if want := withoutNulls(input); after.Canonical(nil) != want && !after.Equal(input) && !sameText(input, after) && !before.Is(probes.Absent) {
			report("AQL-4.5.1-10", path, check.BriefValue(input), after)
		}
	case same(path, input, after):
	case input.Is(probes.Array) && before.Is(probes.Array) && len(after.Items()) == len(input.Items()) && holdsObjects(input):
		report("AQL-4.5.1-07", path, check.BriefValue(input), after)
	case input.Is(probes.Array):
		report("AQL-4.5.1-06", path, check.BriefValue(input), after)
	case before.Is(probes.Object):
		report("AQL-4.5.1-10", path, check.BriefValue(input), after)
	default:
		report(row("AQL-4.5.1-01", "AQL-4.5.1-02", "AQL-4.5.1-05"), path, check.BriefValue(input), after)
	}
}

// isCode reports whether the field at a path has a documented pattern. An adapter may store such texts, as plates and
// codes, in one case; another text it has to keep.
func (or *oracle) isCode(fields []probes.Parameter, path string) bool {
	return fieldAt(or.Adapter, fields, path).Raw.Has("pattern")
}

// fieldAt returns the field at a path of names.
func fieldAt(f *model.Adapter, fields []probes.Parameter, path string) probes.Parameter {
	name, rest, inside := strings.Cut(path, ".")
	i := slices.IndexFunc(fields, func(p probes.Parameter) bool { return p.Name == name })
	switch {
	case i < 0:
		return probes.Parameter{}
	case inside:
		return fieldAt(f, f.Fields(fields[i]), rest)
	}
	return fields[i]
}

// withoutBlanks reports whether a text is shown without the blanks around it, and with one where it has several.
func withoutBlanks(sent, shown probes.Value) bool {
	return sent.Is(probes.String) && shown.Is(probes.String) && strings.Join(strings.Fields(sent.Text()), " ") == shown.Text()
}

// inOneCase reports whether a text is shown in upper or lower case.
func inOneCase(input, after probes.Value) bool {
	text := input.Text()
	return input.Is(probes.String) && after.Is(probes.String) && (after.Text() == strings.ToUpper(text) || after.Text() == strings.ToLower(text))
}

// converted reports whether a number is stored that was sent as text. That such a text is taken is the concern of other requirements.
func converted(input, after probes.Value) bool {
	return input.Is(probes.String) && after.Is(probes.Number) && input.Text() == after.String()
}

// sameText reports whether two values are one by Unicode: letters with their marks may be composed.
func sameText(input, after probes.Value) bool {
	return vocab.Composed(input.Canonical(nil)) == vocab.Composed(after.Canonical(nil))
}

// sameMoment reports whether two texts are one moment. An adapter may store all times in one form (section 4.7.2).
func sameMoment(input, after probes.Value) bool {
	x, err := time.Parse(time.RFC3339, input.Text())
	y, other := time.Parse(time.RFC3339, after.Text())
	return err == nil && other == nil && x.Equal(y)
}

// onlyNulls reports whether an input only removes keys.
func onlyNulls(input probes.Value) bool {
	return !slices.ContainsFunc(input.Members(), func(m probes.Member) bool { return !m.Value.Is(probes.Null) })
}

// withoutMembers returns the canonical form of an object without some members.
func withoutMembers(v probes.Value, names []string) string {
	rest := map[string]any{}
	for _, m := range v.Members() {
		if !slices.Contains(names, m.Name) {
			rest[m.Name] = m.Value.Go()
		}
	}
	return probes.ValueOf(rest).Canonical(nil)
}

// asSet reports whether an array shows the values of another one, each once, in their order or ascending, and free texts in one
// letter case. An adapter may keep labels like that.
func asSet(input, after probes.Value, free bool) bool {
	if !input.Is(probes.Array) || !after.Is(probes.Array) {
		return false
	}
	folds := []func(string) string{func(text string) string { return text }}
	if free {
		folds = append(folds, strings.ToLower, strings.ToUpper)
	}
	return slices.ContainsFunc(folds, func(fold func(string) string) bool {
		var once []probes.Value
		for _, item := range input.Items() {
			if item.Is(probes.String) {
				item = probes.ValueOf(fold(item.Text()))
			}
			if !slices.ContainsFunc(once, item.Equal) {
				once = append(once, item)
			}
		}
		return slices.EqualFunc(once, after.Items(), probes.Value.Equal) || slices.EqualFunc(slices.SortedFunc(slices.Values(once), ascending), after.Items(), probes.Value.Equal)
	})
}

// ascending compares two numbers, or two values by their text.
func ascending(x, y probes.Value) int {
	m, number := x.Float()
	n, other := y.Float()
	if number && other {
		return cmp.Compare(m, n)
	}
	return strings.Compare(x.Canonical(nil), y.Canonical(nil))
}

func holdsObjects(v probes.Value) bool {
	return slices.ContainsFunc(v.Items(), func(item probes.Value) bool { return item.Is(probes.Object) })
}

// withoutNulls returns the canonical form of an object merged into nothing.
func withoutNulls(v probes.Value) string {
	if !v.Is(probes.Object) {
		return v.Canonical(nil)
	}
	parts := map[string]any{}
	for _, m := range v.Members() {
		if !m.Value.Is(probes.Null) {
			inner, _ := probes.ParseValue([]byte(strings.TrimSpace(string(m.Value.Raw()))))
			parts[m.Name] = inner.Go()
		}
	}
	return probes.ValueOf(parts).Canonical(nil)
}
