package reports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A sheetGroup is all requirements with one verdict.
type sheetGroup struct {
	Verdict, Class, Mark, Title, Anchor string
	Folded                              bool
	Rows                                []sheetRow
}

// A sheetRow is one requirement with what was found of it.
type sheetRow struct {
	ID, Title, Verdict, Class, Mark, Area, Rule, Statement string
	On                                                     string // where it was seen, and what explains it
	Open                                                   bool
	Explains                                               []sheetLink
	Findings, More                                         []sheetFinding // the first few with the verdict of the row, and the others
	rank                                                   int
}

// A sheetLink leads to another requirement of the page.
type sheetLink struct{ ID, Text string }

type sheetFinding struct {
	Verdict, Class, Subject, Anchor string
	Others, Rest                    []string // the first few of the other subjects, and those after them
	Facts                           []fact
	Root                            string
	Commands, Rare                  []fact
	Add                             string
	Earlier                         []sheetExchange
	Deciding                        *sheetExchange
}

type sheetExchange struct {
	Outcome       string
	Sent, Reply   string // in words, where there are some
	Bytes, Answer string // as it went over the wire; empty when the words are that
}

// How much of the page stands open.
const (
	openRows     = 10 // failed requirements
	openFindings = 2  // of one requirement
)

// groups orders the requirements: the worst verdict first, and in it the root causes as in
// the other reports.
func (p *page) groups() []sheetGroup {
	found := map[string][]Finding{}
	for _, f := range p.Findings {
		found[f.Requirement] = append(found[f.Requirement], f)
	}
	ranks := p.ranks()
	groups := make([]sheetGroup, len(standings))
	for _, row := range p.rows {
		v := p.verdicts[row.ID]
		asked := slices.ContainsFunc(found[row.ID], func(f Finding) bool { return f.Evidence != nil })
		if p.Run.Conclusion != "" && (v == "" || v == NotProven && !asked) {
			continue // the head says why nothing was asked
		}
		i := p.stands(row)
		out := p.sheetRow(row, standings[i], found[row.ID])
		if rank, ok := ranks[row.ID]; ok {
			out.rank = rank - len(ranks) // before all others
		}
		groups[i].Rows = append(groups[i].Rows, out)
	}
	for i := range groups {
		s, g := standings[i], &groups[i]
		g.Verdict, g.Class, g.Mark, g.Title, g.Anchor = s.verdict, s.class, s.mark, s.title, "verdict-"+strings.ToLower(s.verdict)
		g.Folded = s.verdict != string(Fail) && s.verdict != string(Warn)
		slices.SortStableFunc(g.Rows, func(a, b sheetRow) int { return cmp.Compare(a.rank, b.rank) })
		for n := range g.Rows {
			g.Rows[n].Open = s.verdict == string(Fail) && n < openRows && g.Rows[n].rank < 0
		}
	}
	return slices.DeleteFunc(groups, func(g sheetGroup) bool { return len(g.Rows) == 0 })
}

// ranks are the places of the failures that no other explains and no baseline accepts.
func (p *page) ranks() map[string]int {
	ranks := map[string]int{}
	deciding, beside := p.roots()
	for _, id := range ids(slices.Concat(deciding, beside)) {
		ranks[id] = len(ranks)
	}
	return ranks
}

func (p *page) sheetRow(row Requirement, s sheetStanding, found []Finding) sheetRow {
	out := sheetRow{
		ID: row.ID, Title: Inert(row.Title), Verdict: s.verdict, Class: s.class, Mark: s.mark, Area: cmp.Or(Inert(row.Area), "none"),
		Rule: Inert(rule(row)), Statement: Inert(row.Statement),
	}
	if row.Core {
		out.Rule += ", core"
	}
	for _, u := range p.under[row.ID] {
		link := sheetLink{u.Requirement, fmt.Sprintf("%s (%s)", u.Requirement, u.Verdict)}
		if !slices.Contains(out.Explains, link) {
			out.Explains = append(out.Explains, link)
		}
	}
	for i, f := range found {
		next := sheetFindingOf(f)
		next.Anchor = fmt.Sprintf("%s.%d", row.ID, i+1)
		if string(f.Verdict) == s.verdict && i < openFindings || len(found) == 1 {
			out.Findings = append(out.Findings, next)
		} else {
			out.More = append(out.More, next)
		}
	}
	out.On = on(found)
	return out
}

// on is where a requirement was judged, for one line.
func on(found []Finding) string {
	if len(found) == 0 {
		return ""
	}
	text := clip(found[0].Subject, 60)
	seen := 0
	for _, f := range found {
		if f.Verdict == found[0].Verdict {
			seen += len(subjects(f))
		}
	}
	if seen > 1 {
		text += fmt.Sprintf(" and %d more", seen-1)
	}
	if found[0].RootCause != "" {
		text += ", explained by " + Inert(found[0].RootCause)
	}
	if found[0].Known != nil {
		text += ", known"
	}
	return text
}

func sheetFindingOf(f Finding) sheetFinding {
	const enough = 4000 // columns of one text
	out := sheetFinding{
		Verdict: string(f.Verdict), Class: classOf(f.Verdict), Subject: clip(f.Subject, 200), Root: Inert(f.RootCause),
	}
	for _, s := range f.Instances {
		if s != f.Subject {
			out.Others = append(out.Others, clip(s, 200))
		}
	}
	const few = 5
	if len(out.Others) > few+1 {
		out.Others, out.Rest = out.Others[:few], out.Others[few:]
	}
	flaky := ""
	if f.Flaky() {
		flaky = fmt.Sprintf("broken in %d of %d runs", f.Broken, f.Runs)
	}
	known := ""
	if f.Known != nil {
		known = f.Known.said()
	}
	for _, l := range []fact{{"known", known}, {"want", f.Want}, {"got", f.Got}, {"fix", f.Fix}, {"note", f.Note}, {"flaky", flaky}} {
		if l.Text != "" {
			out.Facts = append(out.Facts, fact{l.Label, clip(l.Text, enough)})
		}
	}
	if f.Again != "" {
		out.Commands = []fact{{"again", Inert(f.Again)}}
	}
	raw := f.Raw
	if len(raw) > maxRaw {
		raw = fmt.Sprintf("%d bytes, in the JSON report", len(raw))
	}
	for _, l := range []fact{{"replay", f.Replay}, {"raw", raw}} {
		if l.Text != "" {
			out.Rare = append(out.Rare, fact{l.Label, Inert(l.Text)})
		}
	}
	if f.Add != "" {
		out.Add = inertLines(strings.Split(f.Add, "\n"))
	}
	shown := f.Evidence
	if f.Verdict == Pass || f.Verdict == NotApplicable { // nobody disputes it; the JSON report has all of it
		shown = shown[max(len(shown)-1, 0):]
	}
	for i, e := range shown {
		x := sheetExchangeOf(e)
		if f.Verdict == Pass {
			x.Bytes, x.Answer = "", ""
		}
		if i == len(shown)-1 {
			out.Deciding = &x
		} else {
			out.Earlier = append(out.Earlier, x)
		}
	}
	return out
}

func sheetExchangeOf(e Exchange) sheetExchange {
	out := sheetExchange{Outcome: clip(e.Outcome, 200), Sent: readable(e.Asked, 0), Reply: readable(e.Said, 0)}
	if e.Asked != nil || e.Said != nil {
		out.Bytes = readable(e.Sent, e.SentSize)
		out.Answer = readable(e.Reply, e.ReplySize)
	}
	if e.Asked == nil {
		out.Sent = readable(e.Sent, e.SentSize)
	}
	switch {
	case e.Reply == nil:
		out.Reply = Inert(silence(e))
	case e.Said == nil:
		out.Reply = cmp.Or(readable(e.Reply, e.ReplySize), "empty")
	}
	if e.Elapsed > 0 && e.Reply != nil {
		out.Outcome = strings.TrimPrefix(fmt.Sprintf("%s, after %s", out.Outcome, e.Elapsed), ", ")
	}
	return out
}

// readable is a frame for a reader: JSON is indented, also behind the name of a tool, and a long one cut.
func readable(raw []byte, size int) string {
	const enough = 8 << 10
	if len(raw) > enough {
		return Inert(string(raw[:enough])) + fmt.Sprintf(" … (%d bytes)", max(size, len(raw)))
	}
	if tool, arguments, found := bytes.Cut(raw, []byte(" ")); found && !bytes.ContainsAny(tool, "{[\"\n") && json.Valid(arguments) {
		return Inert(string(tool)) + "\n" + readable(arguments, 0)
	}
	var indented bytes.Buffer
	if json.Indent(&indented, raw, "", "  ") != nil || indented.Len() > 4*enough {
		return Inert(string(raw))
	}
	return strings.TrimSuffix(inertLines(strings.Split(indented.String(), "\n")), "\n")
}
