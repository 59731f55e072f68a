package reports

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// notProven lists what stayed open, by what would settle it.
func (p *page) notProven() {
	ways, rows := p.open()
	if rows == 0 {
		return
	}
	p.section(NotProven, "NOT PROVEN", p.openCount(rows))
	for _, way := range ways {
		for _, l := range wrap(cmp.Or(way.fix, triedInVain), p.opt.Width-2) {
			p.line(span{"  " + l, bold})
		}
		p.addition(way.add)
		p.openRows(way.findings)
	}
}

// openCount counts the requirements that stay open, and apart from them those that wait for a failure.
func (p *page) openCount(requirements int) string {
	text := plural(requirements, "requirement") + ", by what would prove them"
	if n := p.Summary.NotProven - requirements; n > 0 {
		text += fmt.Sprintf(" (%d more blocked)", n)
	}
	return text
}

// triedInVain heads what neither a flag nor a hint settles.
const triedInVain = "the answers show neither a pass nor a failure"

// A settling is a way out with what it would settle.
type settling struct {
	wayOut
	findings []Finding
	reached  bool // the operation that a flag would permit was called in another way
}

// open groups what stayed open by what would settle it and counts the requirements;
// the groups that hold MUSTs of the level asked for stand first.
func (p *page) open() (list []settling, requirements int) {
	groups := map[wayOut][]Finding{}
	var ways []wayOut
	rows := map[string]bool{}
	for _, f := range p.own {
		if f.Verdict != NotProven || p.verdicts[f.Requirement] != NotProven {
			continue
		}
		way := wayOut{f.Fix, f.Add}
		if oneOperation.MatchString(f.Fix) {
			way.add = "" // one flag is one way, whatever else would help some of its findings
		}
		if groups[way] == nil {
			ways = append(ways, way)
		}
		groups[way] = append(groups[way], f)
		rows[f.Requirement] = true
	}
	slices.SortStableFunc(ways, func(a, b wayOut) int {
		return cmp.Or(cmp.Compare(p.musts(groups[b]), p.musts(groups[a])), cmp.Compare(len(groups[b]), len(groups[a])))
	})
	for _, way := range ways {
		s := settling{wayOut: way, findings: groups[way]}
		if m := oneOperation.FindStringSubmatch(way.fix); m != nil && p.Run.Reach != nil {
			s.reached = p.Run.Reach.far(m[1]) == farReached
		}
		for _, f := range s.findings {
			s.add = cmp.Or(s.add, f.Add)
		}
		list = append(list, s)
	}
	return list, len(rows)
}

// oneOperation matches the flag that permits one operation.
var oneOperation = regexp.MustCompile(`^--allow [a-z]+:(\S+)$`)

// cause says which operation or request was not sent and why, where to permit it is the way out.
func (s settling) cause() string {
	m := oneOperation.FindStringSubmatch(s.fix)
	if m == nil {
		return ""
	}
	most, times := "", map[string]int{}
	for _, f := range s.findings {
		why := strings.TrimPrefix(f.Got, "barred: ")
		if times[why]++; times[why] > times[most] {
			most = why
		}
	}
	if s.reached {
		return "a request of " + m[1] + " was not sent: " + most
	}
	return m[1] + " was not called: " + most
}

// advice is the way out in a sentence, with its cause.
func (s settling) advice() string {
	switch cause := s.cause(); {
	case cause == "":
		return s.fix
	case s.add == "":
		return cause + ". Add " + s.fix
	default:
		return cause + ". Add " + s.add + " to the hints file, or " + s.fix
	}
}

// A wayOut is what would settle something open: words, and lines for the hints
// file.
type wayOut struct{ fix, add string }

// maxPasted is how long a line may be that is there to be copied.
const maxPasted = 1000

// addition shows lines to add to the hints file. They are to be copied, so none is
// broken; the JSON report has them whole.
func (p *page) addition(lines string) {
	if lines == "" {
		return
	}
	for _, l := range strings.Split(lines, "\n") {
		most := p.opt.Width - 6
		if p.opt.Verbose {
			most = maxPasted
		}
		p.line(plain("      " + clip(l, most)))
	}
}

// musts counts the MUSTs of the level asked for.
func (p *page) musts(findings []Finding) int {
	rows := map[string]bool{}
	for _, f := range findings {
		if p.decides(f) && p.byID[f.Requirement].Severity == "fail" {
			rows[f.Requirement] = true
		}
	}
	return len(rows)
}

// decides says whether a finding bears on the level asked for.
func (p *page) decides(f Finding) bool {
	row := p.byID[f.Requirement]
	return row.Level > 0 && row.Level <= p.Run.Level && p.counts(row)
}

// openRows writes one line for each requirement, the deciding ones first, and another one with what
// was wanted and what came back.
func (p *page) openRows(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Compare(p.musts([]Finding{b}), p.musts([]Finding{a}))
	})
	for _, f := range findings {
		row := p.byID[f.Requirement]
		subject := Inert(f.Subject)
		if n := len(f.Instances) - 1; n > 0 {
			subject += fmt.Sprintf(" and %d more", n)
		}
		left := fmt.Sprintf("%-13s  %s", f.Requirement, row.Title)
		if p.opt.Verbose && columns(Inert(left))+columns(subject)+6 > p.opt.Width {
			for _, l := range wrap(left, p.opt.Width-4) {
				p.line(plain("    " + l))
			}
			p.labelled(6, "on", 5, wrap(subject, p.opt.Width-11))
			p.tried(f)
			continue
		}
		subject = clip(subject, 24)
		left = clip(left, p.opt.Width-6-columns(subject))
		gap := p.opt.Width - 4 - columns(left) - columns(subject)
		p.line(plain("    "+left+strings.Repeat(" ", gap)), span{subject, faint})
		p.tried(f)
	}
}

// tried says what was wanted and what came back.
func (p *page) tried(f Finding) {
	if f.Want == "" {
		return
	}
	text := fmt.Sprintf("want %s; got %s", f.Want, cmp.Or(f.Got, "nothing"))
	lines := []string{clip(text, p.opt.Width-6)}
	if p.opt.Verbose {
		lines = wrap(text, p.opt.Width-6)
	}
	for _, l := range lines {
		p.line(span{"      " + l, faint})
	}
}

// passed lists what was proven; only who asks for all of it wants to read that.
func (p *page) passed() {
	if p.Summary.Pass == 0 {
		return
	}
	p.section(Pass, "PASSED", plural(p.Summary.Pass, "requirement"))
	for _, f := range p.own {
		if f.Verdict == Pass {
			p.heading(f, true)
			p.labelled(6, "note", 8, wrap(f.Note, p.opt.Width-14))
		}
	}
}

// mostNamed is how many requirements without a finding are named; the JSON report has them all.
const mostNamed = 20

// rest counts what needs no reader.
func (p *page) rest() {
	list := map[Verdict][]string{}
	var skipped []Finding
	partly := map[string]bool{}
	for _, f := range p.own {
		switch {
		case f.Verdict == NotProven && p.verdicts[f.Requirement] != NotProven:
			partly[f.Requirement] = true
		case f.Verdict == Skipped && p.verdicts[f.Requirement] == Skipped:
			skipped = append(skipped, f)
			list[Skipped] = append(list[Skipped], f.Requirement)
		case f.Verdict == NotApplicable && p.verdicts[f.Requirement] == NotApplicable:
			list[NotApplicable] = append(list[NotApplicable], f.Requirement)
		}
	}
	if len(list) == 0 && len(partly) == 0 {
		return
	}
	p.line()
	if n := len(partly); n > 0 {
		p.lines(fmt.Sprintf("%s checked on some subjects only: %s.", plural(n, "requirement"), strings.Join(slices.Sorted(maps.Keys(partly)), ", ")))
	}
	if ids := slices.Compact(list[Skipped]); len(ids) > 0 {
		p.lines(fmt.Sprintf("%s skipped on request, %s: %s.", plural(len(ids), "requirement"),
			plural(p.musts(skipped), "MUST of the level"), shorten(ids, mostNamed)))
	}
	if ids := slices.Compact(list[NotApplicable]); len(ids) > 0 {
		p.lines(plural(len(ids), "requirement") + " not applicable to this adapter: " + shorten(ids, mostNamed) + ".")
	}
}

func (p *page) lines(text string) {
	for _, l := range flow(text, p.opt.Width) {
		p.line(plain(l))
	}
}
