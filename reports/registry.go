package reports

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// A Registry is a tree of submissions after each of them was verified.
type Registry struct {
	Tool        string // name and version of what verified it
	Submissions []Submission
	Strays      []string // files and folders that belong to no submission, by path
}

// A Submission is one run that somebody submitted. One that could not be verified has a
// problem and a path, and nothing that it claims.
type Submission struct {
	Path    string // below the root
	Problem string // why it could not be verified; empty when it was

	Transcript string // the name of the file that it rests on
	Sealed     bool   // it has a sealed report

	Report    *Report  // as its transcript gives it here and now
	Signature string   // what can be said of who sealed it
	Grade     string   // whose word it is: self-declared, witnessed or independently repeated
	Uncounted []string // why a witness or a repetition does not count
}

// Verified reports whether every submission was.
func (g *Registry) Verified() bool {
	return !slices.ContainsFunc(g.Submissions, func(s Submission) bool { return s.Problem != "" })
}

// registryFormats are the forms of a registry.
var registryFormats = []struct {
	name  string
	write func(*Registry, io.Writer) error
}{
	{"markdown", (*Registry).writeMarkdown},
	{"html", (*Registry).writeHTML},
	{"json", (*Registry).writeJSON},
	{"trust", (*Registry).writeTrust},
}

// RegistryFormats lists the formats that WriteRegistry knows.
func RegistryFormats() []string {
	var names []string
	for _, f := range registryFormats {
		names = append(names, f.name)
	}
	return names
}

// WriteRegistry writes the table of a registry in one of RegistryFormats.
func WriteRegistry(format string, w io.Writer, g *Registry) error {
	for _, f := range registryFormats {
		if f.name == format {
			return f.write(g, w)
		}
	}
	return fmt.Errorf("registry format %q: one of %s is needed", format, strings.Join(RegistryFormats(), ", "))
}

// A registryRow is a submission as a table shows it, in inert text. One that was not
// verified has its path and its problem alone.
type registryRow struct {
	Path, Problem           string
	Link, Anchor            string // to the files of the submission, and to its row
	Verdict                 string
	Name, Version, Spec     string
	Levels                  []registryLevel
	Catalogue, Signed, Date string
	Grade                   string
	Note                    string
}

type registryLevel struct {
	Number                int
	Standing, Must, Class string
	Parts                 []sheetBarPart
}

// notVerified is the verdict on a submission that could not be verified.
const notVerified = "NOT VERIFIED"

func (s Submission) row() registryRow {
	row := registryRow{Path: Inert(s.Path), Problem: clip(s.Problem, 500), Verdict: notVerified}
	row.Link = "./" // so that no name of a folder is read as a scheme or a host
	for _, name := range strings.Split(s.Path, "/") {
		row.Link += url.PathEscape(name) + "/"
	}
	row.Link += "README.md"
	row.Anchor = fmt.Sprintf("submission-%.4x", sha256.Sum256([]byte(s.Path)))
	if s.Problem != "" || s.Report == nil {
		return row
	}
	r := s.Report
	row.Name, row.Version, row.Spec = clip(r.Run.Implementation, 100), clip(r.Run.Version, 40), Inert(r.Run.SpecVersion)
	if _, deployment, named := strings.Cut(path.Base(s.Path), "@"); named {
		row.Version += " @" + Inert(deployment)
	}
	row.Catalogue, row.Signed, row.Date = Inert(r.Run.Digests.Catalogue[:min(12, len(r.Run.Digests.Catalogue))]), clip(s.Signature, 100), r.Run.Started.UTC().Format(time.DateOnly)
	classes := map[Standing]string{Conformant: "pass", Unproven: "open", Nonconformant: "fail"}
	for _, l := range r.Levels {
		must := l.Must
		if r.Run.Basis == "normative" {
			must = l.Normative
		}
		row.Levels = append(row.Levels, registryLevel{l.Number, string(l.Standing), must.String(), classes[l.Standing], must.parts()})
	}
	row.Verdict = r.reachedLevel()
	var notes []string
	if r.ExitCode == 1 && r.standing(r.Run.Level) != Nonconformant {
		notes = append(notes, "a feature that it offers is broken")
	}
	if r.Run.Basis == "normative" {
		notes = append(notes, "by the normative text alone")
	}
	for _, why := range s.Uncounted {
		notes = append(notes, clip(why, 200))
	}
	row.Grade = clip(s.Grade, 200)
	row.Note = strings.Join(notes, "; ")
	return row
}

// reachedLevel is the verdict on the adapter as a table shows it.
func (r *Report) reachedLevel() string {
	if r.ConformanceLevel > 0 {
		return fmt.Sprintf("%s, level %d", Conformant, r.ConformanceLevel)
	}
	return string(r.Levels[0].Standing)
}

// Counted says how many submissions there are, and how many of them stand.
func (g *Registry) Counted() string {
	bad := 0
	for _, s := range g.Submissions {
		if s.Problem != "" {
			bad++
		}
	}
	text := plural(len(g.Submissions), "submission") + ", each verified from its transcript with " + Inert(g.Tool)
	if bad > 0 {
		text = fmt.Sprintf("%s, of which %d could not be verified with %s", plural(len(g.Submissions), "submission"), bad, Inert(g.Tool))
	}
	return text
}

func (g *Registry) writeMarkdown(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# MCP-AQL conformance\n\n%s.\n\n", prose(g.Counted()))
	b.WriteString("| adapter | version | spec | level 1 | level 2 | grade | catalogue | signature | date |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range g.Submissions {
		row := s.row()
		if row.Problem != "" {
			fmt.Fprintf(&b, "| %s | | | **NOT VERIFIED** | %s | | | | |\n", tag(s.Path), tag(s.Problem))
			continue
		}
		var levels []string
		for _, l := range row.Levels {
			levels = append(levels, fmt.Sprintf("**%s**: %s", l.Standing, l.Must))
		}
		if row.Note != "" {
			levels[0] += "; " + markup.Replace(row.Note)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", tag(row.Name), tag(row.Version), tag(row.Spec), strings.Join(levels, " | "),
			markup.Replace(row.Grade), tag(row.Catalogue), markup.Replace(row.Signed), row.Date)
	}
	if len(g.Strays) > 0 {
		b.WriteString("\nBelongs to no submission:\n\n")
		for _, name := range g.Strays {
			fmt.Fprintf(&b, "- %s\n", code(name))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

//go:embed html/registry.html
var registryHTML string

// A registryPage is what the HTML page shows. All text in it is inert.
type registryPage struct {
	Counted         string
	Rows, Bad, Good []registryRow
	Specs           []string
	Totals          []total
	Shares          []sheetMark
	Strays          []string
	Style           template.CSS
	Script          template.JS
	Policy          template.HTML
}

// writeHTML writes one page that needs nothing beside it. Its script only filters.
func (g *Registry) writeHTML(w io.Writer) error {
	page := registryPage{
		Counted: g.Counted(), Shares: shares, Style: template.CSS(sheetCSS), Script: template.JS(sheetJS),
		Policy: template.HTML(`<meta http-equiv="Content-Security-Policy" content="` + policy() + `">`),
	}
	for _, s := range g.Submissions {
		row := s.row()
		page.Rows = append(page.Rows, row)
		if row.Verdict == notVerified {
			page.Bad = append(page.Bad, row)
		} else {
			page.Good, page.Specs = append(page.Good, row), Distinct(page.Specs, []string{row.Spec})
		}
	}
	page.Totals = totalsOf(page.Rows, func(row registryRow) string { return row.Verdict })
	for _, name := range g.Strays {
		page.Strays = append(page.Strays, Inert(name))
	}
	var buf bytes.Buffer
	if err := pageTemplate(registryHTML).Execute(&buf, page); err != nil {
		return fmt.Errorf("the HTML table: %w", err)
	}
	_, err := w.Write(buf.Bytes())
	return err
}

func (p registryPage) Things() string { return "submissions" }
func (p registryPage) Count() int     { return len(p.Rows) }

// totalsOf counts things by verdict, in the order in which a reader wants the verdicts.
func totalsOf[T any](things []T, verdict func(T) string) []total {
	all := []total{
		{Verdict: notVerified, Class: "fail", Mark: "✕"}, {Verdict: "conformant, level 2", Class: "pass", Mark: "✓"}, {Verdict: "conformant, level 1", Class: "pass", Mark: "✓"},
		{Verdict: string(Unproven), Class: "open", Mark: "?"}, {Verdict: string(Nonconformant), Class: "fail", Mark: "✕"},
	}
	for _, thing := range things {
		if i := slices.IndexFunc(all, func(t total) bool { return t.Verdict == verdict(thing) }); i >= 0 {
			all[i].N++
		}
	}
	return slices.DeleteFunc(all, func(t total) bool { return t.N == 0 })
}

// registryVersion is the version of the JSON form.
const registryVersion = "1.0"

type jsonSubmission struct {
	Path             string               `json:"path"`
	Verified         bool                 `json:"verified"`
	Problem          string               `json:"problem,omitempty"`
	Implementation   string               `json:"implementation,omitempty"`
	Version          string               `json:"version,omitempty"`
	SpecVersion      string               `json:"specVersion,omitempty"`
	ConformanceLevel *int                 `json:"conformanceLevel,omitempty"` // absent when it was not verified
	Levels           map[string]jsonLevel `json:"levels,omitempty"`
	Basis            string               `json:"basis,omitempty"`
	ExitCode         *int                 `json:"exitCode,omitempty"`
	Digest           string               `json:"digest,omitempty"`
	Catalogue        string               `json:"catalogue,omitempty"`
	Signature        string               `json:"signature,omitempty"`
	Grade            string               `json:"grade,omitempty"`
	Uncounted        []string             `json:"uncounted,omitempty"` // why a witness or a repetition does not count
	StartedAt        string               `json:"startedAt,omitempty"`
}

func (g *Registry) writeJSON(w io.Writer) error {
	doc := struct {
		RegistryVersion string           `json:"registryVersion"`
		Tool            string           `json:"tool"`
		Submissions     []jsonSubmission `json:"submissions"`
		History         []jsonHistory    `json:"history"` // the levels that each adapter gained and lost
		Strays          []string         `json:"strays"`
	}{registryVersion, g.Tool, []jsonSubmission{}, g.history(), append([]string{}, g.Strays...)}
	for _, s := range g.Submissions {
		doc.Submissions = append(doc.Submissions, s.document())
	}
	return writeIndented(w, doc)
}

func (s Submission) document() jsonSubmission {
	out := jsonSubmission{Path: s.Path, Verified: s.Problem == "", Problem: s.Problem}
	if s.Problem != "" || s.Report == nil {
		return out
	}
	r := s.Report
	out.Implementation, out.Version, out.SpecVersion, out.Basis = r.Run.Implementation, r.Run.Version, r.Run.SpecVersion, r.Run.Basis
	out.ConformanceLevel, out.ExitCode, out.Levels = &r.ConformanceLevel, &r.ExitCode, map[string]jsonLevel{}
	for _, l := range r.Levels {
		out.Levels[fmt.Sprint(l.Number)] = jsonLevel{l.Standing, l.Must, l.Untested, l.Normative}
	}
	out.Digest, out.Catalogue, out.Signature, out.StartedAt = r.Digest, r.Run.Digests.Catalogue, s.Signature, timestamp(r.Run.Started)
	out.Grade, out.Uncounted = s.Grade, s.Uncounted
	return out
}
