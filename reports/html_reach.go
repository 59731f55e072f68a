package reports

import (
	"fmt"
	"strings"
)

// A sheetGap names what a run did not exercise.
type sheetGap struct {
	Label string
	Names []string
	Text  string
}

// sheetGaps are the operations and kinds of objects that the run did not exercise.
func (r *Report) sheetGaps() []sheetGap {
	if r.Run.Reach == nil {
		return nil
	}
	var gaps []sheetGap
	add := func(label string, names []string, text string) {
		gap := sheetGap{Label: label, Text: text}
		for _, name := range names {
			gap.Names = append(gap.Names, clip(name, 80))
		}
		if len(names) > 0 {
			gaps = append(gaps, gap)
		}
	}
	add("operations without a valid call that succeeded", r.Run.Reach.NotReached, "")
	for _, k := range r.Run.Reach.NotLived {
		add("kind of object whose life was not played", []string{k.Kind}, "without "+strings.Join(k.Missing, ", ")+", of "+strings.Join(k.Documented, ", "))
	}
	add("operations that may not be called", r.Run.Reach.NotAllowed, "")
	return gaps
}

// A sheetBar shows a share. It is 1000 wide.
type sheetBar struct {
	Label, Standing, Class, Text string
	Parts                        []sheetBarPart
}

type sheetBarPart struct {
	Class string
	X, W  int
}

// shares are the legend of the bars.
var shares = []sheetMark{{"✓", "proven or reached", "pass", ""}, {"✕", "failed", "fail", ""}, {"?", "not proven or not reached", "open", ""}}

func (m Must) parts() []sheetBarPart {
	return barParts([]string{"pass", "fail", "open"}, []int{m.Passed, m.Failed, m.NotProven})
}

// bars are the MUSTs of each level by outcome, and the reach.
func (p *page) bars() []sheetBar {
	var bars []sheetBar
	classes := map[Standing]string{Conformant: "pass", Unproven: "open", Nonconformant: "fail"}
	for _, l := range p.Levels {
		text := l.Must.String()
		if l.Untested > 0 {
			text += fmt.Sprintf("; %s not checked by this version", plural(l.Untested, "requirement"))
		}
		bars = append(bars, sheetBar{
			Label: fmt.Sprintf("Level %d", l.Number), Standing: l.said(), Class: classes[l.Standing], Text: text,
			Parts: l.Must.parts(),
		})
	}
	if r := p.Run.Reach; r != nil {
		bars = append(bars, sheetBar{
			Label: "Reach", Text: r.String(),
			Parts: barParts([]string{"pass", "open"}, []int{r.Reached() + r.Lived(), len(r.NotReached) + len(r.NotLived)}),
		})
	}
	return bars
}

// barParts divides a bar. What there is has a part that can be seen, however small its share.
func barParts(classes []string, counts []int) []sheetBarPart {
	const whole, least = 1000, 8
	all, present := 0, 0
	for _, n := range counts {
		all += n
		present += min(n, 1)
	}
	var parts []sheetBarPart
	x := 0
	for i, n := range counts {
		if n > 0 {
			w := least + (whole-least*present)*n/all
			parts = append(parts, sheetBarPart{classes[i], x, w})
			x += w
		}
	}
	return parts
}
