package reports

import "strings"

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
