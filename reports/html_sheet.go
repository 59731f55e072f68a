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
	Badge                          badge
	Facts                          []fact
	Detail                         []string
	Totals                         []total
	Roots                          []sheetLink      // a line for each root cause
	Departures                     []sheetDeparture // from a baseline
	Known                          []sheetLink      // failures that it accepts
	Areas                          []sheetArea
	Reach                          []sheetGap
	Routing                        *sheetRouting
	Ways                           []sheetWay
	Groups                         []sheetGroup
	Rows                           int
	Latency                        *histogram
	Remarks                        []string
	Style                          template.CSS
	Script                         template.JS
	Policy                         template.HTML
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
	Verdict, Class, Mark string
	N                    int
}

// A sheetArea is one area of the map, with a cell for each of its requirements.
type sheetArea struct {
	Name  string
	Cells []sheetCell
}

type sheetCell struct{ ID, Title, Verdict, Class, Mark, Area string }

type sheetRouting struct {
	Endpoints []string
	Rows      []sheetRoute
}

type sheetRoute struct {
	Operation string
	Cells     []sheetRouteCell
}

type sheetRouteCell struct{ Text, Class string }

// A sheetWay is what would prove something, and what that is.
type sheetWay struct {
	Fix, Add string
	IDs      []string
}

// A sheetStanding is a verdict with how the page shows it.
type sheetStanding struct{ verdict, class, mark string }

// standings are the verdicts on a row, and why it has none, with their classes and
// marks, in the order in which a reader wants them.
var standings = []sheetStanding{
	{string(Fail), "fail", "✕"},
	{string(NotProven), "open", "?"},
	{string(Warn), "warn", "!"},
	{string(Pass), "pass", "✓"},
	{string(Skipped), "none", "–"},
	{string(NotApplicable), "none", "○"},
	{"UNTESTED", "none", "·"},
	{"EXCLUDED", "none", "×"},
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
		Tool: Inert(r.Run.Tool), Word: word, Rest: clip(rest, 500), Badge: r.badge(), Class: classOf(v),
		Title: Inert(strings.TrimSpace(word + ": " + cmp.Or(r.Run.Implementation, r.Run.Adapter))),
		Rows:  len(r.rows), Latency: r.latency(), Reach: r.sheetGaps(), Routing: r.sheetRouting(),
	}
	s.Facts = p.facts()
	for _, d := range r.Run.Detail {
		s.Detail = append(s.Detail, Inert(d))
	}
	for _, remark := range r.remarks(true) {
		s.Remarks = append(s.Remarks, clip(remark, 1000))
	}
	if r.Run.Conclusion == "" {
		ways, _ := p.open()
		for _, way := range ways {
			s.Ways = append(s.Ways, sheetWayOf(way))
		}
	}
	deciding, beside := p.roots()
	for _, f := range slices.Concat(deciding, beside) {
		text := fmt.Sprintf("%s, on %s", r.byID[f.Requirement].Title, f.Subject)
		if n := len(f.Instances) - 1; n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		s.Roots = append(s.Roots, sheetLink{f.Requirement, clip(text, 200)})
	}
	if r.Baseline != nil {
		for _, d := range r.Baseline.Departures {
			s.Departures = append(s.Departures, sheetDeparture{d.Kind, sheetLink{d.Requirement, clip(d.Subject, 200)}, clip(d.Text, 500)})
		}
	}
	for _, f := range p.accepted() {
		s.Known = append(s.Known, sheetLink{f.Requirement, clip(fmt.Sprintf("on %s: %s", f.Subject, f.Known.said()), 500)})
	}
	s.Areas = r.sheetAreas()
	s.Groups = p.groups()
	for _, g := range s.Groups {
		s.Totals = append(s.Totals, total{g.Verdict, g.Class, g.Mark, len(g.Rows)})
	}
	return s
}

func classOf(v Verdict) string {
	i := slices.IndexFunc(standings, func(s sheetStanding) bool { return s.verdict == string(v) })
	return standings[i].class
}

// facts are the head of the report and what is needed to repeat the run.
func (p *page) facts() []fact {
	run := p.Run
	facts := []fact{{"adapter", clip(run.Adapter, 1000)}, {"server", clip(p.server(), 1000)}}
	if run.Conclusion == "" {
		for _, l := range p.Levels {
			text := fmt.Sprintf("%s: %s; in the normative text alone: %s", l.Standing, l.Must, l.Normative)
			if l.Untested > 0 {
				text += fmt.Sprintf("; %s not checked by this version", plural(l.Untested, "requirement"))
			}
			facts = append(facts, fact{fmt.Sprintf("level %d", l.Number), text})
		}
	}
	if p.Run.Reach != nil {
		facts = append(facts, fact{"reach", p.Run.Reach.String()})
	}
	facts = append(facts, fact{"claim", clip(p.claimLine(), 1000)},
		fact{"asked for", fmt.Sprintf("level %d, basis %s; level reached: %s", run.Level, cmp.Or(Inert(run.Basis), "all"), p.reached())},
		fact{"run", fmt.Sprintf("%s, seed %d, %s in %s, exit code %d", run.Started.UTC().Format("2006-01-02 15:04:05 UTC"), run.Seed,
			plural(run.Asked, "request"), run.Elapsed.Round(10*time.Millisecond), p.ExitCode)},
		fact{"digest", p.Digest})
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Text == "" })
}

func sheetWayOf(way settling) sheetWay {
	w := sheetWay{Fix: clip(cmp.Or(way.fix, triedInVain), 500)}
	if way.add != "" {
		w.Add = strings.TrimSuffix(inertLines(strings.Split(way.add, "\n")), "\n")
	}
	for _, f := range way.findings {
		w.IDs = append(w.IDs, f.Requirement)
	}
	w.IDs = slices.Compact(w.IDs)
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
	out := &sheetRouting{}
	for _, e := range t.Endpoints {
		out.Endpoints = append(out.Endpoints, clip(e, 80))
	}
	classes := map[Cell]string{Own: "own", Refused: "pass", Otherly: "warn", Executed: "fail", Unknown: "open"}
	for _, row := range t.Rows {
		route := sheetRoute{Operation: clip(row.Operation, 80)}
		for _, c := range row.Cells {
			route.Cells = append(route.Cells, sheetRouteCell{Inert(string(c)), classes[c]})
		}
		out.Rows = append(out.Rows, route)
	}
	return out
}
