package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Load is what became of the requests of a soak. No verdict rests on it.
type Load struct {
	Seconds    float64        `json:"seconds"`          // that it took
	Rate       float64        `json:"rate"`             // requests a second, as asked for
	Held       float64        `json:"held"`             // answers a second, as measured
	Requests   int            `json:"requests"`         //
	Unanswered int            `json:"unanswered"`       // of them
	Limited    int            `json:"limited"`          // refused because of a limit on the rate
	Refused    map[string]int `json:"refused,omitzero"` // by code, of those that succeed without load
	Latency    Latency        `json:"latencyMs"`        //
	Broken     []string       `json:"broken"`           // requirements that broke only under load, the first one first
	Second     int            `json:"second,omitzero"`  // of the soak, from 1, in which the first one broke
}

// A Latency has quantiles in milliseconds. They count from when a request was due, so that an answer
// that holds up the next requests counts for them as well.
type Latency struct {
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

// UnderLoad begins the note of what broke under load and holds without.
const UnderLoad = "under load"

// holds is the part of the stated rate that has to be answered for the load to count as held.
const holds = 0.95

// Lines say in words what became of a load.
func (l *Load) Lines() []string {
	if l == nil {
		return nil
	}
	first := UnderLoad + ": every requirement that was judged held"
	if len(l.Broken) > 0 {
		first = fmt.Sprintf("%s: %s broke first, in second %d", UnderLoad, l.Broken[0], l.Second)
		if more := l.Broken[1:]; len(more) > 0 {
			first += "; then " + strings.Join(more, ", ")
		}
	}
	rate := fmt.Sprintf("%.1f of %g requests a second were answered, for %.0f s", l.Held, l.Rate, l.Seconds)
	if l.Held < holds*l.Rate {
		rate = "the rate was not held: " + rate
	}
	counts := plural(l.Requests, "request")
	for _, c := range []struct {
		n    int
		what string
	}{{l.Unanswered, "unanswered"}, {l.Limited, "refused by a limit on the rate"}} {
		if c.n > 0 {
			counts += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(l.Refused)) {
		counts += fmt.Sprintf(", %d refused with %s", l.Refused[code], Inert(code))
	}
	t := l.Latency
	return []string{first, UnderLoad + ": " + rate + "; " + counts,
		fmt.Sprintf("%s: latency from when a request was due: half within %g ms, 90 %% %g, 99 %% %g, 99.9 %% %g, longest %g", UnderLoad, t.P50, t.P90, t.P99, t.P999, t.Max)}
}
