package parameters

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// statedDefault matches prose that names a default value. What stands behind "is" may be any adjective.
var statedDefault = regexp.MustCompile(`(?i)\bdefault(s to|s:|:| is| value is|=)\s*(["'` + "`" + `]?)([\w.+-]+)["'` + "`" + `]?\s*(?:$|[.,;)])`)

// inProse reports whether a text names a default value. One that is the value of another parameter can be
// written in no record.
func inProse(s model.Subject, text string) bool {
	m := statedDefault.FindStringSubmatch(text)
	if m == nil || slices.Contains(check.SymbolicDefaults, strings.ToLower(m[3])) {
		return false
	}
	link, quote, word := strings.ToLower(m[1]), m[2], strings.TrimRight(m[3], ".")
	if slices.ContainsFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == word }) {
		return false
	}
	return quote != "" || !strings.HasSuffix(link, " is") || isValue(s, word)
}

// isValue reports whether a word is a value that the record takes, and no word of a sentence.
func isValue(s model.Subject, word string) bool {
	if v, err := probes.ParseValue([]byte(word)); err == nil && s.Misfit(s.Par, v) == "" {
		return true
	}
	return slices.ContainsFunc(s.EnumOf(s.Par), func(v probes.Value) bool { return v.Text() == word })
}

// secondCreation is the step that shows whether a stored value is stored again.
const secondCreation = "undocumented default: second creation"

// Introspection document, section 8.2.
var effectiveDefaultsAreDocumented = check.Check{
	Requirement: "INT-8.2-03",
	Rule:        "Default values are written in the parameter record.",
	Why:         "A caller cannot take an undocumented default into account.",
	On:          eachDefaulted(func(s model.Subject) bool { return !s.Par.Raw.Has("default") }),
	Drive: func(s model.Subject, ask model.AskFunc) {
		if s.Op.Category == "CREATE" {
			if made := driveEcho(s, ask); effective(check.MadeValue(s, made, s.Par.Name)) {
				ask(s.FreshCall(secondCreation).As(secondCreation))
				for step, p := range otherSorts(s) {
					ask(p.As(step))
				}
			}
			return
		}
		p := s.ValidCall()
		if slices.Contains(model.PageSizes, s.Par.Name) {
			for _, other := range sizesOf(s) {
				if !other.Required {
					p = p.Without(other.Name)
				}
			}
		}
		ask(p)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if text := s.Par.Raw.At("description").Text(); inProse(s, text) {
			return ruling.Violates("the default in the member default", "prose alone: "+text).By(got[0])
		}
		switch {
		case !got[0].Succeeded():
			return ruling.NotProven("an answer in which a default would show", got[0])
		case s.Op.Category == "READ" && slices.Contains(model.PageSizes, s.Par.Name):
			return appliedSize(s, got[0])
		case s.Op.Category == "READ":
			return ruling.NotProven("an answer in which a default would show", got[0])
		}
		first, _ := check.ReadBack(s, got)
		switch {
		case !slices.ContainsFunc(got, func(o probes.Observation) bool { return check.ShowsMade(s, got[0].Probe, o.Data()) }):
			return ruling.NotProven("an answer that shows the new object", got[0])
		case !effective(first):
			return ruling.Conforms().By(got[0])
		case !check.MadeValue(s, got.Step(secondCreation), s.Par.Name).Equal(first):
			return ruling.NotProven("the same value stored twice", first).By(got...)
		case ofTheDay(s, first):
			return ruling.NotProven("a value that is the same on another day", first).By(got...)
		case ofAnother(s, first):
			return ruling.NotProven("a value that nothing it refers to has", first).By(got...)
		case depends(s, got, first), dependsAsTold(s):
			return ruling.Conforms().Noting("what is stored without it depends on another parameter").By(got...)
		}
		return ruling.Violates("a documented default of "+check.Quoted(s.Par.Name), first.String()+" stored without it").By(got[0])
	},
	Fix: "write the default into the parameter record",
}

// dependsAsTold reports whether the description names a default for several values of another parameter. No record can write that.
func dependsAsTold(s model.Subject) bool {
	_, all := toldDefaultsOf(s)
	return len(all) > 1
}

// effective reports whether a stored value says something: nothing, emptiness and
// null are what a field without a default looks like.
func effective(v probes.Value) bool {
	switch v.Kind() {
	case probes.Number, probes.Boolean:
		return true
	case probes.String:
		return v.Text() != ""
	}
	return false
}

// sizesOf are the page sizes of an operation. One of them may be that of pages from the other end.
func sizesOf(s model.Subject) []probes.Parameter {
	return slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool { return !slices.Contains(model.PageSizes, p.Name) })
}

// appliedSize rules on the page size that an answer echoes, or shows by a page behind it. A size that another
// parameter documents as its default is not that of this one.
func appliedSize(s model.Subject, o probes.Observation) ruling.Ruling {
	want := "a documented default of " + check.Quoted(s.Par.Name)
	sizes := sizesOf(s)
	documented := func(is func(probes.Value) bool) bool {
		return slices.ContainsFunc(sizes, func(p probes.Parameter) bool { return p.Required || p.Raw.Has("default") && is(p.Raw.At("default")) })
	}
	for _, name := range []string{"pagination", "pageInfo", "page_info", "paging", "meta"} {
		for _, size := range append([]string{s.Par.Name}, model.PageSizes...) {
			if n := o.Data().At(name, size); n.Is(probes.Number) && !documented(n.Equal) {
				return ruling.Violates(want, name+"."+size+" "+n.String()+" without it").By(o)
			}
		}
	}
	items, _, paged := check.Collection(o.Data())
	if paged && len(items) > 0 && o.Data().HasMore().True() && sizes[0].Name == s.Par.Name && !documented(func(probes.Value) bool { return true }) {
		return ruling.Violates(want, strconv.Itoa(len(items))+" items without it, and more behind them").By(o)
	}
	return ruling.NotProven("an answer in which a default would show", o)
}
