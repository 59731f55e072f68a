package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxScreen is how many lines a report has at most unless all is asked for, whatever the adapter.
const maxScreen = 60

// A part is a section of the screen. Rows that find no room are counted.
type part struct {
	verdict     Verdict
	title, more string
	rows        [][]string // the lines of each
	shown       int
}

// height is how many lines a part takes, with the empty line before it.
func (t part) height() int {
	if t.rows == nil {
		return 0
	}
	n := 2
	for _, row := range t.rows[:t.shown] {
		n += len(row)
	}
	if 0 < t.shown && t.shown < len(t.rows) {
		n++
	}
	return n
}

// newPart returns a part that shows some of its rows at most. To hide one alone saves no line.
func newPart(v Verdict, title, more string, rows [][]string, most int) part {
	if len(rows) == most+1 {
		most++
	}
	return part{v, title, more, rows, min(len(rows), most)}
}

// screen writes the verdict, what failed, what stays open and what to do next: what one looks at
// first. Everything else needs -v, or a file.
func (p *page) screen() {
	head, foot := p.collect(p.verdictBlock), p.collect(p.shortFooter)
	deciding, beside := p.roots()
	failed := newPart(Fail, "FAILED", p.causes(deciding), p.lineEach(deciding), 12)
	if len(deciding) == 1 { // one finding needs no list
		failed.rows = [][]string{p.collect(func() { p.whole(deciding[0], true) })}
		deciding = nil
	}
	parts := []part{
		p.departures(), failed,
		newPart(Fail, "ALSO FAILED", fmt.Sprintf("outside level %d; no effect on the exit code", p.Run.Level), p.lineEach(beside), 4),
		p.known(), p.ways(),
		newPart(Warn, "WARNED", p.warnedCount(), p.lineEach(p.warned()), 4),
		p.noted(),
	}
	room := maxScreen - len(head) - len(foot)
	var whole []string
	for i, f := range deciding {
		next := p.collect(func() { p.line(); p.whole(f, true) })
		if i > 0 && len(next) > room {
			break
		}
		whole, room = append(whole, next...), room-len(next)
		if i == 0 { // the others get what the parts leave
			room -= fitted(parts, room)
		}
	}
	if len(deciding) == 0 {
		fitted(parts, room)
	}
	p.write(head)
	for _, t := range parts {
		p.part(t)
		if t.title == failed.title {
			p.write(whole)
		}
	}
	p.write(foot)
}

// fitted takes rows from the parts, from the last one first, until all fit. It returns their height.
func fitted(parts []part, room int) int {
	height := 0
	for _, t := range parts {
		height += t.height()
	}
	for _, least := range []int{3, 2, 1, 0} {
		for i := range slices.Backward(parts) {
			floor := least
			if parts[i].title == "FAILED" { // what failed is what the reader came for
				floor = 4 * least
			}
			for t := &parts[i]; height > room && t.shown > floor; {
				height -= t.height()
				t.shown--
				height += t.height()
			}
		}
	}
	return height
}

func (p *page) part(t part) {
	if t.rows == nil {
		return
	}
	if t.shown == 0 {
		t.more += "; -v shows all"
	}
	p.line()
	p.line(span{t.title, append(slices.Clone(styles[t.verdict]), bold...)}, plain("  "+clip(t.more, p.opt.Width-columns(t.title)-2)))
	for _, row := range t.rows[:t.shown] {
		p.write(row)
	}
	if n := len(t.rows) - t.shown; 0 < n && n < len(t.rows) {
		p.line(span{fmt.Sprintf("  and %d more; -v shows all", n), faint})
	}
}

// collect returns the lines that write puts on the page, and takes them off it.
func (p *page) collect(write func()) []string {
	begin := p.buf.Len()
	write()
	text := string(p.buf.Bytes()[begin:])
	p.buf.Truncate(begin)
	return slices.Collect(strings.Lines(text))
}

// write puts lines on the page that were collected.
func (p *page) write(lines []string) {
	for _, l := range lines {
		p.buf.WriteString(l)
	}
}

// row is one line: what stands left is cut first where both do not fit.
func (p *page) row(left, right string) []string {
	return p.collect(func() {
		right = clip(right, p.opt.Width/3)
		left = clip(left, p.opt.Width-4-columns(right))
		gap := p.opt.Width - 2 - columns(left) - columns(right)
		p.line(plain("  "+left+strings.Repeat(" ", gap)), span{right, faint})
	})
}

// lineEach has a line for each finding: where it was seen, and how much it blocks.
func (p *page) lineEach(findings []Finding) (rows [][]string) {
	for i, f := range findings {
		more := ""
		if n := len(f.Instances) - 1; n > 0 {
			more += fmt.Sprintf(" +%d", n)
		}
		if n := len(ids(p.under[f.Requirement])); n > 0 {
			more += fmt.Sprintf(", blocks %d", n)
		}
		right := clip(f.Subject, min(24, p.opt.Width/3-columns(more))) + more
		row := p.row(fmt.Sprintf("%-13s  %s", f.Requirement, p.byID[f.Requirement].Title), right)
		if f.Verdict == Fail && i > 0 { // the first one is shown whole
			for _, u := range p.folded(f.Requirement) {
				row = append(row, p.collect(func() { p.labelled(4, "also", 5, p.few(p.alike(u), p.opt.Width-9, 1)) })...)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// maxWay is how many lines a way to prove something takes.
const maxWay = 9

// ways has a line for each way to prove something: what it settles, those with MUSTs first. A few ways also
// have the lines for the hints file, and what was tried.
func (p *page) ways() part {
	all, requirements := p.open()
	if p.Run.Conclusion != "" {
		return part{}
	}
	var rows [][]string
	for _, way := range all {
		settles := way.findings[0].Requirement
		if n := len(way.findings) - 1; n > 0 {
			settles += fmt.Sprintf(" and %d more", n)
		}
		row := p.row(cmp.Or(way.fix, triedInVain), settles)
		if cause := way.cause(); cause != "" && len(way.findings) > 1 {
			row = append(row, p.collect(func() { p.labelled(6, "", 0, p.few(cause, p.opt.Width-6, 2)) })...)
		}
		if len(all) <= 2 || way.cause() != "" {
			row = append(row, p.collect(func() { p.addition(way.add) })...)
		}
		if f := way.findings[0]; len(all) <= 2 || way.fix == "" || strings.HasPrefix(way.fix, "add samples.") { // what came back names the values
			row = append(row, p.collect(func() { p.tried(f) })...)
		}
		rows = append(rows, row[:min(len(row), maxWay)])
	}
	return newPart(NotProven, "NOT PROVEN", p.openCount(requirements), rows, 6)
}

// noted is what the operator has to know of the run, without what was measured.
func (p *page) noted() part {
	var rows [][]string
	if gaps := p.gaps(); gaps != "" {
		rows = append(rows, p.collect(func() { p.labelled(0, "gaps", 8, p.few(gaps, p.opt.Width-8, 3)) }))
	}
	for _, remark := range p.remarks(false) {
		rows = append(rows, p.collect(func() { p.labelled(0, "remark", 8, p.few(remark, p.opt.Width-8, 2)) }))
	}
	return newPart(Skipped, "REMARKS", "on this run", rows, 5)
}

// shortFooter names the next step and repeats the verdict, because the reader sees the end first.
func (p *page) shortFooter() {
	p.line()
	if next := p.next(); next != "" {
		p.labelled(0, "next", 8, wrap(next, p.opt.Width-8))
	}
	p.counted()
	p.closing()
}

// next is the one step that helps most.
func (p *page) next() string {
	deciding, _ := p.roots()
	way, settles, others := p.unlock()
	switch {
	case p.ExitCode == 0 && p.mended():
		return "make a complete run to judge the level"
	case p.Run.StoppedAtMiB > 0:
		return p.moreMemory()
	case p.Run.Conclusion != "": // its detail ends with the next step
	case len(deciding) > 0:
		return fmt.Sprintf("fix %s first; %s", deciding[0].Requirement, p.seeAgain(deciding[0]))
	case way != "":
		text := fmt.Sprintf("%s (settles %s)", clip(way, 6*p.opt.Width), plural(settles, "requirement"))
		if others > 0 {
			text += ", or " + plural(others, "other way")
		}
		return text
	}
	return ""
}

// seeAgain is how to see a finding again, with the flags of this run.
func (p *page) seeAgain(f Finding) string {
	_, flags, selects := strings.Cut(f.Again, " --run ")
	switch {
	case f.Again == "": // it takes the whole run
		return "add -v to see all details"
	case len(f.Again) > 3*p.opt.Width:
		return "its command is in the JSON report, under again"
	case selects:
		return "add --run " + flags + " -v to see all details"
	}
	return "to see it again: " + f.Again
}

// closing is the verdict once more, with the exit code.
func (p *page) closing() {
	v, word, _ := p.outcome()
	p.line(span{word, append(slices.Clone(styles[v]), bold...)}, plain(fmt.Sprintf("  exit code %d", p.ExitCode)))
}
