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
	Verdict, Class, Mark string
	Rows                 []sheetRow
}

// A sheetRow is one requirement with what was found of it.
type sheetRow struct {
	ID, Title, Verdict, Class, Area, Rule, Statement string
	Explains                                         []sheetLink
	Findings                                         []sheetFinding
}

// A sheetLink leads to another requirement of the page.
type sheetLink struct{ ID, Text string }

type sheetFinding struct {
	Verdict, Class, Subject string
	Others                  []string
	Facts                   []fact
	Root                    string
	Commands                []fact
	Add                     string
	Exchanges               []sheetExchange
}

type sheetExchange struct {
	Outcome       string
	Sent, Reply   string // in words, where there are some
	Bytes, Answer string // as it went over the wire; empty when the words are that
}

// groups orders the requirements: the worst verdict first, and in it those that
// explain others.
func (p *page) groups() []sheetGroup {
	found := map[string][]Finding{}
	for _, f := range p.Findings {
		found[f.Requirement] = append(found[f.Requirement], f)
	}
	groups := make([]sheetGroup, len(standings))
	for _, row := range p.rows {
		i := p.stands(row)
		groups[i].Rows = append(groups[i].Rows, p.sheetRow(row, standings[i].class, standings[i].verdict, found[row.ID]))
	}
	for i := range groups {
		s := standings[i]
		groups[i].Verdict, groups[i].Class, groups[i].Mark = s.verdict, s.class, s.mark
		slices.SortStableFunc(groups[i].Rows, func(a, b sheetRow) int {
			return cmp.Compare(len(b.Explains), len(a.Explains))
		})
	}
	return slices.DeleteFunc(groups, func(g sheetGroup) bool { return len(g.Rows) == 0 })
}

func (p *page) sheetRow(row Requirement, class, verdict string, found []Finding) sheetRow {
	out := sheetRow{
		ID: row.ID, Title: Inert(row.Title), Verdict: verdict, Class: class, Area: cmp.Or(Inert(row.Area), "none"),
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
	for _, f := range found {
		out.Findings = append(out.Findings, sheetFindingOf(f))
	}
	return out
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
	for _, l := range []fact{{"again", f.Again}, {"replay", f.Replay}, {"raw", f.Raw}} {
		if l.Text != "" {
			out.Commands = append(out.Commands, fact{l.Label, Inert(l.Text)})
		}
	}
	if f.Add != "" {
		out.Add = inertLines(strings.Split(f.Add, "\n"))
	}
	for _, e := range f.Evidence {
		x := sheetExchangeOf(e)
		if f.Verdict == Pass { // nobody disputes it; the JSON report has the bytes
			x.Bytes, x.Answer = "", ""
		}
		out.Exchanges = append(out.Exchanges, x)
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

// readable is a frame for a reader: JSON is indented, a long one cut.
func readable(raw []byte, size int) string {
	const enough = 8 << 10
	if len(raw) > enough {
		return Inert(string(raw[:enough])) + fmt.Sprintf(" … (%d bytes)", max(size, len(raw)))
	}
	var indented bytes.Buffer
	if json.Indent(&indented, raw, "", "  ") != nil || indented.Len() > 4*enough {
		return Inert(string(raw))
	}
	return strings.TrimSuffix(inertLines(strings.Split(indented.String(), "\n")), "\n")
}
