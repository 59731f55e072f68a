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
	width := 10
	names := max(p.opt.Width-2-width*min(len(t.Endpoints), 5), 20)
	header := strings.Repeat(" ", 2)
	for i := range t.Endpoints {
		header += fmt.Sprintf("%-*s", width, fmt.Sprintf("%2d", i+1))
	}
	p.line(span{clip(header+"operations", p.opt.Width), faint})
	for _, alike := range t.kinds() {
		spans := []span{plain("  ")}
		for _, cell := range alike[0].Cells {
			style := faint
			if cell == Executed {
				style = styles[Fail]
			}
			spans = append(spans, span{fmt.Sprintf("%-*s", width, cell), style})
		}
		p.line(append(spans, plain(clip(shorten(operations(alike), 4, false), names)))...)
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
