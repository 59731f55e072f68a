package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// failures prints what gives the exit code, then what belongs to a higher level.
func (p *page) failures() {
	p.part(p.departures())
	deciding, beside := p.roots()
	p.failed("FAILED", p.causes(deciding), deciding)
	p.failed("ALSO FAILED", fmt.Sprintf("outside level %d; no effect on the exit code", p.Run.Level), beside)
	p.part(p.known())
}

// causes counts the requirements that failed by themselves, and those that failed because of them.
func (p *page) causes(deciding []Finding) string {
	roots := ids(deciding)
	more := map[string]bool{}
	for _, id := range roots {
		for _, f := range p.folded(id) {
			if !slices.Contains(roots, f.Requirement) {
				more[f.Requirement] = true
			}
		}
	}
	text := plural(len(roots), "requirement")
	if n := len(more); n > 0 {
		text += fmt.Sprintf(" and %d with the same mend", n)
	}
	return text + "; details: aql-conform explain ID"
}

// folded are the failures that the mend of a requirement mends, one for each requirement.
func (p *page) folded(id string) []Finding {
	all := slices.DeleteFunc(slices.Clone(p.under[id]), func(f Finding) bool { return f.Verdict != Fail })
	return slices.CompactFunc(all, func(a, b Finding) bool { return a.Requirement == b.Requirement })
}

// roots are the failures that no other explains: those that decide the level, those
// that explain others first, and those that do not. What is known stands apart.
func (p *page) roots() (deciding, beside []Finding) {
	for _, f := range p.own {
		switch {
		case f.Verdict != Fail, f.Known != nil:
		case p.rank(f) == 3:
			beside = append(beside, f)
		default:
			deciding = append(deciding, f)
		}
	}
	slices.SortStableFunc(deciding, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(p.rank(a), p.rank(b)), cmp.Compare(len(p.under[b.Requirement]), len(p.under[a.Requirement])))
	})
	return deciding, beside
}

func (p *page) failed(title, more string, fails []Finding) {
	if len(fails) == 0 {
		return
	}
	p.section(Fail, title, more)
	told := map[string]bool{} // a root with several findings names what it blocks once
	for i, f := range fails {
		if p.opt.Quiet {
			p.heading(f, true)
			continue
		}
		if i > 0 {
			p.line()
		}
		p.whole(f, !told[f.Requirement])
		told[f.Requirement] = true
	}
}

// rank orders failures: 0 a root that explains others, 1 a failure of the level asked
// for, 2 one of a feature, 3 one that does not give the exit code, by itself or by
// what it explains.
func (p *page) rank(f Finding) int {
	under := p.under[f.Requirement]
	switch {
	case !p.weighs(f) && !slices.ContainsFunc(under, func(u Finding) bool { return u.Verdict == Fail && p.weighs(u) }):
		return 3
	case len(under) > 0:
		return 0
	case p.byID[f.Requirement].Level == 0:
		return 2
	}
	return 1
}

// whole says of a finding what was wanted and seen, what to do about it and how to see it again.
func (p *page) whole(f Finding, blocked bool) {
	room := p.opt.Width - 14
	p.heading(f, false)
	p.labelled(6, "want", 8, p.few(f.Want, room, 2))
	p.labelled(6, "got", 8, p.few(f.Got, room, 2))
	if len(f.Instances) > 1 {
		p.labelled(6, "and on", 8, p.first(2, flow(p.instances(f, room), room), room))
	}
	p.evidence(f, room)
	if blocked {
		p.blocked(f, room)
	}
	p.labelled(6, "fix", 8, p.few(f.Fix, room, 3))
	p.labelled(6, "note", 8, p.few(f.Note, room, 2))
	// A command that is cut cannot be pasted.
	if again := shell(f.Again, room); f.Again != "" && (p.opt.Verbose || len(again) <= maxCommand) {
		p.labelled(6, "again", 8, again)
	}
	if f.Replay != "" && p.opt.Verbose {
		p.labelled(6, "replay", 8, shell(f.Replay, room))
	}
	if n := len(f.Raw); n > maxRaw && p.opt.Verbose {
		p.labelled(6, "raw", 8, []string{fmt.Sprintf("%d bytes, in the JSON report", n)})
	} else if n > 0 && p.opt.Verbose {
		p.labelled(6, "raw", 8, []string{Inert(f.Raw)}) // one line, however wide the page: it is there to be copied
	}
}

// maxRaw is how many bytes of a request are shown to be copied.
const maxRaw = 10_000

// maxCommand is how many lines a command takes unless all is asked for.
const maxCommand = 5

// few wraps a text, and cuts it after some lines unless all is asked for.
func (p *page) few(text string, width, most int) []string {
	return p.first(most, wrap(text, width), width)
}

// first cuts lines after some of them unless all is asked for.
func (p *page) first(most int, lines []string, width int) []string {
	if len(lines) <= most || p.opt.Verbose {
		return lines
	}
	return append(lines[:most-1:most-1], clip(strings.Join(lines[most-1:], " "), width))
}

// instances is the list of the other subjects.
func (p *page) instances(f Finding, room int) string {
	others := slices.DeleteFunc(slices.Clone(f.Instances), func(s string) bool { return s == f.Subject })
	for i, o := range others {
		others[i] = clip(o, room)
	}
	return fmt.Sprintf("%d more: %s", len(others), strings.Join(others, ", "))
}

// evidence prints the exchanges, the deciding one last as it was recorded.
func (p *page) evidence(f Finding, room int) {
	const enough = 1
	shown := f.Evidence
	if hidden := len(shown) - enough; hidden > 0 && !p.opt.Verbose {
		shown = shown[hidden:]
		p.labelled(6, "", 8, []string{fmt.Sprintf("%s in the JSON report", plural(hidden, "earlier exchange"))})
	}
	for _, e := range shown {
		if sent, size := p.brief(e.Asked, e.Sent, e.SentSize); sent != nil {
			p.labelled(6, "sent", 8, p.frame(sent, size, room))
		}
		if e.Reply == nil {
			p.labelled(6, "reply", 8, p.few(silence(e), room, 2))
			continue
		}
		reply, size := p.brief(e.Said, e.Reply, e.ReplySize)
		p.labelled(6, "reply", 8, p.frame(reply, size, room))
	}
}

// silence says what came instead of a reply.
func silence(e Exchange) string {
	text := "none"
	if e.Outcome != "" {
		text += ": " + e.Outcome
	}
	if e.Elapsed > 0 {
		text += fmt.Sprintf(", after %s", e.Elapsed.Round(time.Millisecond))
	}
	return text
}

// frame shows one frame: a line, or with Verbose a screenful.
func (p *page) frame(raw []byte, size, room int) []string {
	if len(raw) == 0 {
		return []string{"empty"}
	}
	lines := 2
	if p.opt.Verbose {
		lines = 20 // a screenful
	}
	return flow(cut(raw, size, lines*room), room)
}

// brief picks the words of an exchange over its frame, unless everything is to be
// shown.
func (p *page) brief(words, frame []byte, bytes int) (raw []byte, size int) {
	switch {
	case words == nil || p.opt.Verbose:
		return frame, bytes
	case len(words) >= evidenceCap: // and it may have been longer
		return words, bytes
	}
	return words, len(words)
}

// blocked names what this finding explains. A failure has a mend of its own, in case that of this finding is
// not enough.
func (p *page) blocked(f Finding, room int) {
	by := map[Verdict][]string{}
	for _, u := range p.under[f.Requirement] {
		by[u.Verdict] = append(by[u.Verdict], u.Requirement)
	}
	for _, u := range p.folded(f.Requirement) {
		p.labelled(6, "also", 8, p.few(p.alike(u), room, 1))
	}
	for _, v := range order {
		if len(by[v]) == 0 || v == Fail {
			continue
		}
		ids := slices.Compact(by[v])
		text := func(enough int) string {
			return fmt.Sprintf("%s (%s): %s", plural(len(ids), "requirement"), v, shorten(ids, enough))
		}
		enough := len(ids)
		for !p.opt.Verbose && enough > 1 && columns(text(enough)) > room {
			enough--
		}
		p.labelled(6, "blocks", 8, p.first(1, flow(text(enough), room), room))
	}
}

// alike names a failure with its mend.
func (p *page) alike(f Finding) string {
	return f.Requirement + ": " + cmp.Or(f.Fix, p.byID[f.Requirement].Title)
}

// shorten joins names, up to a number.
func shorten(names []string, enough int) string {
	if len(names) <= enough {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:enough], ", "), len(names)-enough)
}

// warned are the warnings that no other finding explains.
func (p *page) warned() []Finding {
	return slices.DeleteFunc(slices.Clone(p.own), func(f Finding) bool { return f.Verdict != Warn })
}

// warnedCount counts the requirements that warned, and their findings where one has several.
func (p *page) warnedCount() string {
	all := p.warned()
	text := plural(len(ids(all)), "requirement")
	if len(all) > len(ids(all)) {
		text += ", " + plural(len(all), "finding")
	}
	return text
}

// warnings prints each WARN.
func (p *page) warnings() {
	all := p.warned()
	if len(all) > 0 {
		p.section(Warn, "WARNED", p.warnedCount())
	}
	for _, f := range all {
		p.whole(f, false)
	}
}
