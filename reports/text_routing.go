package reports

import (
	"fmt"
	"slices"
	"strings"
)

// routing prints the table operations by endpoints. Operations with equal rows
// share one, so that three hundred that behave take a line each for their kinds.
func (p *page) routing() {
	t := p.Run.Routing
	if t == nil || len(t.Rows) == 0 {
		return
	}
	var patterns []string
	members := map[string][]string{}
	for _, r := range t.Rows {
		pattern := fmt.Sprint(r.Cells)
		if members[pattern] == nil {
			patterns = append(patterns, pattern)
		}
		members[pattern] = append(members[pattern], r.Operation)
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
	for _, pattern := range patterns {
		i := slices.IndexFunc(t.Rows, func(r Route) bool { return fmt.Sprint(r.Cells) == pattern })
		spans := []span{plain("  ")}
		for _, cell := range t.Rows[i].Cells {
			style := faint
			if cell == Executed {
				style = styles[Fail]
			}
			spans = append(spans, span{fmt.Sprintf("%-*s", width, cell), style})
		}
		p.line(append(spans, plain(clip(shorten(members[pattern], 4, false), names)))...)
	}
}
