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
	p.departures()
	deciding, beside := p.roots()
	p.failed("FAILED", plural(len(deciding), "finding")+"; aql-conform explain ID says why", deciding)
	p.failed("FAILED BESIDE", fmt.Sprintf("level %d, so not counted by the exit code", p.Run.Level), beside)
	p.known()
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
	if len(fails) > 2 && !p.opt.Quiet {
		p.openRows(slices.Clone(fails), false)
		p.line()
	}
	told := map[string]bool{} // a root with several findings names what it blocks once
	for i, f := range fails {
		if p.opt.Quiet {
			p.heading(f, true)
			continue
		}
		if i > 0 {
			p.line()
		}
		p.heading(f, false)
		p.body(f, !told[f.Requirement])
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

// body says what was wanted and seen, what to do about it and how to see it again.
func (p *page) body(f Finding, blocked bool) {
	room := p.opt.Width - 14
	p.labelled(6, "want", 8, wrap(f.Want, room))
	p.labelled(6, "got", 8, wrap(f.Got, room))
	if len(f.Instances) > 1 {
		p.labelled(6, "and on", 8, p.instances(f, room))
	}
	p.evidence(f, room)
	if blocked {
		p.blocked(f, room)
	}
	p.labelled(6, "fix", 8, wrap(f.Fix, room))
	p.labelled(6, "note", 8, wrap(f.Note, room))
	if f.Again != "" {
		p.labelled(6, "again", 8, shell(f.Again, room))
	}
	if f.Replay != "" {
		p.labelled(6, "replay", 8, shell(f.Replay, room))
	}
	if f.Raw != "" && p.opt.Verbose {
		p.labelled(6, "raw", 8, []string{Inert(f.Raw)}) // one line, however wide the page: it is there to be copied
	}
}

// instances is the list of the other subjects, shortened: the rest is in the
// JSON report.
func (p *page) instances(f Finding, room int) []string {
	others := slices.DeleteFunc(slices.Clone(f.Instances), func(s string) bool { return s == f.Subject })
	for i, o := range others {
		others[i] = clip(o, room)
	}
	return flow(fmt.Sprintf("%d more: %s", len(others), shorten(others, 8, p.opt.Verbose)), room)
}

// evidence prints the exchanges, the deciding one last as it was recorded.
func (p *page) evidence(f Finding, room int) {
	const enough = 1
	shown := f.Evidence
	if hidden := len(shown) - enough; hidden > 0 && !p.opt.Verbose {
		shown = shown[hidden:]
		p.labelled(6, "", 8, []string{fmt.Sprintf("%s before this, in the JSON report", plural(hidden, "exchange"))})
	}
	for _, e := range shown {
		if sent, size := p.brief(e.Asked, e.Sent, e.SentSize); sent != nil {
			p.labelled(6, "sent", 8, p.frame(sent, size, room))
		}
		if e.Reply == nil {
			p.labelled(6, "reply", 8, wrap(silence(e), room))
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
	lines := 3
	if p.opt.Verbose {
		lines = 20 // a screenful
	}
	return flow(cut(raw, size, lines*room), room)
}

// brief picks the words of an exchange over its frame, unless everything is to be
// shown.
func (p *page) brief(words, frame []byte, bytes int) (raw []byte, size int) {
	if words == nil || p.opt.Verbose {
		return frame, bytes
	}
	return words, len(words)
}

// blocked names what this finding explains.
func (p *page) blocked(f Finding, room int) {
	by := map[Verdict][]string{}
	for _, u := range p.under[f.Requirement] {
		by[u.Verdict] = append(by[u.Verdict], u.Requirement)
	}
	for _, v := range order {
		if len(by[v]) == 0 {
			continue
		}
		ids := slices.Compact(by[v])
		p.labelled(6, "blocks", 8, flow(fmt.Sprintf("%s (%s): %s",
			plural(len(ids), "requirement"), v, shorten(ids, 12, p.opt.Verbose)), room))
	}
}

// shorten joins names, up to a number.
func shorten(names []string, enough int, all bool) string {
	if all || len(names) <= enough {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:enough], ", "), len(names)-enough)
}

// inShort says how to see what is shown in short.
func (p *page) inShort() string {
	if p.opt.Verbose {
		return ""
	}
	return "; -v shows them whole"
}

// warnings prints each WARN in two or three lines.
func (p *page) warnings() {
	first := true
	for _, f := range p.own {
		if f.Verdict != Warn {
			continue
		}
		if first {
			p.section(Warn, "WARNED", plural(p.Summary.Warn, "requirement")+p.inShort())
			first = false
		}
		p.heading(f, !p.opt.Verbose)
		if p.opt.Verbose {
			p.body(f, false)
			continue
		}
		text := f.Got
		if f.Want != "" {
			text += "; want " + f.Want
		}
		p.line(plain("      " + clip(text, p.opt.Width-6)))
	}
}
