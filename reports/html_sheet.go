package reports

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"
)

// A sheet is what the HTML page shows. All text in it is inert.
type sheet struct {
	Title, Tool, Word, Rest, Class string
	Detail                         []string
	Bars                           []sheetBar
	Shares                         []sheetMark // the legend of the bars
	Gaps                           []sheetGap
	Facts, RunFacts                []fact
	Totals                         []total
	Departures                     []sheetDeparture // from a baseline
	Known                          []sheetLink      // failures that it accepts
	Groups                         []sheetGroup
	Ways                           []sheetWay
	Areas                          []sheetArea
	Rows                           int
	Routing                        *sheetRouting
	Remarks                        []string
	Latency                        *histogram
	Style                          template.CSS
	Script                         template.JS
	Policy                         template.HTML
}

// Urgent are the groups that stand directly under the head of the page.
func (s *sheet) Urgent() []sheetGroup {
	return slices.DeleteFunc(slices.Clone(s.Groups), func(g sheetGroup) bool { return g.Folded })
}

// Folded are those that a reader opens when he wants to.
func (s *sheet) Folded() []sheetGroup {
	return slices.DeleteFunc(slices.Clone(s.Groups), func(g sheetGroup) bool { return !g.Folded })
}

type fact struct{ Label, Text string }

// A sheetDeparture is a way in which the run departs from its baseline.
type sheetDeparture struct {
	Kind string
	Link sheetLink
	Text string
}

// A total is how many requirements have a verdict.
type total struct {
	Verdict, Class, Mark, Anchor string
	N                            int
}

// A sheetArea is one area of the map, with a cell for each of its requirements.
type sheetArea struct {
	Name  string
	Cells []sheetCell
}

type sheetCell struct{ ID, Title, Verdict, Class, Mark, Area string }

type sheetRouting struct {
	Endpoints []string
	Legend    []sheetMark
	Rows      []sheetRoute
}

type sheetRoute struct {
	Operation string
	Cells     []sheetRouteCell
}

type sheetRouteCell struct{ Text, Class string }

// A sheetMark says what a word of a table means.
type sheetMark struct{ Mark, Word, Class, Text string }

// A sheetWay is what would prove something, and what that is.
type sheetWay struct {
	Fix, Add  string
	IDs, More []string // the first few requirements, and the others
}

// A sheetStanding is a verdict with how the page shows it.
type sheetStanding struct{ verdict, class, mark, title string }

// standings are the verdicts on a row, and why it has none, with their classes and
// marks, in the order in which a reader wants them.
var standings = []sheetStanding{
	{string(Fail), "fail", "✕", "Failed"},
	{string(Warn), "warn", "!", "Warnings"},
	{string(NotProven), "open", "?", "Not proven"},
	{string(Pass), "pass", "✓", "Passed"},
	{string(Skipped), "none", "–", "Skipped on request"},
	{string(NotApplicable), "none", "○", "Not applicable to this adapter"},
	{"UNTESTED", "none", "·", "Not checked by this version"},
	{"EXCLUDED", "none", "×", "Cannot be checked from outside"},
}

// stands is the index in standings of a row.
func (r *Report) stands(row Requirement) int {
	verdict := cmp.Or(string(r.verdicts[row.ID]), strings.ToUpper(row.State))
	for i, s := range standings {
		if s.verdict == verdict {
			return i
		}
	}
	return len(standings) - 1
}

func (r *Report) sheet() *sheet {
	p := r.page(TextOptions{Width: 80})
	v, word, rest := p.outcome()
	s := &sheet{
		Tool: Inert(r.Run.Tool), Word: word, Rest: clip(rest, 500), Class: classOf(v),
		Title: Inert(strings.TrimSpace(word + ": " + cmp.Or(r.Run.Implementation, r.Run.Adapter))),
		Facts: p.facts(), RunFacts: p.runFacts(), Latency: r.latency(), Gaps: r.sheetGaps(), Routing: r.sheetRouting(), Groups: p.groups(),
	}
	for _, d := range r.Run.Detail {
		s.Detail = append(s.Detail, Inert(d))
	}
	for _, remark := range r.remarks(true) {
		s.Remarks = append(s.Remarks, clip(remark, 1000))
	}
	if r.Run.Conclusion == "" { // else the map would show that nothing was asked, cell by cell
		s.Bars, s.Shares, s.Areas = p.bars(), shares, r.sheetAreas()
		ways, _ := p.open()
		for _, way := range ways {
			s.Ways = append(s.Ways, sheetWayOf(way))
		}
	}
	if r.Baseline != nil {
		for _, d := range r.Baseline.Departures {
			s.Departures = append(s.Departures, sheetDeparture{d.Kind, sheetLink{d.Requirement, clip(d.Subject, 200)}, clip(d.Text, 500)})
		}
	}
	for _, f := range p.accepted() {
		s.Known = append(s.Known, sheetLink{f.Requirement, clip(fmt.Sprintf("on %s: %s", f.Subject, f.Known.said()), 500)})
	}
	for _, g := range s.Groups {
		s.Totals = append(s.Totals, total{g.Verdict, g.Class, g.Mark, g.Anchor, len(g.Rows)})
		s.Rows += len(g.Rows)
	}
	return s
}

func classOf(v Verdict) string {
	i := slices.IndexFunc(standings, func(s sheetStanding) bool { return s.verdict == string(v) })
	return standings[i].class
}

// facts are what a reader wants to know of the adapter before the findings.
func (p *page) facts() []fact {
	return given([]fact{{"adapter", clip(p.Run.Adapter, 1000)}, {"server", clip(p.server(), 1000)}, {"claim", clip(p.claimLine(), 1000)}, {"next", clip(p.next(), 500)}})
}

// runFacts are what is needed to repeat the run and to compare it.
func (p *page) runFacts() []fact {
	run := p.Run
	var facts []fact
	if run.Conclusion == "" {
		for _, l := range p.Levels {
			facts = append(facts, fact{fmt.Sprintf("level %d", l.Number), "in the normative text alone: " + l.Normative.String()})
		}
	}
	return given(append(facts,
		fact{"asked for", fmt.Sprintf("level %d, basis %s; level reached: %s", run.Level, cmp.Or(Inert(run.Basis), "all"), p.reached())},
		fact{"run", fmt.Sprintf("%s, seed %d, %s in %s, exit code %d", run.Started.UTC().Format("2006-01-02 15:04:05 UTC"), run.Seed,
			plural(run.Asked, "request"), run.Elapsed.Round(10*time.Millisecond), p.ExitCode)},
		fact{"digest", p.Digest}))
}

func given(facts []fact) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Text == "" })
}

func sheetWayOf(way settling) sheetWay {
	w := sheetWay{Fix: clip(cmp.Or(way.fix, triedInVain), 500)}
	if way.add != "" {
		w.Add = strings.TrimSuffix(inertLines(strings.Split(way.add, "\n")), "\n")
	}
	const few = 6
	w.IDs = ids(way.findings)
	if len(w.IDs) > few+1 {
		w.IDs, w.More = w.IDs[:few], w.IDs[few:]
	}
	return w
}

// sheetAreas is the map: every requirement of the catalogue, by area.
func (r *Report) sheetAreas() []sheetArea {
	var areas []sheetArea
	for _, c := range r.Categories {
		area := sheetArea{Name: cmp.Or(Inert(c.Name), "none")}
		for _, row := range r.rows {
			if row.Area == c.Name {
				s := standings[r.stands(row)]
				area.Cells = append(area.Cells, sheetCell{row.ID, Inert(row.Title), s.verdict, s.class, s.mark, area.Name})
			}
		}
		areas = append(areas, area)
	}
	return areas
}

func (r *Report) sheetRouting() *sheetRouting {
	t := r.Run.Routing
	if t == nil || len(t.Rows) == 0 {
		return nil
	}
	out := &sheetRouting{Legend: routingMarks}
	for _, e := range t.Endpoints {
		out.Endpoints = append(out.Endpoints, clip(e, 80))
	}
	classes := map[Cell]string{}
	for _, m := range routingMarks {
		classes[Cell(m.Word)] = m.Class
	}
	for _, row := range t.Rows {
		route := sheetRoute{Operation: clip(row.Operation, 80)}
		for _, c := range row.Cells {
			route.Cells = append(route.Cells, sheetRouteCell{Inert(string(c)), classes[c]})
		}
		out.Rows = append(out.Rows, route)
	}
	return out
}

// routingMarks are the legend of the routing table.
var routingMarks = []sheetMark{
	{"", string(Own), "own", "the endpoint of the operation"},
	{"", string(Refused), "pass", "refused, with the code for a wrong endpoint"},
	{"", string(Otherly), "warn", "refused, with another code"},
	{"", string(Executed), "fail", "carried out by the wrong endpoint"},
	{"", string(Unknown), "open", "not proven"},
}
