package reports

import (
	"fmt"
	"slices"
	"time"
)

// A histogram says how long the adapter took for the exchanges that stand in the report
// as evidence. The scale is that of the steps of latencySteps, not of time.
type histogram struct {
	Bars          []bar
	N             int
	Median, Worst string
	Width, Height int // of the drawing, in its own units
}

// A bar is one step of the scale.
type bar struct {
	Label           string
	N               int
	X, Y, W, H, Mid int
	Base            int // where the label stands
	Top             int // where the number stands
}

// latencySteps are where one bar ends; what takes longer is in the last.
var latencySteps = []time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond,
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second,
}

// latency is nil when the report has no exchange that was answered.
func (r *Report) latency() *histogram {
	times := r.elapsed()
	if len(times) == 0 {
		return nil
	}
	slices.Sort(times)
	counts := make([]int, len(latencySteps)+1)
	for _, t := range times {
		i, _ := slices.BinarySearch(latencySteps, t)
		counts[i]++
	}
	width := len(counts)
	for counts[len(counts)-1] == 0 { // nothing took so long
		counts = counts[:len(counts)-1]
	}
	const step, room, top, base = 58, 120, 20, 24
	h := &histogram{
		N: len(times), Median: times[len(times)/2].String(), Worst: times[len(times)-1].String(),
		Width: step * width, Height: top + room + base,
	}
	most := slices.Max(counts)
	for i, n := range counts {
		label := "more"
		if i < len(latencySteps) {
			label = "≤ " + latencySteps[i].String()
		}
		height := (n*room + most - 1) / most
		h.Bars = append(h.Bars, bar{
			Label: label, N: n, X: i*step + 4, W: step - 8, Y: top + room - height, H: height, Mid: i*step + step/2,
			Base: top + room + base - 8, Top: top + room - height - 4,
		})
	}
	return h
}

// elapsed is the time of each answered exchange, once however many findings share it.
func (r *Report) elapsed() []time.Duration {
	var times []time.Duration
	seen := map[string]bool{}
	for _, f := range r.Findings {
		for _, e := range f.Evidence {
			key := fmt.Sprint(e.Conn, e.Frames)
			if e.Reply == nil || e.Elapsed <= 0 || len(e.Frames) > 0 && seen[key] {
				continue
			}
			seen[key] = true
			times = append(times, e.Elapsed)
		}
	}
	return times
}
