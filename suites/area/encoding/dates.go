package encoding

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A dated is one value of an answer that stands where a date or a time belongs.
type dated struct {
	name   string
	value  probes.Value
	strong bool // declared as date, or named so by the specification itself
	named  bool // strong, or of a name that says so; otherwise the value alone does, in any language
}

// protocolDates are members whose meaning the specification fixes.
var protocolDates = []string{"started_at", "finished_at", "expires_at"}

const months = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"

var (
	// dateLike tells attempts at a date from other text in a member so named.
	dateLike = regexp.MustCompile(`(?i)^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}|^\d{8}(T|$)|^\d{4}-?W\d|^\d{10}(\d{3})?$|` +
		`\b(` + months + `)[a-z]*\b.*\d|\d.*\b(` + months + `)[a-z]*\b|\b(yesterday|today|tomorrow|ago)\b`)

	// timedName and localDate tell more names and fewer texts: a whole date as it is written for people.
	timedName = regexp.MustCompile(`(?:^|_)(?:at|on|date|time|timestamp|created|updated|modified)$|[a-z](?:At|On|Date|Time|Timestamp)$`)
	localDate = regexp.MustCompile(`(?i)^(?:\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{4}[/.]\d{1,2}[/.]\d{1,2})(?:,? \d{1,2}:\d{2}\b.*)?$|` +
		`^(?:[a-z]{3,9},? )?(?:(?:` + months + `)[a-z]*\.? \d{1,2}|\d{1,2}\.? (?:` + months + `)[a-z]*\.?),? \d{4}\b`)

	// timeByForm is a moment, whatever its member is called.
	timeByForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}([.,]\d+)?([Zz]|[+-]\d{2}:?\d{2})?$`)

	// nothingWritten is null that became a text on its way, which is judged where null is
	// sent: with an update, where one may be made.
	nothingWritten = regexp.MustCompile(`(?i)^(null|nil|none|undefined)$`)
)

// declaredAs returns the members that the types declare with one of the formats, by name. A name
// that is declared as something else as well is left out.
func declaredAs(f *model.Adapter, formats ...string) map[string]bool {
	return f.Remember("members of the format "+formats[0], func() any {
		names := map[string]bool{}
		for _, t := range f.Types {
			for _, field := range t.Details.At("fields").Items() {
				name := field.At("name").Text()
				of := func(v probes.Value) bool {
					return slices.Contains(formats, v.At("format").Text()) || slices.Contains(formats, v.At("type").Text())
				}
				is := of(field) || of(field.At("items"))
				if known, seen := names[name]; seen && known != is {
					is = false
				}
				names[name] = is
			}
		}
		return names
	}).(map[string]bool)
}

// plainTexts returns the members that all types declare as texts of no format, by name.
func plainTexts(f *model.Adapter) map[string]bool {
	return f.Remember("members of no format", func() any {
		names := map[string]bool{}
		for _, t := range f.Types {
			for _, field := range t.Details.At("fields").Items() {
				name := field.At("name").Text()
				is := field.At("type").Text() == "string" && !field.Has("format")
				if known, seen := names[name]; seen && !known {
					is = false
				}
				names[name] = is
			}
		}
		return names
	}).(map[string]bool)
}

// clientsTexts returns the names of texts of no format that a client may write: what stands in such a
// member may be any text of anybody.
func clientsTexts(f *model.Adapter) map[string]bool {
	return f.Remember("texts of clients", func() any {
		names := map[string]bool{}
		add := func(record probes.Value) {
			if !record.Has("format") {
				names[record.At("name").Text()] = true
			}
		}
		for _, o := range f.Operations {
			for _, p := range o.Parameters {
				if o.Category == "READ" || o.Category == "DELETE" {
					continue
				}
				add(p.Raw)
				if t, known := f.Type(p.Type); known {
					for _, field := range t.Details.At("fields").Items() {
						add(field)
					}
				}
			}
		}
		return names
	}).(map[string]bool)
}

// datedName reports whether the name of a member says that it is a date.
func datedName(name string) bool {
	return name == "date" || name == "timestamp" || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_date") || strings.HasSuffix(name, "_timestamp")
}

// datesIn returns the dates of an answer. What introspection says is about dates
// and holds none; what we sent ourselves comes back as we wrote it.
func datesIn(f *model.Adapter, o probes.Observation) []dated {
	if !o.Succeeded() && !o.Refused() || o.Probe.Operation() == "introspect" {
		return nil
	}
	declared, plain := declaredAs(f, "date", "date-time", "datetime", "timestamp"), plainTexts(f)
	sent := sync.OnceValue(func() string { return string(o.SentData()) })
	var list []dated
	note := func(name string, v probes.Value) {
		known, typed := declared[name]
		strong := known || slices.Contains(protocolDates, name) && !typed
		if v.Is(probes.String) && strings.Contains(v.Text(), f.Nonce) {
			return // it is ours
		}
		weak := !typed && datedName(name) && (v.Is(probes.String) && dateLike.MatchString(v.Text()) || epoch(v))
		text := (!typed || plain[name]) && v.Is(probes.String) && strings.ContainsAny(v.Text(), "0123456789") // no form below is without a digit
		weak = weak || text && timedName.MatchString(name) && localDate.MatchString(v.Text()) && !clientsTexts(f)[name]
		formed := text && timeByForm.MatchString(v.Text())
		if !strong && !weak && !formed || !v.Is(probes.String) && !v.Is(probes.Number) {
			return
		}
		if v.Is(probes.String) && strings.Contains(sent(), string(v.Raw())) {
			return // it is ours
		}
		list = append(list, dated{name, v, strong, strong || weak || formed && datedName(name)})
	}
	check.Walk(o.Envelope(), func(name string, v, _ probes.Value) {
		note(name, v)
		for _, item := range v.Items() {
			note(name, item)
		}
	})
	return list
}

// sendsNull reports whether the run may ask an adapter to remove a field.
func sendsNull(f *model.Adapter) bool {
	return f.May.Update && slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return o.Category == "UPDATE" })
}

// epoch reports whether a number counts the seconds or milliseconds of our time.
func epoch(v probes.Value) bool {
	n, ok := v.Float()
	return ok && (n >= 1e9 && n < 5e9 || n >= 1e12 && n < 5e12)
}

// zoneless matches times that are another moment in each zone.
var zoneless = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$`)

// Section 4.7.2.
var responseDatesAreIso8601 = check.Check{
	Requirement: "AQL-4.7.2-01",
	Rule:        "Dates and timestamps in responses are ISO 8601 (date, UTC date-time or date-time with offset).",
	Why:         "If the format of a date is not documented, a model guesses it and is often wrong.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		rs := []ruling.Ruling{}
		for _, d := range datesIn(f, o) {
			got := d.name + " " + d.value.String()
			switch form := check.ISOForm(d.value); {
			case form == "shown":
				rs = append(rs, ruling.Conforms().By(o))
			case form == "other" && d.strong && zoneless.MatchString(d.value.Text()):
				rs = append(rs, ruling.Violates("a time with Z or an offset", got).By(o))
			case form == "other":
				rs = append(rs, ruling.Departs("a date in one of the forms of section 4.7.2", got).By(o))
			case nothingWritten.MatchString(d.value.Text()) && sendsNull(f):
				rs = append(rs, ruling.NotProven("an ISO 8601 date", got).By(o).Because("AQL-4.5.1-08"))
			case d.strong:
				rs = append(rs, ruling.Violates("an ISO 8601 date", got).By(o))
			default:
				rs = append(rs, ruling.Departs("an ISO 8601 date", got).Noting("its name or its form says that it is a date").By(o))
			}
		}
		if len(rs) == 0 {
			return check.Irrelevant
		}
		return ruling.Worst(rs...)
	}},
	Fix: "write dates as 2026-02-04, times as 2026-02-04T10:30:00Z",
}

// Section 4.7.2.
var responseTimestampsUseUtc = check.Check{
	Requirement: "AQL-4.7.2-02",
	Rule:        "Response timestamps use UTC with the Z suffix.",
	Why:         "Times in one zone can be compared as text.",
	Ambient: &check.Ambient{Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
		rs := []ruling.Ruling{}
		for _, d := range datesIn(f, o) {
			text := strings.ToUpper(d.value.Text())
			_, clock, timed := strings.Cut(text, "T")
			switch {
			case !d.named || !timed || check.ISOForm(d.value) == "" || zoneless.MatchString(text):
			case strings.HasSuffix(clock, "Z"):
				rs = append(rs, ruling.Conforms().By(o))
			case strings.HasSuffix(clock, "+00:00"), strings.HasSuffix(clock, "+0000"):
				rs = append(rs, ruling.Conforms().Noting(d.name+" says +00:00 instead of Z").By(o))
			default:
				rs = append(rs, ruling.Departs("a time in UTC with the suffix Z", d.name+" "+d.value.String()).By(o))
			}
		}
		if len(rs) == 0 {
			return check.Irrelevant
		}
		return ruling.Worst(rs...)
	}},
	Fix: "convert timestamps to UTC before writing them",
}

// Section 4.7.2.
var dateOnlyTimeZoneIsDocumented = check.Check{
	Requirement: "AQL-4.7.2-03",
	Rule:        "Handling of time zones for date-only values is documented.",
	Why:         "The date depends on the time zone. Without a zone it can be wrong by one day.",
	On: func(f *model.Adapter) []model.Subject {
		if len(dateOnly(f)) == 0 {
			return nil
		}
		return model.IntrospectSubject(f)
	},
	Ask: model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		zone := regexp.MustCompile(`(?i)\b(utc|gmt|time ?-?zone|local|zone)\b`)
		texts := dateOnly(s.Adapter)
		found := slices.ContainsFunc(texts, func(text string) bool { return zone.MatchString(text) })
		return check.JudgeDocumented(s.Adapter, "attest.date_timezone", found, "a word about the time zone of dates", "dates that no description places in a zone")
	},
	Fix: "say in the description of date-only values in which time zone the day is meant",
}

// dateOnly returns the descriptions of all parameters and fields that hold a day
// without a time.
func dateOnly(f *model.Adapter) []string {
	var texts []string
	add := func(record, around probes.Value) {
		if record.At("format").Text() == "date" || record.At("type").Text() == "date" {
			texts = append(texts, record.At("description").Text()+" "+around.At("description").Text())
		}
	}
	for _, o := range f.Operations {
		for _, p := range o.Parameters {
			add(p.Raw, o.Details)
		}
	}
	for _, t := range f.Types {
		for _, field := range t.Details.At("fields").Items() {
			add(field, t.Details)
		}
	}
	return texts
}
