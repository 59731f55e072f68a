package reports

import (
	"fmt"
	"strings"
)

// routing prints the table operations by endpoints. Operations with equal rows
// share one, so that three hundred that behave take a line each for their kinds.
func (p *page) routing() {
	t := p.Run.Routing
	if t == nil || len(t.Rows) == 0 {
		return
	}
	p.line()
	p.line(span{"ROUTING", bold}, plain("  operations by endpoints"))
	p.line()
	for i, tool := range t.Endpoints {
		p.line(plain(fmt.Sprintf("  %2d  %s", i+1, clip(tool, p.opt.Width-6))))
	}
	const width, least = 10, 20 // columns of a cell, and of the names beside the cells
	shown := min(len(t.Endpoints), (p.opt.Width-2)/width)
	names := p.opt.Width - 2 - width*shown
	header := strings.Repeat(" ", 2)
	for i := range shown {
		header += fmt.Sprintf("%-*s", width, fmt.Sprintf("%2d", i+1))
	}
	if names >= least {
		header += "operations"
	}
	p.line(span{strings.TrimRight(header, " "), faint})
	for _, alike := range t.kinds() {
		spans := []span{plain("  ")}
		for _, cell := range alike[0].Cells[:shown] {
			style := faint
			if cell == Executed {
				style = styles[Fail]
			}
			spans = append(spans, span{fmt.Sprintf("%-*s", width, cell), style})
		}
		list := shorten(operations(alike), 4)
		if names >= least {
			p.line(append(spans, plain(clip(list, names)))...)
			continue
		}
		p.line(spans...)
		p.line(plain("      " + clip(list, p.opt.Width-6)))
	}
	if more := len(t.Endpoints) - shown; more > 0 {
		p.line(span{"  " + plural(more, "endpoint") + " more in the HTML and JSON report", faint})
	}
}

// kinds puts operations together that fared alike, in the order of the listing.
func (t *Routing) kinds() [][]Route {
	var kinds [][]Route
	at := map[string]int{}
	for _, r := range t.Rows {
		pattern := fmt.Sprint(r.Cells)
		i, seen := at[pattern]
		if !seen {
			i, at[pattern] = len(kinds), len(kinds)
			kinds = append(kinds, nil)
		}
		kinds[i] = append(kinds[i], r)
	}
	return kinds
}

func operations(routes []Route) []string {
	var names []string
	for _, r := range routes {
		names = append(names, r.Operation)
	}
	return names
}
