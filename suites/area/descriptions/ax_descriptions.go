package descriptions

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// meaningless says why a description tells nothing, or "".
func meaningless(name string, text probes.Value) string {
	plain := strings.ToLower(strings.Trim(strings.TrimSpace(text.Text()), ".:!"))
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	said := letters(strings.TrimPrefix(plain, "the "))
	switch {
	case text.Is(probes.Absent) || plain == "" && text.Is(probes.String):
		return "none"
	case said == "" || said == letters(name) || said == letters(name)+"parameter":
		return "its name"
	case check.IsPlaceholder(text.Text()):
		return "a placeholder"
	}
	return ""
}

// eachDescribed is every documented parameter and every type.
func eachDescribed(f *model.Adapter) []model.Subject {
	return append(check.EachParameterRecord(f), model.EachType(f)...)
}

// Introspection document, section 8.2.
var parametersHaveMeaningfulDescriptions = check.Check{
	Requirement: "INT-8.2-02",
	Rule:        "Every parameter, and every type, has a description that says more than its name.",
	Why:         "The name alone leaves open what a value does; a description is what a model has instead of experience.",
	On:          check.RequireDetails(eachDescribed),
	Ask: func(s model.Subject) []probes.Probe {
		if s.Op.Name == "" {
			return append([]probes.Probe{s.TypesListing()}, model.TypeDetails(s)...)
		}
		return model.Details(s)
	},
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		const want = "a description that says more than the name"
		name, text := s.Par.Name, s.Par.Raw.At("description")
		if s.Op.Name == "" {
			name, text = s.Kind.Name, s.Kind.Summary.At("description")
			if meaningless(name, text) != "" {
				text = s.Kind.Details.At("description")
			}
		}
		switch why := meaningless(name, text); {
		case !check.MissingOr(text, probes.String) && s.Op.Name != "":
			return ruling.NotProven(want, text).Because("INT-3.4-04")
		case !check.MissingOr(text, probes.String):
			return ruling.NotProven(want, text).Because("INT-3.5-03")
		case why != "" && check.CrossCutting[s.Par.Name] != "" && inside(s) != "":
			return ruling.NotProven(want, why).Because("INT-8.1.2-04")
		case why != "":
			return ruling.Violates(want, why)
		}
		return ruling.Conforms()
	},
	Fix: "describe what the value is and what it does",
}

// maxSummary is how long a summary may be; the threshold is the catalogue's own.
const maxSummary = 200

// AX rule R3.
var summariesAreShort = check.Check{
	Requirement: "AX-R3-02",
	Rule:        "The summary is short enough for a catalogue.",
	Why:         "Clients read the whole catalogue, so each line costs tokens in every session.",
	On:          model.Only(model.EachListed, func(s model.Subject) bool { return s.Verb(s.Name) != "query" }),
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		text := s.Op.Summary.At("description").Text()
		switch n := utf8.RuneCountInString(text); {
		case n > maxSummary:
			return ruling.Violates("a summary of at most 200 characters", probes.ValueOf(text))
		case strings.ContainsAny(strings.TrimSpace(text), "\n\r"):
			return ruling.Violates("a summary of one line", probes.ValueOf(text))
		}
		return ruling.Conforms()
	},
	Fix: "keep the summary to one line and move the rest into the details",
}

// AX rule R3.
var detailsExplainMoreThanSummary = check.Check{
	Requirement: "AX-R3-03",
	Rule:        "The details contain a description that is at least as informative as the summary.",
	Why:         "A client that requests details expects more than the listing has.",
	On: model.Only(model.EachListed, func(s model.Subject) bool {
		return len(s.Op.Parameters) >= 3 && s.Op.Details.At("description").Is(probes.String) && s.Op.Summary.At("description").Is(probes.String)
	}),
	Ask: check.ListingAndDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		short, full := s.Op.Summary.At("description").Text(), s.Op.Details.At("description").Text()
		switch {
		case strings.TrimSpace(full) == "":
			return ruling.NotProven("a description of "+s.Name, "none").Because("INT-3.3-05")
		case utf8.RuneCountInString(strings.TrimSpace(full)) < utf8.RuneCountInString(strings.TrimSpace(short)):
			return ruling.Violates("details at least as long as the summary: "+short, probes.ValueOf(full))
		}
		return ruling.Conforms()
	},
	Fix: "say in the details what the summary says, and more",
}

// AX rule R3.
var descriptionsTellOperationsApart = check.Check{
	Requirement: "AX-R3-04",
	Rule:        "Descriptions tell operations apart.",
	Why:         "A model cannot choose between two operations with the same description.",
	On: func(f *model.Adapter) []model.Subject {
		if len(f.Operations) < 2 {
			return nil
		}
		return model.Only(model.EachListed, func(s model.Subject) bool { return flat(s.Op) != "" })(f)
	},
	Ask: model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		alike := s.Remember("names by description", func() any {
			names := map[string][]string{}
			for _, o := range s.Operations {
				names[flat(o)] = append(names[flat(o)], o.Name)
			}
			return names
		}).(map[string][]string)[flat(s.Op)]
		i := slices.IndexFunc(alike, func(name string) bool { return name != s.Name })
		if i >= 0 && !outdated.MatchString(check.Description(s)) {
			return ruling.Violates("a description of its own", "that of "+alike[i]+" too: "+s.Op.Summary.At("description").Text())
		}
		return ruling.Conforms()
	},
	Fix: "say in each description what tells the operation from the others",
}

// flat is a summary without case, blanks and punctuation.
func flat(o probes.Operation) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(o.Summary.At("description").Text()), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// Words by which a quantity tells its unit and a date its form.
var (
	quantity  = regexp.MustCompile(`(?i)(^|_)(amount|size|timeout|duration)(_|$)`)
	pageSize  = regexp.MustCompile(`(?i)(page|batch|sample|chunk|group|team|font|list|result|window|pool)_size`)
	unitWord  = regexp.MustCompile(`(?i)(_|\b)(ms|millis\w*|milliseconds?|microseconds?|nanoseconds?|s|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|months?|years?|bytes?|kb|mb|gb|kib|mib|gib|kilobytes?|megabytes?|bits?|pixels?|px|characters?|items?|entries|rows|records|results|elements?|lines|pages|percent|cents?|euros?|dollars?|usd|eur|gbp|currency|units?|number of|how many|count|meters?|metres?|cm|mm|km|inch(es)?|grams?|kg|pieces|tokens?|smallest|iso)(_|\b)|%|€|\$`)
	unitPlace = regexp.MustCompile(`(?i)\b(?:in|en) (\p{L}+)|\(\p{L}{1,4}\)`) // whatever the unit is
	articles  = strings.Fields("the a an this that each which one der die das dem den einem einer le la les un une")
	genitive  = regexp.MustCompile(`['’]s\b`)
	dateName  = regexp.MustCompile(`(?i)(^|_)(date|datetime|timestamp)(_|$)|_at$`)
	dateForm  = regexp.MustCompile(`(?i)iso|rfc|yyyy|date-?time|unix|epoch|seconds|utc|format|e\.g\.|such as|\d`)
)

// namesUnit reports whether a text has the form of a statement in which unit a number is given. There are more
// units than a list can hold.
func namesUnit(text string) bool {
	return slices.ContainsFunc(unitPlace.FindAllStringSubmatch(text, -1), func(m []string) bool { return !slices.Contains(articles, strings.ToLower(m[1])) })
}

// AX rule R3.
var unitsAndFormatsAreStated = check.Check{
	Requirement: "AX-R3-06",
	Rule:        "Units, formats and special meanings that a caller needs are stated.",
	Why:         "A number without its unit can be misread by a factor of a thousand.",
	On: model.Only(model.EachParameter, func(s model.Subject) bool {
		kinds, ok := s.Kinds(s.Par.Type)
		number := ok && check.OnlyNumbers(kinds) && quantity.MatchString(s.Par.Name) && !pageSize.MatchString(s.Par.Name) && !probes.IsReference(s.Op, s.Par)
		date := ok && slices.Equal(kinds, []string{"string"}) && dateName.MatchString(s.Par.Name) && len(s.EnumOf(s.Par)) == 0
		return number || date
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		text := s.Par.Name + " " + s.Par.Raw.At("description").Text()
		switch date := dateName.MatchString(s.Par.Name) && check.AcceptsKind(s, "string"); {
		case date && !s.Par.Raw.Has("format") && !s.Par.Raw.Has("pattern") && !dateForm.MatchString(text):
			return ruling.Violates("the form of the date", probes.ValueOf(text)).Noting("a guess from the name")
		case !date && !unitWord.MatchString(genitive.ReplaceAllString(text, "")) && !namesUnit(text) && !s.Par.Raw.Has("unit") && !s.Par.Raw.Has("format"):
			return ruling.Violates("the unit of the number", probes.ValueOf(text)).Noting("a guess from the name")
		}
		return ruling.Conforms()
	},
	Fix: "say in the description in which unit or form the value is given",
}
