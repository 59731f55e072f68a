package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
)

// TextOptions say how a report is laid out for a reader.
type TextOptions struct {
	Color   bool // ANSI colours; the caller knows whether w is a terminal
	Width   int  // columns; 0 means 80, less than 60 is taken as 60
	Verbose bool // every finding, and evidence in full; a screenful at most without it
	Quiet   bool // the verdict and one line for each failure
}

// WriteText writes the report for a person, what matters first. Text that came
// from the adapter is shown inert, never raw.
func (r *Report) WriteText(w io.Writer, opt TextOptions) error {
	if opt.Width == 0 {
		opt.Width = 80
	}
	opt.Width = max(opt.Width, 60)
	p := r.page(opt)
	switch {
	case opt.Quiet:
		p.verdictBlock()
		p.failures()
	case opt.Verbose:
		p.verdictBlock()
		p.failures()
		p.notProven()
		p.warnings()
		p.passed()
		p.routing()
		p.rest()
		p.footer()
	default:
		p.screen()
	}
	_, err := w.Write(p.buf.Bytes())
	return err
}

// String is the report for a person, on one screen.
func (r *Report) String() string {
	var b strings.Builder
	_ = r.WriteText(&b, TextOptions{}) // a builder takes all
	return b.String()
}

// Failures are the findings that decide the exit code: no other explains them and no baseline accepts them.
func (r *Report) Failures() []Finding {
	deciding, _ := r.page(TextOptions{}).roots()
	return deciding
}

// Text is one finding with its evidence, for a person.
func (r *Report) Text(f Finding) string {
	p := r.page(TextOptions{Width: 100})
	p.whole(f, true)
	return p.buf.String()
}

// A page is one report for a reader while it is written.
type page struct {
	*Report
	opt   TextOptions
	under map[string][]Finding // findings that another explains, by its requirement
	own   []Finding            // the headlines
	buf   bytes.Buffer
}

func (r *Report) page(opt TextOptions) *page {
	p := &page{Report: r, opt: opt}
	p.under, p.own = explained(r.Findings)
	return p
}

// A span is a piece of a line in one style.
type span struct {
	text  string
	style []color.Attribute
}

var (
	bold  = []color.Attribute{color.Bold}
	faint = []color.Attribute{color.Faint}
)

var styles = map[Verdict][]color.Attribute{
	Pass:          {color.FgGreen},
	Fail:          {color.FgRed},
	Warn:          {color.FgYellow},
	NotProven:     {color.FgMagenta},
	Skipped:       faint,
	NotApplicable: faint,
}

func plain(s string) span { return span{text: s} }

// line writes spans. It is the only way onto the page, so nothing gets there
// that is not inert.
func (p *page) line(spans ...span) {
	for _, s := range spans {
		text := Inert(s.text)
		if p.opt.Color && len(s.style) > 0 && strings.TrimSpace(text) != "" {
			c := color.New(s.style...)
			c.EnableColor()
			text = c.Sprint(text)
		}
		p.buf.WriteString(text)
	}
	p.buf.WriteByte('\n')
}

// labelled writes lines beside a label; indent and room are in columns.
func (p *page) labelled(indent int, label string, room int, lines []string) {
	for i, l := range lines {
		if i > 0 {
			label = ""
		}
		p.line(plain(strings.Repeat(" ", indent)), span{fmt.Sprintf("%-*s", room, label), faint}, plain(l))
	}
}

// section opens a new part of the page.
func (p *page) section(v Verdict, title, more string) {
	p.line()
	p.line(span{title, append(slices.Clone(styles[v]), color.Bold)}, plain("  "+more))
	p.line()
}

// heading writes "FAIL  AQL-4.6-01  title" with the subject and the rule at the
// right, or below when the line is too short for all. others says how many more
// subjects there are, for a finding that does not go on to name them.
func (p *page) heading(f Finding, others bool) {
	row := p.byID[f.Requirement]
	left := fmt.Sprintf("  %s  %s", f.Requirement, Inert(row.Title))
	subject := Inert(f.Subject)
	if n := len(f.Instances) - 1; n > 0 && others {
		subject += fmt.Sprintf(" and %d more", n)
	}
	verdict, why := span{string(f.Verdict), styles[f.Verdict]}, Inert(rule(row))
	room := p.opt.Width - len(f.Verdict)
	right := subject + "   " + why
	if gap := room - columns(left) - columns(right); gap >= 3 {
		p.line(verdict, plain(left+strings.Repeat(" ", gap)), span{right, faint})
		return
	}
	if p.opt.Verbose && (columns(left) > room || columns(right) > p.opt.Width-6) { // cut nothing
		lines := []string{left}
		if columns(left) > room {
			lines = wrap(left, room-2)
			lines[0] = "  " + lines[0]
		}
		p.line(verdict, plain(lines[0]))
		p.labelled(6, "", 0, lines[1:])
		p.labelled(6, "", 0, wrap(right, p.opt.Width-6))
		return
	}
	p.line(verdict, plain(clip(left, room)))
	why = clip(why, p.opt.Width-6-3-columns(clip(subject, 20)))
	subject = clip(subject, p.opt.Width-6-3-columns(why))
	gap := max(p.opt.Width-6-columns(subject)-columns(why), 3)
	p.line(plain("      "+subject+strings.Repeat(" ", gap)), span{why, faint})
}

// rule is where a requirement stands and what it decides.
func rule(row Requirement) string {
	parts := []string{row.Section, row.Keyword}
	if row.Level > 0 {
		parts = append(parts, fmt.Sprintf("level %d", row.Level))
	}
	if row.Authority == "informative" {
		parts = append(parts, "informative")
	}
	if row.Severity == "warn" && strings.HasPrefix(row.Keyword, "MUST") {
		parts = append(parts, "only warns")
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// plural counts things: "1 requirement", "3 requirements".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
