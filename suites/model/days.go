package model

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// No two objects may share a day, as the plan of a week has its first day. The days of an adapter may have to fall
// on one day of the week, so another one is whole weeks later.

// A span is how many weeks later a day may be, and in how many hours a time.
type span struct{ weeks, hours uint64 }

// spans are tried one after the other: an adapter may know no day that is far away, and no hour of the night. The
// first ends at a year of four digits, the others before 2200 and 2100. Few weeks are too few for many objects.
var spans = []span{{300_000, 1}, {9_000, 8}, {9_000, 1}, {3_800, 8}, {3_800, 1}}

// A soleDay is a valid day or time that no two objects share.
type soleDay struct {
	known string
	span
}

// otherDay returns a day or a time for the number of a step, whole weeks after a valid one that no two objects share.
func (f *Adapter) otherDay(p probes.Parameter, number int) probes.Value {
	sole, known := f.days[p.Name]
	if !known || number == 0 {
		return probes.Value{}
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		day, err := time.Parse(layout, sole.known)
		if err != nil {
			continue
		}
		h := fnv.New64a()
		fmt.Fprint(h, f.Nonce, p.Name, number)
		weeks, hours := 1+h.Sum64()%sole.weeks, 0
		if layout != time.DateOnly {
			hours = int(h.Sum64() / sole.weeks % min(sole.hours, uint64(24-day.Hour()))) // of the same day
		}
		for ; weeks > 0; weeks /= 2 { // an adapter may know no day that is far away
			v := probes.ValueOf(day.AddDate(0, 0, 7*int(weeks)).Add(time.Duration(hours) * time.Hour).Format(layout))
			if f.Misfit(p, v) == "" {
				return v
			}
		}
	}
	return probes.Value{}
}

// makeSole gives each new object another value of a parameter, and tells whether a creation with one succeeds. Days are
// tried far away and nearer, until one is refused for another reason than its value.
func (f *Adapter) makeSole(id string, p probes.Parameter, v probes.Value, create func(attempt string) probes.Observation) bool {
	f.sole[id] = true
	attempt := ""
	for i, sp := range spans {
		if p.Raw.Has("format") {
			f.days[p.Name] = soleDay{v.Text(), sp}
		}
		o := create(attempt)
		if o.Succeeded() {
			return true
		}
		if !strings.HasPrefix(o.Code(), "VALIDATION_") || f.otherDay(p, 1).Is(probes.Absent) {
			break
		}
		attempt = fmt.Sprintf(", attempt %d", i+2)
	}
	delete(f.sole, id)
	delete(f.days, p.Name)
	return false
}
