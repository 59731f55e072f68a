package generated

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Corner cases are values that imperfect validation often misses: minus zero, text after a valid
// part, later array elements. A value is used only if the documentation clearly allows or excludes
// it.

// trims matches a description that speaks of the blanks around a text.
var trims = regexp.MustCompile(`(?i)\b(trim|strip|blank|white|spa(ce|zi)|espac|espaç|leerz|leerraum|spati|odst[ęe]p|spacj|mellanslag|mellemrum|välily|boşluk)|空白|スペース|пробел|공백`)

// removes matches a description by which an adapter may say for all texts that it removes the blanks around them. A space may be
// something else than a blank.
var removes = regexp.MustCompile(`(?i)\b(trim|white ?space|(leading|trailing|surrounding|outer) (spaces?|blanks?)|(spaces?|blanks?) (around|before|behind|are (removed|stripped|ignored))|leerz|leerraum|espacios|espaços|espaces|odst[ęe]p|mellanslag|mellemrum|välily|boşluk)|空白|スペース|пробел|공백`)

// cornerCases lists the corner cases of a parameter. An adapter may remove the blanks around a text that it
// keeps before it measures it, and say so anywhere in its documentation. It may say that it writes the
// letters of a text in one case, and do so before it matches them.
func cornerCases(f *model.Adapter, p probes.Parameter, kept bool) []edgeCase {
	var all []edgeCase
	trimmed := kept || documentsBlanks(f, p)
	add := func(v any, description string) {
		value := probes.ValueOf(v)
		if trimmed && value.Is(probes.String) && strings.TrimSpace(value.Text()) != value.Text() {
			return
		}
		if _, certain := f.ValueFlaws(p, value); certain && !inAnotherCase(f, p, value) {
			all = append(all, edgeCase{value, p.Name + " " + description})
		}
	}
	kinds, _ := f.Kinds(p.Type)
	for _, kind := range kinds {
		switch kind {
		case "integer", "number":
			add(json.RawMessage("-0"), "minus zero")
		case "string":
			textCornerCases(f, p, add)
		case "array":
			listCornerCases(f, p, add)
		}
	}
	return all
}

// cases matches a description that speaks of small or capital letters.
var cases = regexp.MustCompile(`(?i)(lower|upper) ?-?case|(capital|small) letters|min[uú]scul|majuscul|maiuscol|minuscol|mayúscul|maiúscul|kleinbuchstab|großbuchstab|kleinschreib|großschreib|kleinen? buchstab|großen? buchstab|gemener|versal|строчн|прописн|小文字|大文字`)

// inAnotherCase reports whether a text fits a parameter once its letters are all small or all capital, where its description speaks
// of them.
func inAnotherCase(f *model.Adapter, p probes.Parameter, v probes.Value) bool {
	return cases.MatchString(p.Raw.At("description").Text()) && slices.ContainsFunc([]string{strings.ToLower(v.Text()), strings.ToUpper(v.Text())}, func(text string) bool {
		return v.Is(probes.String) && text != v.Text() && f.Misfit(p, probes.ValueOf(text)) == ""
	})
}

// documentsBlanks reports whether the documentation of a parameter, or of all texts, speaks of the blanks around them.
func documentsBlanks(f *model.Adapter, p probes.Parameter) bool {
	return trims.MatchString(p.Raw.At("description").Text()) || f.Remember("documents that blanks are removed", func() any { return tellsOfBlanks(f) }).(bool)
}

// tellsOfBlanks reports whether the description of a parameter, or of a field of a type, speaks of the blanks around a text.
func tellsOfBlanks(f *model.Adapter) bool {
	told := func(p probes.Parameter) bool { return removes.MatchString(p.Raw.At("description").Text()) }
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return slices.ContainsFunc(o.Parameters, told) }) ||
		slices.ContainsFunc(f.Types, func(t probes.Type) bool {
			return slices.ContainsFunc(t.Details.At("fields").Items(), func(v probes.Value) bool { return told(probes.Parameter{Raw: v}) })
		})
}

func textCornerCases(f *model.Adapter, p probes.Parameter, add func(any, string)) {
	if high, ok := p.Raw.At("maxLength").Float(); ok && high >= 1 && high < check.MaxAcceptedLength && p.Raw.At("pattern").Text() == "" {
		add(strings.Repeat("a", int(high))+" ", "with a blank behind its documented maximum of characters")
		add(" "+strings.Repeat("a", int(high)), "with a blank before its documented maximum of characters")
	}
	if p.Raw.At("pattern").Text() == "" {
		return
	}
	if values := f.Gen.Values(probes.Operation{}, p); len(values) > 0 {
		v := values[0]
		for _, tail := range []string{"!", "\n", "\u00e9", "/", "_", "-", ".", " ", "0", "Z"} {
			add(v.Text()+tail, fmt.Sprintf("with %q behind a text that its pattern matches", tail))
			add(tail+v.Text(), fmt.Sprintf("with %q before a text that its pattern matches", tail))
		}
	}
}

// listCornerCases adds arrays with a wrong element after valid ones, and with an empty string.
func listCornerCases(f *model.Adapter, p probes.Parameter, add func(any, string)) {
	if p.Raw.At("items", "type").Text() != "string" || p.Raw.At("items").Has("enum") || p.Raw.At("items").Has("pattern") {
		return
	}
	add([]any{"amber", "birch", map[string]any{"cedar": 1}}, "with an object behind two texts")
	add([]any{"amber", "birch", "cedar", "delta", []any{}}, "with an array behind four texts")
	add([]any{""}, "with an empty text as element")
	add([]any{"amber", "birch", "cedar", "delta", "ember", "fjord", "grove"}, "with seven elements")
}
