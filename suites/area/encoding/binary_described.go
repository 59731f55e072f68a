package encoding

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// transfer matches texts that speak of moving files by another way than a value.
var transfer = regexp.MustCompile(`(?i)\b(down|up)load|\bfiles?\b|\battachments?\b`)

var (
	// addressed matches texts that say where something is fetched or sent.
	addressed = regexp.MustCompile(`(?i)\bur[il]s?\b|\baddress|\blinks?\b|\bmultipart\b|https?:`)
	// attestedName matches the names of fields and parameters in the words of the author.
	attestedName = regexp.MustCompile(`[A-Za-z]+\d*_\w+|[a-z]+[A-Z]\w*`)
)

// Section 4.7.4.
var otherBinaryHandlingIsDescribed = check.Check{
	Requirement: "AQL-4.7.4-04",
	Rule:        "Alternative binary handling is described in introspection.",
	Why:         "A client that is not told of another encoding sends and expects base64.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		const want = "introspection to describe how binary data travels"
		described, bare := addresses(s.Adapter)
		word, given := s.Hint("attest.binary")
		given = given && !slices.Contains([]string{"no", "none", ""}, strings.ToLower(word))
		names := attestedName.FindAllString(word, -1)
		spoken, named := mentioned(s.Adapter, names)
		switch {
		case bare != "":
			return ruling.Departs(want, bare+" without a description")
		case described || given && spoken:
			return ruling.Conforms()
		case given && named:
			return ruling.Departs(want, "only the name of what the author attests: "+word)
		case given && len(names) == 0:
			return ruling.NotProven(want, "a hint that names no field or parameter: "+word).Mend(model.AddHint("attest.binary", "the name of the field or parameter that carries the address"))
		case given:
			return ruling.Violates(want, "nothing about what the author attests: "+word)
		}
		return ruling.NotApplicable("introspection offers no other way of carrying binary data, and the author attests none")
	},
	Fix: "describe in introspection that files are delivered by address, and how to fetch them",
}

// addresses looks for parameters and fields that hold the address of a file.
func addresses(f *model.Adapter) (described bool, bare string) {
	visit := func(owner string, r probes.Value) {
		name, text := r.At("name").Text(), r.At("description").Text()
		address := slices.Contains([]string{"uri", "url", "uri-reference"}, r.At("format").Text())
		switch {
		case !address || !transfer.MatchString(strings.ReplaceAll(name, "_", " ")+" "+text):
		case check.WordCount(text) >= 3:
			described = true
		default:
			bare = owner + "." + name
		}
	}
	for _, o := range f.Operations {
		for _, p := range o.Parameters {
			visit(o.Name, p.Raw)
		}
	}
	for _, t := range f.Types {
		for _, field := range t.Details.At("fields").Items() {
			visit(t.Name, field)
		}
	}
	return described, bare
}

// mentioned reports whether a text of introspection speaks of what the author attests: it has one of the names, or it
// speaks of files and addresses. A record that has such a name and no description only names it.
func mentioned(f *model.Adapter, names []string) (spoken, named bool) {
	look := func(v probes.Value) {
		check.Walk(v, func(_ string, v, in probes.Value) {
			for _, value := range append(v.Items(), v) {
				text := value.Text()
				is := slices.Contains(names, text)
				has := !is && slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
				named = named || is
				spoken = spoken || has || is && check.WordCount(in.At("description").Text()) >= 3 || transfer.MatchString(text) && addressed.MatchString(text)
			}
		})
	}
	for _, o := range f.Operations {
		look(o.Summary)
		look(o.Details)
	}
	for _, t := range f.Types {
		look(t.Summary)
		look(t.Details)
	}
	return spoken, named
}
