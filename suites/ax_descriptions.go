package suites

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

// placeholders are texts that stand where a description was meant to be.
var placeholders = strings.Fields("todo tbd fixme xxx wip none n/a na null undefined description string number integer boolean lorem placeholder ... - ?")

// meaningless says why a description tells nothing, or "".
func meaningless(name string, text probes.Value) string {
	plain := strings.ToLower(strings.Trim(strings.TrimSpace(text.Text()), ".:!"))
	first, _, _ := strings.Cut(plain, " ")
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
	case slices.Contains(placeholders, plain), slices.Contains([]string{"todo:", "todo", "tbd", "fixme", "lorem"}, first):
		return "a placeholder"
	}
	return ""
}

// eachDescribed is every documented parameter and every type.
func eachDescribed(f *Face) []Subject { return append(eachRecorded(f), eachType(f)...) }

// Introspection document, section 8.2. The name alone leaves open what a value
// does; a description is what a model has instead of experience.
var _ = register(Check{
	Requirement: "INT-8.2-02",
	On:          whereDocumented(eachDescribed),
	Ask: func(s Subject) []probes.Probe {
		if s.Op.Name == "" {
			return append([]probes.Probe{s.TypesListing()}, typeDetails(s)...)
		}
		return details(s)
	},
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		const want = "a description that says more than the name"
		name, text := s.Par.Name, s.Par.Raw.At("description")
		if s.Op.Name == "" {
			name, text = s.Kind.Name, s.Kind.Summary.At("description")
			if meaningless(name, text) != "" {
				text = s.Kind.Details.At("description")
			}
		}
		switch why := meaningless(name, text); {
		case !missingOr(text, probes.String) && s.Op.Name != "":
			return NotProven(want, text).Because("INT-3.4-04")
		case !missingOr(text, probes.String):
			return NotProven(want, text).Because("INT-3.5-03")
		case why != "" && crossCutting[s.Par.Name] != "" && inside(s) != "":
			return NotProven(want, why).Because("INT-8.1.2-04")
		case why != "":
			return Violates(want, why)
		}
		return Conforms()
	},
	Fix: "describe what the value is and what it does",
})

// maxSummary is how long a summary may be; the threshold is the catalogue's own.
const maxSummary = 200

// AX rule R3. The catalogue is read whole, so each line of it costs every session.
var _ = register(Check{
	Requirement: "AX-R3-02",
	On:          only(eachListed, func(s Subject) bool { return Verb(s.Name) != "query" }),
	Ask:         listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		text := s.Op.Summary.At("description").Text()
		switch n := utf8.RuneCountInString(text); {
		case n > maxSummary:
			return Violates("a summary of at most 200 characters", probes.ValueOf(text))
		case strings.ContainsAny(strings.TrimSpace(text), "\n\r"):
			return Violates("a summary of one line", probes.ValueOf(text))
		}
		return Conforms()
	},
	Fix: "keep the summary to one line and move the rest into the details",
})

// AX rule R3. Whoever looks closer wants to see more.
var _ = register(Check{
	Requirement: "AX-R3-03",
	On: only(eachListed, func(s Subject) bool {
		return len(s.Op.Parameters) >= 3 && s.Op.Details.At("description").Is(probes.String) && s.Op.Summary.At("description").Is(probes.String)
	}),
	Ask: listingAndDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		short, full := s.Op.Summary.At("description").Text(), s.Op.Details.At("description").Text()
		switch {
		case strings.TrimSpace(full) == "":
			return NotProven("a description of "+s.Name, "none").Because("INT-3.3-05")
		case utf8.RuneCountInString(strings.TrimSpace(full)) < utf8.RuneCountInString(strings.TrimSpace(short)):
			return Violates("details at least as long as the summary: "+short, probes.ValueOf(full))
		}
		return Conforms()
	},
	Fix: "say in the details what the summary says, and more",
})

// AX rule R3. Between two operations with one description a model tosses a coin.
var _ = register(Check{
	Requirement: "AX-R3-04",
	On: func(f *Face) []Subject {
		if len(f.Operations) < 2 {
			return nil
		}
		return only(eachListed, func(s Subject) bool { return flat(s.Op) != "" })(f)
	},
	Ask: listing,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		for _, o := range s.Operations {
			if o.Name != s.Name && flat(o) == flat(s.Op) && !outdated.MatchString(description(s)) {
				return Violates("a description of its own", "that of "+o.Name+" too: "+s.Op.Summary.At("description").Text())
			}
		}
		return Conforms()
	},
	Fix: "say in each description what tells the operation from the others",
})

// flat is a summary without case, blanks and punctuation.
func flat(o probes.Operation) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(o.Summary.At("description").Text()), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// Words by which a quantity tells its unit and a date its form.
var (
	quantity = regexp.MustCompile(`(?i)(^|_)(amount|size|timeout|duration)(_|$)`)
	pageSize = regexp.MustCompile(`(?i)(page|batch|sample|chunk|group|team|font|list|result|window|pool)_size`)
	unitWord = regexp.MustCompile(`(?i)(_|\b)(ms|millis\w*|milliseconds?|microseconds?|nanoseconds?|s|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|months?|years?|bytes?|kb|mb|gb|kib|mib|gib|kilobytes?|megabytes?|bits?|pixels?|px|characters?|items?|entries|rows|records|results|elements?|lines|pages|percent|cents?|euros?|dollars?|usd|eur|gbp|currency|units?|number of|how many|count|meters?|metres?|cm|mm|km|inch(es)?|grams?|kg|pieces|tokens?|smallest|iso)(_|\b)|%|€|\$`)
	dateName = regexp.MustCompile(`(?i)(^|_)(date|datetime|timestamp)(_|$)|_at$`)
	dateForm = regexp.MustCompile(`(?i)iso|rfc|yyyy|date-?time|unix|epoch|seconds|utc|format|e\.g\.|such as|\d`)
)

// AX rule R3. 30 of what? A number without its unit is right by chance.
var _ = register(Check{
	Requirement: "AX-R3-06",
	On: only(eachParameter, func(s Subject) bool {
		kinds, ok := s.Kinds(s.Par.Type)
		number := ok && numberish(kinds) && quantity.MatchString(s.Par.Name) && !pageSize.MatchString(s.Par.Name)
		date := ok && slices.Equal(kinds, []string{"string"}) && dateName.MatchString(s.Par.Name) && len(s.EnumOf(s.Par)) == 0
		return number || date
	}),
	Ask: details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		text := s.Par.Name + " " + s.Par.Raw.At("description").Text()
		switch date := dateName.MatchString(s.Par.Name) && s.takes("string"); {
		case date && !s.Par.Raw.Has("format") && !s.Par.Raw.Has("pattern") && !dateForm.MatchString(text):
			return Violates("the form of the date", probes.ValueOf(text)).Noting("a guess from the name")
		case !date && !unitWord.MatchString(text) && !s.Par.Raw.Has("unit") && !s.Par.Raw.Has("format"):
			return Violates("the unit of the number", probes.ValueOf(text)).Noting("a guess from the name")
		}
		return Conforms()
	},
	Fix: "say in the description in which unit or form the value is given",
})
